/** Measures how long one person waits in a workspace that has been in use for some time. */

import { hashSecret, newSecret } from '../../src/core/secrets.ts'
import type { Sql } from '../../src/platform/postgres/client.ts'
import { releaseTestServer } from '../support/database.ts'
import { filledDatabase, idOf } from '../support/filled.ts'
import type { Environment } from './environment.ts'
import { type Figure, figure, median } from './figures.ts'

export const aboutFilled =
  'what pages of the dashboard ask, one after the other and each 60 times (quick: 20), of a database with a million events, a million deliveries (200,000 of them waiting) and 200,000 customers, six of ten in the workspace that is looked at.'

/** Maximum time for a click, in milliseconds, without the network and the browser. */
const goalMs = 100

/** Measures the reads; `quick` takes fewer samples. */
export const measureFilled = async (environment: Environment, quick: boolean): Promise<Figure[]> => {
  const database = await filledDatabase()
  try {
    const token = await signIn(database.sql)
    const service = await environment.serviceWith({ DATABASE_URL: database.url })
    const figures: Figure[] = []
    for (const path of paths())
      figures.push(await measured(`http://127.0.0.1:${service.port}${path}`, path, token, quick ? 20 : 60))
    await service.stop()
    return figures
  } finally {
    await database.drop()
    await releaseTestServer()
  }
}

const measured = async (url: string, path: string, token: string, times: number): Promise<Figure> => {
  const took: number[] = []
  for (let round = -3; round < times; round++) {
    const from = performance.now()
    const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`GET ${path}: ${response.status}`)
    if (round >= 0) took.push(performance.now() - from)
  }
  const name = `GET ${path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '{id}').replaceAll(/=20[^&]+/g, '')}`
  return figure('filled', name, 'ms', took, null, median.atMost(goalMs))
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

/** Returns the paths that a person reads, by section, with a search for each kind of record. */
const paths = (): string[] => {
  const day = 86_400_000
  const daysAgo = (days: number) => new Date(Math.floor(Date.now() / day - days) * day).toISOString()
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
