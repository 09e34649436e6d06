/** The tasks there are, and what each is told. Who runs them is src/tasks; enqueuing never imports the work. */
import type { Sql } from '../db/client.ts'
import { hashSecret } from './secrets.ts'

export interface Tasks {
  /** An endpoint has deliveries due, or will have at the time the task is due. */
  wake_endpoint: { workspaceId: string; webhookId: string }
  /** A channel has messages due. */
  wake_channel: { workspaceId: string; channelId: string }
  /** A campaign has something to do, or will have at the time the task is due. */
  wake_campaign: { workspaceId: string; campaignId: string }
  /** An endpoint was removed; what was still to be delivered to it is dropped. */
  drop_deliveries: { workspaceId: string; webhookId: string }
  /** A workflow was switched off, and its runs are to stop; `looks`: how often they were looked for before. */
  stop_runs: { workspaceId: string; workflowId: string; startedBy: string; looks?: number }
  /** A recovery of failed deliveries to an endpoint has something to do. */
  recover_deliveries: { workspaceId: string; webhookId: string }
  /** A version was published, and runs of those before are to go on by it. */
  move_runs: { workspaceId: string; workflowId: string; version: number }
  /** A channel was disconnected; what was still to be sent over it is skipped. */
  skip_messages: { workspaceId: string; channelId: string }
  /** Somebody has left the team; what they looked after is nobody's. */
  release_conversations: { workspaceId: string; userId: string }
  /** Rows of before anybody counted are still to be counted. */
  count_history: Record<string, never>
  /** A customer was erased; what is left of theirs goes too. */
  erase_traces: { workspaceId: string; customerId: string }
  /** Customers were erased; the samples that PostgreSQL plans by are to hold nothing of them. */
  renew_samples: Record<string, never>
  /** What is too old is removed; where that goes on stands in the database. */
  retain: Record<string, never>
  /** Somebody is to be written to. What the mail says is put together as it is sent, and so are the links in it. */
  send_mail: MailTask
}

export type MailTask =
  /** To whom was invited; `invitedBy` is the name of who invites, null for the operator. */
  | { kind: 'invitation'; workspaceId: string; memberId: string; invitedBy: string | null }
  /** To somebody who says that they forgot their password, if there is such a person. */
  | { kind: 'reset'; email: string }
  /** To somebody whose account was made by others than a mailed link. */
  | { kind: 'confirmation'; userId: string }
  | AccountNotice
  | Notice

/** Changes to how an account is signed in to. Its holder gets a mail about each. */
export type AccountChange =
  | 'password changed'
  | 'second factor set up'
  | 'second factor removed'
  | 'recovery codes replaced'
  | 'recovery code used'

/** To the holder of an account. `at` is an ISO 8601 time; `address` is the network address, null for the operator. */
export interface AccountNotice {
  kind: 'account'
  userId: string
  change: AccountChange
  at: string
  address: string | null
}

/**
 * To the owners of a workspace: something of theirs needs somebody. `id` says which, `since` when it began; `to` is the owner
 * who is written to, null: each of them.
 */
export interface Notice {
  kind: 'notice'
  of: 'endpoint held' | 'channel failing' | 'monthly events'
  workspaceId: string
  id: string
  since: string
  to: string | null
}

/**
 * Enqueues one task per key, now or `inMs` milliseconds from now by the database's clock: a later call with the same key
 * moves it. In the caller's transaction, so that it runs if, and only if, the rows it is about exist. Tasks of one queue
 * run one at a time.
 */
export const enqueue = async <Name extends keyof Tasks>(
  sql: Sql,
  name: Name,
  payload: Tasks[Name],
  key: string,
  inMs = 0,
  queue: string | null = null,
): Promise<void> => {
  await sql`
    select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::text::json, job_key := ${key}, queue_name := ${queue},
      run_at := now() + ${inMs}::double precision * interval '1 millisecond', max_attempts := 25)`
}

/** The one task that wakes an endpoint. */
export const wakeEndpoint = (sql: Sql, workspaceId: string, webhookId: string, inMs = 0): Promise<void> =>
  enqueue(sql, 'wake_endpoint', { workspaceId, webhookId }, `endpoint:${webhookId}`, inMs)

/** The one task that wakes a channel. */
export const wakeChannel = (sql: Sql, workspaceId: string, channelId: string, inMs = 0): Promise<void> =>
  enqueue(sql, 'wake_channel', { workspaceId, channelId }, `channel:${channelId}`, inMs)

/** The one task that wakes a campaign. */
export const wakeCampaign = (sql: Sql, workspaceId: string, campaignId: string, inMs = 0): Promise<void> =>
  enqueue(sql, 'wake_campaign', { workspaceId, campaignId }, `campaign:${campaignId}`, inMs)

/** The one task that has the endpoint's recovery go on, if there is one. */
export const wakeRecovery = (sql: Sql, workspaceId: string, webhookId: string, inMs = 0): Promise<void> =>
  enqueue(sql, 'recover_deliveries', { workspaceId, webhookId }, `recover:${webhookId}`, inMs)

/** One for all, and one at a time. */
export const goOnRetaining = (sql: Sql): Promise<void> =>
  enqueue(sql, 'retain', {}, retaining.jobKey, 0, retaining.queueName)

/** The schedule's are the same. */
export const retaining = { jobKey: 'retain', queueName: 'retention' }

/** The one task that counts what happened before anybody counted. */
export const wakeHistory = (sql: Sql, inMs = 0): Promise<void> => enqueue(sql, 'count_history', {}, 'history', inMs)

/**
 * Enqueues one mail. Each of the two queues sends one mail at a time, so that a mail server that hangs holds up no other
 * tasks. Mails to the holder of an account do not wait for invitations and notices, which a workspace causes many of.
 */
export const sendMailSoon = (sql: Sql, mail: MailTask): Promise<void> =>
  enqueue(sql, 'send_mail', mail, `mail:${mail.kind}:${about(mail)}`, 0, queueOf(mail))

const queueOf = ({ kind }: MailTask): string =>
  kind === 'invitation' || kind === 'notice' ? 'mail' : 'mail to accounts'

const about = (mail: MailTask): string => {
  if (mail.kind === 'invitation') return mail.memberId
  if (mail.kind === 'notice') return `${mail.of}:${mail.id}:${mail.to ?? 'owners'}`
  if (mail.kind === 'account') return `${mail.userId}:${mail.change}:${mail.at}`
  return mail.kind === 'reset' ? hashSecret(mail.email.trim().toLowerCase()) : mail.userId
}

/** A task is held for seconds. Of a process that died over one Graphile Worker itself would wait for four hours. */
export const releaseHeldTasks = (sql: Sql) => sql`
  select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
  from graphile_worker.jobs where locked_at < now() - interval '10 minutes'`
