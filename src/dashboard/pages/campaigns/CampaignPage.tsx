import { Button, Skeleton, VisuallyHidden } from '@mantine/core'
import { getRouteApi, Link, type LinkProps } from '@tanstack/react-router'
import { hooks } from '../../api/client.ts'
import { useLiveRefresh } from '../../api/useLive.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import { Empty, OwnersOnly } from '../../ui/Empty.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { usePhone } from '../../ui/hooks/usePhone.ts'
import { Id } from '../../ui/Id.tsx'
import { CheckIcon, MegaphoneIcon } from '../../ui/icons.ts'
import { Body, type Crumb, Page } from '../../ui/Page.tsx'
import { Facts } from '../../ui/Panel.tsx'
import { Duration, Time } from '../../ui/Time.tsx'
import { Actions } from './Actions.tsx'
import { CampaignStatus } from './CampaignStatus.tsx'
import { Content } from './Content.tsx'
import styles from './campaigns.module.css'
import { useChoices } from './choices.ts'
import { Editor } from './Editor.tsx'
import { useCampaignForm } from './form.ts'
import { Preview, RecipientCount } from './Preview.tsx'
import { Progress } from './Progress.tsx'
import { ResultCards } from './ResultCards.tsx'
import { type Campaign, canChange, hasStarted } from './status.ts'

/** Polling interval in milliseconds by status. It applies even while the stream is open. */
const pollIntervalMs: Partial<Record<Campaign['status'], number>> = { running: 1500, scheduled: 10_000 }

const route = getRouteApi('/signed/campaigns/$id')

const useCrumbs = (): Crumb[] => {
  const t = useTranslate()
  return [{ label: t('campaigns.title'), link: { to: '/campaigns' } }]
}

/** Campaign page: a form with a preview before the start, and the results after it. */
export const CampaignPage = () => {
  const t = useTranslate()
  const { id } = route.useParams()
  const query = hooks.useQuery(
    'get',
    '/v1/campaigns/{id}',
    { params: { path: { id } } },
    { refetchInterval: ({ state }) => (state.data && pollIntervalMs[state.data.status]) ?? false },
  )
  useLiveRefresh(['campaign'], ['/v1/campaigns/{id}', '/v1/campaigns/{id}/preview'], news => news.id === id)
  const crumbs = useCrumbs()
  if (query.data) return <CampaignDetails key={id} campaign={query.data} />
  return (
    <Page title={t('campaigns.id')} crumbs={crumbs}>
      <Body>
        {query.error ? (
          <Failure error={query.error} retry={() => void query.refetch()} record={t('campaigns.id')} list={crumbs[0]} />
        ) : (
          <Skeleton height={320} maw={560} />
        )}
      </Body>
    </Page>
  )
}

/** Form of a new campaign. */
export const NewCampaign = () => {
  const t = useTranslate()
  const crumbs = useCrumbs()
  if (useIsOwner()) return <NewCampaignForm />
  return (
    <Page title={t('campaigns.new')} crumbs={crumbs}>
      <Body>
        <OwnersOnly what={t('campaigns.title')} list={{ to: '/campaigns' }} />
      </Body>
    </Page>
  )
}

const NewCampaignForm = () => {
  const t = useTranslate()
  const form = useCampaignForm(null)
  const { channels, templates } = useChoices()
  const hasChannel = channels?.some(({ status }) => status !== 'disconnected') ?? true
  const hasTemplate = templates === undefined || templates.length > 0
  return (
    <Page title={t('campaigns.new')} text={t('campaigns.formText')} crumbs={useCrumbs()}>
      <Body>
        {hasChannel && hasTemplate ? (
          <div className={styles.columns}>
            <Card>
              <Editor campaign={null} form={form} />
            </Card>
            <Preview campaign={null} form={form} />
          </div>
        ) : (
          <Empty title={t('campaigns.setUpTitle')} text={t('campaigns.setUpText')} icon={MegaphoneIcon}>
            <SetUpStep isDone={hasChannel} isNext to="/channels/new" label={t('campaigns.connectChannel')} />
            <SetUpStep
              isDone={hasTemplate}
              isNext={hasChannel}
              to="/templates/new"
              label={t('campaigns.newTemplate')}
            />
          </Empty>
        )}
      </Body>
    </Page>
  )
}

/** Step without which no campaign can be sent: a link, or a tick once it is done. */
const SetUpStep = ({
  isDone,
  isNext,
  to,
  label,
}: {
  isDone: boolean
  isNext: boolean
  to: LinkProps['to']
  label: string
}) => {
  const t = useTranslate()
  if (!isDone)
    return (
      <Button variant={isNext ? 'filled' : 'default'} renderRoot={(props: object) => <Link {...props} to={to} />}>
        {label}
      </Button>
    )
  return (
    <span className={styles.statusLabel} data-tone="done">
      <CheckIcon width={16} aria-hidden="true" />
      {label}
      <VisuallyHidden>{t('campaigns.stepDone')}</VisuallyHidden>
    </span>
  )
}

const CampaignDetails = ({ campaign }: { campaign: Campaign }) => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const form = useCampaignForm(campaign)
  const phone = usePhone()
  const isEnded = campaign.finishedAt !== null
  return (
    <Page
      title={campaign.name}
      crumbs={useCrumbs()}
      status={<CampaignStatus status={campaign.status} />}
      readOnly={!isOwner}
      actions={isOwner && <Actions campaign={campaign} dirty={form.dirty} />}
    >
      <Body>
        {phone && canChange(campaign) && isOwner && <RecipientCount campaign={campaign} />}
        {canChange(campaign) && isOwner ? (
          <div className={styles.columns}>
            <Card>
              {campaign.status === 'scheduled' && <Times campaign={campaign} />}
              <Editor campaign={campaign} form={form} />
            </Card>
            <Preview campaign={campaign} form={form} />
          </div>
        ) : (
          <div className={styles.columns} data-wide-first={hasStarted(campaign) || undefined}>
            {hasStarted(campaign) && (
              <div className={styles.stack}>
                {!isEnded && <Progress campaign={campaign} />}
                <ResultCards campaign={campaign} />
              </div>
            )}
            <Card title={t('campaigns.content')}>
              <Content campaign={campaign} />
              <Times campaign={campaign} />
            </Card>
          </div>
        )}
      </Body>
    </Page>
  )
}

const Times = ({ campaign: { id, status, scheduledAt, startedAt, finishedAt } }: { campaign: Campaign }) => {
  const t = useTranslate()
  return (
    <div className={styles.times}>
      <Facts
        items={{
          [t('campaigns.scheduledAt')]: status === 'scheduled' && scheduledAt ? <Time at={scheduledAt} exact /> : null,
          [t('campaigns.at.started')]: startedAt && <Time at={startedAt} exact />,
          [t(status === 'completed' ? 'campaigns.at.completed' : 'campaigns.at.cancelled')]: finishedAt && (
            <Time at={finishedAt} exact />
          ),
          [t('campaigns.duration')]:
            startedAt && finishedAt ? <Duration ms={Date.parse(finishedAt) - Date.parse(startedAt)} /> : null,
          [t('campaigns.idLabel')]: <Id value={id} full />,
        }}
      />
    </div>
  )
}
