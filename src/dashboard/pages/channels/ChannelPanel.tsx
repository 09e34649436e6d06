import { Anchor, Button, CopyButton, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useChannelKind, useChannelKindName } from '../../api/channel-kinds.ts'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { useLiveRefresh } from '../../api/useLive.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { Sentence, useTranslate } from '../../texts/index.tsx'
import { BarTable } from '../../ui/charts/BarTable.tsx'
import { TimeChart } from '../../ui/charts/TimeChart.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Id } from '../../ui/Id.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { Facts, Panel, Section } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { useTimeRangeLabel } from '../../ui/time-range/TimeRangeFilter.tsx'
import { toBarRange } from '../../ui/time-range/time-range.ts'
import { tones } from '../../ui/tones.ts'
import { ChangeDialog, CredentialsDialog, DisconnectDialog } from './ChannelDialogs.tsx'
import styles from './channels.module.css'
import { FailingAlert, type QueuedCount, useQueuedCount } from './FailingAlert.tsx'
import { isReason, toBuckets, toReasons, toSeries, useChannelStatistics, withDefault } from './statistics.ts'
import { useUpdateCache } from './useUpdateCache.ts'

type Channel = Schemas['Channel']

const route = getRouteApi('/signed/channels/$id')
const listRoute = getRouteApi('/signed/channels')

/** Side panel of a channel: its status at the provider, the values to enter there, and the available actions. */
export const ChannelPanel = () => {
  const { id } = route.useParams()
  return <ChannelDetails key={id} id={id} />
}

const ChannelDetails = ({ id }: { id: string }) => {
  const t = useTranslate()
  const navigate = useNavigate()
  const isOwner = useIsOwner()
  const query = hooks.useQuery('get', '/v1/channels/{id}', { params: { path: { id } } })
  useLiveRefresh(['attention'], ['/v1/channels/{id}'])
  const channel = query.data
  const queued = useQueuedCount(id, channel?.status === 'failing')
  const timeRange = listRoute.useSearch()
  const close = () => void navigate({ to: '/channels', search: timeRange })
  return (
    <Panel title={channel ? <bdi>{channel.name}</bdi> : t('channels.id')} onClose={close}>
      {query.error && !channel && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={160} mt="md" />}
      {channel && (
        <>
          {channel.status === 'failing' && <FailingAlert channel={channel} queued={queued} />}
          <Section title={t('channels.statusTitle')}>
            <ChannelStatus channel={channel} />
            {isOwner && channel.status !== 'disconnected' && <Actions channel={channel} />}
          </Section>
          {channel.status !== 'disconnected' && channel.kind === 'sandbox' && <SandboxInstructions channel={channel} />}
          {channel.status !== 'disconnected' && channel.inboundUrl !== null && <ProviderSetup channel={channel} />}
          <Statistics channelId={id} queued={queued} />
        </>
      )}
    </Panel>
  )
}

const ChannelStatus = ({ channel }: { channel: Channel }) => {
  const t = useTranslate()
  const nameOf = useChannelKindName()
  return (
    <Stack gap="sm">
      <Facts
        items={{
          [t('channels.status')]: (
            <Status tone={tones.channel[channel.status]}>{t(`channels.status.${channel.status}`)}</Status>
          ),
          [t('channels.lastResponse')]: channel.status !== 'failing' && channel.statusDetail && (
            <bdi>{channel.statusDetail}</bdi>
          ),
          [t('channels.kind')]: (
            <>
              <Mark of={channel.kind} /> {nameOf(channel.kind)}
            </>
          ),
          [t('channels.number')]: channel.number && <Id value={channel.number} full />,
          [t('channels.delivery')]: channel.sandbox && t(`channels.delivery.${channel.sandbox.delivery}`),
          [t('channels.since')]: <Time at={channel.createdAt} exact="minutes" />,
          [t('channels.changed')]: <Time at={channel.updatedAt} exact="minutes" />,
          [t('channels.channelId')]: <Id value={channel.id} full />,
        }}
      />
      {channel.status === 'disconnected' && <Text size="sm">{t('channels.disconnected')}</Text>}
    </Stack>
  )
}

const Actions = ({ channel }: { channel: Channel }) => {
  const t = useTranslate()
  const kind = useChannelKind(channel.kind)
  const [dialog, setDialog] = useState<'change' | 'credentials' | 'disconnect' | null>(null)
  const test = useTest(channel)
  const close = () => setDialog(null)
  return (
    <>
      <Group gap="sm" mt="md">
        <Button
          variant="default"
          loading={test.busy}
          onClick={() => void test.sendTest()}
          title={t('channels.testText')}
        >
          {t('channels.test')}
        </Button>
        <Button variant="default" onClick={() => setDialog('change')}>
          {t('channels.change')}
        </Button>
        {kind && kind.credentials.length > 0 && (
          <Button
            variant={channel.status === 'failing' ? 'filled' : 'default'}
            onClick={() => setDialog('credentials')}
          >
            {t('channels.credentials')}
          </Button>
        )}
        <Button variant="default" c="var(--mantine-color-error)" onClick={() => setDialog('disconnect')}>
          {t('channels.disconnect')}
        </Button>
      </Group>
      <div role="status" className={styles.test}>
        {test.result && (
          <>
            <Status tone={test.result.ok ? 'done' : 'failed'}>
              {t(test.result.ok ? 'channels.test.ok' : 'channels.test.refused')}
            </Status>{' '}
            <bdi>{test.result.detail}</bdi>
          </>
        )}
      </div>
      {test.failure !== null && <Failure error={test.failure} retry={() => void test.sendTest()} />}
      {dialog === 'change' && <ChangeDialog channel={channel} onClose={close} />}
      {dialog === 'credentials' && kind && <CredentialsDialog channel={channel} kind={kind} onClose={close} />}
      <DisconnectDialog channel={channel} opened={dialog === 'disconnect'} onClose={close} />
    </>
  )
}

/** Messages of the channel in the time range of the list, and why some failed. */
const Statistics = ({ channelId, queued }: { channelId: string; queued: QueuedCount | undefined }) => {
  const t = useTranslate()
  const navigate = useNavigate()
  const range = useTimeRangeLabel()(withDefault(listRoute.useSearch()))
  const { query, by } = useChannelStatistics(withDefault(listRoute.useSearch()))
  const reasons = query.data ? toReasons(query.data, channelId) : []
  const series = toSeries(t)
  const rows = query.data && toBuckets(query.data, channelId)
  const isEmpty = rows?.every(row => series.every(({ value }) => value(row) === 0))
  return (
    <Section title={t('channels.messages')}>
      <Stack gap="md">
        {isEmpty ? (
          <Text size="sm" c="dimmed">
            {t('channels.noMessages', { range })} {queued && t('channels.queued', { ...queued })}
          </Text>
        ) : (
          <TimeChart
            title={range}
            rows={rows}
            query={query}
            series={series}
            by={by}
            height={120}
            onSelect={({ at }) => void navigate({ to: '/messages', search: { channelId, ...toBarRange(at, by) } })}
          />
        )}
        {reasons.length > 0 && (
          <div>
            <Text size="sm" fw={500} mb="xs">
              {t('channels.reasons')}
            </Text>
            <BarTable
              title={t('channels.reasons')}
              bars={reasons.map(({ reason, count }) => ({
                key: reason,
                label: isReason(reason) ? (
                  t(`channels.reason.${reason}`)
                ) : (
                  <Sentence id="channels.reason.code" values={{ code: <code>{reason}</code> }} />
                ),
                value: count,
                tone: 'failed',
              }))}
            />
            <Anchor
              size="sm"
              renderRoot={(props: object) => (
                <Link {...props} to="/messages" search={{ channelId, status: 'failed' }} />
              )}
            >
              {t('channels.viewFailed')}
            </Anchor>
          </div>
        )}
      </Stack>
    </Section>
  )
}

/** Tests the channel at the provider and shows the result. */
const useTest = ({ id }: Channel) => {
  const updateCache = useUpdateCache()
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<Schemas['ChannelTest'] | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const sendTest = async () => {
    setBusy(true)
    setResult(null)
    setFailure(null)
    const params = { path: { id } }
    try {
      const { data } = await api.POST('/v1/channels/{id}/test', { params })
      setResult(data!)
      const updated = await api.GET('/v1/channels/{id}', { params })
      updateCache(updated.data!)
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return { busy, result: result, failure, sendTest: sendTest }
}

/** Link to the simulated phone of a sandbox channel, in the corner of the inbox. */
const SandboxInstructions = ({ channel }: { channel: Channel }) => {
  const t = useTranslate()
  return (
    <Section title={t('channels.testMessages')}>
      <Text size="sm">{t('channels.sandboxText')}</Text>
      <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to="/inbox" search={{ phone: channel.id }} />}>
        {t('channels.phone')}
      </Anchor>
    </Section>
  )
}

/** Callback URL to enter at the provider, with instructions. */
const ProviderSetup = ({ channel }: { channel: Channel }) => {
  const t = useTranslate()
  const kind = useChannelKind(channel.kind)
  const url = channel.inboundUrl!
  return (
    <Section title={t('channels.atProvider')}>
      <Stack gap="sm">
        {kind?.setup && <Text size="sm">{kind.setup}</Text>}
        <Group gap="sm" wrap="nowrap" align="flex-end">
          <TextInput
            className={styles.grow}
            label={t('channels.callback')}
            readOnly
            value={url}
            onFocus={event => event.currentTarget.select()}
          />
          <CopyButton value={url} timeout={1500}>
            {({ copied, copy }) => (
              <Button
                variant="default"
                size="sm"
                aria-label={copied ? t('id.copied') : t('channels.copyCallback')}
                onClick={copy}
              >
                {copied ? t('id.copied') : t('id.copy')}
              </Button>
            )}
          </CopyButton>
        </Group>
      </Stack>
    </Section>
  )
}
