import { Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Failure as ApiFailure, api, hooks, type Schemas } from '../../api/client.ts'
import { useLiveRefresh } from '../../api/useLive.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Confirm } from '../../ui/form/Confirm.tsx'
import { Id } from '../../ui/Id.tsx'
import { Body, Page } from '../../ui/Page.tsx'
import { Facts, Section } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { tones } from '../../ui/tones.ts'
import { useNotify } from '../../ui/useNotify.tsx'
import { CampaignFields, useChoices } from './CampaignFields.tsx'
import { Content } from './Content.tsx'
import styles from './campaigns.module.css'
import { type Form, toRequestBody, useForm } from './form.ts'
import { Preview } from './Preview.tsx'
import { countSettled, Progress } from './Progress.tsx'
import { StartDialog } from './StartDialog.tsx'
import { type Campaign, hasStarted } from './status.ts'

/** Polling interval in milliseconds by status. It applies even while the stream is open. */
const pollIntervalMs: Partial<Record<Campaign['status'], number>> = { running: 1500, scheduled: 10_000 }

/** Campaign page: a form with a preview before the start, and the progress after it. */
export const CampaignPage = () => {
  const t = useTranslate()
  const { id } = useParams({ strict: false }) as { id: string }
  const query = hooks.useQuery(
    'get',
    '/v1/campaigns/{id}',
    { params: { path: { id } } },
    { refetchInterval: ({ state }) => (state.data && pollIntervalMs[state.data.status]) ?? false },
  )
  useLiveRefresh(['campaign'], ['/v1/campaigns/{id}'], news => news.id === id)
  if (query.data) return <CampaignDetails key={id} campaign={query.data} />
  return (
    <Page title={t('campaigns.id')}>
      <Body>
        {query.error ? (
          <Failure error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Skeleton height={320} maw={560} />
        )}
      </Body>
    </Page>
  )
}

export const NewCampaign = () => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const form = useForm(null)
  return (
    <Page readOnly={!isOwner} title={t('campaigns.new')} text={t('campaigns.emptyText')} actions={<BackLink />}>
      <Body>
        <div className={styles.columns}>
          <Editor campaign={null} form={form} />
        </div>
      </Body>
    </Page>
  )
}

const BackLink = () => {
  const t = useTranslate()
  return (
    <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to="/campaigns" />}>
      {t('campaigns.back')}
    </Anchor>
  )
}

/** Shows a campaign from a response and refetches the queries that depend on it. */
const updateCache = (queries: QueryClient, campaign: Campaign): void => {
  const campaignQuery = hooks.queryOptions('get', '/v1/campaigns/{id}', { params: { path: { id: campaign.id } } })
  queries.setQueryData(campaignQuery.queryKey, campaign)
  const relatedPaths = ['/v1/campaigns', '/v1/campaigns/{id}/preview', '/v1/campaigns/{id}/recipients']
  void queries.invalidateQueries({ predicate: ({ queryKey }) => relatedPaths.includes(queryKey[1] as string) })
}

const CampaignDetails = ({ campaign }: { campaign: Campaign }) => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const form = useForm(campaign)
  return (
    <Page
      title={campaign.name}
      readOnly={!isOwner}
      actions={
        <>
          <BackLink />
          {isOwner && <Actions campaign={campaign} dirty={form.dirty} />}
        </>
      }
    >
      <Body>
        <StatusSummary campaign={campaign} />
        {hasStarted(campaign) ? (
          <div className={styles.columns}>
            <div>
              <Progress campaign={campaign} />
              <Anchor
                size="sm"
                renderRoot={(props: object) => (
                  <Link {...props} to="/campaigns/$id/recipients" params={{ id: campaign.id }} />
                )}
              >
                {t('campaigns.recipients')}
              </Anchor>
            </div>
            <Section title={t('campaigns.content')}>
              <Content campaign={campaign} />
            </Section>
          </div>
        ) : isOwner ? (
          <div className={styles.columns}>
            <Editor campaign={campaign} form={form} />
            <Preview campaign={campaign} dirty={form.dirty} />
          </div>
        ) : (
          <Section title={t('campaigns.content')}>
            <Content campaign={campaign} />
          </Section>
        )}
      </Body>
    </Page>
  )
}

const StatusSummary = ({ campaign }: { campaign: Campaign }) => {
  const t = useTranslate()
  const { status, scheduledAt, startedAt, finishedAt } = campaign
  return (
    <div className={styles.status}>
      <Facts
        items={{
          [t('campaigns.status')]: <Status tone={tones.campaign[status]}>{t(`campaigns.status.${status}`)}</Status>,
          [t('campaigns.scheduledAt')]: status === 'scheduled' && scheduledAt ? <Time at={scheduledAt} exact /> : null,
          [t('campaigns.startedAt')]: startedAt && <Time at={startedAt} exact />,
          [t('campaigns.finishedAt')]: finishedAt && <Time at={finishedAt} exact />,
          [t('campaigns.id')]: <Id value={campaign.id} full />,
        }}
      />
    </div>
  )
}

const Editor = ({ campaign, form }: { campaign: Campaign | null; form: Form }) => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const choices = useChoices()
  const template = choices.templates?.find(({ id }) => id === form.value.templateId)
  const { save, busy, failure } = useSave(campaign, form, template)
  return (
    <form
      aria-label={campaign?.name ?? t('campaigns.new')}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void save()
      }}
    >
      <Stack gap="md">
        <CampaignFields
          form={form}
          {...choices}
          readOnly={!isOwner}
          faults={failure instanceof ApiFailure ? failure.details : {}}
        />
        {failure !== null && <Failure error={failure} />}
        {isOwner && (
          <Group gap="sm">
            <Button type="submit" loading={busy} disabled={campaign !== null && !form.dirty}>
              {t(campaign ? 'campaigns.save' : 'campaigns.create')}
            </Button>
            {form.dirty && (
              <Button variant="default" onClick={form.clear}>
                {t('campaigns.discard')}
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </form>
  )
}

const useSave = (campaign: Campaign | null, form: Form, template: Schemas['Template'] | undefined) => {
  const t = useTranslate()
  const notify = useNotify()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const save = async () => {
    setBusy(true)
    setFailure(null)
    try {
      const body = toRequestBody(form.value, template)
      const { data } = campaign
        ? await api.PATCH('/v1/campaigns/{id}', { params: { path: { id: campaign.id } }, body })
        : await api.POST('/v1/campaigns', { body })
      updateCache(queries, data!)
      form.clear()
      notify(t('campaigns.saved', { name: data!.name }))
      if (!campaign) void navigate({ to: '/campaigns/$id', params: { id: data!.id }, replace: true })
    } catch (error) {
      setFailure(error instanceof SyntaxError ? new ApiFailure(0, 'invalid_request', t('campaigns.jsonWrong')) : error)
    } finally {
      setBusy(false)
    }
  }
  return { save, busy, failure }
}

type Dialog = 'start' | 'cancel' | 'remove' | null

const Actions = ({ campaign, dirty }: { campaign: Campaign; dirty: boolean }) => {
  const t = useTranslate()
  const notify = useNotify()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [dialog, setDialog] = useState<Dialog>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const { id, name, status, progress } = campaign
  const params = { path: { id } }
  const close = () => setDialog(null)
  const pauseOrResume = async (to: 'pause' | 'resume') => {
    setBusy(true)
    setFailure(null)
    try {
      const { data } = await api.POST(`/v1/campaigns/{id}/${to}`, { params })
      updateCache(queries, data!)
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const cancel = async () => {
    const { data } = await api.POST('/v1/campaigns/{id}/cancel', { params })
    updateCache(queries, data!)
  }
  const remove = async () => {
    await api.DELETE('/v1/campaigns/{id}', { params })
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === '/v1/campaigns' })
    notify(t('campaigns.removed', { name }))
    void navigate({ to: '/campaigns' })
  }
  return (
    <>
      {!hasStarted(campaign) && (
        <Button variant="default" onClick={() => setDialog('remove')}>
          {t('campaigns.remove')}
        </Button>
      )}
      {(status === 'scheduled' || status === 'running' || status === 'paused') && (
        <Button variant="default" onClick={() => setDialog('cancel')}>
          {t('campaigns.cancel')}
        </Button>
      )}
      {status === 'running' && (
        <Button variant="default" loading={busy} onClick={() => void pauseOrResume('pause')}>
          {t('campaigns.pause')}
        </Button>
      )}
      {status === 'paused' && (
        <Button loading={busy} onClick={() => void pauseOrResume('resume')}>
          {t('campaigns.resume')}
        </Button>
      )}
      {!hasStarted(campaign) && (
        <Button disabled={dirty} onClick={() => setDialog('start')}>
          {t(status === 'scheduled' ? 'campaigns.reschedule' : 'campaigns.start')}
        </Button>
      )}
      {failure !== null && <Failure error={failure} />}
      {dialog === 'start' && (
        <StartDialog campaign={campaign} onClose={close} onDone={started => updateCache(queries, started)} />
      )}
      <Confirm
        opened={dialog === 'cancel'}
        title={t('campaigns.cancelTitle', { name })}
        action={t('campaigns.cancel')}
        onClose={close}
        onConfirm={cancel}
      >
        {status === 'scheduled'
          ? t('campaigns.cancelScheduled')
          : t('campaigns.cancelText', { count: Math.max(progress.audience - countSettled(campaign), 0) })}
      </Confirm>
      <Confirm
        opened={dialog === 'remove'}
        title={t('campaigns.removeTitle', { name })}
        action={t('campaigns.removeAction')}
        onClose={close}
        onConfirm={remove}
      >
        <Text size="sm">{t('campaigns.removeText')}</Text>
      </Confirm>
    </>
  )
}
