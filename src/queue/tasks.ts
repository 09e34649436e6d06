/** Background tasks and their payloads. src/app/tasks runs them; enqueueing never imports the implementation. */

import { hashSecret } from '../core/secrets.ts'
import { tasksSchema } from '../platform/postgres/cells.ts'
import type { Fragment, Sql } from '../platform/postgres/client.ts'
import { type Ages, countByAge } from './hold/index.ts'

export interface Tasks {
  /** Wakes an endpoint that has deliveries due now or at the time of the task. */
  wake_endpoint: { workspaceId: string; webhookId: string }
  /** Wakes a channel that has messages due. */
  wake_channel: { workspaceId: string; channelId: string }
  /** Wakes a campaign that has work now or at the time of the task. */
  wake_campaign: { workspaceId: string; campaignId: string }
  /** Drops the pending deliveries of a deleted endpoint. */
  drop_deliveries: { workspaceId: string; webhookId: string }
  /** Stops the runs of a disabled workflow. `passes` is the number of earlier ones. */
  stop_runs: { workspaceId: string; workflowId: string; startedBy: string; passes?: number }
  /** Continues the bulk replay of failed deliveries to an endpoint. */
  recover_deliveries: { workspaceId: string; webhookId: string }
  /** Moves runs of earlier versions to the published version. */
  move_runs: { workspaceId: string; workflowId: string; version: number }
  /** Skips the pending messages of a disconnected channel. */
  skip_messages: { workspaceId: string; channelId: string }
  /** Unassigns the conversations of a person who left the team. */
  release_conversations: { workspaceId: string; userId: string }
  /** Writes an entry of the audit log into the database of its workspace. `row` has its columns. */
  write_audit_entry: { workspaceId: string; row: { workspace_id: string; id: string } }
  /** Erases the remaining data of an erased customer. */
  erase_traces: { workspaceId: string; customerId: string }
  /** Renews the planner statistics of PostgreSQL after an erasure, so that its samples contain no erased data. */
  renew_samples: Record<string, never>
  /** Deletes rows past their retention. The database stores the position to resume at. */
  retain: Record<string, never>
  /** Reports monthly allowances that are nearly or completely used. It enqueues its continuation. */
  check_allowances: Record<string, never>
  /** Sends a mail. Its text and links are created when it is sent. */
  send_mail: MailTask
}

export type MailTask =
  /** Mail to an invited person. `invitedBy` is the name of the inviter, null for the operator. */
  | { kind: 'invitation'; workspaceId: string; memberId: string; invitedBy: string | null }
  /** Mail to a person who requested a password reset. Sends nothing if there is no such account. */
  | { kind: 'reset'; email: string }
  /** Mail to a person whose account was not created through a mailed link. */
  | { kind: 'confirmation'; userId: string }
  /** Mail with a link that connects an identity of the identity provider with the account. */
  | { kind: 'identity'; userId: string; identity: { issuer: string; subject: string; session: string | null } }
  | AccountNotice
  | Notice

/** Changes to the sign-in of an account. The account holder gets a mail about each. */
export type AccountChange =
  | 'password changed'
  | 'second factor set up'
  | 'second factor removed'
  | 'recovery codes replaced'
  | 'recovery code used'
  | 'sign-in link created'
  | 'sign-in link used'
  | 'account disabled'
  | 'account enabled'
  | 'single sign-on linked'
  | 'single sign-on removed'

/** A mail to the account holder. `at` is an ISO 8601 time; `address` is the network address, null for the operator. */
export interface AccountNotice {
  kind: 'account'
  userId: string
  change: AccountChange
  at: string
  address: string | null
}

/**
 * A mail to the owners of a workspace about something that needs attention. `id` identifies it, and `since` is when it
 * began. `to` is one owner; null means all owners.
 */
export interface Notice {
  kind: 'notice'
  of:
    | 'endpoint failing'
    | 'endpoint held'
    | 'channel failing'
    | 'monthly events'
    | 'API key created'
    | 'API key revoked'
  workspaceId: string
  id: string
  since: string
  to: string | null
}

/** SQL: the schema of Graphile Worker. */
const schema = (sql: Sql): Fragment => sql`${sql(tasksSchema(sql))}`

/**
 * Enqueues one task per key, now or in `inMs` milliseconds by the clock of the database. A later call with the same key
 * reschedules the task; with `preserve_run_at` it only replaces the payload. Runs in the caller's transaction, so the task
 * exists only if the rows it needs are committed. Tasks of one queue run one at a time.
 */
export const enqueue = async <Name extends keyof Tasks>(
  sql: Sql,
  name: Name,
  payload: Tasks[Name],
  key: string,
  inMs = 0,
  queue: string | null = null,
  keyMode: 'replace' | 'preserve_run_at' = 'replace',
): Promise<void> => {
  await sql`
    select ${schema(sql)}.add_job(${name}, ${JSON.stringify(payload)}::text::json, job_key := ${key}, job_key_mode := ${keyMode}, queue_name := ${queue},
      run_at := now() + ${inMs}::double precision * interval '1 millisecond', max_attempts := 25)`
}

/** Enqueues the single task that wakes an endpoint. */
export const wakeEndpoint = (sql: Sql, workspaceId: string, webhookId: string, inMs = 0): Promise<void> =>
  enqueue(sql, 'wake_endpoint', { workspaceId, webhookId }, `endpoint:${webhookId}`, inMs)

/** Enqueues the single task that wakes a channel. */
export const wakeChannel = (sql: Sql, workspaceId: string, channelId: string, inMs = 0): Promise<void> =>
  enqueue(sql, 'wake_channel', { workspaceId, channelId }, `channel:${channelId}`, inMs)

/** Enqueues the single task that wakes a campaign. */
export const wakeCampaign = (sql: Sql, workspaceId: string, campaignId: string, inMs = 0): Promise<void> =>
  enqueue(sql, 'wake_campaign', { workspaceId, campaignId }, `campaign:${campaignId}`, inMs)

/**
 * Enqueues the single task that continues the bulk replay of an endpoint. The task does nothing if there is no replay.
 */
export const wakeBulkReplay = (sql: Sql, workspaceId: string, webhookId: string, inMs = 0): Promise<void> =>
  enqueue(sql, 'recover_deliveries', { workspaceId, webhookId }, `recover:${webhookId}`, inMs)

/** Enqueues the retention task. There is one for all workspaces, and only one runs at a time. */
export const continueRetention = (sql: Sql): Promise<void> =>
  enqueue(sql, 'retain', {}, retentionJob.jobKey, 0, retentionJob.queueName)

/** Job key and queue of the retention task. The schedule uses the same values. */
export const retentionJob = { jobKey: 'retain', queueName: 'retention' }

/** Enqueues the check of the monthly allowances. There is one for all workspaces. */
export const wakeAllowanceCheck = (sql: Sql, inMs = 0): Promise<void> =>
  enqueue(sql, 'check_allowances', {}, allowanceJob.jobKey, inMs)

/** Job key of the check of the monthly allowances. The schedule uses the same value. */
export const allowanceJob = { jobKey: 'allowances' }

/**
 * Enqueues one mail. Each of the two queues sends one mail at a time, so a slow mail server blocks no other tasks.
 * Mails to account holders do not wait for invitations and notices, of which a workspace can cause many.
 */
export const enqueueMail = (sql: Sql, mail: MailTask): Promise<void> =>
  enqueue(sql, 'send_mail', mail, `mail:${mail.kind}:${mailKey(mail)}`, 0, mailQueue(mail), keyModeOf(mail))

/** A waiting notice keeps its time, so that repeated changes cannot delay it. */
const keyModeOf = ({ kind }: MailTask) => (kind === 'notice' ? 'preserve_run_at' : 'replace')

const mailQueue = ({ kind }: MailTask): string =>
  kind === 'invitation' || kind === 'notice' ? 'mail' : 'mail to accounts'

const mailKey = (mail: MailTask): string => {
  if (mail.kind === 'invitation') return mail.memberId
  if (mail.kind === 'notice') return `${mail.of}:${subjectOf(mail)}:${mail.to ?? 'owners'}`
  if (mail.kind === 'account') return `${mail.userId}:${mail.change}:${mail.at}`
  return mail.kind === 'reset' ? hashSecret(mail.email.trim().toLowerCase()) : mail.userId
}

/**
 * Returns what a waiting notice is about. Changes of several API keys share one, so that a workspace that creates and
 * revokes keys in a loop does not delay the mails of others.
 */
const subjectOf = ({ of, workspaceId, id }: Notice): string => (of.startsWith('API key') ? workspaceId : id)

/** Tasks that complete an action of a member, and whose rows another database could not complete without them. */
const completingTasks: (keyof Tasks)[] = [
  'drop_deliveries',
  'stop_runs',
  'move_runs',
  'skip_messages',
  'release_conversations',
  'write_audit_entry',
]

/** Returns the name of a task that completes an action in a workspace and has not ended, or null. */
export const findCompletingTask = async (sql: Sql, workspaceId: string): Promise<string | null> => {
  const [row] = await sql<{ name: string }[]>`
    select t.identifier as name from ${schema(sql)}._private_jobs j
    join ${schema(sql)}._private_tasks t on t.id = j.task_id
    where t.identifier = any(${completingTasks}::text[]) and j.payload ->> 'workspaceId' = ${workspaceId}
      and j.attempts < j.max_attempts limit 1`
  return row?.name ?? null
}

/** Counts the due mails by age, at most `max`. */
export const countHeldMails = (sql: Sql, max?: number): Promise<Ages> =>
  countByAge(
    sql,
    sql`select run_at as since from ${schema(sql)}.jobs
      where task_identifier = 'send_mail' and run_at <= now() and attempts < max_attempts`,
    max,
  )

/**
 * Returns the number of mails that wait, also for another attempt, up to `max`, and the age of the oldest due one in
 * seconds, 0 if none is due.
 */
export const readMailQueue = async (sql: Sql, max: number): Promise<{ depth: number; age: number }> => {
  const [row] = await sql<[{ depth: number; age: number }]>`
    select count(*)::integer as depth,
      coalesce(greatest(extract(epoch from now() - min(run_at)), 0), 0)::double precision as age
    from (
      select run_at from ${schema(sql)}.jobs where task_identifier = 'send_mail' and attempts < max_attempts
      order by run_at limit ${max}
    ) mails`
  return row
}

/**
 * Fails mails that are due since a time before `before`, and returns their number. Their tasks stay in the table
 * `graphile_worker.jobs` with this error.
 */
export const skipHeldMails = async (sql: Sql, before: Date): Promise<number> => {
  const rows = await sql`
    select id from ${schema(sql)}.permanently_fail_jobs(
      array(select id from ${schema(sql)}.jobs
        where task_identifier = 'send_mail' and run_at < ${before} and attempts < max_attempts),
      'skipped_after_restore')`
  return rows.length
}

/** A task that is not done. */
export interface OpenTask {
  /** ID in its database, as a decimal number. */
  id: string
  name: string
  payload: string
  queue: string | null
  runAt: string
  maxAttempts: number
  key: string
}

/** Returns a page of the tasks that are not done, by ID. Tasks whose last attempt failed are left out. */
export const selectOpenTasks = (sql: Sql, after: string, limit: number) => sql<OpenTask[]>`
  select j.id::text as id, t.identifier as name, j.payload::text as payload, q.queue_name as queue, j.run_at::text as "runAt",
    j.max_attempts as "maxAttempts", coalesce(j.key, 'moved:' || j.id) as key
  from ${schema(sql)}._private_jobs j join ${schema(sql)}._private_tasks t on t.id = j.task_id
  left join ${schema(sql)}._private_job_queues q on q.id = j.job_queue_id
  where j.attempts < j.max_attempts and j.id > ${after}::text::bigint order by j.id limit ${limit}`

/** Enqueues tasks of another database with their keys. A key that is known here names a later task, which stays. */
export const enqueueMoved = (sql: Sql, tasks: readonly OpenTask[]) => sql`
  select ${schema(sql)}.add_job(m.name, m.payload::json, job_key := m.key, queue_name := m.queue,
    run_at := m."runAt"::timestamptz, max_attempts := m."maxAttempts")
  from json_to_recordset(${JSON.stringify(tasks)}::text::json)
    as m(name text, payload text, key text, queue text, "runAt" text, "maxAttempts" integer)
  where not exists (select from ${schema(sql)}.jobs j where j.key = m.key)`

/** Interval by which deferred tasks are later than they were. No other task is due so late. */
const deferral = '400000 days'

const isDeferred = (sql: Sql) => sql`j.run_at > now() + ${deferral}::text::interval / 2`

/** Defers the tasks of a workspace that are not running, so that no process starts one. */
export const deferTasksOf = (sql: Sql, workspaceId: string) => sql`
  select ${schema(sql)}.reschedule_jobs(array[j.id], run_at := j.run_at + ${deferral}::text::interval)
  from ${schema(sql)}._private_jobs j
  where j.payload ->> 'workspaceId' = ${workspaceId} and j.locked_at is null and not (${isDeferred(sql)})`

/** Gives the deferred tasks of a workspace their times again. */
export const resumeTasksOf = (sql: Sql, workspaceId: string) => sql`
  select ${schema(sql)}.reschedule_jobs(array[j.id], run_at := j.run_at - ${deferral}::text::interval)
  from ${schema(sql)}._private_jobs j
  where j.payload ->> 'workspaceId' = ${workspaceId} and ${isDeferred(sql)}`

/** Selects the tasks of a workspace that are not done, also running ones. Deferred ones have their times from before. */
export const selectTasksOf = (sql: Sql, workspaceId: string) => sql<OpenTask[]>`
  select j.id::text as id, t.identifier as name, j.payload::text as payload, q.queue_name as queue,
    (case when ${isDeferred(sql)} then j.run_at - ${deferral}::text::interval else j.run_at end)::text as "runAt",
    j.max_attempts as "maxAttempts", coalesce(j.key, 'moved:' || j.id) as key
  from ${schema(sql)}._private_jobs j join ${schema(sql)}._private_tasks t on t.id = j.task_id
  left join ${schema(sql)}._private_job_queues q on q.id = j.job_queue_id
  where j.payload ->> 'workspaceId' = ${workspaceId} and j.attempts < j.max_attempts`

/** Removes the tasks of a workspace that are not running. */
export const removeTasksOf = (sql: Sql, workspaceId: string) => sql`
  select ${schema(sql)}.complete_jobs(array(
    select id from ${schema(sql)}._private_jobs j
    where j.payload ->> 'workspaceId' = ${workspaceId} and j.locked_at is null))`

/** Returns whether the database has tables of tasks. */
export const hasTasks = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql<[{ exists: boolean }]>`
    select to_regclass(${`${tasksSchema(sql)}._private_jobs`}) is not null as exists`
  return row.exists
}

/** Returns the last migration of the tables of tasks. Null without tables. */
export const readTasksVersion = async (sql: Sql): Promise<number | null> => {
  if (!(await hasTasks(sql))) return null
  const [row] = await sql<[{ version: number }]>`select max(id) as version from ${schema(sql)}.migrations`
  return row.version
}

/** Keeps other sessions from enqueueing and doing tasks until the transaction ends. */
export const lockTasks = (tx: Sql) => tx`lock table ${schema(tx)}._private_jobs in access exclusive mode`

/** Drops the tables of tasks. */
export const dropTasks = (sql: Sql) => sql`drop schema ${schema(sql)} cascade`

/**
 * Releases tasks that any process has locked for 10 minutes. A task normally takes seconds; Graphile Worker alone would
 * wait four hours.
 */
export const releaseStuckTasks = (sql: Sql) => sql`
  select ${schema(sql)}.force_unlock_workers(array_agg(distinct locked_by))
  from ${schema(sql)}.jobs where locked_at < now() - interval '10 minutes'`

/** Returns the name under which the tasks of a process are locked. `processId` is its id in `processes`. */
export const taskOwnerOf = (processId: string): string => `process-${processId}`

/**
 * Releases tasks that a dead process locked. They run again, possibly a second time if that process was only suspended.
 * A process takes a few seconds until it is registered, at its start and after PostgreSQL has lost unlogged tables.
 */
export const releaseTasksOfDeadProcesses = (sql: Sql) => sql`
  select ${schema(sql)}.force_unlock_workers(array_agg(distinct j.locked_by))
  from ${schema(sql)}.jobs j
  where j.locked_by like ${taskOwnerOf('%')} and j.locked_at < now() - interval '10 seconds' and not exists (
    select from processes p where ${taskOwnerOf('')} || p.id = j.locked_by and p.alive_until > clock_timestamp())`
