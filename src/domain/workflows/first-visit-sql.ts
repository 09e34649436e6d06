/** What first visits read, in one statement. */
import type { Sql } from '../../db/client.ts'
import type { Facts } from './facts.ts'
import type { Definition } from './schema.ts'

type CustomerFacts = Facts['customer']

/** Which version of which workflow. */
export interface VersionName {
  workspaceId: string
  workflowId: string
  version: number
}

/** A version as it was read, and how long it is as text. */
interface VersionRead extends VersionName {
  definition: Definition
  size: number
}

/** Of whom and what to read. */
interface WantedForVisits {
  customers: readonly { workspaceId: string; customerId: string }[]
  workspaceIds: readonly string[]
  definitions: readonly VersionName[]
}

interface ReadForVisits {
  /** By their ids. Those with much written about them are absent. */
  customers: Map<string, CustomerFacts>
  /** The channels of each workspace, the one connected first in front. */
  channelIds: Map<string, readonly string[]>
  /** Without large ones. */
  definitions: VersionRead[]
}

/** Bytes, as they are stored, of a customer's attributes and of a definition: what is larger is left to a claim. */
const maxAttributes = 4000
const maxDefinition = 16_000

/** `lateral … offset 0` holds the planner to one index probe for each. */
export const readForVisits = async (
  sql: Sql,
  { customers, workspaceIds, definitions }: WantedForVisits,
): Promise<ReadForVisits> => {
  const [row] = await sql<
    {
      customers: CustomerFacts[]
      channels: { workspaceId: string; ids: string[] }[]
      definitions: VersionRead[]
    }[]
  >`
    select
      (select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name, 'phone', c.phone,
          'externalId', c.external_id, 'attributes', c.attributes)), '[]')
        from unnest(${customers.map(one => one.workspaceId)}::uuid[], ${customers.map(one => one.customerId)}::uuid[])
          as asked(workspace_id, id)
        cross join lateral (select * from customers c
          where c.workspace_id = asked.workspace_id and c.id = asked.id
            and pg_column_size(c.attributes) < ${maxAttributes} offset 0) c) as customers,
      (select coalesce(json_agg(json_build_object('workspaceId', asked.workspace_id, 'ids', (
          select coalesce(json_agg(ch.id order by ch.id), '[]') from channels ch where ch.workspace_id = asked.workspace_id))), '[]')
        from unnest(${[...workspaceIds]}::uuid[]) as asked(workspace_id)) as channels,
      (select coalesce(json_agg(json_build_object('workspaceId', v.workspace_id, 'workflowId', v.workflow_id,
          'version', v.version, 'definition', v.definition, 'size', length(v.definition::text))), '[]')
        from unnest(${definitions.map(one => one.workspaceId)}::uuid[], ${definitions.map(one => one.workflowId)}::uuid[],
          ${definitions.map(one => one.version)}::integer[]) as asked(workspace_id, workflow_id, version)
        cross join lateral (select * from workflow_versions v
          where v.workspace_id = asked.workspace_id and v.workflow_id = asked.workflow_id and v.version = asked.version
            and pg_column_size(v.definition) < ${maxDefinition} offset 0) v) as definitions`
  const found = row!
  return {
    customers: new Map(found.customers.map(customer => [customer.id, customer])),
    channelIds: new Map(found.channels.map(({ workspaceId, ids }) => [workspaceId, ids])),
    definitions: found.definitions,
  }
}
