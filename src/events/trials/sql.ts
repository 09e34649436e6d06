/** SQL that reads data for trials. Trials write nothing. */
import type { Sql } from '../../platform/postgres/client.ts'
import type { Definition, RunChannel, RunFacts } from '../../workflows/index.ts'
import { isOfType } from '../index.ts'

/** The workflow version under test. */
export interface TrialWorkflow {
  workflowId: string
  name: string
  /** Null for the draft. */
  version: number | null
  definition: Definition
}

/** Returns null if the workflow does not exist. The definition is null if the version does not exist. */
export const findTrialWorkflow = async (sql: Sql, workspaceId: string, id: string, version: number | null) => {
  const [row] = await sql<(Omit<TrialWorkflow, 'definition'> & { definition: Definition | null })[]>`
    select w.id as "workflowId", w.name, ${version}::integer as version,
      ${version === null ? sql`w.draft` : sql`v.definition`} as definition
    from workflows w
    ${version === null ? sql`` : sql`left join workflow_versions v on v.workspace_id = w.workspace_id and v.workflow_id = w.id and v.version = ${version}`}
    where w.workspace_id = ${workspaceId} and w.id = ${id}`
  return row ?? null
}

/** A recorded event that starts a trial. */
export interface StoredEvent {
  id: string
  type: string
  customerId: string
  data: Record<string, unknown>
  createdAt: Date
}

export const findStoredEvent = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<StoredEvent[]>`
    select id, type, customer_id as "customerId", data, created_at as "createdAt" from events
    where workspace_id = ${workspaceId} and id = ${id}`
  return row ?? null
}

/** A customer in the form that runs use. */
export type RunCustomer = RunFacts['customer']

const customerFields = (sql: Sql) => sql`
  'id', c.id, 'name', c.name, 'phone', c.phone, 'externalId', c.external_id, 'attributes', c.attributes,
  'optedIn', c.opted_in_at is not null, 'optedOut', c.opted_out_at is not null,
  'hasConversation', exists (select from conversations co where co.workspace_id = c.workspace_id and co.customer_id = c.id)`

/** Returns null if the customer does not exist or was erased. */
export const findRunCustomer = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<{ customer: RunCustomer }[]>`
    select json_build_object(${customerFields(sql)}) as customer from customers c
    where c.workspace_id = ${workspaceId} and c.id = ${id} and c.erased_at is null`
  return row?.customer ?? null
}

/** A channel with the customer's data. Without a customer, all of that data is null. */
export type TrialChannel = Pick<RunChannel, 'id' | 'kind' | 'connected'> & {
  handle: string | null
  lastInboundAt: string | null
}

/** Maximum number of channels read. */
const maxChannels = 100

/**
 * Reads the workspace's channels, time zone and opt-out words. Disconnected channels come last, otherwise the oldest
 * first.
 */
export const findEnvironment = async (sql: Sql, workspaceId: string, customerId: string | null) => {
  const [row] = await sql<{ timezone: string; words: string[] | null; channels: TrialChannel[] }[]>`
    select w.timezone, (select to_json(o.normalised) from opt_out_words o where o.workspace_id = ${workspaceId}) as words, (
      select coalesce(json_agg(json_build_object('id', ch.id, 'kind', ch.kind, 'connected', ch.status <> 'disconnected',
          'handle', known.handle, 'lastInboundAt', known.last_inbound_at)
        order by ch.status = 'disconnected', ch.id), '[]')
      from (select * from channels ch where ch.workspace_id = ${workspaceId} order by ch.status = 'disconnected', ch.id
        limit ${maxChannels}) ch
      left join lateral (
        select c.handle, c.last_inbound_at from conversations c
        where c.workspace_id = ${workspaceId} and c.channel_id = ch.id and c.customer_id = ${customerId} offset 0
      ) known on true
    ) as channels
    from workspaces w where w.id = ${workspaceId}`
  return row!
}

/** A past event with the customer as they are today. */
export interface ReplayedEvent extends StoredEvent {
  /** Null if the customer was erased. */
  customer: RunCustomer | null
}

/** Maximum bytes of event data per page; the last event may exceed it. */
const maxPageBytes = 2_000_000
const eventsPerPage = 200

/** Selects a page of events of a type, newest first, before the given id. An empty page is the end. */
export const findEventsToReplay = (sql: Sql, workspaceId: string, type: string, before: string | null) => sql<
  ReplayedEvent[]
>`
  select e.id, e.type, e.customer_id as "customerId", e.data, e.created_at as "createdAt", c.customer
  from (
    select e.*, coalesce(sum(octet_length(e.data::text)) over (order by e.id desc rows between unbounded preceding and 1 preceding), 0)
      as bytes_before
    from (
      select * from events e where e.workspace_id = ${workspaceId} ${isOfType(sql, workspaceId, type)}
        ${before === null ? sql`` : sql`and e.id < ${before}`}
      order by e.id desc limit ${eventsPerPage}
    ) e
  ) e
  left join lateral (
    select json_build_object(${customerFields(sql)}) as customer from customers c
    where c.workspace_id = e.workspace_id and c.id = e.customer_id and c.erased_at is null offset 0
  ) c on true
  where e.workspace_id = ${workspaceId} and e.bytes_before < ${maxPageBytes}
  order by e.id desc`
