/** Data for campaign tests: a template and many customers, inserted as they would be after some time of use. */
import type { Database } from '../../src/platform/postgres/client.ts'

interface NewTemplate {
  category?: 'utility' | 'marketing'
  body?: string
  variables?: { name: string; sample: string }[]
}

/** Inserts a template into the workspace and returns its id. */
export const makeTemplate = async (sql: Database, workspaceId: string, template: NewTemplate = {}): Promise<string> => {
  const { category = 'utility', body = 'Hello {{name}}', variables = [{ name: 'name', sample: 'Ada' }] } = template
  const [row] = await sql<{ id: string }[]>`
    insert into templates (workspace_id, name, category, body, variables)
    values (${workspaceId}, 'Greeting', ${category}, ${body}, ${JSON.stringify(variables)}::text::jsonb) returning id`
  return row!.id
}

/** Inserts `count` customers named `Customer 1` and so on. Returns their ids in the order of their numbers. */
export const makeCustomers = async (sql: Database, workspaceId: string, count: number): Promise<string[]> => {
  const rows = await sql<{ id: string; name: string }[]>`
    insert into customers (workspace_id, phone, name, attributes)
    select ${workspaceId}, '+4915' || (100000000 + n), 'Customer ' || n, jsonb_build_object('number', n)
    from generate_series(1, ${count}) n returning id, name`
  return rows.toSorted((a, b) => Number(a.name.slice(9)) - Number(b.name.slice(9))).map(({ id }) => id)
}

/**
 * Fails unless the records of every campaign agree. In an ended campaign, each recipient has at most one message. The
 * counters match the recipients and add up. Completion was emitted exactly once, with these counters.
 */
export const booksOf = async (sql: Database) => {
  const rows = await sql<
    {
      status: string
      recipients: number
      counted: number
      sent: number
      skipped: number
      unknown: number
      queued: number
      moved: boolean
      twice: number
      messages: number
      withMessage: number
      told: number
      toldRight: number
    }[]
  >`
    select c.status, c.recipients, c.sent, c.skipped, c.unknown, c.queued,
      (select count(*)::integer from campaign_recipients r where r.workspace_id = c.workspace_id and r.campaign_id = c.id) as counted,
      (select (count(*) filter (where outcome = 'sent'), count(*) filter (where outcome = 'skipped'),
          count(*) filter (where outcome = 'unknown'), count(*) filter (where outcome = 'queued'))
            = (c.sent, c.skipped, c.unknown, c.queued)
        from campaign_recipients r where r.workspace_id = c.workspace_id and r.campaign_id = c.id)
        and (select (coalesce(sum(o.sent), 0), coalesce(sum(o.skipped), 0), coalesce(sum(o.unknown), 0))
            = (c.sent, c.skipped, c.unknown)
          from campaign_outcomes o where o.workspace_id = c.workspace_id and o.campaign_id = c.id) as moved,
      (select count(*)::integer from (select from messages m where m.workspace_id = c.workspace_id and m.sent_by_id = c.id
        group by m.customer_id having count(*) > 1) t) as twice,
      (select count(*)::integer from messages m where m.workspace_id = c.workspace_id and m.sent_by_id = c.id) as messages,
      (select count(*)::integer from campaign_recipients r join messages m on m.workspace_id = r.workspace_id
        and m.id = r.message_id and m.customer_id = r.customer_id and m.sent_by_id = c.id
        where r.workspace_id = c.workspace_id and r.campaign_id = c.id) as "withMessage",
      (select count(*)::integer from outbound_events o where o.workspace_id = c.workspace_id
        and o.type = 'campaign.completed' and o.data ->> 'campaignId' = c.id::text) as told,
      (select count(*)::integer from outbound_events o where o.workspace_id = c.workspace_id
        and o.type = 'campaign.completed' and o.data = jsonb_build_object('campaignId', c.id, 'name', c.name,
          'sent', c.sent, 'skipped', c.skipped, 'unknown', c.unknown)) as "toldRight"
    from campaigns c order by c.id`
  return [...rows]
}
