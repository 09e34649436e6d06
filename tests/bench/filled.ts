/** Measures how long one person waits in a workspace that has been in use for some time. */

import document from '../../openapi/openapi.json'
import { hashSecret, newSecret } from '../../src/core/secrets.ts'
import type { Sql } from '../../src/platform/postgres/client.ts'
import { removeWorkspace } from '../../src/privacy/workspaces/index.ts'
import { releaseTestServer } from '../support/database.ts'
import { filledDatabase, idOf } from '../support/filled.ts'
import type { Environment } from './environment.ts'
import { type Figure, figure, median, percentile } from './figures.ts'
import { remove } from './retention.ts'
import type { SoakOptions } from './soak/index.ts'

export const aboutFilled =
  'what pages of the dashboard ask, one after the other and each 60 times (quick: 20), and every list with each filter 10 times, of a database with a million events, a million deliveries (200,000 of them waiting) and 200,000 customers, six of ten in the workspace that is looked at. FILLED_TIMES=10 stores ten times as many.'

/** Maximum time for a click, in milliseconds, without the network and the browser. */
const goalMs = 100

/** Measures the reads; `quick` takes fewer samples. */
export const measureFilled = async (
  environment: Environment,
  quick: boolean,
  { note }: Pick<SoakOptions, 'note'>,
): Promise<Figure[]> => {
  const database = await filledDatabase()
  try {
    const token = await signIn(database.sql)
    const service = await environment.serviceWith({ DATABASE_URL: database.url })
    const read = (path: string, times = quick ? 20 : 60) => timesOf(`${service.url}${path}`, token, times)
    const figures: Figure[] = []
    for (const path of paths()) figures.push(figureOf(`GET ${shortened(path)}`, await read(path)))
    const lists = filteredLists()
    for (const [list, filters] of lists) figures.push(await slowestOf(list, filters, path => read(path, 10)))
    const removing = remove(database)
    for (const path of paths())
      figures.push(figureOf(`GET ${shortened(path)}, old rows being removed`, await read(path, 10)))
    note(`filled: ${await removing.stop()} events were removed meanwhile`)
    const deletingFrom = performance.now()
    const deleting = removeWorkspace(database.sql, idOf('workspace', 1))
    for (const path of paths())
      figures.push(figureOf(`GET ${shortened(path)}, another workspace being deleted`, await read(path, 10)))
    const rows = Object.values((await deleting).rows).reduce((sum, count) => sum + count, 0)
    const seconds = (performance.now() - deletingFrom) / 1000
    note(`filled: ${rows} rows of a workspace were deleted in ${seconds.toFixed(0)} s`)
    await service.stop()
    return figures
  } finally {
    await database.drop()
    await releaseTestServer()
  }
}

const timesOf = async (url: string, token: string, times: number): Promise<number[]> => {
  const took: number[] = []
  for (let round = -3; round < times; round++) {
    const from = performance.now()
    const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`GET ${url}: ${response.status}`)
    if (round >= 0) took.push(performance.now() - from)
  }
  return took
}

const figureOf = (name: string, took: number[]): Figure =>
  figure('filled', name, 'ms', took, null, median.atMost(goalMs))

const shortened = (path: string): string =>
  path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '{id}').replaceAll(/=20[^&]+/g, '')

/** Reads a list with each of its filters, and returns the figure of the slowest. */
const slowestOf = async (
  list: string,
  filters: string[],
  read: (path: string) => Promise<number[]>,
): Promise<Figure> => {
  let slowest = { filter: '', took: [0] }
  for (const filter of filters) {
    const took = await read(`${list}?${filter}`)
    if (percentile(took, 0.5) > percentile(slowest.took, 0.5)) slowest = { filter, took }
  }
  return figureOf(`GET ${shortened(`${list}?${slowest.filter}`)}, slowest of ${filters.length} filters`, slowest.took)
}

interface Parameter {
  in: string
  name: string
  schema: { enum?: string[]; type?: string }
}

interface Operations {
  get?: { parameters?: Parameter[] }
}

/** Values of the filters that are no enumeration. */
const exampleOf = (name: string): string | undefined =>
  ({
    since: daysAgo(30),
    until: daysAgo(30),
    from: daysAgo(30),
    to: daysAgo(30),
    type: 'rare',
    customerId: idOf('customer', 0),
    channelId: idOf('channel', 0),
    conversationId: idOf('conversation', 0),
    runId: idOf('run', 0),
    apiKeyId: idOf('workspace', 0),
    actorId: idOf('user', 2),
    targetId: idOf('webhook', 0),
    assigneeId: 'none',
    sender: 'custom',
    statusCode: '503',
    error: 'timed out',
    message: 'no',
    ids: idOf('customer', 0),
    triggerType: 'order.created',
    webhookId: idOf('webhook', 0),
    phone: '+491510000000',
    externalId: 'none',
    q: 'Cus',
    version: '1',
  })[name]

/** Ids in the paths of lists. */
const idIn: Record<string, string> = {
  customers: idOf('customer', 0),
  workflows: idOf('workflow', 0),
  conversations: idOf('conversation', 0),
  campaigns: idOf('campaign', 0),
  webhooks: idOf('webhook', 0),
}

/** Returns each list of the published document with one query for each of its filters. */
const filteredLists = (): [list: string, filters: string[]][] =>
  Object.entries(document.paths as Record<string, Operations>).flatMap(([path, { get }]): [string, string[]][] => {
    const parameters = (get?.parameters ?? []).filter(one => one.in === 'query')
    const isList = parameters.some(({ name }) => name === 'limit')
    if (!isList || /^\/v1\/(auth|members|outbound-events\/pull)/.test(path)) return []
    const list = path.replace(/\/(\w+)\/\{id\}/, (_, noun: string) => `/${noun}/${idIn[noun]}`)
    return [[list, ['limit=100', ...parameters.flatMap(queriesOf)]]]
  })

const queriesOf = ({ name, schema }: Parameter): string[] => {
  if (['limit', 'cursor', 'within'].includes(name)) return []
  const values = schema.enum ?? (schema.type === 'boolean' ? ['true', 'false'] : [exampleOf(name)])
  return values.slice(0, 12).map(value => {
    if (value === undefined) throw new Error(`There is no value for the filter ${name}`)
    return `${name}=${encodeURIComponent(value)}`
  })
}

const signIn = async (sql: Sql): Promise<string> => {
  const token = newSecret('ses_')
  await sql`
    with person as (
      insert into users (email, name, password_hash) values ('looks@shop.example', 'Looks', 'none') returning id
    ), joined as (
      insert into members (workspace_id, user_id, role, joined_at)
      select ${idOf('workspace', 0)}, id, 'owner', now() from person
    )
    insert into sessions (token_hash, user_id, expires_at)
    select decode(${hashSecret(token)}, 'hex'), id, now() + interval '1 day' from person`
  return token
}

const dayMs = 86_400_000
const daysAgo = (days: number) => new Date(Math.floor(Date.now() / dayMs - days) * dayMs).toISOString()

/** Returns the paths that a person reads, by section, with a search for each kind of record. */
const paths = (): string[] => {
  const search = (text: string) => `/v1/search?q=${encodeURIComponent(text)}`
  return [
    '/v1/attention',
    `/v1/activity/summary?from=${daysAgo(6)}&to=${daysAgo(-1)}&by=hour`,
    `/v1/activity/summary?from=${daysAgo(89)}&to=${daysAgo(-1)}&by=day`,
    search(idOf('event', 500_000)),
    search(idOf('delivery', 500_000)),
    search('+4915'),
    search('Cus'),
    '/v1/events',
    `/v1/events/${idOf('event', 500_000)}`,
    '/v1/customers',
    `/v1/customers/${idOf('customer', 0)}/timeline`,
    '/v1/conversations',
    '/v1/messages',
    '/v1/outbound-events',
    `/v1/webhooks/${idOf('webhook', 0)}/health`,
    `/v1/webhooks/${idOf('webhook', 0)}/deliveries`,
    `/v1/webhooks/${idOf('webhook', 0)}/deliveries?status=failed&limit=50`,
    `/v1/workflows/${idOf('workflow', 0)}/runs`,
    '/v1/audit',
  ]
}
