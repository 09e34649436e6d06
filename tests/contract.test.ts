/**
 * Calls every published operation with every kind of credential: none, valid and invalid keys, active, expired and
 * ended sessions, an agent, owners, and another workspace's owner and key.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { rollUpStats } from '../src/webhooks/statistics/index.ts'
import { makeTemplate } from './support/campaigns.ts'
import { respond, startReceiver } from './support/receiver.ts'
import { use } from './support/use.ts'
import { bearer, eventually, unknownId, useWorld } from './support/world.ts'

interface Parameter {
  in: string
  name: string
  schema: { type: string; minLength?: number; maxLength?: number; minimum?: number; maximum?: number; pattern?: string }
}

interface Published {
  operationId: string
  description: string
  responses: Record<string, { description: string }>
  security: object[]
  parameters?: Parameter[]
  /** A body has one example, or named ones, of which the first is used. */
  requestBody?: { content: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }> }
}

const document = JSON.parse(readFileSync(resolve(import.meta.dir, '../openapi/openapi.json'), 'utf8'))
const operations = Object.entries<Record<string, Published>>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, published]) => {
    const { operationId, description, security, requestBody, responses, parameters = [] } = published
    const body = requestBody?.content['application/json']
    // Callback bodies come from providers in their own formats, so they have no example.
    const example = body?.example ?? Object.values(body?.examples ?? {})[0]?.value
    const query = parameters.filter(parameter => parameter.in === 'query')
    const forbidden = responses[403]?.description ?? ''
    const isSessionOnly = description.includes('Access tokens cannot call it.')
    return { id: operationId, method: method.toUpperCase(), path, security, forbidden, isSessionOnly, example, query }
  }),
)
type Operation = (typeof operations)[number]
const named = operations.map(operation => [`${operation.method} ${operation.path}`, operation] as const)

type Credential = Record<string, string>

const receiver = use(() => startReceiver({ behaviour: respond(500) }))
const world = useWorld(() => ({
  WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target,
  SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
  WEBHOOK_RETRY_WAITS: '10ms,10ms,10ms,10ms,10ms,10ms,10ms',
}))
let agent: Credential
let stranger: Credential
let strangersKey: Credential
let writeToken: Credential
let readToken: Credential
let badOnes: Record<string, Credential>

beforeAll(async () => {
  agent = (await world.person()).as
  stranger = await world.otherOwner()
  strangersKey = { 'X-API-Key': (await issueKey('theirs', stranger)).key }
  writeToken = await tokenOf(agent, 'write')
  readToken = await tokenOf(bearer(world.owner.token), 'read')
  const expired = await sessionWith('expires_at = now()')
  const expiredToken = await tokenOf(bearer(world.owner.token), 'write', 'expired')
  await world.database.sql`update access_tokens set expires_at = now() where name = 'expired'`
  badOnes = {
    'a malformed key': { 'X-API-Key': 'ces_bad' },
    'an unknown key': { 'X-API-Key': `ces_${'x'.repeat(43)}` },
    'a revoked key': await revokedKey(),
    'a malformed access token': bearer('cest_bad'),
    'an unknown access token': bearer(`cest_${'x'.repeat(43)}`),
    'an expired access token': expiredToken,
    'an access token as key': { 'X-API-Key': writeToken.Authorization!.slice('Bearer '.length) },
    'an access token as cookie': { Cookie: `session=${writeToken.Authorization!.slice('Bearer '.length)}` },
    'an unknown session': bearer('ses_unknown'),
    'an expired session': expired,
    'an expired session as cookie': { Cookie: `session=${expired.Authorization!.slice('Bearer '.length)}` },
    'a session that was signed out': await signedOut(),
    'a session that nobody used for a week': await sessionWith("last_seen_at = now() - interval '7 days'"),
  }
})
const issueKey = (name: string, as?: Credential): Promise<{ id: string; key: string }> =>
  world.expect(201, 'POST', '/v1/api-keys', { body: { name }, ...(as && { as }) })

const tokenOf = async (as: Credential, access: 'read' | 'write', name: string = access): Promise<Credential> =>
  bearer((await world.expect(201, 'POST', '/v1/auth/tokens', { as, body: { name, access } })).token)

const revokedKey = async (): Promise<Credential> => {
  const { id, key } = await issueKey('gone')
  await world.expect(204, 'DELETE', `/v1/api-keys/${id}`)
  return { 'X-API-Key': key }
}

/** Returns a session that was valid until this change. */
const sessionWith = async (change: string): Promise<Credential> => {
  const { id, as } = await world.person()
  await world.expect(200, 'GET', '/v1/auth/session', { as })
  await world.database.sql.unsafe(`update sessions set ${change} where user_id = '${id}'`)
  return as
}

const signedOut = async (): Promise<Credential> => {
  const { as } = await world.person()
  await world.expect(204, 'POST', '/v1/auth/sign-out', { as })
  return as
}

/** Creates a second session of the owner. */
const otherSession = async (): Promise<{ id: string }> => {
  const { email, password } = world.owner
  await world.expect(200, 'POST', '/v1/auth/sign-in', { as: 'nobody', body: { email, password } })
  const { data } = await world.expect(200, 'GET', '/v1/auth/sessions')
  return data.find(({ current }: { current: boolean }) => !current)
}

/** Sends a path without a record and a body that is not JSON, so that the call never changes data. */
const ask = async ({ method, path, example }: Operation, as: Credential) => {
  const reply = await world.call(method, path.replaceAll(/\{[^}]+\}/g, unknownId), {
    as,
    ...(example !== undefined && { raw: '{', headers: { 'Content-Type': 'application/json' } }),
  })
  return { code: `${reply.status}${reply.body?.error ? ` ${reply.body.error.code}` : ''}`, reply }
}

/** Returns names and values of query parameters that the operation rejects. */
const badQueries = ({ query }: Operation): [name: string, value: string][] => [
  ['colour', 'red'],
  ...query.flatMap(
    ({ name, schema: { type, minLength = 0, maxLength, minimum = 1, maximum, pattern } }): [string, string][] => {
      const bad =
        type === 'integer'
          ? [String(minimum - 1), '1.5', 'x', String(maximum! + 1)]
          : maxLength === undefined
            ? ['nonsense', '%00']
            : ['x'.repeat(maxLength + 1), ...(minLength > 0 ? [''] : []), ...(pattern ? ['a%00b'] : [])]
      return [...bad, `1&${name}=1`].map(value => [name, value])
    },
  ),
]

const takes = ({ security }: Operation, scheme: string) => security.some(one => scheme in one)
const isPublic = ({ security }: Operation) => security.length === 0
const leadsToRecord = ({ path }: Operation) => path.includes('{')

/** Creates an idle campaign in each state that an operation needs. */
const makeCampaigns = async (channelId: string): Promise<Record<string, { id: string }>> => {
  const { workspaceId, database } = world
  const variables = [{ name: 'name', sample: 'Ada' }]
  const templateId = await makeTemplate(database.sql, workspaceId, { variables })
  const body = { name: 'Spring', channelId, templateId, variables: { name: 'you' }, audience: { all: true } }
  const made: Record<string, { id: string }> = {}
  for (const [name, status] of Object.entries({
    campaigns: 'draft',
    startCampaign: 'scheduled',
    pauseCampaign: 'running',
    resumeCampaign: 'paused',
    cancelCampaign: 'running',
  })) {
    const { id } = await world.expect(201, 'POST', '/v1/campaigns', { body })
    await database.sql`update campaigns set status = ${status} where id = ${id}`
    made[name] = { id }
  }
  return made
}

/** Creates a run that has not ended and can be stopped. */
const makeWaitingRun = async (): Promise<string> => {
  const definition = {
    trigger: { eventType: 'order.waits' },
    start: 'wait',
    steps: { wait: { type: 'delay', for: '2d', next: null } },
  }
  await world.workflow(definition)
  const body = { type: 'order.waits', phone: '+4915112345678' }
  const { outcomes } = await world.expect(201, 'POST', '/v1/events', { body })
  const { runId } = outcomes[0]
  await eventually('the run waits', async () => {
    const { status } = await world.expect(200, 'GET', `/v1/runs/${runId}`)
    return status === 'waiting'
  })
  // Removes later rechecks, so that the state does not change.
  await world.database.sql`delete from run_rechecks`
  return runId
}

/**
 * Creates one record of each entity, by the path that leads to it, or for a single operation. The records are idle: the
 * run has ended and the delivery has failed permanently.
 */
const makeRecords = async () => {
  const channelId = await world.sandbox()
  const workflowId = await world.workflow({
    trigger: { eventType: 'order.created' },
    start: 'say',
    steps: { say: { type: 'send_message', text: 'Thank you', next: null } },
  })
  await world.expect(200, 'POST', `/v1/workflows/${workflowId}/publish`)
  const subscribe = async (events: string[]) =>
    (await world.expect(201, 'POST', '/v1/webhooks', { body: { url: receiver.url, events } })).id
  ourWebhook = await subscribe(['message.status'])
  const otherWebhook = await subscribe(['campaign.completed'])
  const since = { since: '2026-01-01T00:00:00Z' }
  const recovery = await world.expect(202, 'POST', `/v1/webhooks/${otherWebhook}/recoveries`, { body: since })
  const order = { type: 'order.created', phone: '+4915112345678' }
  const { event } = await world.expect(201, 'POST', '/v1/events', { body: order })
  await eventually('the run has ended', async () => {
    const { data } = await world.expect(200, 'GET', `/v1/workflows/${workflowId}/runs`)
    return data[0]?.endedAt
  })
  const delivery = await eventually('its message was sent without a delivery', async () => {
    const { data } = await world.expect(200, 'GET', `/v1/webhooks/${ourWebhook}/deliveries`)
    return data[0]?.status === 'failed' && data[0]
  })
  const member = await world.expect(201, 'POST', '/v1/members', { body: { email: 'ben@shop.example', role: 'agent' } })
  // The example of a preview has the variable `name`.
  const variables = [{ name: 'name', sample: 'Ana' }]
  const template = { name: 'Hello', category: 'utility', body: 'Hello {{name}}', variables }
  const { id: templateId } = await world.expect(201, 'POST', '/v1/templates', { body: template })
  const { data: messages } = await world.expect(200, 'GET', '/v1/messages')
  const { id: messageId, conversationId } = messages[0]
  await world.database.sql`update messages set status = 'failed' where id = ${messageId}`
  ourMessage = messageId
  ourCustomer = event.customerId
  const amount = { amount: 1, currency: 'EUR' }
  const sale = await world.expect(201, 'POST', `/v1/conversations/${conversationId}/sale`, { body: amount })
  await world.expect(400, 'POST', '/v1/events', { as: 'key', body: { type: 'order.created', phone: 'none' } })
  const { data: refused } = await world.expect(200, 'GET', '/v1/activity/not-accepted')
  const filters = { list: 'events', name: 'Orders', search: 'type=order.created' }
  const view = await world.expect(201, 'POST', '/v1/saved-views', { body: filters })
  const named = { name: 'script', access: 'write' }
  const ownToken = await world.expect(201, 'POST', '/v1/auth/tokens', { body: named })
  const account = { kind: 'service', name: 'Terraform', role: 'agent' }
  const service = await world.expect(201, 'POST', '/v1/members', { body: account })
  const serviceToken = await world.expect(201, 'POST', `/v1/members/${service.id}/tokens`, { body: named })
  return {
    templates: { id: templateId },
    conversations: { id: conversationId },
    messages: { id: messageId },
    sales: { id: sale.id },
    ...(await makeCampaigns(channelId)),
    events: { id: event.id },
    customers: { id: event.customerId },
    workflows: { id: workflowId, version: '2' },
    runs: { id: await makeWaitingRun() },
    activity: { id: refused[0].id },
    channels: { id: channelId },
    webhooks: { id: ourWebhook, deliveryId: delivery.id },
    startRecovery: { id: otherWebhook },
    readRecovery: { id: otherWebhook, recoveryId: recovery.id },
    cancelRecovery: { id: otherWebhook, recoveryId: recovery.id },
    'outbound-events': { id: delivery.eventId },
    'api-keys': { id: (await issueKey('till')).id },
    members: { id: member.id },
    'saved-views': { id: view.id },
    auth: { id: (await otherSession()).id },
    revokeAccessToken: { id: ownToken.id },
    ...Object.fromEntries(
      ['createMemberToken', 'listMemberTokens', 'revokeMemberToken'].map(id => [
        id,
        { id: service.id, tokenId: serviceToken.id },
      ]),
    ),
  } as Record<string, Record<string, string>>
}

/** Id of a message in examples, and the id of a real message over the created channel. */
const exampleOfMessage = '01981b7e-3c00-7a51-9a64-1f0f5c3d7d0a'
let ourMessage = exampleOfMessage
/** Id of an endpoint in examples, and the id of a real one. */
const exampleOfWebhook = '01981b7e-3c00-7a51-9a64-1f0f5c3d7e05'
let ourWebhook = exampleOfWebhook

/** Id of a customer in examples, and the id of a real one. */
const exampleOfCustomer = '01981b7e-3c00-7a51-9a64-1f0f5c3d7e02'
let ourCustomer = exampleOfCustomer

/** Calls the operation with these ids and a valid body. Returns the answer without the parts that always differ. */
const askFor = async ({ method, path, example }: Operation, as: Credential, ids: Record<string, string>) => {
  const response = await fetch(world.url + path.replaceAll(/\{([^}]+)\}/g, (_, name) => ids[name]!), {
    method,
    headers: { ...as, ...(example !== undefined && { 'Content-Type': 'application/json' }) },
    // Undefined without an example.
    body: JSON.stringify(example)
      ?.replaceAll(exampleOfMessage, ourMessage)
      .replaceAll(exampleOfWebhook, ourWebhook)
      .replaceAll(exampleOfCustomer, ourCustomer),
  })
  const { 'x-request-id': requestId, date: _, ...headers } = Object.fromEntries(response.headers)
  let text = (await response.text()).replaceAll(requestId!, 'the request id')
  for (const id of Object.values(ids)) text = text.replaceAll(id, 'the id asked for')
  return { status: response.status, headers, text }
}

describe("another workspace's record", () => {
  // Callbacks are authenticated by a signature instead of a credential.
  const aboutRecords = operations.filter(operation => leadsToRecord(operation) && !isPublic(operation))
  let records: Record<string, Record<string, string>>
  let before: string[]
  const recordsOf = ({ id, path }: Operation) => records[id] ?? records[path.split('/')[2]!]!

  /**
   * Returns every row of the workspace, without data that changes independently of the calls. That data is leases, the
   * last use of a key, the health of endpoints, and rows for the live feed.
   */
  const everyRow = async (): Promise<string[]> => {
    const { sql } = world.database
    // A scheduled task moves these counts, so they are moved before each comparison.
    await rollUpStats(sql)
    const tables = await sql<{ name: string }[]>`
      select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'workspace_id'
        and table_name not in ('leases', 'webhook_health', 'live_feed_workspaces', 'live_feed_changes')`
    const rows = await Promise.all(
      tables.map(
        ({ name }) => sql<{ row: string }[]>`
          select ${name} || ' ' || (to_jsonb(t) - 'last_used_at')::text as row from ${sql(name)} t where workspace_id = ${world.workspaceId}`,
      ),
    )
    return rows.flatMap(found => found.map(({ row }) => row)).sort()
  }

  beforeAll(async () => {
    records = await makeRecords()
    await eventually('their runs have ended', isQuiet, 30_000)
    before = await everyRow()
    expect(before.length).toBeGreaterThan(20)
  })

  const isQuiet = async (): Promise<boolean> => {
    const [row] = await world.database.sql<{ busy: boolean }[]>`
      select exists (select from deliveries where due_at is not null)
        or exists (select from messages where due_at is not null)
        or exists (select from outbound_events where fanned_out_at is null)
        or exists (select from webhook_recoveries where status = 'running') as busy`
    return !row!.busy
  }

  /** Replaces either id, or both. */
  const unknownIds = (ids: Record<string, string>) =>
    [unknownId, 'no-uuid'].flatMap(unknown => [
      ...Object.keys(ids).map(name => ({ ...ids, [name]: unknown })),
      Object.fromEntries(Object.keys(ids).map(name => [name, unknown])),
    ])
  const namesOf = ({ path }: Operation) => [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!)
  const idsFor = (operation: Operation) => {
    const known = recordsOf(operation)
    return Object.fromEntries(namesOf(operation).map(name => [name, known[name]!]))
  }

  test.each(aboutRecords.map(operation => [operation.id, operation] as const))(
    'looks for %s exactly like a record that never existed, byte for byte',
    async (_, operation) => {
      const ids = idsFor(operation)
      const callers = [
        ['its owner', stranger, 404],
        ['its key', strangersKey, takes(operation, 'apiKey') ? 404 : 403],
      ] as const
      for (const [caller, as, status] of callers) {
        const real = await askFor(operation, as, ids)
        expect(real.status, caller).toBe(status)
        for (const unknown of unknownIds(ids)) expect(await askFor(operation, as, unknown), caller).toEqual(real)
      }
    },
  )

  test('cannot be reached through an endpoint of another owner', async () => {
    const body = { url: 'https://hooks.example.com/x', events: ['sale.created'] }
    const { id } = await world.expect(201, 'POST', '/v1/webhooks', { as: stranger, body })
    const { deliveryId } = records.webhooks!
    for (const operation of aboutRecords.filter(({ path }) => path.includes('{deliveryId}'))) {
      const real = await askFor(operation, stranger, { id, deliveryId: deliveryId! })
      expect(real.status, operation.id).toBe(404)
      expect(await askFor(operation, stranger, { id, deliveryId: unknownId })).toEqual(real)
    }
  })

  test('is unknown also in a body or a query', async () => {
    const byId = (customerId: string): [method: string, path: string, body?: object][] => {
      const event = { type: 'order.created', customerId }
      return [
        ['POST', '/v1/events', event],
        ['POST', '/v1/events/check', event],
        ['POST', '/v1/events/batch', { events: [event] }],
        ...['events', 'messages', 'conversations', 'sales'].map((list): [string, string] => [
          'GET',
          `/v1/${list}?customerId=${customerId}`,
        ]),
      ]
    }
    const answersTo = (calls: ReturnType<typeof byId>) =>
      Promise.all(
        calls.map(async ([method, path, body]) => {
          const reply = await world.call(method, path, { as: stranger, ...(body && { body }) })
          return [reply.status, { ...reply.body, request_id: '' }]
        }),
      )
    expect(await answersTo(byId(records.customers!.id!))).toEqual(await answersTo(byId(unknownId)))
  })

  test('is in no list of another workspace, however the list is filtered', async () => {
    const { id, phone } = await world.expect(200, 'GET', `/v1/customers/${records.customers!.id}`)
    const filters: Record<string, string> = { customerId: id, phone: phone.replace('+', '%2B'), q: phone.slice(1) }
    const ours = Object.values(records).flatMap(ids => Object.values(ids))
    for (const { path, query } of operations.filter(one => !isPublic(one) && one.method === 'GET'))
      for (const name of ['', ...query.map(({ name }) => name)]) {
        if (path.includes('{') || path === '/v1/stream' || (name && !filters[name])) continue
        const search = name && `?${name}=${filters[name]}`
        const theirs = await world.expect(200, 'GET', path + search, { as: stranger })
        for (const our of ours.filter(id => id.length === unknownId.length))
          expect(JSON.stringify(theirs), path + search).not.toContain(our)
      }
  })

  test('is unchanged by all these calls', async () => {
    expect(await everyRow()).toEqual(before)
  })

  test('is found when its own owner makes the same calls', async () => {
    const removedLast = aboutRecords.toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))
    for (const operation of removedLast) {
      // A workflow can be removed after it is disabled and its runs have ended.
      if (operation.id === 'deleteWorkflow') {
        const { id } = records.workflows!
        await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { enabled: false, running: 'stop' } })
        const { sql } = world.database
        const active = () => sql`select from workflow_runs where workflow_id = ${id!} and status = 'active'`
        await eventually('its runs have ended', async () => (await active()).length === 0)
      }
      const { status, text } = await askFor(operation, bearer(world.owner.token), idsFor(operation))
      expect(status, `${operation.id} ${text}`).toBeWithin(200, 300)
    }
  })
})

/** Operations that agents may call. They read everything and work with customers. */
const forAgents = new Set(
  `listEvents readEvent readInboxStats listActivityEvents listNotAccepted readNotAccepted summariseActivity listAttention search
  listCustomers readCustomer readTimeline listConsents listWorkflows readWorkflow listRuns readRun listWorkflowVersions
  readWorkflowVersion readWorkflowImpact readWorkflowStats checkWorkflow tryWorkflow replayWorkflow listChannels
  listChannelKinds readChannel listMessages readMessage listConversations readConversation listConversationMessages
  readOptOutWords listOutboundEvents pullOutboundEvents readOutboundEvent listMembers listCampaigns readCampaign listCampaignRecipients readCampaignResults readCampaignStats
  readEntitlements readWorkspace listTemplates readTemplate previewTemplate listSales readSale listWebhooks readWebhook
  readWebhookHealth readWebhookStats recordEvent recordEvents checkEvent createCustomer upsertCustomer changeCustomer optInCustomer
  optOutCustomer openConversation openStream changeConversation markConversationRead decideOptOut writeMessage
  resendMessage markSale voidSale signIn signInWithCode signInByLink readSso startSso signInWithSso linkIdentity mailIdentityLink
  confirmIdentity readIdentity unlinkIdentity endSsoSessions forgotPassword resetPassword confirmEmail describeLink readTotp
  beginTotp confirmTotp renewRecoveryCodes removeTotp acceptInvitation readSession listMyWorkspaces signOut listSessions
  listSavedViews saveView deleteSavedView createAccessToken listAccessTokens revokeAccessToken
  endSession endOtherSessions changePassword readUser changeUser deleteUser writeSandboxMessage tellSandboxStatus
  challengeWhatsapp receiveWhatsapp receiveTwilio`.split(/\s+/),
)

/** Operations for owners only: the configuration of the workspace. */
const forOwners = new Set(
  `listDeliveries readDelivery listApiKeys listAuditEntries eraseCustomer issueApiKey revokeApiKey createWebhook
  changeWebhook deleteWebhook rotateWebhookSecret testWebhook retryDelivery holdWebhook releaseWebhook startRecovery
  readRecovery cancelRecovery sendOutboundEvent verifyWebhook liftOptOut replaceOptOutWords connectChannel changeChannel
  disconnectChannel testChannel inviteMember changeMember removeMember listMemberTokens createMemberToken revokeMemberToken createWorkflow changeWorkflow publishWorkflow
  deleteWorkflow stopRun createTemplate changeTemplate deleteTemplate changeWorkspace createCampaign changeCampaign
  deleteCampaign previewCampaign previewAudience testCampaign startCampaign pauseCampaign resumeCampaign cancelCampaign`.split(
    /\s+/,
  ),
)

test('the roles of every operation are listed', () => {
  expect([...forAgents, ...forOwners].sort()).toEqual(operations.map(({ id }) => id).sort())
})

describe('in a workspace that requires a second factor', () => {
  const require = async (isRequired: boolean) => {
    await world.database
      .sql`update workspaces set require_second_factor = ${isRequired} where id = ${world.workspaceId}`
  }
  beforeAll(() => require(true))
  afterAll(() => require(false))

  test.each(named)('%s documents whether an agent without a second factor can call it', async (_, operation) => {
    if (isPublic(operation) || operation.path === '/v1/auth/sign-out') return
    const { reply } = await ask(operation, agent)
    const isKeptOut = reply.status === 403 && reply.body.error.details?.secondFactor !== undefined
    expect(operation.forbidden.includes('second factor')).toBe(isKeptOut)
  })
})

const onlyWithSession = 'An access token cannot call this operation. Sign in to use this operation.'

test('access tokens cannot manage credentials, members and the own account', () => {
  const listed = operations.filter(({ isSessionOnly }) => isSessionOnly).map(({ id }) => id)
  const underAuth = operations.filter(one => one.path.startsWith('/v1/auth/') && !isPublic(one)).map(({ id }) => id)
  const expected = underAuth.filter(id => id !== 'readSession' && id !== 'listMyWorkspaces')
  const others =
    'inviteMember changeMember removeMember listMemberTokens createMemberToken revokeMemberToken issueApiKey'
  expect(listed.sort()).toEqual([...expected, ...others.split(' ')].sort())
})

describe.each(named)('%s', (_, operation) => {
  test('rejects a missing or invalid credential', async () => {
    if (isPublic(operation)) return
    expect((await ask(operation, {})).code).toBe('401 unauthorized')
    for (const [name, bad] of Object.entries(badOnes)) {
      expect((await ask(operation, bad)).code, name).toBe('401 unauthorized')
    }
  })

  test('accepts an API key only if it is documented', async () => {
    const { code } = await ask(operation, { 'X-API-Key': world.key.value })
    if (takes(operation, 'apiKey')) expect(code).not.toMatch(/^(401|403)/)
    else expect(code).toBe('403 forbidden')
  })

  const expectAccepted = (code: string) => {
    // This service has no identity provider.
    if (['startSso', 'endSsoSessions'].includes(operation.id)) return expect(code).toBe('422 unprocessable')
    if (operation.example !== undefined) expect(code).toBe('400 malformed_request')
    else if (leadsToRecord(operation)) expect(code).toBe('404 not_found')
    else expect(code).toMatch(/^20/)
  }

  test('accepts the owner, and distinguishes an unknown record from a malformed body', async () => {
    if (isPublic(operation) || operation.path === '/v1/auth/sign-out') return
    expectAccepted((await ask(operation, bearer(world.owner.token))).code)
  })

  test(`is allowed for ${forAgents.has(operation.id) ? 'agents too' : 'owners only'}`, async () => {
    // Signing out ends the session.
    const { code, reply } = await ask(operation, operation.id === 'signOut' ? (await world.person()).as : agent)
    if (forAgents.has(operation.id)) return expectAccepted(code)
    expect(code).toBe('403 forbidden')
    expect(reply.body.error.message).toBe('Only an owner of the workspace can do this.')
  })

  test('accepts an access token with its access and the role of its person, if that is documented', async () => {
    if (isPublic(operation)) return
    const [written, read] = [await ask(operation, writeToken), await ask(operation, readToken)]
    if (operation.isSessionOnly) {
      for (const { code, reply } of [written, read])
        expect([code, reply.body.error.message]).toEqual(['403 forbidden', onlyWithSession])
      return
    }
    if (forAgents.has(operation.id)) expectAccepted(written.code)
    else expect(written.reply.body.error.message).toBe('Only an owner of the workspace can do this.')
    if (operation.method === 'GET') return expectAccepted(read.code)
    expect(read.code).toBe('403 forbidden')
    expect(read.reply.body.error.message).toContain('This access token has the access `read`.')
  })

  test('rejects a query parameter that is unknown, repeated or outside its schema, and names it', async () => {
    if (isPublic(operation) || operation.method !== 'GET') return
    for (const [name, value] of badQueries(operation)) {
      const path = `${operation.path.replaceAll(/\{[^}]+\}/g, unknownId)}?${name}=${value}`
      const { status, body } = await world.call('GET', path)
      expect([status, body.error?.code, Object.keys(body.error?.details ?? {})], path).toEqual([
        400,
        'invalid_request',
        [name],
      ])
    }
  })

  test('answers with X-Request-Id, and an error with the envelope', async () => {
    const { reply } = await ask(operation, {})
    expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    if (reply.status >= 400)
      expect(reply.body).toEqual({
        error: expect.objectContaining({ code: expect.any(String), message: expect.any(String) }),
        request_id: reply.headers.get('x-request-id'),
      })
  })

  test('rejects another method with Allow', async () => {
    const other = operations.some(({ path, method }) => path === operation.path && method === 'PUT') ? 'PATCH' : 'PUT'
    const reply = await world.call(other, operation.path.replaceAll(/\{[^}]+\}/g, unknownId), { as: {} })
    expect(reply.status).toBe(405)
    expect(reply.headers.get('allow')?.split(', ')).toContain(operation.method)
  })
})
