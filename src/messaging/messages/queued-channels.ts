/** Passes newly queued messages to their channel in memory, so that they need not be read again. */
import type { Sql } from '../../platform/postgres/client.ts'
import type { NewMessage } from './enqueue.ts'
import { optOutByAddress } from './opted-out.ts'
import type { DueMessage } from './sql.ts'

/** A queued message, and when it became due and was queued, by `performance.now()`. */
export interface MessageJob extends DueMessage {
  dueAt: number
  queuedAt: number
}

/** A channel with newly queued messages. Few messages are included themselves, in order. */
export interface QueuedChannel {
  workspaceId: string
  channelId: string
  jobs: MessageJob[]
}

/** Maximum number of queued messages passed in memory. With more, the channel's actor reads the queue in pages. */
const maxJobsInMemory = 200

/** Fields of a queued message that only the database knows. */
type JobRow = Pick<DueMessage, 'id' | 'customerId' | 'channelKind' | 'sandboxDelivery' | 'optedOut' | 'optedIn'>

/** Newly queued messages, as one JSON column. */
export interface QueuedRows {
  channels: Omit<QueuedChannel, 'letters'>[]
  jobs: (JobRow & { runId: string; position: number })[]
  /** Messages whose address another customer has opted out, with the words of that opt-out. */
  stopped: { runId: string; position: number; words: string }[] | null
}

/**
 * SQL expression with the rows of `queued`, for `queuedChannels`. A customer that the same statement creates has not opted
 * out. Only connected, unpaused channels without credentials are included; all others read their queue. Opt-outs by
 * address are looked up from `message`, because a queued row holds no address.
 */
export const queuedRows = (sql: Sql) => sql`
  json_build_object(
    'channels', (select coalesce(json_agg(json_build_object('workspaceId', workspace_id, 'channelId', channel_id)), '[]')
      from (select distinct workspace_id, channel_id from queued where due_at is not null) as channel),
    'jobs', (select coalesce(json_agg(json_build_object('id', q.id, 'runId', q.run_id, 'position', q.run_step,
        'customerId', q.customer_id, 'channelKind', ch.kind, 'sandboxDelivery', ch.sandbox_delivery,
        'optedOut', c.opted_out_at is not null, 'optedIn', c.opted_in_at is not null) order by q.id), '[]')
      from queued q
      cross join lateral (select kind, sandbox_delivery from channels ch
        where ch.workspace_id = q.workspace_id and ch.id = q.channel_id and ch.credentials is null
          and ch.status = 'connected' and ch.paused_until is null offset 0) ch
      left join lateral (select opted_out_at, opted_in_at from customers c
        where c.workspace_id = q.workspace_id and c.id = q.customer_id offset 0) c on true
      where q.due_at is not null and (select count(*) from queued) <= ${maxJobsInMemory}),
    'stopped', (select json_agg(json_build_object('runId', m.run_id, 'position', m.run_step, 'words', m.words))
      from (select m.run_id, m.run_step, ${optOutByAddress(sql, sql`m.workspace_id`, sql`m.handle`, sql`m.customer_id`)} as words
        from message m where (select count(*) from queued) <= ${maxJobsInMemory} offset 0) m
      where m.words is not null))`

/**
 * Returns the channels that received some of `messages`, each written by a run, with the messages that can be passed in
 * memory.
 */
export const queuedChannels = (
  messages: readonly NewMessage[],
  { channels, jobs: rows, stopped }: QueuedRows,
): QueuedChannel[] => {
  const optOuts = new Map(stopped?.map(({ runId, position, words }) => [`${runId} ${position}`, words]))
  const written = new Map(messages.map(message => [stepKey(message), message]))
  const jobs = rows.flatMap(({ runId, position, ...row }) => {
    const message = written.get(`${runId} ${position}`)
    const addressOptOut = optOuts.get(`${runId} ${position}`) ?? null
    return message ? [{ message, job: { ...toJob(row, message), addressOptOut } }] : []
  })
  return channels.map(({ workspaceId, channelId }) => ({
    workspaceId,
    channelId,
    jobs: jobs.filter(({ message }) => message.channelId === channelId).map(({ job }) => job),
  }))
}

const stepKey = ({ writtenBy }: NewMessage): string => `${writtenBy?.runId} ${writtenBy?.position}`

const toJob = (
  row: JobRow,
  { workspaceId, channelId, handle, text, template, sentBy, traceparent = null }: NewMessage,
): Omit<MessageJob, 'addressOptOut'> => ({
  ...row,
  workspaceId,
  channelId,
  channelStatus: 'connected',
  credentials: null,
  handle,
  text,
  template: template?.provider ?? null,
  isTemplate: template !== null,
  marketing: template?.marketing ?? false,
  sentBy: sentBy?.type ?? null,
  customerOpened: null,
  erased: false,
  sinceInboundMs: null,
  sendStarted: false,
  ahead: null,
  retries: 0,
  lateMs: 0,
  traceparent,
  queuedMs: 0,
  dueAt: performance.now(),
  queuedAt: performance.now(),
})
