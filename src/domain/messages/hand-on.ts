/** Passes newly queued messages to their channel in memory, so that they need not be read again. */
import type { Sql } from '../../db/client.ts'
import { stopOfAddress } from './opted-out.ts'
import type { MessageToQueue } from './queue.ts'
import type { DueMessage } from './sql.ts'

/** A queued message, and when it became due, by `performance.now()`. */
export interface Letter extends DueMessage {
  dueSince: number
}

/** A channel with newly queued messages. Few messages are included themselves, in order. */
export interface QueuedFor {
  workspaceId: string
  channelId: string
  letters: Letter[]
}

/** Maximum number of queued messages passed in memory. With more, the channel's actor reads the queue in pages. */
const maxHandedOn = 200

/** Fields of a queued message that only the database knows. */
type RowOfLetter = Pick<DueMessage, 'id' | 'customerId' | 'channelKind' | 'sandboxDelivery' | 'optedOut' | 'optedIn'>

/** Newly queued messages, as one JSON column. */
export interface QueuedRows {
  channels: Omit<QueuedFor, 'letters'>[]
  handedOn: (RowOfLetter & { runId: string; position: number })[]
  /** Messages whose address another customer has opted out, with the words of that opt-out. */
  stopped: { runId: string; position: number; words: string }[] | null
}

/**
 * SQL expression with the rows of `queued`, for `queuedFor`. A customer that the same statement creates has not opted
 * out. Only connected, unpaused channels without credentials are included; all others read their queue. Opt-outs by
 * address are looked up from `message`, because a queued row holds no address.
 */
export const queuedRows = (sql: Sql) => sql`
  json_build_object(
    'channels', (select coalesce(json_agg(json_build_object('workspaceId', workspace_id, 'channelId', channel_id)), '[]')
      from (select distinct workspace_id, channel_id from queued where due_at is not null) as given),
    'handedOn', (select coalesce(json_agg(json_build_object('id', q.id, 'runId', q.run_id, 'position', q.run_step,
        'customerId', q.customer_id, 'channelKind', ch.kind, 'sandboxDelivery', ch.sandbox_delivery,
        'optedOut', c.opted_out_at is not null, 'optedIn', c.opted_in_at is not null) order by q.id), '[]')
      from queued q
      cross join lateral (select kind, sandbox_delivery from channels ch
        where ch.workspace_id = q.workspace_id and ch.id = q.channel_id and ch.credentials is null
          and ch.status = 'connected' and ch.paused_until is null offset 0) ch
      left join lateral (select opted_out_at, opted_in_at from customers c
        where c.workspace_id = q.workspace_id and c.id = q.customer_id offset 0) c on true
      where q.due_at is not null and (select count(*) from queued) <= ${maxHandedOn}),
    'stopped', (select json_agg(json_build_object('runId', m.run_id, 'position', m.run_step, 'words', m.words))
      from (select m.run_id, m.run_step, ${stopOfAddress(sql, sql`m.workspace_id`, sql`m.handle`, sql`m.customer_id`)} as words
        from message m where (select count(*) from queued) <= ${maxHandedOn} offset 0) m
      where m.words is not null))`

/**
 * Returns the channels that received some of `messages`, each written by a run, with the messages that can be passed in
 * memory.
 */
export const queuedFor = (
  messages: readonly MessageToQueue[],
  { channels, handedOn, stopped }: QueuedRows,
): QueuedFor[] => {
  const stops = new Map(stopped?.map(({ runId, position, words }) => [`${runId} ${position}`, words]))
  const written = new Map(messages.map(message => [visitOf(message), message]))
  const letters = handedOn.flatMap(({ runId, position, ...row }) => {
    const message = written.get(`${runId} ${position}`)
    const addressStop = stops.get(`${runId} ${position}`) ?? null
    return message ? [{ message, letter: { ...letterOf(row, message), addressStop } }] : []
  })
  return channels.map(({ workspaceId, channelId }) => ({
    workspaceId,
    channelId,
    letters: letters.filter(({ message }) => message.channelId === channelId).map(({ letter }) => letter),
  }))
}

const visitOf = ({ writtenBy }: MessageToQueue): string => `${writtenBy?.runId} ${writtenBy?.position}`

const letterOf = (
  row: RowOfLetter,
  { workspaceId, channelId, handle, text, template, sentBy }: MessageToQueue,
): Omit<Letter, 'addressStop'> => ({
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
  begun: false,
  ahead: null,
  putOff: 0,
  lateMs: 0,
  dueSince: performance.now(),
})
