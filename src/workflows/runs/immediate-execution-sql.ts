/** Reads the data for first executions in one statement. */
import type { Sql } from '../../platform/postgres/client.ts'
import type { Definition } from '../schema.ts'
import type { CustomerData, WorkspaceData } from './run-facts.ts'
import { customerJson, workspaceJson } from './sql.ts'

/** Identifies a version of a workflow. */
export interface Version {
  workspaceId: string
  workflowId: string
  version: number
}

/** Customers, workspaces and definitions to read. */
interface ExecutionDataQuery {
  customers: readonly { workspaceId: string; customerId: string }[]
  workspaceIds: readonly string[]
  definitions: readonly Version[]
}

interface ExecutionData {
  /** Customers by ID. Customers with large attributes are absent. */
  customers: Map<string, CustomerData>
  workspaces: Map<string, WorkspaceData>
  /** Definitions. Null if a definition is too large or names templates. */
  definitions: (Version & { definition: Definition | null })[]
}

/** Maximum size of a customer's attributes in bytes, as stored. Larger or compressed ones are left to a claim. */
const maxAttributes = 1000
/** Maximum length of a definition in characters. */
const maxDefinition = 64_000

/** Reads the data. `lateral … offset 0` makes the planner use one index lookup per row. */
export const readExecutionData = async (
  sql: Sql,
  { customers, workspaceIds, definitions }: ExecutionDataQuery,
): Promise<ExecutionData> => {
  const [row] = await sql<
    {
      customers: CustomerData[]
      workspaces: Record<string, WorkspaceData>
      definitions: ExecutionData['definitions']
    }[]
  >`
    select
      (select coalesce(json_agg(${customerJson(sql)}), '[]')
        from unnest(${customers.map(one => one.workspaceId)}::uuid[], ${customers.map(one => one.customerId)}::uuid[])
          as requested(workspace_id, id)
        cross join lateral (select * from customers c
          where c.workspace_id = requested.workspace_id and c.id = requested.id
            and pg_column_size(c.attributes) < ${maxAttributes} and pg_column_compression(c.attributes) is null
          offset 0) p) as customers,
      (select coalesce(json_object_agg(requested.workspace_id, ${workspaceJson(sql, sql`requested.workspace_id`)}), '{}')
        from unnest(${[...workspaceIds]}::uuid[]) as requested(workspace_id)) as workspaces,
      (select coalesce(json_agg(json_build_object('workspaceId', v.workspace_id, 'workflowId', v.workflow_id,
          'version', v.version,
          'definition', case when length(v.definition::text) <= ${maxDefinition} and v.template_ids = '{}' then v.definition end)), '[]')
        from unnest(${definitions.map(one => one.workspaceId)}::uuid[], ${definitions.map(one => one.workflowId)}::uuid[],
          ${definitions.map(one => one.version)}::integer[]) as requested(workspace_id, workflow_id, version)
        cross join lateral (select * from workflow_versions v
          where v.workspace_id = requested.workspace_id and v.workflow_id = requested.workflow_id and v.version = requested.version
          offset 0) v) as definitions`
  const data = row!
  return {
    customers: new Map(data.customers.map(customer => [customer.id, customer])),
    workspaces: new Map(Object.entries(data.workspaces)),
    definitions: data.definitions,
  }
}
