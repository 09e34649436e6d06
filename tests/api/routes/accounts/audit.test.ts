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
import { openTransaction } from '../../../support/database.ts'
import {
  type Asking,
  bearer,
  eventually,
  newPhone,
  type Person,
  untilBlocked,
  useWorld,
} from '../../../support/world.ts'

// Runs no workers, so records stay as the tests create them.
const world = useWorld({ ROLES: 'http', SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') })

type Entry = { id: string; at: string; action: string; requestId: string | null }

const list = async (query = ''): Promise<Entry[]> => (await world.expect(200, 'GET', `/v1/audit${query}`)).data
const newest = async () => (await list('?limit=1'))[0]!
const entryCount = async () =>
  (await world.database.sql`select count(*)::integer as count from audit_entries`)[0]!.count as number
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** A word in the changed records that must not appear in the audit log. */
const secret = 'Unverwechselbar'

/** A call that changes something, and the record that it changes, if that exists before. */
interface Doing {
  /** Method and path. */
  operation: string
  asking?: Asking | undefined
  /** Makes a new request for each call, where parts of it work only once. */
  newAsking?: () => Promise<Asking>
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
const variables = [{ name: 'name', sample: 'Ada' }]
const content = { name: 'Hello', category: 'utility', body: `Hello {{name}} ${secret}`, variables }
const sandbox = { kind: 'sandbox', name: 'Sandbox' }

const make = async (path: string, body: unknown): Promise<Record<string, string>> =>
  world.expect(201, 'POST', path, { body })

/** A kind of record, which `make` creates. */
interface Noun {
  type: string
  path: string
  make: () => Promise<Record<string, string>>
}
const noun = (type: string, path: string, body: object): Noun => ({ type, path, make: () => make(path, body) })
const key = noun('api_key', '/v1/api-keys', { name: 'gone' })
const url = `https://hooks.example.com/${secret}`
const webhook = noun('webhook', '/v1/webhooks', { url, events: ['sale.created'] })
const member = (email: string) => noun('member', '/v1/members', { email, role: 'agent' })
const workflow = noun('workflow', '/v1/workflows', { name: 'Waits', definition })
const channel = noun('channel', '/v1/channels', sandbox)
const template = noun('template', '/v1/templates', content)
const makeCustomer = () => make('/v1/customers', { phone: newPhone(), name: `Ada ${secret}` })
const customer: Noun = { type: 'customer', path: '/v1/customers', make: makeCustomer }

const audience = { variables: { name: 'you' }, audience: { all: true } }
const makeCampaign = async (status: string) => {
  const [{ id: channelId }, { id: templateId }] = [await channel.make(), await template.make()]
  const campaign = await make('/v1/campaigns', { name: 'Spring', channelId, templateId, ...audience })
  await world.database.sql`update campaigns set status = ${status} where id = ${campaign.id!}`
  return campaign
}
const campaign = (status = 'draft'): Noun => ({
  type: 'campaign',
  path: '/v1/campaigns',
  make: () => makeCampaign(status),
})

const makeConversation = async () => {
  const [{ id: channelId }, { id: customerId }] = [await channel.make(), await customer.make()]
  return make('/v1/conversations', { channelId, customerId })
}
const makeSale = async () =>
  make(`/v1/conversations/${(await makeConversation()).id}/sale`, { amount: 12.5, currency: 'EUR' })

const makeFailedDelivery = async () => {
  const { id: webhookId } = await webhook.make()
  const { id } = await world.expect(202, 'POST', `/v1/webhooks/${webhookId}/test`)
  await world.database.sql`update deliveries set status = 'failed', due_at = null where id = ${id}`
  return { webhookId: webhookId!, id: id as string }
}

/** Shared by several tests, because a workspace has a limited number of endpoints. */
let sharedWebhook: ReturnType<Noun['make']> | undefined
const anyWebhook = () => (sharedWebhook ??= webhook.make())
let failedDelivery: ReturnType<typeof makeFailedDelivery> | undefined
const anyFailedDelivery = () => (failedDelivery ??= makeFailedDelivery())

const password = 'correct horse battery'
const newPassword = `a ${secret} password`

/** Returns a code of the authenticator app as a body. Resets the last used time step, so that a code works again. */
const beginFactor = async ({ id, as }: Person) => {
  const { secret } = await world.expect(200, 'POST', '/v1/auth/totp', { as, body: { password } })
  return async () => {
    await world.database.sql`update second_factors set last_step = 0 where user_id = ${id}`
    return { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() }
  }
}

/** A call that creates a record. */
const creates =
  ({ type, path }: Pick<Noun, 'type' | 'path'>, body: object, detail: object = {}) =>
  async (): Promise<Doing> => ({
    operation: `POST ${path}`,
    asking: { body },
    target: { type },
    detail: { ...detail },
  })

/** A call that changes a new record. `how` is the method, and the name of the action if it has one. */
const changes =
  ({ type, path, make }: Noun, how: string, detail: object = {}, body?: object) =>
  async (): Promise<Doing> => {
    const { id } = await make()
    const [method, action] = how.split(' ')
    const operation = `${method} ${path}/${id}${action ? `/${action}` : ''}`
    return { operation, asking: body && { body }, target: { type, id }, detail: { ...detail } }
  }

/** A call that changes the workspace, with the body as detail. */
const ofWorkspace =
  (operation: string, body: object, detail = body) =>
  async (): Promise<Doing> => {
    const target = { type: 'workspace', id: world.workspaceId }
    return { operation, asking: { body }, target, detail: { ...detail } }
  }

/** `code` sets up a second factor with the first call, and returns a recovery code. */
type Holder = Person & { code: () => Promise<string> }

/** A call that a new person makes for the own account. `more` adds to the expected entry. */
const own =
  (operation: string, ask: (person: Holder) => Asking | Promise<Asking>, more?: (person: Person) => Partial<Doing>) =>
  async (): Promise<Doing> => {
    const person = await world.person()
    let codes: string[] | undefined
    const setUp = async () => {
      const body = await (await beginFactor(person))()
      return (await world.expect(200, 'POST', '/v1/auth/totp/confirm', { as: person.as, body })).recoveryCodes
    }
    const code = async () => (codes ??= (await setUp()) as string[]).pop()!
    const newAsking = async () => ({ as: person.as, ...(await ask({ ...person, code })) })
    return { operation, target: { type: 'user', id: person.id }, newAsking, ...more?.(person) }
  }

const withHash = ({ email }: Person) => ({ detail: { emailHash: sha256(email) } })
const anybody = (body: object): Asking => ({ as: 'nobody', body })
const atHooks = { host: 'hooks.example.com' }
const prefix = expect.stringMatching(/^ces_.{8}$/)
const since = '2026-01-01T00:00:00Z'
const at = '2039-01-01T00:00:00.000Z'

const makeServiceAccount = () => make('/v1/members', { kind: 'service', name: 'Terraform', role: 'agent' })

/** Prepares the call of every operation in the audit log. */
const doings: Record<string, () => Promise<Doing>> = {
  createAccessToken: own(
    'POST /v1/auth/tokens',
    () => ({ body: { name: 'script', access: 'read' } }),
    () => ({ target: { type: 'access_token' }, detail: { name: 'script', access: 'read' } }),
  ),
  revokeAccessToken: async () => {
    const { as } = await world.person()
    const { id } = await world.expect(201, 'POST', '/v1/auth/tokens', { as, body: { name: 'gone', access: 'write' } })
    const target = { type: 'access_token', id }
    return { operation: `DELETE /v1/auth/tokens/${id}`, asking: { as }, target, detail: { name: 'gone' } }
  },
  createMemberToken: async () => {
    const { id: memberId } = await makeServiceAccount()
    const asking = { body: { name: 'ci', access: 'read' } }
    const detail = { name: 'ci', access: 'read', memberId }
    return { operation: `POST /v1/members/${memberId}/tokens`, asking, target: { type: 'access_token' }, detail }
  },
  revokeMemberToken: async () => {
    const { id: memberId } = await makeServiceAccount()
    const path = `/v1/members/${memberId}/tokens`
    const { id } = await world.expect(201, 'POST', path, { body: { name: 'gone', access: 'write' } })
    const target = { type: 'access_token', id }
    return { operation: `DELETE ${path}/${id}`, target, detail: { name: 'gone', memberId } }
  },
  signIn: own('POST /v1/auth/sign-in', ({ email }) => anybody({ email, password }), withHash),
  signOut: own('POST /v1/auth/sign-out', async ({ session }) => ({ as: await session() })),
  acceptInvitation: async () => {
    const body = { email: 'Joins@shop.example', role: 'agent', name: 'Joan' }
    const { id, invitation } = await world.expect(201, 'POST', '/v1/members', { body })
    const asking = anybody({ token: invitation.token, password })
    const detail = { role: 'agent', emailHash: sha256('joins@shop.example') }
    return { operation: 'POST /v1/auth/accept-invitation', asking, target: { type: 'member', id }, detail }
  },
  signInWithCode: own(
    'POST /v1/auth/sign-in/second-factor',
    async person => {
      const code = await person.code()
      const signIn = anybody({ email: person.email, password })
      return anybody({ ticket: (await world.expect(200, 'POST', '/v1/auth/sign-in', signIn)).ticket, code })
    },
    withHash,
  ),
  signInByLink: own(
    'POST /v1/auth/sign-in/link',
    async ({ email }) => anybody({ token: await makeSignInLink(world.database.sql, email) }),
    withHash,
  ),
  endSession: async () => {
    const { id, as } = await world.person()
    const { data } = await world.expect(200, 'GET', '/v1/auth/sessions', { as })
    const operation = `DELETE /v1/auth/sessions/${data[0].id}`
    return { operation, asking: { as }, target: { type: 'user', id }, detail: { sessionId: data[0].id } }
  },
  endOtherSessions: own('DELETE /v1/auth/sessions', () => ({})),
  changePassword: own('POST /v1/auth/password', () => ({ body: { currentPassword: password, newPassword } })),
  resetPassword: own('POST /v1/auth/reset-password', async ({ email }) => {
    const { token } = await makeResetLink(world.database.sql, email, { byMail: false, dropSecondFactor: false })
    return anybody({ token, password: newPassword })
  }),
  confirmEmail: own('POST /v1/auth/confirm-email', async ({ id }) =>
    anybody({ token: await createLink(world.database.sql, id, 'confirmation', { mailed: true }) }),
  ),
  changeUser: own(
    'PATCH /v1/auth/user',
    () => ({ body: { name: 'Kim', locale: 'de' } }),
    () => ({ detail: { changed: ['name', 'locale'] } }),
  ),
  deleteUser: own(
    'DELETE /v1/auth/user',
    () => ({ body: { password } }),
    ({ id }) => ({ actor: { type: 'user', id, name: null } }),
  ),
  confirmTotp: async () => {
    const person = await world.person()
    const code = await beginFactor(person)
    const newAsking = async () => ({ as: person.as, body: await code() })
    return { operation: 'POST /v1/auth/totp/confirm', target: { type: 'user', id: person.id }, newAsking }
  },
  renewRecoveryCodes: own('POST /v1/auth/totp/recovery-codes', async ({ code }) => ({
    body: { password, code: await code() },
  })),
  removeTotp: own('DELETE /v1/auth/totp', async ({ code }) => ({ body: { password, code: await code() } })),
  issueApiKey: creates(key, { name: 'till' }, { name: 'till', prefix }),
  revokeApiKey: changes(key, 'DELETE', { name: 'gone', prefix }),
  createWebhook: creates(
    webhook,
    { url: `https://hooks.example.com:8443/${secret}?token=${secret}`, events: ['sale.created'] },
    { host: 'hooks.example.com:8443', events: ['sale.created'] },
  ),
  changeWebhook: changes(
    webhook,
    'PATCH',
    { ...atHooks, changed: ['enabled', 'description'], enabled: false },
    { enabled: false, description: secret },
  ),
  deleteWebhook: changes(webhook, 'DELETE', atHooks),
  rotateWebhookSecret: changes(webhook, 'POST secret', atHooks),
  holdWebhook: changes(webhook, 'POST hold', atHooks),
  releaseWebhook: async () => {
    const { id } = await anyWebhook()
    await world.expect(200, 'POST', `/v1/webhooks/${id}/hold`)
    return changes({ ...webhook, make: anyWebhook }, 'POST release', atHooks)()
  },
  startRecovery: async () => {
    const { webhookId } = await makeFailedDelivery()
    const recovery = { type: 'recovery', path: `/v1/webhooks/${webhookId}/recoveries` }
    return creates(recovery, { since }, { webhookId, deliveries: 1 })()
  },
  cancelRecovery: async () => {
    const { webhookId } = await makeFailedDelivery()
    const path = `/v1/webhooks/${webhookId}/recoveries`
    const start = () => world.expect(202, 'POST', path, { body: { since } })
    return changes({ type: 'recovery', path, make: start }, 'DELETE', { webhookId })()
  },
  sendOutboundEvent: async () => {
    const { id, webhookId } = await anyFailedDelivery()
    const [row] = await world.database.sql`select event_id from deliveries where id = ${id}`
    const delivery = { type: 'delivery', path: `/v1/outbound-events/${row!.event_id}/send` }
    return creates(delivery, { webhookId }, { webhookId, outboundEventId: row!.event_id })()
  },
  testWebhook: changes({ ...webhook, make: anyWebhook }, 'POST test', { deliveryId: expect.any(String) }),
  retryDelivery: async () => {
    const { webhookId } = await anyFailedDelivery()
    const path = `/v1/webhooks/${webhookId}/deliveries`
    return changes({ type: 'delivery', path, make: anyFailedDelivery }, 'POST retry', { webhookId })()
  },
  inviteMember: creates(
    member(''),
    { email: `${secret}@shop.example`, role: 'agent', name: secret },
    { role: 'agent', emailHash: sha256(`${secret}@shop.example`.toLowerCase()) },
  ),
  changeMember: changes(
    member('rises@shop.example'),
    'PATCH',
    { from: 'agent', to: 'owner', emailHash: sha256('rises@shop.example') },
    { role: 'owner' },
  ),
  removeMember: changes(member('leaves@shop.example'), 'DELETE', {
    role: 'agent',
    status: 'invited',
    emailHash: sha256('leaves@shop.example'),
  }),
  changeWorkspace: ofWorkspace(
    'PATCH /v1/workspace',
    { name: 'Other shop', timezone: 'europe/berlin' },
    { name: 'Other shop', timezone: 'Europe/Berlin' },
  ),
  connectChannel: creates(channel, sandbox, { ...sandbox, number: null }),
  changeChannel: changes(channel, 'PATCH', { kind: 'sandbox', name: 'Sand', changed: ['name'] }, { name: 'Sand' }),
  disconnectChannel: changes(channel, 'DELETE', sandbox),
  testChannel: changes(channel, 'POST test', { ...sandbox, ok: true }),
  createWorkflow: creates(workflow, { name: 'Waits', definition }, { name: 'Waits' }),
  changeWorkflow: changes(
    workflow,
    'PATCH',
    { name: 'Stands', changed: ['enabled', 'running', 'name'], enabled: false, running: 'stop' },
    { enabled: false, running: 'stop', name: 'Stands' },
  ),
  publishWorkflow: changes(workflow, 'POST publish', { name: 'Waits', version: 1, move: false }),
  deleteWorkflow: changes(workflow, 'DELETE', { name: 'Waits' }),
  stopRun: async () => {
    const workflowId = await world.workflow(definition)
    const body = { type: 'order.waits', phone: '+4915112345678' }
    const { outcomes } = await world.expect(201, 'POST', '/v1/events', { body })
    await world.expect(200, 'PATCH', `/v1/workflows/${workflowId}`, { body: { enabled: false } })
    const id: string = outcomes.find((one: { workflowId: string }) => one.workflowId === workflowId).runId
    return { operation: `POST /v1/runs/${id}/stop`, target: { type: 'run', id }, detail: { workflowId } }
  },
  createTemplate: creates(template, content, { name: 'Hello', category: 'utility' }),
  changeTemplate: changes(template, 'PATCH', { name: 'Hello', changed: ['body'] }, { body: `Bye {{name}} ${secret}` }),
  deleteTemplate: changes(template, 'DELETE', { name: 'Hello' }),
  createCampaign: async () => {
    const { channelId, templateId } = await makeCampaign('draft')
    return creates(campaign(), { name: 'Summer', channelId, templateId, ...audience }, { name: 'Summer' })()
  },
  changeCampaign: changes(campaign(), 'PATCH', { name: 'Autumn', changed: ['name'] }, { name: 'Autumn' }),
  deleteCampaign: changes(campaign(), 'DELETE', { name: 'Spring' }),
  testCampaign: async () => {
    const { id: customerId } = await makeCustomer()
    return changes(campaign(), 'POST test', { name: 'Spring', customerId }, { customerId })()
  },
  startCampaign: changes(campaign(), 'POST start', { name: 'Spring', at }, { at }),
  pauseCampaign: changes(campaign('running'), 'POST pause'),
  resumeCampaign: changes(campaign('paused'), 'POST resume'),
  cancelCampaign: changes(campaign('scheduled'), 'POST cancel'),
  replaceOptOutWords: ofWorkspace('PUT /v1/opt-out-words', { words: ['Basta', 'Genug'] }),
  liftOptOut: async () => {
    const { id } = await makeCustomer()
    await world.expect(200, 'POST', `/v1/customers/${id}/opt-out`, { body: { reason: secret } })
    const reason = `Ada ${secret} asked`
    return changes({ ...customer, make: async () => ({ id: id! }) }, 'POST opt-out/lift', {}, { reason })()
  },
  decideOptOut: changes(
    { type: 'conversation', path: '/v1/conversations', make: makeConversation },
    'POST opt-out-decision',
    { decision: 'opted_out' },
    { decision: 'opted_out' },
  ),
  eraseCustomer: async () => {
    const doing = await changes(customer, 'DELETE')()
    return { ...doing, asking: { as: 'key' }, actor: { type: 'api_key', id: world.key.id, name: 'shop system' } }
  },
  voidSale: changes(
    { type: 'sale', path: '/v1/sales', make: makeSale },
    'POST void',
    { amount: '12.5', currency: 'EUR' },
    { reason: `Ada ${secret} changed her mind` },
  ),
}

/** Operations that change something, or might, and are not in the audit log, by the reason. */
const notLogged: Record<string, string> = {
  'comes in masses, and each event says who sent it': 'recordEvent recordEvents',
  'changes nothing':
    'checkEvent checkWorkflow tryWorkflow replayWorkflow previewTemplate previewCampaign previewAudience verifyWebhook describeLink',
  'is work with customers, and no change of how the workspace is set up':
    'createCustomer upsertCustomer changeCustomer openConversation changeConversation markConversationRead',
  'keeps filters that only their member sees': 'saveView deleteSavedView',
  'the ledger of consents says who and why': 'optInCustomer optOutCustomer',
  'the message or the sale says who made it': 'writeMessage resendMessage markSale',
  'must not reveal whether there is an account': 'forgotPassword',
  'has no effect before it is confirmed': 'beginTotp startSso mailIdentityLink',
  'stands for a customer or a provider': 'writeSandboxMessage tellSandboxStatus receiveWhatsapp receiveTwilio',
}

/** Operations of single sign-on, whose entries its own test reads. */
const withProvider = ['signInWithSso', 'linkIdentity', 'confirmIdentity', 'unlinkIdentity', 'endSsoSessions']

const document = JSON.parse(readFileSync(resolve(import.meta.dir, '../../../../openapi/openapi.json'), 'utf8'))
const changing = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap(methods =>
  Object.entries(methods).flatMap(([method, { operationId }]) => (method === 'get' ? [] : [operationId])),
)

test('every operation that changes something is in the audit log, or is listed with a reason', () => {
  const unlogged = Object.values(notLogged).flatMap(names => names.split(' '))
  expect([...Object.keys(doings), ...withProvider, ...unlogged].sort()).toEqual(changing.sort())
})

test('every operation is logged under its own name; others are failed sign-ins, service accounts and operator actions', () => {
  const names = [...Object.keys(doings), ...withProvider, 'signInFailed', 'addServiceAccount', ...operatorActions]
  expect<string[]>([...auditActions].sort()).toEqual(names.sort())
})

describe('an audited operation', () => {
  const prepared = new Map<string, Doing>()
  beforeAll(async () => {
    for (const [action, prepare] of Object.entries(doings)) prepared.set(action, await prepare())
  })
  const callOf = async ({ operation, asking, newAsking }: Doing) => {
    const [method, path] = operation.split(' ') as [string, string]
    const body = (await newAsking?.()) ?? asking
    return () => world.call(method, path, body)
  }

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
    const calls = await Promise.all([...prepared].map(async ([name, doing]) => ({ name, call: await callOf(doing) })))
    const before = await everything()
    expect(before.length).toBeGreaterThan(50)
    world.database.expectErrors('23514')
    await sql`alter table audit_entries add constraint full_up check (false) not valid`
    for (const { name, call } of calls) expect((await call()).status, name).toBe(500)
    await sql`alter table audit_entries drop constraint full_up`
    expect(await everything()).toEqual(before)
  })

  test.each(Object.keys(doings))('%s: is logged with actor, target, address and request id', async action => {
    const doing = prepared.get(action)!
    const { target, detail = {}, actor } = doing
    const reply = await (await callOf(doing))()
    expect(reply.status).toBeWithin(200, 300)
    const entry = await newest()
    expect(entry as object).toEqual({
      id: expect.any(String),
      at: expect.stringMatching(/Z$/),
      actor: actor ?? { type: 'user', id: expect.any(String), name: expect.any(String) },
      action,
      target: { type: target.type, id: target.id ?? reply.body.id },
      detail: expect.objectContaining(detail),
      address: '127.0.0.1',
      requestId: reply.headers.get('x-request-id'),
      via: null,
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
  const release = await openTransaction(sql, tx => tx`select from api_keys where id = ${id!} for update`)
  const { hostname, port } = new URL(world.url)
  const socket = connect(Number(port), hostname)
  const gone = once(socket, 'close')
  const token = world.owner.token
  socket.write(`DELETE /v1/api-keys/${id} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  await untilBlocked(sql)
  socket.destroy()
  await gone
  await release()
  const [entry] = await eventually('it is recorded', async () => {
    const data = await list(`?targetId=${id}&action=revokeApiKey`)
    return data.length > 0 && data
  })
  expect(entry).toMatchObject({ address: '127.0.0.1' })
})

const readOwner = async () => {
  const { data } = await world.expect(200, 'GET', '/v1/members?limit=100')
  return data.find(({ email }: { email: string }) => email === world.owner.email)
}

test('calls that change nothing or are rejected are not logged', async () => {
  const again: [status: number, method: string, path: string][] = []
  for (const { path, make } of [key, channel]) again.push([204, 'DELETE', `${path}/${(await make()).id}`])
  for (const [status, method, path] of again) await world.expect(status, method, path)
  const before = await newest()
  const calls: [status: number, method: string, path: string, body?: object][] = [
    ...again,
    [404, 'DELETE', `/v1/webhooks/${newId()}`],
    [404, 'POST', `/v1/sales/${newId()}/void`, { reason: 'none' }],
    [404, 'DELETE', `/v1/customers/${newId()}`],
    [400, 'POST', '/v1/api-keys', { name: '' }],
    [422, 'DELETE', `/v1/members/${(await readOwner()).id}`],
  ]
  for (const [status, method, path, body] of calls) await world.expect(status, method, path, { body })
  expect(await newest()).toEqual(before)
})

test('calls that set the current values again are not logged', async () => {
  const of = async ({ path, make }: Noun, fields: string[]): Promise<[string, string, object]> => {
    const record = await make()
    return ['PATCH', `${path}/${record.id}`, Object.fromEntries(fields.map(field => [field, record[field]]))]
  }
  const { name, timezone, requireSecondFactor } = await world.expect(200, 'GET', '/v1/workspace')
  await world.expect(200, 'PUT', '/v1/opt-out-words', { body: { words: ['Genug'] } })
  const me = await world.expect(200, 'GET', '/v1/auth/user')
  const sameAgain: [string, string, object][] = [
    ['PATCH', '/v1/workspace', { name, timezone, requireSecondFactor }],
    ['PATCH', '/v1/auth/user', { name: me.name, locale: me.locale }],
    ['PATCH', `/v1/members/${(await readOwner()).id}`, { role: 'owner' }],
    ['PUT', '/v1/opt-out-words', { words: ['Genug'] }],
    await of(webhook, ['url', 'events', 'enabled', 'filter']),
    await of(channel, ['name']),
    await of(template, ['name', 'category', 'body', 'variables']),
    await of(campaign(), ['name', 'channelId', 'templateId', 'variables', 'audience']),
    ['PATCH', `/v1/workflows/${(await workflow.make()).id}`, { name: 'Waits', definition, enabled: false }],
  ]
  const before = await newest()
  for (const [method, path, body] of sameAgain) {
    await world.expect(200, method, path, { body })
    expect(await newest(), path).toEqual(before)
  }
})

const signIn = (email: string, password: string) =>
  world.call('POST', '/v1/auth/sign-in', { as: 'nobody', body: { email, password } })
const accept = (token: string, password: string) =>
  world.call('POST', '/v1/auth/accept-invitation', { as: 'nobody', body: { token, password } })
const failed = ({ headers }: { headers: Headers }) =>
  eventually('it is recorded', async () => {
    const data = await list('?action=signInFailed')
    return data.find(({ requestId }) => requestId === headers.get('x-request-id'))
  })

test('a sign-in with a wrong password is logged as an unknown actor, with a hash of the address', async () => {
  const count = await entryCount()
  expect((await signIn('nobody@nowhere.example', 'not the password')).status).toBe(401)
  const reply = await signIn(world.owner.email.toUpperCase(), 'not the password')
  expect(reply.status).toBe(401)
  const { user } = await world.expect(200, 'GET', '/v1/auth/session')
  expect((await failed(reply)) as object).toEqual({
    id: expect.any(String),
    at: expect.any(String),
    actor: { type: 'unknown', id: null, name: null },
    action: 'signInFailed',
    target: { type: 'user', id: user.id },
    detail: { emailHash: sha256(world.owner.email) },
    address: '127.0.0.1',
    requestId: reply.headers.get('x-request-id'),
    via: null,
  })
  expect(await entryCount()).toBe(count + 1)
})

test('a sign-in is logged in every workspace of the person, and in no other', async () => {
  const { email, password } = world.owner
  const [other, stranger] = [await world.otherOwner(), await world.otherOwner()]
  const body = { email, role: 'agent' }
  const { token } = (await world.expect(201, 'POST', '/v1/members', { as: other, body })).invitation
  await failed(await accept(token, 'not the password'))
  expect((await accept(token, password)).status).toBe(200)
  const requestId = (await signIn(email, password)).headers.get('x-request-id')!
  const theirs = await world.expect(200, 'GET', '/v1/audit?limit=1', { as: other })
  for (const entry of [theirs.data[0], await newest()]) expect(entry).toMatchObject({ action: 'signIn', requestId })
  const { data } = await world.expect(200, 'GET', '/v1/audit', { as: stranger })
  expect(data.map(({ action }: Entry) => action)).toEqual(['signIn', 'createWorkspace'])
})

const actions = async (query: string) => (await list(query)).map(({ action }) => action)

test('the list is read in pages, newest first', async () => {
  const data = await list('?limit=100')
  expect((await world.pages('/v1/audit?limit=60')).flat().slice(0, 100)).toEqual(data)
  const ids = data.map(({ id }) => id)
  expect(ids).toEqual(ids.toSorted().reverse())
})

test('the list is filtered by actor, action and target, alone and combined, and names valid actions', async () => {
  const { id } = await webhook.make()
  const rotated = 'rotateWebhookSecret'
  for (let n = 0; n < 2; n++) await world.expect(200, 'POST', `/v1/webhooks/${id}/secret`)
  const { user } = await world.expect(200, 'GET', '/v1/auth/session')
  expect(await actions(`?targetId=${id}`)).toEqual([rotated, rotated, 'createWebhook'])
  const both = `?targetId=${id}&action=${rotated}&actorId=${user.id}`
  expect(await actions(both)).toEqual([rotated, rotated])
  expect(await actions(`?targetId=${id}&actorId=${world.key.id}`)).toEqual([])
  expect(await actions(`?actorId=${world.key.id}`)).toEqual(['eraseCustomer'])
  const rotations = await list(`?action=${rotated}&limit=100`)
  expect(new Set(rotations.map(({ action }) => action))).toEqual(new Set([rotated]))
  expect((await world.pages(`/v1/audit${both}&limit=1`)).flat()).toEqual(rotations.slice(0, 2))
  expect((await world.expect(400, 'GET', '/v1/audit?action=signin')).error.details.action).toBe(
    'Must be the name of an action in the audit log, such as issueApiKey, signIn or signInFailed.',
  )
})

test('the list shows the current names of people and keys, and no name for a deleted account', async () => {
  const { sql } = world.database
  await world.expect(204, 'DELETE', `/v1/api-keys/${(await make('/v1/api-keys', { name: 'brief' })).id}`)
  await sql`update users set name = 'Renamed' where lower(email) = ${world.owner.email}`
  expect(await newest()).toMatchObject({ actor: { name: 'Renamed' } })
  await sql`insert into audit_entries (workspace_id, actor_type, actor_id, action, target_type, target_id)
    values (${world.workspaceId}, 'user', ${newId()}, 'signOut', 'user', ${newId()})`
  expect(await newest()).toMatchObject({ actor: { type: 'user', name: null }, address: null, requestId: null })
})

test('an entry cannot be changed, and is deleted only when older than the retention, in batches', async () => {
  const refusal = 'Entries of the audit log are neither changed nor removed.'
  const { sql } = world.database
  const entries = () => sql`select * from audit_entries order by workspace_id, id`
  const before = await entries()
  await expect(sql`update audit_entries set detail = '{}'`.execute()).rejects.toThrow(refusal)
  await expect(sql`delete from audit_entries`.execute()).rejects.toThrow(refusal)
  await expect(sql`truncate audit_entries`.execute()).rejects.toThrow(refusal)
  expect(await entries()).toEqual(before)

  await sql`insert into audit_entries (workspace_id, at, actor_type, action, target_type, target_id)
    select ${world.workspaceId}, now() - interval '8 days', 'unknown', 'signInFailed', 'user', uuidv7() from generate_series(1, 5)`
  const week = { olderThanSeconds: 7 * 86_400, limit: 3 }
  expect(await deleteOldEntries(sql, week)).toBe(0)
  await setAuditRetention(sql, 7 * 86_400_000)
  for (const deleted of [3, 2, 0]) expect(await deleteOldEntries(sql, week)).toBe(deleted)
  // The permission of one transaction does not apply to the next on the same connection.
  await sql.begin(tx => deleteOldEntries(tx, week))
  await expect(sql`delete from audit_entries`.execute()).rejects.toThrow(refusal)
  // Setting the permission by hand does not allow the deletion of newer entries.
  const deleting = sql.begin(async tx => {
    await tx`select set_config('audit.retention', 'on', true)`
    await tx`delete from audit_entries`
  })
  await expect(deleting).rejects.toThrow(refusal)
  expect(await entries()).toEqual(before)
  await setAuditRetention(sql, null)
})

test('an entry has at most 50 items of a list, less if they are long, and 200 characters of a text', async () => {
  const words = Array.from({ length: 100 }, (_, n) => `${'𝔘'.repeat(30)}${n}`)
  await world.expect(200, 'PUT', '/v1/opt-out-words', { body: { words } })
  expect(await newest()).toMatchObject({ detail: { words: words.slice(0, 50) } })
  const long = Array.from({ length: 100 }, (_, n) => `${'𝔘'.repeat(45)}${n}`)
  await world.expect(200, 'PUT', '/v1/opt-out-words', { body: { words: long } })
  expect(await newest()).toMatchObject({ detail: { words: long.slice(0, 25) } })
  const host = `${Array(4).fill('x'.repeat(60)).join('.')}.example`
  await world.expect(200, 'PATCH', `/v1/webhooks/${(await anyWebhook()).id}`, { body: { url: `https://${host}/` } })
  expect(await newest()).toMatchObject({ detail: { host: host.slice(0, 200) } })
})

test('an entry names the access token of the call, also after its revocation', async () => {
  const person = await world.person('owner')
  const body = { name: 'terraform', access: 'write' }
  const { id, token } = await world.expect(201, 'POST', '/v1/auth/tokens', { as: person.as, body })
  const workflowId = await world.workflow(definition, 'By token')
  const save = (name: string, as = person.as) =>
    world.expect(200, 'PATCH', `/v1/workflows/${workflowId}`, {
      as,
      body: { definition: { ...definition, trigger: { eventType: name } } },
    })
  await save('order.one')
  await save('order.two', bearer(token))
  await save('order.three', bearer(token))
  await world.expect(204, 'DELETE', `/v1/auth/tokens/${id}`, { as: person.as })
  const { data } = await world.expect(200, 'GET', `/v1/audit?actorId=${person.id}&action=changeWorkflow`)
  expect(data).toMatchObject([{ via: { type: 'token', id, name: 'terraform' } }, { via: null }])
})

test('changes of a draft by one person share an entry until another action on the workflow', async () => {
  const id = await world.workflow(definition, 'Often saved')
  const count = async () => {
    const { data } = await world.expect(200, 'GET', `/v1/audit?targetId=${id}&action=changeWorkflow`)
    return data.filter(({ detail }: { detail: { changed: string[] } }) => detail.changed.join() === 'definition').length
  }
  const save = (eventType: string) =>
    world.expect(200, 'PATCH', `/v1/workflows/${id}`, {
      body: { definition: { ...definition, trigger: { eventType } } },
    })
  const before = await count()
  await save('order.one')
  await save('order.two')
  expect(await count()).toBe(before + 1)
  await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { name: 'Renamed' } })
  await save('order.three')
  expect(await count()).toBe(before + 2)
})
