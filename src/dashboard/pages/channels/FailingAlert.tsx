import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../api/client.ts'
import { useLiveRefresh } from '../../api/useLive.ts'
import { Sentence, useNumbers, useTranslate } from '../../texts/index.tsx'
import { ExclamationTriangleIcon } from '../../ui/icons.ts'
import states from '../../ui/states.module.css'
import { Time } from '../../ui/Time.tsx'
import styles from './channels.module.css'

type Channel = Schemas['Channel']

/** Maximum number of queued messages that are counted: one page. */
const maxCounted = 100

/** Number of the messages that wait, as shown. Undefined unless the channel fails, or until it is known. */
export interface QueuedCount {
  count: number
  shown: string
}

/** Counts the queued messages of a failing channel. */
export const useQueuedCount = (channelId: string, isFailing: boolean): QueuedCount | undefined => {
  const numbers = useNumbers()
  const query = { channelId, status: 'queued', limit: maxCounted } as const
  const { data } = hooks.useQuery('get', '/v1/messages', { params: { query } }, { enabled: isFailing })
  useLiveRefresh(isFailing ? ['message'] : [], ['/v1/messages'])
  if (!isFailing || !data) return undefined
  const count = data.data.length
  return { count, shown: data.nextCursor === null ? numbers(count) : `${numbers(count)}+` }
}

/** Reason of the provider for rejecting the requests, since when, how many messages wait, and what to do. */
export const FailingAlert = ({ channel, queued }: { channel: Channel; queued: QueuedCount | undefined }) => {
  const t = useTranslate()
  const alerts = hooks.useQuery('get', '/v1/attention')
  useLiveRefresh(['attention'], ['/v1/attention'])
  const since = alerts.data?.data.find(({ subject }) => subject.type === 'channel' && subject.id === channel.id)?.since
  return (
    <div className={`${states.alert} ${styles.failing}`} data-tone="failed" role="alert">
      <ExclamationTriangleIcon width={20} aria-hidden="true" />
      <div>
        <strong>
          <bdi>{channel.statusDetail ?? t('channels.status.failing')}</bdi>
        </strong>
        {/* The line has its height before its numbers are known. */}
        <Text size="sm" fw={500} className={styles.failingFacts}>
          {since !== undefined && <Sentence id="channels.failingSince" values={{ since: <Time at={since} clock /> }} />}{' '}
          {queued && t('channels.queued', { ...queued })}
        </Text>
        <Text size="sm">{t('channels.failing')}</Text>
        <Anchor
          size="sm"
          renderRoot={(props: object) => (
            <Link {...props} to="/messages" search={{ channelId: channel.id, status: 'queued' }} />
          )}
        >
          {t('channels.viewQueued')}
        </Anchor>
      </div>
    </div>
  )
}
