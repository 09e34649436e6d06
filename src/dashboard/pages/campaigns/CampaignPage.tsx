import { Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Failure as ApiFailure, api, hooks, type Schemas } from '../../api/client.ts'
import { useFresh } from '../../api/useLive.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Id } from '../../ui/Id.tsx'
import { Body, Page } from '../../ui/Page.tsx'
import { Facts, Section } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { useTell } from '../../ui/told.tsx'
import { CampaignFields, useKnown } from './CampaignFields.tsx'
import { Content } from './Content.tsx'
import styles from './campaigns.module.css'
import { contentOf, type Form, useForm } from './form.ts'
import { Preview } from './Preview.tsx'
import { Progress, settledOf } from './Progress.tsx'
import { StartDialog } from './StartDialog.tsx'
import { type Campaign, hasBegun, toneOf } from './status.ts'

/** Polling interval in milliseconds by status. It applies even while the stream is open. */
const everyMs: Partial<Record<Campaign['status'], number>> = { running: 1500, scheduled: 10_000 }

/** Campaign page: a form with a preview before the start, and the progress after it. */
export const CampaignPage = () => {
  const say = useTexts()
  const { id } = useParams({ strict: false }) as { id: string }
  const query = hooks.useQuery(
    'get',
    '/v1/campaigns/{id}',
    { params: { path: { id } } },
    { refetchInterval: ({ state }) => (state.data && everyMs[state.data.status]) ?? false },
  )
  useFresh(['campaign'], ['/v1/campaigns/{id}'], news => news.id === id)
  if (query.data) return <Opened key={id} campaign={query.data} />
  return (
    <Page title={say('campaigns.id')}>
      <Body>
        {query.error ? (
          <Failure of={query.error} retry={() => void query.refetch()} />
        ) : (
          <Skeleton height={320} maw={560} />
        )}
      </Body>
    </Page>
  )
}

export const NewCampaign = () => {
  const say = useTexts()
  const owner = useIsOwner()
  const form = useForm(null)
  return (
    <Page readOnly={!owner} title={say('campaigns.new')} text={say('campaigns.emptyText')} actions={<Back />}>
      <Body>
        <div className={styles.columns}>
          <Editor campaign={null} form={form} />
        </div>
      </Body>
    </Page>
  )
}

const Back = () => {
  const say = useTexts()
  return (
    <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to="/campaigns" />}>
      {say('campaigns.back')}
    </Anchor>
  )
}

/** Shows a campaign from a response and refetches the queries that depend on it. */
const take = (queries: QueryClient, campaign: Campaign): void => {
  const one = hooks.queryOptions('get', '/v1/campaigns/{id}', { params: { path: { id: campaign.id } } })
  queries.setQueryData(one.queryKey, campaign)
  const others = ['/v1/campaigns', '/v1/campaigns/{id}/preview', '/v1/campaigns/{id}/recipients']
  void queries.invalidateQueries({ predicate: ({ queryKey }) => others.includes(queryKey[1] as string) })
}

const Opened = ({ campaign }: { campaign: Campaign }) => {
  const say = useTexts()
  const owner = useIsOwner()
  const form = useForm(campaign)
  return (
    <Page
      title={campaign.name}
      readOnly={!owner}
      actions={
        <>
          <Back />
          {owner && <Actions campaign={campaign} dirty={form.dirty} />}
        </>
      }
    >
      <Body>
        <Standing campaign={campaign} />
        {hasBegun(campaign) ? (
          <div className={styles.columns}>
            <div>
              <Progress campaign={campaign} />
              <Anchor
                size="sm"
                renderRoot={(props: object) => (
                  <Link {...props} to="/campaigns/$id/recipients" params={{ id: campaign.id }} />
                )}
              >
                {say('campaigns.recipients')}
              </Anchor>
            </div>
            <Section title={say('campaigns.content')}>
              <Content campaign={campaign} />
            </Section>
          </div>
        ) : owner ? (
          <div className={styles.columns}>
            <Editor campaign={campaign} form={form} />
            <Preview campaign={campaign} dirty={form.dirty} />
          </div>
        ) : (
          <Section title={say('campaigns.content')}>
            <Content campaign={campaign} />
          </Section>
        )}
      </Body>
    </Page>
  )
}

const Standing = ({ campaign }: { campaign: Campaign }) => {
  const say = useTexts()
  const { status, scheduledAt, startedAt, finishedAt } = campaign
  return (
    <div className={styles.standing}>
      <Facts
        of={{
          [say('campaigns.status')]: <Status tone={toneOf[status]}>{say(`campaigns.status.${status}`)}</Status>,
          [say('campaigns.scheduledAt')]:
            status === 'scheduled' && scheduledAt ? <Time at={scheduledAt} exact /> : null,
          [say('campaigns.startedAt')]: startedAt && <Time at={startedAt} exact />,
          [say('campaigns.finishedAt')]: finishedAt && <Time at={finishedAt} exact />,
          [say('campaigns.id')]: <Id value={campaign.id} whole />,
        }}
      />
    </div>
  )
}

const Editor = ({ campaign, form }: { campaign: Campaign | null; form: Form }) => {
  const say = useTexts()
  const owner = useIsOwner()
  const known = useKnown()
  const template = known.templates?.find(({ id }) => id === form.value.templateId)
  const { save, busy, failure } = useSave(campaign, form, template)
  return (
    <form
      aria-label={campaign?.name ?? say('campaigns.new')}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void save()
      }}
    >
      <Stack gap="md">
        <CampaignFields
          form={form}
          {...known}
          readOnly={!owner}
          faults={failure instanceof ApiFailure ? failure.details : {}}
        />
        {failure !== null && <Failure of={failure} />}
        {owner && (
          <Group gap="sm">
            <Button type="submit" loading={busy} disabled={campaign !== null && !form.dirty}>
              {say(campaign ? 'campaigns.save' : 'campaigns.create')}
            </Button>
            {form.dirty && (
              <Button variant="default" onClick={form.clear}>
                {say('campaigns.discard')}
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </form>
  )
}

const useSave = (campaign: Campaign | null, form: Form, template: Schemas['Template'] | undefined) => {
  const say = useTexts()
  const tell = useTell()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const save = async () => {
    setBusy(true)
    setFailure(null)
    try {
      const body = contentOf(form.value, template)
      const { data } = campaign
        ? await api.PATCH('/v1/campaigns/{id}', { params: { path: { id: campaign.id } }, body })
        : await api.POST('/v1/campaigns', { body })
      take(queries, data!)
      form.clear()
      tell(say('campaigns.saved', { name: data!.name }))
      if (!campaign) void navigate({ to: '/campaigns/$id', params: { id: data!.id }, replace: true })
    } catch (error) {
      setFailure(
        error instanceof SyntaxError ? new ApiFailure(0, 'invalid_request', say('campaigns.jsonWrong')) : error,
      )
    } finally {
      setBusy(false)
    }
  }
  return { save, busy, failure }
}

type Dialog = 'start' | 'cancel' | 'remove' | null

const Actions = ({ campaign, dirty }: { campaign: Campaign; dirty: boolean }) => {
  const say = useTexts()
  const tell = useTell()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [dialog, setDialog] = useState<Dialog>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const { id, name, status, progress } = campaign
  const params = { path: { id } }
  const close = () => setDialog(null)
  const turn = async (to: 'pause' | 'resume') => {
    setBusy(true)
    setFailure(null)
    try {
      const { data } = await api.POST(`/v1/campaigns/{id}/${to}`, { params })
      take(queries, data!)
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const cancel = async () => {
    const { data } = await api.POST('/v1/campaigns/{id}/cancel', { params })
    take(queries, data!)
  }
  const remove = async () => {
    await api.DELETE('/v1/campaigns/{id}', { params })
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === '/v1/campaigns' })
    tell(say('campaigns.removed', { name }))
    void navigate({ to: '/campaigns' })
  }
  return (
    <>
      {!hasBegun(campaign) && (
        <Button variant="default" onClick={() => setDialog('remove')}>
          {say('campaigns.remove')}
        </Button>
      )}
      {(status === 'scheduled' || status === 'running' || status === 'paused') && (
        <Button variant="default" onClick={() => setDialog('cancel')}>
          {say('campaigns.cancel')}
        </Button>
      )}
      {status === 'running' && (
        <Button variant="default" loading={busy} onClick={() => void turn('pause')}>
          {say('campaigns.pause')}
        </Button>
      )}
      {status === 'paused' && (
        <Button loading={busy} onClick={() => void turn('resume')}>
          {say('campaigns.resume')}
        </Button>
      )}
      {!hasBegun(campaign) && (
        <Button disabled={dirty} onClick={() => setDialog('start')}>
          {say(status === 'scheduled' ? 'campaigns.reschedule' : 'campaigns.start')}
        </Button>
      )}
      {failure !== null && <Failure of={failure} />}
      {dialog === 'start' && (
        <StartDialog campaign={campaign} onClose={close} onDone={started => take(queries, started)} />
      )}
      <Confirm
        opened={dialog === 'cancel'}
        title={say('campaigns.cancelTitle', { name })}
        action={say('campaigns.cancel')}
        onClose={close}
        onConfirm={cancel}
      >
        {status === 'scheduled'
          ? say('campaigns.cancelScheduled')
          : say('campaigns.cancelText', { count: Math.max(progress.audience - settledOf(campaign), 0) })}
      </Confirm>
      <Confirm
        opened={dialog === 'remove'}
        title={say('campaigns.removeTitle', { name })}
        action={say('campaigns.removeAction')}
        onClose={close}
        onConfirm={remove}
      >
        <Text size="sm">{say('campaigns.removeText')}</Text>
      </Confirm>
    </>
  )
}
