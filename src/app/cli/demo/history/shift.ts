/**
 * Moves the recorded history into the past, in the demo's own database only. Every moment of the recording becomes the
 * moment that it stands for.
 *
 * A time and an id of the recording map to one moment by their value alone: an id contains its time. References
 * therefore stay valid without a list of them, and lists that are ordered by id stay in order. The audit log, and ids from
 * before the recording, stay as they are.
 */
import { type Database, type Sql, transaction } from '../../../../platform/postgres/client.ts'

/** A moment: the time at which its recording began, and the time that it stands for. */
export interface RecordedMoment {
  recordedAt: Date
  at: Date
}

/** Tables that are not moved: the audit log tells what really happened, and the others hold no history. */
const excluded = ['audit_entries', 'processes', 'leases', 'retention_watermarks', 'live_feed_changes']

/** Keeps counts from being rolled up while the history is recorded, because a roll-up joins all moments of an hour. */
export const holdRollUp = async (sql: Database): Promise<void> => {
  await sql.unsafe(`
    create function demo_skip() returns trigger language plpgsql as 'begin return null; end';
    create trigger demo_hold before delete on hourly_stat_changes for each row execute function demo_skip()`)
}

const releaseRollUp = (sql: Sql) => sql.unsafe('drop function demo_skip cascade')

export const readTime = async (sql: Database): Promise<Date> => {
  const [row] = await sql<{ at: Date }[]>`select date_trunc('milliseconds', clock_timestamp()) as at`
  return row!.at
}

/**
 * Returns whether the service has nothing to do, except for retries. Ends the ten minutes in which equal errors are
 * joined.
 */
export const endMoment = async (sql: Database): Promise<boolean> => {
  const [row] = await sql<{ busy: boolean }[]>`
    with ended as (update rejected_requests set open = false where open)
    select exists (select from workflow_runs where wake_at is not null)
      or exists (select from messages where due_at is not null or status in ('queued', 'sent'))
      or exists (select from outbound_events where fanned_out_at is null)
      or exists (select from deliveries where status = 'pending' or due_at <= clock_timestamp())
      or exists (select from campaigns where due_at is not null)
      or exists (select from webhook_recoveries where status = 'running') as busy`
  return !row!.busy
}

/** Number of parts of the campaign, and the time from one to the next. */
const campaignParts = 12
const campaignPartMs = 45_000

/** Divides the recording of the campaign into parts, so that it seems to have taken minutes. */
export const spreadCampaign = async (sql: Database, at: Date): Promise<RecordedMoment[]> => {
  const [campaign] = await sql<{ from: Date; until: Date }[]>`
    select started_at as from, finished_at as until from campaigns where finished_at is not null`
  if (!campaign) return []
  const [from, ms] = [campaign.from.getTime(), campaign.until.getTime() - campaign.from.getTime()]
  return Array.from({ length: campaignParts - 1 }, (_, index) => ({
    recordedAt: new Date(from + Math.round(((index + 1) * ms) / campaignParts)),
    at: new Date(at.getTime() + (index + 1) * campaignPartMs),
  }))
}

/** Moves everything that was recorded until now. Nothing may be in progress. Returns the number of events. */
export const shiftHistory = (sql: Database, moments: RecordedMoment[]): Promise<number> =>
  transaction(sql, async tx => {
    // Foreign keys hold again after the last update.
    await tx`set local session_replication_role = replica`
    await createFunctions(tx, moments)
    for (const { table, columns } of await findColumns(tx)) {
      const changes = columns.map(({ name, type }) => `"${name}" = ${shifted(name, type)}`)
      await tx.unsafe(`update "${table}" set ${changes.join(', ')}`)
    }
    await rebuildUsage(tx)
    await rebuildResponseTimes(tx)
    await openNewestErrors(tx)
    await ageSettings(tx, moments[0]!)
    await releaseRollUp(tx)
    const [row] = await tx<{ events: number }[]>`select count(*)::integer as events from events`
    return row!.events
  })

/** Creates functions that move a value. Values from before the first moment, and from the future, stay as they are. */
const createFunctions = async (tx: Sql, moments: RecordedMoment[]): Promise<void> => {
  const starts = [
    ...moments.map(({ recordedAt }) => recordedAt.toISOString()),
    new Date(Date.now() + 1000).toISOString(),
  ]
  const moved = moments.map(({ recordedAt, at }) => at.getTime() - recordedAt.getTime())
  await tx.unsafe(`
    create function pg_temp.shift_time(at timestamptz) returns timestamptz language sql immutable as $$
      select at + coalesce(('{${[...moved, 0].join()}}'::bigint[])[width_bucket(at, '{${starts.join()}}'::timestamptz[])], 0)
        * interval '1 millisecond'
    $$;

    create function pg_temp.shift_id(id uuid) returns uuid language sql immutable as $$
      select case when uuid_extract_version(id) = 7 then (
        lpad(to_hex(floor(extract(epoch from pg_temp.shift_time(uuid_extract_timestamp(id))) * 1000)::bigint), 12, '0')
          || substr(replace(id::text, '-', ''), 13))::uuid
      else id end
    $$;

    create function pg_temp.shift_ids(ids uuid[]) returns uuid[] language sql immutable as $$
      select array(select pg_temp.shift_id(id) from unnest(ids) with ordinality as u(id, position) order by position)
    $$;

    create function pg_temp.shift_json(content jsonb) returns jsonb language plpgsql immutable as $$
    declare
      words text := content::text;
      found text;
    begin
      if words !~ '20[0-9]{2}-|-7[0-9a-f]{3}-' then return content; end if;
      for found in select distinct m[1] from
        regexp_matches(words, '([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})', 'g') m loop
        words := replace(words, found, pg_temp.shift_id(found::uuid)::text);
      end loop;
      for found in select distinct m[1] from
        regexp_matches(words, '"(20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:]{8}[.][0-9]{3}Z)"', 'g') m loop
        words := replace(words, found,
          to_char(pg_temp.shift_time(found::timestamptz) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
      end loop;
      return words::jsonb;
    end $$`)
}

interface TableColumns {
  table: string
  columns: { name: string; type: string }[]
}

/** Returns the columns of all tables of workspaces that can contain a time or an id. */
const findColumns = async (tx: Sql): Promise<TableColumns[]> =>
  tx<TableColumns[]>`
    select c.relname as "table", json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null))) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
      and a.attname <> 'workspace_id' and a.attgenerated = ''
      and format_type(a.atttypid, null) in ('uuid', 'uuid[]', 'timestamp with time zone', 'jsonb')
      and exists (select from pg_attribute w where w.attrelid = c.oid and w.attname = 'workspace_id')
      and c.relname <> all(${excluded}) and c.relname <> 'event_usage'
    group by c.relname`

const shifted = (name: string, type: string): string => {
  if (type === 'uuid') return `pg_temp.shift_id("${name}")`
  if (type === 'uuid[]') return `pg_temp.shift_ids("${name}")`
  if (type === 'jsonb') return `pg_temp.shift_json("${name}")`
  return `pg_temp.shift_time("${name}")`
}

/** Tables of settings, which existed before the history, with their times. Their ids stay, because secrets depend on them. */
const settings: Record<string, string[]> = {
  workflows: ['created_at', 'updated_at', 'switched_at'],
  workflow_versions: ['published_at'],
  channels: ['created_at', 'updated_at'],
  templates: ['created_at', 'updated_at'],
  webhooks: ['created_at', 'updated_at'],
  api_keys: ['created_at'],
}

/** Makes the settings a day older than the first moment. */
const ageSettings = async (tx: Sql, { recordedAt, at }: RecordedMoment): Promise<void> => {
  const by = `interval '${recordedAt.getTime() - at.getTime() + 86_400_000} milliseconds'`
  for (const [table, columns] of Object.entries(settings))
    await tx.unsafe(`update ${table} set ${columns.map(name => `${name} = ${name} - ${by}`).join(', ')}`)
}

/**
 * Sets the hours of all counts that are not rolled up, and counts the events again per type, hour and month. Those are
 * the only counts without their own time: a usage row has the events of an hour.
 */
const rebuildUsage = async (tx: Sql): Promise<void> => {
  await tx`delete from hourly_stat_changes where kind = 'type'`
  await tx`
    update hourly_stat_changes set hour = date_trunc('hour', uuid_extract_timestamp(id), 'UTC'), runs_started = 0`
  await tx`
    insert into hourly_stat_changes (workspace_id, hour, events, unhandled, kind, group_id, outcome, outcome_events)
    select workspace_id, date_trunc('hour', created_at, 'UTC'), count(*),
      count(*) filter (where not awaited and reason in ('no_listener', 'switched_off', 'never_published')),
      'type', type, coalesce(reason, 'started'), count(*)
    from events group by 1, 2, type, reason`
  await tx`
    insert into hourly_stat_changes (workspace_id, hour, runs_started)
    select workspace_id, date_trunc('hour', created_at, 'UTC'), count(*) from workflow_runs group by 1, 2`
  await tx`delete from event_usage`
  await tx`
    insert into event_usage (workspace_id, month, shard, recorded)
    select workspace_id, date_trunc('month', created_at at time zone 'UTC')::date, 0, count(*) from events group by 1, 2`
}

/** Opens the newest row of each error again, as in a service that ran for 30 days. Only open rows name an error in charts. */
const openNewestErrors = (tx: Sql) => tx`
  update rejected_requests r set open = true
  where not exists (
    select from rejected_requests other
    where other.workspace_id = r.workspace_id and other.digest = r.digest and (other.open or other.id > r.id))`

/** Computes the response times again: they are stored as seconds, from the first unanswered message to the answer. */
const rebuildResponseTimes = (tx: Sql) => tx`
  update inbox_actions a set waited_seconds = extract(epoch from m.created_at - unanswered.since)
  from messages m cross join lateral (
    select min(i.created_at) as since from messages i
    where i.workspace_id = m.workspace_id and i.conversation_id = m.conversation_id and i.direction = 'inbound'
      and i.id < m.id and not exists (
        select from messages o where o.workspace_id = m.workspace_id and o.conversation_id = m.conversation_id
          and o.direction = 'outbound' and o.sent_by = 'user' and o.id > i.id and o.id < m.id)
  ) unanswered
  where m.workspace_id = a.workspace_id and m.id = a.id and a.waited_seconds is not null and unanswered.since is not null`
