import { beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { resolve } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import {
  auditActions,
  deleteOldEntries,
  operatorActions,
  setAuditRetention,
} from '../../../../src/accounts/audit/index.ts'
import { createLink, makeResetLink, makeSignInLink } from '../../../../src/accounts/people/index.ts'
import { newId } from '../../../../src/core/ids.ts'
import { type Asking, eventually, newPhone, type Person, useWorld } from '../../../support/world.ts'

// Runs no workers, so records stay as the tests create them.
const world = useWorld({ ROLES: 'http', SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') })

interface Entry {
  id: string
  at: string
  actor: { type: string; id: string | null; name: string | null }
  action: string
  target: { type: string; id: string }
  detail: Record<string, unknown>
  address: string | null
  requestId: string | null
}

const list = (query = ''): Promise<{ data: Entry[]; nextCursor: string | null }> =>
  world.expect(200, 'GET', `/v1/audit${query}`)
const newest = async (): Promise<Entry> => (await list('?limit=1')).data[0]!
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** A word in the changed records that must not appear in the audit log. */
const secret = 'Unverwechselbar'

/** A call that changes something, and the record that it changes, if that exists before. */
interface Doing {
  method: string
  path: string
  asking?: Asking | undefined
  /** Makes a new request for each call, where parts of it work only once. */
  askingAnew?: () => Promise<Asking>
  target: { type: string; id?: string | undefined }
  /** Fields that the detail must contain. */
  detail?: Record<string, unknown>
  actor?: { type: string; id: string; name: string | null }
}

const definition = {
  trigger: { eventType: 'order.waits' },
  start: 'wait',
  steps: { wait: { type: 'delay', for: '2d', next: null } },
}
const emptyTemplate = { name: 'Hello', category: 'utility', body: `Hello ${secret}` }

const make = async (path: string, body: unknown): Promise<Record<string, string>> =>
  world.expect(201, 'POST', path, { body })
const makeWebhook = () => make('/v1/webhooks', { url: `https://hooks.example.com/${secret}`, events: ['sale.created'] })
const makeWorkflow = () => make('/v1/workflows', { name: 'Waits', definition })
const makeChannel = () => make('/v1/channels', sandbox)
const makeTemplate = () => make('/v1/templates', emptyTemplate)
const makeMember = () => make('/v1/members', { email: 'rises@shop.example', role: 'agent' })
const makeCustomer = () => make('/v1/customers', { phone: newPhone(), name: `Ada ${secret}` })
const sandbox = { kind: 'sandbox', name: 'Sandbox' }

const makeCampaign = async (status = 'draft') => {
  const [{ id: channelId }, { id: templateId }] = [await makeChannel(), await makeTemplate()]
  const campaign = await make('/v1/campaigns', { name: 'Spring', channelId, templateId, audience: { all: true } })
  await world.database.sql`update campaigns set status = ${status} where id = ${campaign.id!}`
  return campaign
}

const makeFailedDelivery = async () => {
  const { id: webhookId } = await makeWebhook()
  const { id } = await world.expect(202, 'POST', `/v1/webhooks/${webhookId}/test`)
  await world.database.sql`update deliveries set status = 'failed', due_at = null where id = ${id}`
  return { webhookId, id }
}

/** Shared by several tests, because a workspace has a limited number of endpoints. */
let webhook: ReturnType<typeof makeWebhook> | undefined
const anyWebhook = () => (webhook ??= makeWebhook())
let failedDelivery: ReturnType<typeof makeFailedDelivery> | undefined
const anyFailedDelivery = () => (failedDelivery ??= makeFailedDelivery())

const makeWaitingRun = async () => {
  const workflowId = await world.workflow(definition)
  const body = { type: 'order.waits', phone: '+4915112345678' }
  const { outcomes } = await world.expect(201, 'POST', '/v1/events', { body })
  await world.expect(200, 'PATCH', `/v1/workflows/${workflowId}`, { body: { enabled: false } })
  const id: string = outcomes.find((one: { workflowId: string }) => one.workflowId === workflowId).runId
  return { workflowId, id }
}

const makeConversation = async () => {
  const [{ id: channelId }, { id: customerId }] = [await makeChannel(), await makeCustomer()]
  return make('/v1/conversations', { channelId, customerId })
}

const makeSale = async () =>
  make(`/v1/conversations/${(await makeConversation()).id}/sale`, { amount: 12.5, currency: 'EUR' })

const password = 'correct horse battery'

/** Creates a person with a second factor and one-time recovery codes. */
const makeGuarded = async () => {
  const person = await world.person()
  const code = await begun(person)
  const { recoveryCodes } = await world.expect(200, 'POST', '/v1/auth/totp/confirm', {
    as: person.as,
    body: await code(),
  })
  return { ...person, code: () => recoveryCodes.pop() as string }
}

/** Returns a code of the authenticator app as a body. Resets the last used time step, so that a code works again. */
const begun = async ({ id, as }: Person) => {
  const { secret } = await world.expect(200, 'POST', '/v1/auth/totp', { as, body: { password } })
  return async () => {
    await world.database.sql`update second_factors set last_step = 0 where user_id = ${id}`
    return { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() }
  }
}

/** A call that creates a record. */
const creates =
  (type: string, path: string, body: object, detail: object = {}) =>
  async (): Promise<Doing> => ({ method: 'POST', path, asking: { body }, target: { type }, detail: { ...detail } })

/** A call that changes the record that `make` creates. The path contains its id as `ID`. */
const changes =
  (
    type: string,
    make: () => Promise<{ id?: string }>,
    method: string,
    path: string,
    detail: object = {},
    body?: object,
  ) =>
  async (): Promise<Doing> => {
    const { id } = await make()
    const asking = body && { body }
    return { method, path: path.replace('ID', id!), asking, target: { type, id }, detail: { ...detail } }
  }

/** A call that a new person makes for the own account. `more` adds to the expected entry. */
const ofOwnAccount =
  <Made extends Person>(
    make: () => Promise<Made>,
    method: string,
    path: string,
    askingAnew: (person: Made) => Asking | Promise<Asking>,
    more: (person: Made) => Partial<Doing> = () => ({}),
  ) =>
  async (): Promise<Doing> => {
    const person = await make()
    const target = { type: 'user', id: person.id }
    return {
      method,
      path,
      target,
      askingAnew: async () => ({ as: person.as, ...(await askingAnew(person)) }),
      ...more(person),
    }
  }

const somebody = () => world.person()
const withHash = ({ email }: Person) => ({ detail: { emailHash: sha256(email) } })
const anybody = async (body: object): Promise<Asking> => ({ as: 'nobody', body })
const ourWorkspace = async () => ({ id: world.workspaceId })
const atHooks = { host: 'hooks.example.com' }
const aWhile = { since: '2026-01-01T00:00:00Z' }

/** Prepares the call of every operation in the audit log. */
const doings: Record<string, () => Promise<Doing>> = {
  signIn: ofOwnAccount(somebody, 'POST', '/v1/auth/sign-in', ({ email }) => anybody({ email, password }), withHash),
  signOut: ofOwnAccount(somebody, 'POST', '/v1/auth/sign-out', async ({ session }) => ({ as: await session() })),
  acceptInvitation: async () => {
    const { id, invitation } = await world.expect(201, 'POST', '/v1/members', {
      body: { email: 'Joins@shop.example', role: 'agent', name: 'Joan' },
    })
    const asking = await anybody({ token: invitation.token, password })
    const detail = { role: 'agent', emailHash: sha256('joins@shop.example') }
    return { method: 'POST', path: '/v1/auth/accept-invitation', asking, target: { type: 'member', id }, detail }
  },
  signInWithCode: ofOwnAccount(
    makeGuarded,
    'POST',
    '/v1/auth/sign-in/second-factor',
    async ({ email, code }) => {
      const asking = await anybody({ email, password })
      const { ticket } = await world.expect(200, 'POST', '/v1/auth/sign-in', asking)
      return anybody({ ticket, code: code() })
    },
    withHash,
  ),
  signInByLink: ofOwnAccount(
    somebody,
    'POST',
    '/v1/auth/sign-in/link',
    async ({ email }) => anybody({ token: await makeSignInLink(world.database.sql, email) }),
    withHash,
  ),
  endSession: async () => {
    const { id, as } = await world.person()
    const { data } = await world.expect(200, 'GET', '/v1/auth/sessions', { as })
    const path = `/v1/auth/sessions/${data[0].id}`
    return { method: 'DELETE', path, asking: { as }, target: { type: 'user', id }, detail: { sessionId: data[0].id } }
  },
  endOtherSessions: ofOwnAccount(somebody, 'DELETE', '/v1/auth/sessions', () => ({})),
  changePassword: ofOwnAccount(somebody, 'POST', '/v1/auth/password', () => ({
    body: { currentPassword: password, newPassword: `a ${secret} password` },
  })),
  resetPassword: ofOwnAccount(somebody, 'POST', '/v1/auth/reset-password', async ({ email }) => {
    const { token } = await makeResetLink(world.database.sql, email, { byMail: false, dropSecondFactor: false })
    return anybody({ token, password: `a ${secret} password` })
  }),
  confirmEmail: ofOwnAccount(somebody, 'POST', '/v1/auth/confirm-email', async ({ id }) =>
    anybody({ token: await createLink(world.database.sql, id, 'confirmation', { mailed: true }) }),
  ),
  changeUser: ofOwnAccount(
    somebody,
    'PATCH',
    '/v1/auth/user',
    () => ({ body: { name: 'Kim', locale: 'de' } }),
    () => ({
      detail: { changed: ['name', 'locale'] },
    }),
  ),
  deleteUser: ofOwnAccount(
    somebody,
    'DELETE',
    '/v1/auth/user',
    () => ({ body: { password } }),
    ({ id }) => ({
      actor: { type: 'user', id, name: null },
    }),
  ),
  confirmTotp: async () => {
    const person = await world.person()
    const code = await begun(person)
    return ofOwnAccount(
      async () => person,
      'POST',
      '/v1/auth/totp/confirm',
      async () => ({ body: await code() }),
    )()
  },
  renewRecoveryCodes: ofOwnAccount(makeGuarded, 'POST', '/v1/auth/totp/recovery-codes', ({ code }) => ({
    body: { password, code: code() },
  })),
  removeTotp: ofOwnAccount(makeGuarded, 'DELETE', '/v1/auth/totp', ({ code }) => ({
    body: { password, code: code() },
  })),
  issueApiKey: creates(
    'api_key',
    '/v1/api-keys',
    { name: 'till' },
    { name: 'till', prefix: expect.stringMatching(/^ces_.{8}$/) },
  ),
  revokeApiKey: changes('api_key', () => make('/v1/api-keys', { name: 'gone' }), 'DELETE', '/v1/api-keys/ID', {
    name: 'gone',
    prefix: expect.stringMatching(/^ces_.{8}$/),
  }),
  createWebhook: creates(
    'webhook',
    '/v1/webhooks',
    { url: `https://hooks.example.com:8443/${secret}?token=${secret}`, events: ['sale.created'] },
    { host: 'hooks.example.com:8443', events: ['sale.created'] },
  ),
  changeWebhook: changes(
    'webhook',
    makeWebhook,
    'PATCH',
    '/v1/webhooks/ID',
    { ...atHooks, changed: ['enabled', 'description'], enabled: false },
    { enabled: false, description: secret },
  ),
  deleteWebhook: changes('webhook', makeWebhook, 'DELETE', '/v1/webhooks/ID', atHooks),
  rotateWebhookSecret: changes('webhook', makeWebhook, 'POST', '/v1/webhooks/ID/secret', atHooks),
  holdWebhook: changes('webhook', makeWebhook, 'POST', '/v1/webhooks/ID/hold', atHooks),
  releaseWebhook: async () => {
    const { id } = await anyWebhook()
    await world.expect(200, 'POST', `/v1/webhooks/${id}/hold`)
    return { method: 'POST', path: `/v1/webhooks/${id}/release`, target: { type: 'webhook', id }, detail: atHooks }
  },
  startRecovery: async () => {
    const { webhookId } = await makeFailedDelivery()
    return creates('recovery', `/v1/webhooks/${webhookId}/recoveries`, aWhile, { webhookId, deliveries: 1 })()
  },
  cancelRecovery: async () => {
    const { webhookId } = await makeFailedDelivery()
    const path = `/v1/webhooks/${webhookId}/recoveries`
    const start = () => world.expect(202, 'POST', path, { body: aWhile })
    return changes('recovery', start, 'DELETE', `${path}/ID`, { webhookId })()
  },
  sendOutboundEvent: async () => {
    const { id, webhookId } = await anyFailedDelivery()
    const [row] = await world.database.sql`select event_id from deliveries where id = ${id}`
    const detail = { webhookId, outboundEventId: row!.event_id }
    return creates('delivery', `/v1/outbound-events/${row!.event_id}/send`, { webhookId }, detail)()
  },
  testWebhook: changes('webhook', anyWebhook, 'POST', '/v1/webhooks/ID/test', { deliveryId: expect.any(String) }),
  retryDelivery: async () => {
    const { webhookId } = await anyFailedDelivery()
    const path = `/v1/webhooks/${webhookId}/deliveries/ID/retry`
    return changes('delivery', anyFailedDelivery, 'POST', path, { webhookId })()
  },
  inviteMember: creates(
    'member',
    '/v1/members',
    { email: `${secret}@shop.example`, role: 'agent', name: secret },
    { role: 'agent', emailHash: sha256(`${secret}@shop.example`.toLowerCase()) },
  ),
  changeMember: changes(
    'member',
    makeMember,
    'PATCH',
    '/v1/members/ID',
    { from: 'agent', to: 'owner', emailHash: sha256('rises@shop.example') },
    { role: 'owner' },
  ),
  removeMember: changes(
    'member',
    () => make('/v1/members', { email: 'leaves@shop.example', role: 'agent' }),
    'DELETE',
    '/v1/members/ID',
    { role: 'agent', status: 'invited', emailHash: sha256('leaves@shop.example') },
  ),
  changeWorkspace: changes(
    'workspace',
    ourWorkspace,
    'PATCH',
    '/v1/workspace',
    { name: 'Other shop', timezone: 'Europe/Berlin' },
    { name: 'Other shop', timezone: 'europe/berlin' },
  ),
  connectChannel: creates('channel', '/v1/channels', sandbox, { ...sandbox, number: null }),
  changeChannel: changes(
    'channel',
    makeChannel,
    'PATCH',
    '/v1/channels/ID',
    { kind: 'sandbox', name: 'Sand', changed: ['name'] },
    { name: 'Sand' },
  ),
  disconnectChannel: changes('channel', makeChannel, 'DELETE', '/v1/channels/ID', sandbox),
  testChannel: changes('channel', makeChannel, 'POST', '/v1/channels/ID/test', { ...sandbox, ok: true }),
  createWorkflow: creates('workflow', '/v1/workflows', { name: 'Waits', definition }, { name: 'Waits' }),
  changeWorkflow: changes(
    'workflow',
    makeWorkflow,
    'PATCH',
    '/v1/workflows/ID',
    { name: 'Stands', changed: ['enabled', 'running', 'name'], enabled: false, running: 'stop' },
    { enabled: false, running: 'stop', name: 'Stands' },
  ),
  publishWorkflow: changes('workflow', makeWorkflow, 'POST', '/v1/workflows/ID/publish', {
    name: 'Waits',
    version: 1,
    move: false,
  }),
  deleteWorkflow: changes('workflow', makeWorkflow, 'DELETE', '/v1/workflows/ID', { name: 'Waits' }),
  stopRun: async () => {
    const { id, workflowId } = await makeWaitingRun()
    return { method: 'POST', path: `/v1/runs/${id}/stop`, target: { type: 'run', id }, detail: { workflowId } }
  },
  createTemplate: creates('template', '/v1/templates', emptyTemplate, { name: 'Hello', category: 'utility' }),
  changeTemplate: changes(
    'template',
    makeTemplate,
    'PATCH',
    '/v1/templates/ID',
    { name: 'Hello', changed: ['body'] },
    { body: `Bye ${secret}` },
  ),
  deleteTemplate: changes('template', makeTemplate, 'DELETE', '/v1/templates/ID', { name: 'Hello' }),
  createCampaign: async () => {
    const { channelId, templateId } = await makeCampaign()
    const body = { name: 'Summer', channelId, templateId, audience: { all: true } }
    return creates('campaign', '/v1/campaigns', body, { name: 'Summer' })()
  },
  changeCampaign: changes(
    'campaign',
    makeCampaign,
    'PATCH',
    '/v1/campaigns/ID',
    { name: 'Autumn', changed: ['name'] },
    { name: 'Autumn' },
  ),
  deleteCampaign: changes('campaign', makeCampaign, 'DELETE', '/v1/campaigns/ID', { name: 'Spring' }),
  startCampaign: changes(
    'campaign',
    makeCampaign,
    'POST',
    '/v1/campaigns/ID/start',
    { name: 'Spring', at: '2039-01-01T00:00:00.000Z' },
    { at: '2039-01-01T00:00:00.000Z' },
  ),
  pauseCampaign: changes('campaign', () => makeCampaign('running'), 'POST', '/v1/campaigns/ID/pause'),
  resumeCampaign: changes('campaign', () => makeCampaign('paused'), 'POST', '/v1/campaigns/ID/resume'),
  cancelCampaign: changes('campaign', () => makeCampaign('scheduled'), 'POST', '/v1/campaigns/ID/cancel'),
  replaceOptOutWords: changes(
    'workspace',
    ourWorkspace,
    'PUT',
    '/v1/opt-out-words',
    { words: ['Basta', 'Genug'] },
    { words: ['Basta', 'Genug'] },
  ),
  liftOptOut: async () => {
    const { id } = await makeCustomer()
    await world.expect(200, 'POST', `/v1/customers/${id}/opt-out`, { body: { reason: secret } })
    const asking = { body: { reason: `Ada ${secret} asked` } }
    return { method: 'POST', path: `/v1/customers/${id}/opt-out/lift`, asking, target: { type: 'customer', id } }
  },
  decideOptOut: changes(
    'conversation',
    makeConversation,
    'POST',
    '/v1/conversations/ID/opt-out-decision',
    { decision: 'opted_out' },
    { decision: 'opted_out' },
  ),
  eraseCustomer: async () => {
    const doing = await changes('customer', makeCustomer, 'DELETE', '/v1/customers/ID')()
    return { ...doing, asking: { as: 'key' }, actor: { type: 'api_key', id: world.key.id, name: 'shop system' } }
  },
  voidSale: changes(
    'sale',
    makeSale,
    'POST',
    '/v1/sales/ID/void',
    { amount: '12.5', currency: 'EUR' },
    { reason: `Ada ${secret} changed her mind` },
  ),
}

/** Operations that change something, or might, and are not in the audit log, each with the reason. */
const notToldOf: Record<string, string> = {
  recordEvent: 'comes in masses, and the event says who sent it',
  recordEvents: 'comes in masses, and each event says who sent it',
  checkEvent: 'changes nothing',
  checkWorkflow: 'changes nothing',
  createCustomer: 'is work with customers, and no change of how the workspace is set up',
  upsertCustomer: 'is work with customers, as createCustomer is',
  changeCustomer: 'is work with customers, and no change of how the workspace is set up',
  optInCustomer: 'the ledger of consents says who and why',
  optOutCustomer: 'the ledger of consents says who and why',
  openConversation: 'is work with customers, and no change of how the workspace is set up',
  changeConversation: 'is work with customers, and no change of how the workspace is set up',
  markConversationRead: 'is work with customers, and no change of how the workspace is set up',
  writeMessage: 'the message says who wrote it',
  resendMessage: 'the message says who wrote it',
  markSale: 'the sale says who marked it',
  forgotPassword: 'whether there is an account is nobody’s to know; what comes of it is told of',
  beginTotp: 'nothing asks for it before it is confirmed',
  tryWorkflow: 'changes nothing',
  replayWorkflow: 'changes nothing',
  previewTemplate: 'changes nothing',
  previewCampaign: 'changes nothing',
  verifyWebhook: 'changes nothing',
  writeSandboxMessage: 'plays a customer',
  tellSandboxStatus: 'plays a provider',
  receiveWhatsapp: 'is done by a provider, and tells of messages',
  receiveTwilio: 'is done by a provider, and tells of messages',
}

describe('every operation that changes something', () => {
  const document = JSON.parse(readFileSync(resolve(import.meta.dir, '../../../../openapi/openapi.json'), 'utf8'))
  const changing = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap(methods =>
    Object.entries(methods).flatMap(([method, { operationId }]) => (method === 'get' ? [] : [operationId])),
  )

  test('is in the audit log, or is listed with a reason why not', () => {
    expect([...Object.keys(doings), ...Object.keys(notToldOf)].sort()).toEqual(changing.sort())
  })

  test('is logged under its own name; other names are failed sign-ins and operator actions', () => {
    expect<string[]>([...auditActions].sort()).toEqual(
      [...Object.keys(doings), 'signInFailed', ...operatorActions].sort(),
    )
  })
})

describe('an audited operation', () => {
  const prepared = new Map<string, Doing>()
  beforeAll(async () => {
    for (const [action, prepare] of Object.entries(doings)) prepared.set(action, await prepare())
  })

  /** Returns every row of the workspace, its accounts and its sessions. */
  const everything = async (): Promise<string[]> => {
    const { sql } = world.database
    const tables = await sql<{ name: string }[]>`
      select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name in ('workspace_id', 'token_hash', 'password_hash') and table_name <> 'leases'
      group by table_name`
    const rows = await Promise.all(
      [...tables.map(({ name }) => name), 'workspaces'].map(
        name => sql<{ row: string }[]>`
          select ${name} || ' ' || (to_jsonb(t) - '{last_used_at,last_seen_at}'::text[])::text as row from ${sql(name)} t`,
      ),
    )
    return rows.flatMap(found => found.map(({ row }) => row)).sort()
  }

  test('changes nothing when its audit entry cannot be written', async () => {
    const { sql } = world.database
    const calls: [string, Doing][] = []
    for (const [action, doing] of prepared)
      calls.push([action, { ...doing, asking: (await doing.askingAnew?.()) ?? doing.asking ?? {} }])
    const before = await everything()
    expect(before.length).toBeGreaterThan(50)
    world.database.expectErrors('23514')
    await sql`alter table audit_entries add constraint full_up check (false) not valid`
    const statuses: [string, number][] = []
    for (const [action, { method, path, asking }] of calls)
      statuses.push([action, (await world.call(method, path, asking)).status])
    await sql`alter table audit_entries drop constraint full_up`
    expect(statuses.filter(([, status]) => status !== 500)).toEqual([])
    expect(await everything()).toEqual(before)
  })

  test.each(Object.keys(doings))('%s: is logged with actor, target, address and request id', async action => {
    const { method, path, asking, askingAnew, target, detail = {}, actor } = prepared.get(action)!
    const reply = await world.call(method, path, (await askingAnew?.()) ?? asking)
    expect(reply.status).toBeWithin(200, 300)
    const entry = await newest()
    const ofPerson = { type: 'user', id: expect.any(String), name: expect.any(String) }
    expect(entry).toEqual({
      id: expect.any(String),
      at: expect.stringMatching(/Z$/),
      actor: actor ?? ofPerson,
      action,
      target: { type: target.type, id: target.id ?? reply.body.id },
      detail: expect.objectContaining(detail),
      address: '127.0.0.1',
      requestId: reply.headers.get('x-request-id'),
    })
    expect(Math.abs(Date.now() - Date.parse(entry.at))).toBeLessThan(60_000)
  })

  test('is logged without secrets, addresses of people or data of customers', async () => {
    const rows = await world.database.sql<{ text: string }[]>`select to_jsonb(a)::text as text from audit_entries a`
    const text = rows.map(row => row.text).join('\n')
    expect(rows.length).toBeGreaterThan(2 * Object.keys(doings).length)
    for (const word of [secret, secret.toLowerCase(), '@', 'whsec_', 'inv_', 'ses_', world.key.value, '+49'])
      expect(text).not.toContain(word)
  })
})

test('a call whose caller disconnects early is logged with the address', async () => {
  const { sql } = world.database
  const { id } = await make('/v1/api-keys', { name: 'held' })
  const held = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  const holding = sql.begin(async tx => {
    await tx`select from api_keys where id = ${id!} for update`
    held.resolve()
    await over.promise
  })
  await held.promise
  const { hostname, port } = new URL(world.url)
  const socket = connect(Number(port), hostname)
  const gone = once(socket, 'close')
  const token = world.owner.token
  socket.write(`DELETE /v1/api-keys/${id} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  await eventually('it waits for the row', async () => {
    const waiting =
      await sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%update api_keys%'`
    return waiting.length > 0
  })
  socket.destroy()
  await gone
  over.resolve()
  await holding
  const [entry] = await eventually('it is recorded', async () => {
    const { data } = await list(`?targetId=${id}&action=revokeApiKey`)
    return data.length > 0 && data
  })
  expect(entry).toMatchObject({ address: '127.0.0.1' })
})

test('calls that change nothing or are rejected are not logged', async () => {
  const key = await make('/v1/api-keys', { name: 'once' })
  await world.expect(204, 'DELETE', `/v1/api-keys/${key.id}`)
  const channel = await makeChannel()
  await world.expect(204, 'DELETE', `/v1/channels/${channel.id}`)
  const before = await newest()
  await world.expect(204, 'DELETE', `/v1/api-keys/${key.id}`)
  await world.expect(204, 'DELETE', `/v1/channels/${channel.id}`)
  await world.expect(404, 'DELETE', `/v1/webhooks/${newId()}`)
  await world.expect(404, 'POST', `/v1/sales/${newId()}/void`, { body: { reason: 'none' } })
  await world.expect(404, 'DELETE', `/v1/customers/${newId()}`)
  await world.expect(400, 'POST', '/v1/api-keys', { body: { name: '' } })
  const { data: members } = await world.expect(200, 'GET', '/v1/members?limit=100')
  const owner = members.find(({ email }: { email: string }) => email === world.owner.email)
  await world.expect(422, 'DELETE', `/v1/members/${owner.id}`)
  expect(await newest()).toEqual(before)
})

test('calls that set the current values again are not logged', async () => {
  const of = (path: string, { id }: Record<string, string>) => `/v1/${path}/${id}`
  const { data: members } = await world.expect(200, 'GET', '/v1/members?limit=100')
  const owner = members.find(({ email }: { email: string }) => email === world.owner.email)
  const webhook = await make('/v1/webhooks', { url: 'https://same.example.com/in', events: ['sale.created'] })
  const channel = await makeChannel()
  const content = {
    name: 'same',
    category: 'utility',
    body: 'Hello {{name}}',
    variables: [{ name: 'name', sample: 'A' }],
  }
  const template = await make('/v1/templates', content)
  const words = { channelId: channel.id, templateId: template.id, variables: { name: 'you' }, audience: { all: true } }
  const campaign = await make('/v1/campaigns', { name: 'same', ...words })
  const steps = { end: { type: 'exit', reason: 'same' } }
  const definition = { trigger: { eventType: 'same' }, start: 'end', steps }
  const workflow = await make('/v1/workflows', { name: 'same', definition })
  const { name, timezone, requireSecondFactor } = await world.expect(200, 'GET', '/v1/workspace')
  await world.expect(200, 'PUT', '/v1/opt-out-words', { body: { words: ['Genug'] } })
  const me = await world.expect(200, 'GET', '/v1/auth/user')

  const before = await newest()
  const sameAgain: [string, string, object][] = [
    ['PATCH', '/v1/workspace', { name, timezone, requireSecondFactor }],
    ['PATCH', '/v1/auth/user', { name: me.name, locale: me.locale }],
    ['PATCH', of('members', owner), { role: 'owner' }],
    ['PATCH', of('webhooks', webhook), { url: webhook.url, events: webhook.events, enabled: true, filter: null }],
    ['PATCH', of('channels', channel), { name: channel.name }],
    ['PATCH', of('templates', template), content],
    ['PATCH', of('campaigns', campaign), { name: 'same', ...words }],
    ['PATCH', of('workflows', workflow), { name: 'same', definition, enabled: false }],
    ['PUT', '/v1/opt-out-words', { words: ['Genug'] }],
  ]
  for (const [method, path, body] of sameAgain) {
    await world.expect(200, method, path, { body })
    expect((await newest()).action, path).toBe(before.action)
    expect(await newest(), path).toEqual(before)
  }
})

describe('signing in', () => {
  let other: Record<string, string>
  /** Token of an invitation to the other workspace, for the owner of the first workspace. */
  let invitation: string
  beforeAll(async () => {
    other = await world.otherOwner()
    const body = { email: world.owner.email, role: 'agent' }
    invitation = (await world.expect(201, 'POST', '/v1/members', { as: other, body })).invitation.token
  })

  const wrong = (email: string) =>
    world.call('POST', '/v1/auth/sign-in', { as: 'nobody', body: { email, password: 'not the password' } })

  test('with a wrong password is logged as an unknown actor, with a hash of the address', async () => {
    const reply = await wrong(world.owner.email.toUpperCase())
    expect(reply.status).toBe(401)
    const entry = await eventually('it is recorded', async () => {
      const { data } = await list('?action=signInFailed')
      return data.find(({ requestId }) => requestId === reply.headers.get('x-request-id'))
    })
    const { user } = await world.expect(200, 'GET', '/v1/auth/session')
    expect(entry).toEqual({
      id: expect.any(String),
      at: expect.any(String),
      actor: { type: 'unknown', id: null, name: null },
      action: 'signInFailed',
      target: { type: 'user', id: user.id },
      detail: { emailHash: sha256(world.owner.email) },
      address: '127.0.0.1',
      requestId: reply.headers.get('x-request-id'),
    })
  })

  test('with an address that has no account is not logged', async () => {
    const { count } = (await world.database.sql`select count(*)::integer as count from audit_entries`)[0]!
    expect((await wrong('nobody@nowhere.example')).status).toBe(401)
    const known = await wrong(world.owner.email)
    await eventually('the later event is recorded', async () => {
      const { data } = await list('?action=signInFailed')
      return data.some(({ requestId }) => requestId === known.headers.get('x-request-id'))
    })
    expect((await world.database.sql`select count(*)::integer as count from audit_entries`)[0]!.count).toBe(count + 1)
  })

  test('with a wrong password while accepting an invitation is logged as failed', async () => {
    const body = { token: invitation, password: 'not the password' }
    const reply = await world.call('POST', '/v1/auth/accept-invitation', { as: 'nobody', body })
    expect(reply.status).toBe(401)
    await eventually('it is recorded', async () => {
      const { data } = await list('?action=signInFailed')
      return data.some(({ requestId }) => requestId === reply.headers.get('x-request-id'))
    })
  })

  test('is logged in every workspace of the person, and in no other', async () => {
    const { email, password } = world.owner
    const stranger = await world.otherOwner()
    const body = { token: invitation, password }
    await world.expect(200, 'POST', '/v1/auth/accept-invitation', { as: 'nobody', body })
    const reply = await world.call('POST', '/v1/auth/sign-in', { as: 'nobody', body: { email, password } })
    const theirs = await world.expect(200, 'GET', '/v1/audit?limit=1', { as: other })
    const requestId = reply.headers.get('x-request-id')!
    expect(theirs.data[0]).toMatchObject({ action: 'signIn', requestId })
    expect(await newest()).toMatchObject({ action: 'signIn', requestId })
    const { data } = await world.expect(200, 'GET', '/v1/audit', { as: stranger })
    expect(data.map(({ action }: Entry) => action)).toEqual(['signIn', 'createWorkspace'])
  })
})

describe('the list', () => {
  const actions = (entries: Entry[]) => entries.map(({ action }) => action)

  test('is read in pages, newest first', async () => {
    const { data: whole } = await list('?limit=100')
    const first = await list('?limit=3')
    const second = await list(`?limit=4&cursor=${first.nextCursor}`)
    expect([...first.data, ...second.data]).toEqual(whole.slice(0, 7))
    const ids = whole.map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted().reverse())
  })

  test('is filtered by actor, action and target, alone and combined', async () => {
    const webhook = await makeWebhook()
    await world.expect(200, 'POST', `/v1/webhooks/${webhook.id}/secret`)
    await world.expect(200, 'POST', `/v1/webhooks/${webhook.id}/secret`)
    const { user } = await world.expect(200, 'GET', '/v1/auth/session')
    expect(actions((await list(`?targetId=${webhook.id}`)).data)).toEqual([
      'rotateWebhookSecret',
      'rotateWebhookSecret',
      'createWebhook',
    ])
    const both = `?targetId=${webhook.id}&action=rotateWebhookSecret&actorId=${user.id}`
    expect(actions((await list(both)).data)).toEqual(['rotateWebhookSecret', 'rotateWebhookSecret'])
    expect((await list(`?targetId=${webhook.id}&actorId=${world.key.id}`)).data).toEqual([])
    expect(actions((await list(`?actorId=${world.key.id}`)).data)).toEqual(['eraseCustomer'])
    const rotations = (await list('?action=rotateWebhookSecret&limit=100')).data
    expect(new Set(actions(rotations))).toEqual(new Set(['rotateWebhookSecret']))
    const page = await list(`${both}&limit=1`)
    const next = await list(`${both}&limit=1&cursor=${page.nextCursor}`)
    expect([page.data[0]!.id, next.data[0]!.id]).toEqual(rotations.slice(0, 2).map(({ id }) => id))
  })

  test('rejects an invalid filter, and names the valid ones', async () => {
    const { error } = await world.expect(400, 'GET', '/v1/audit?action=signin')
    expect(error.details.action).toBe(
      'Must be the name of an action in the audit log, such as issueApiKey, signIn or signInFailed.',
    )
  })

  test('shows the current names of people and keys, and no name for a deleted account', async () => {
    const { sql } = world.database
    await world.expect(204, 'DELETE', `/v1/api-keys/${(await make('/v1/api-keys', { name: 'brief' })).id}`)
    await sql`update users set name = 'Renamed' where lower(email) = ${world.owner.email}`
    expect((await newest()).actor.name).toBe('Renamed')
    await sql`insert into audit_entries (workspace_id, actor_type, actor_id, action, target_type, target_id)
      values (${world.workspaceId}, 'user', ${newId()}, 'signOut', 'user', ${newId()})`
    expect(await newest()).toMatchObject({ actor: { type: 'user', name: null }, address: null, requestId: null })
  })
})

describe('an entry', () => {
  const refusal = 'Entries of the audit log are neither changed nor removed.'

  test('cannot be changed or deleted', async () => {
    const { sql } = world.database
    const before = await sql`select * from audit_entries order by workspace_id, id`
    await expect(sql`update audit_entries set detail = '{}'`.execute()).rejects.toThrow(refusal)
    await expect(sql`delete from audit_entries`.execute()).rejects.toThrow(refusal)
    await expect(sql`truncate audit_entries`.execute()).rejects.toThrow(refusal)
    expect(await sql`select * from audit_entries order by workspace_id, id`).toEqual(before)
  })

  test('is deleted only when older than the retention, in batches', async () => {
    const { sql } = world.database
    const count = async () => (await sql`select count(*)::integer as count from audit_entries`)[0]!.count
    const before = await count()
    await sql`insert into audit_entries (workspace_id, at, actor_type, action, target_type, target_id)
      select ${world.workspaceId}, now() - interval '8 days', 'unknown', 'signInFailed', 'user', uuidv7() from generate_series(1, 5)`
    const week = { olderThanSeconds: 7 * 86_400, limit: 3 }
    expect(await deleteOldEntries(sql, week)).toBe(0)
    await setAuditRetention(sql, 7 * 86_400_000)
    expect([await deleteOldEntries(sql, week), await deleteOldEntries(sql, week)]).toEqual([3, 2])
    expect(await deleteOldEntries(sql, week)).toBe(0)
    expect(await count()).toBe(before)
    // The permission of one transaction does not apply to the next on the same connection.
    await sql.begin(tx => deleteOldEntries(tx, week))
    await expect(sql`delete from audit_entries`.execute()).rejects.toThrow(refusal)
    // Setting the permission by hand does not allow the deletion of newer entries.
    const say = sql.begin(async tx => {
      await tx`select set_config('audit.retention', 'on', true)`
      await tx`delete from audit_entries`
    })
    await expect(say).rejects.toThrow(refusal)
    expect(await count()).toBe(before)
    await setAuditRetention(sql, null)
  })

  test('has a size limit for any change', async () => {
    const words = Array.from({ length: 100 }, (_, n) => `${'𝔘'.repeat(60)}${n}`)
    const reply = await world.call('PUT', '/v1/opt-out-words', { body: { words } })
    expect(reply.status).toBeOneOf([200, 400])
    await world.expect(201, 'POST', '/v1/templates', { body: { ...emptyTemplate, body: 'Hi', name: '"𝔘'.repeat(50) } })
    const rows = await world.database.sql`select max(octet_length(detail::text)) as most from audit_entries`
    expect(rows[0]!.most).toBeLessThan(8192)
  })
})
