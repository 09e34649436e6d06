import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
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
import { type Asking, eventually, startWorld, type World } from '../../../support/world.ts'

let world: World
beforeAll(async () => {
  // Runs no workers, so records stay as the tests create them.
  world = await startWorld({ ROLES: 'http', SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') })
})
afterAll(() => world.stop())

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
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

/** A word in the changed records that must not appear in the audit log. */
const secret = 'Unverwechselbar'

/** A call that changes something, and the record that it changes, if that exists before. */
interface Doing {
  method: string
  path: string
  asking?: Asking
  /** Makes a new request for each call, where parts of it work only once. */
  askingAnew?: () => Promise<Asking>
  target: { type: string; id?: string }
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
const makeChannel = () => make('/v1/channels', { kind: 'sandbox', name: 'Sandbox' })
const makeMember = (email: string) => make('/v1/members', { email, role: 'agent' })
const makeCustomer = async () =>
  make('/v1/customers', { phone: `+4915${Math.floor(1e8 + Math.random() * 9e8)}`, name: `Ada ${secret}` })

const makeCampaign = async (status = 'draft') => {
  const { id: channelId } = await makeChannel()
  const { id: templateId } = await make('/v1/templates', emptyTemplate)
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
  const { id } = await makeWorkflow()
  await world.expect(200, 'POST', `/v1/workflows/${id}/publish`)
  await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { enabled: true } })
  const body = { type: 'order.waits', phone: '+4915112345678' }
  const { outcomes } = await world.expect(201, 'POST', '/v1/events', { body })
  await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { enabled: false } })
  return { workflowId: id!, id: outcomes.find((one: { workflowId: string }) => one.workflowId === id).runId as string }
}

const makeSale = async () => {
  const { id: channelId } = await makeChannel()
  const { id: customerId } = await makeCustomer()
  const { id } = await make('/v1/conversations', { channelId, customerId })
  return make(`/v1/conversations/${id}/sale`, { amount: 12.5, currency: 'EUR' })
}

const signedInAgain = async (): Promise<string> => {
  const { email, password } = world.owner
  return (await world.expect(200, 'POST', '/v1/auth/sign-in', { as: 'nobody', body: { email, password } })).token
}

const password = 'correct horse battery'

/** Creates a member with a session by SQL, because hashing takes a third of a second. */
const makePerson = async () => {
  const { sql } = world.database
  const email = `p-${crypto.randomUUID()}@shop.example`
  const [user] = await sql<{ id: string }[]>`
    insert into users (email, name, password_hash)
    select ${email}, 'Kim', password_hash from users where email = ${world.owner.email} returning id`
  const { id } = user!
  await sql`insert into members (workspace_id, user_id, role) values (${world.workspaceId}, ${id}, 'agent')`
  const token = `ses_${crypto.randomUUID()}`
  await sql`
    insert into sessions (token_hash, user_id, expires_at)
    values (sha256(convert_to(${token}, 'UTF8')), ${id}, now() + interval '1 day')`
  return { id, email, as: bearer(token) }
}

/** Creates a person with a second factor and one-time recovery codes. */
const makeGuarded = async () => {
  const person = await makePerson()
  const code = await begun(person)
  const { recoveryCodes } = await world.expect(200, 'POST', '/v1/auth/totp/confirm', {
    as: person.as,
    body: await code(),
  })
  return { ...person, code: () => recoveryCodes.pop() as string }
}

/** Returns a code of the authenticator app as a body. Resets the last used time step, so that a code works again. */
const begun = async ({ id, as }: { id: string; as: Record<string, string> }) => {
  const { secret } = await world.expect(200, 'POST', '/v1/auth/totp', { as, body: { password } })
  return async () => {
    await world.database.sql`update second_factors set last_step = 0 where user_id = ${id}`
    return { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() }
  }
}

/** Prepares the call of every operation in the audit log. */
const doings: Record<string, () => Promise<Doing>> = {
  signIn: async () => {
    const { email, password } = world.owner
    const asking: Asking = { as: 'nobody', body: { email, password } }
    const detail = { emailHash: sha256(email) }
    const { user } = await world.expect(200, 'GET', '/v1/auth/session')
    return { method: 'POST', path: '/v1/auth/sign-in', asking, target: { type: 'user', id: user.id }, detail }
  },
  signOut: async () => {
    const as = bearer(await signedInAgain())
    const { user } = await world.expect(200, 'GET', '/v1/auth/session', { as })
    return { method: 'POST', path: '/v1/auth/sign-out', asking: { as }, target: { type: 'user', id: user.id } }
  },
  acceptInvitation: async () => {
    const { id, invitation } = await world.expect(201, 'POST', '/v1/members', {
      body: { email: 'Joins@shop.example', role: 'agent', name: 'Joan' },
    })
    const asking = { as: 'nobody', body: { token: invitation.token, password: 'correct horse battery' } } as const
    const detail = { role: 'agent', emailHash: sha256('joins@shop.example') }
    return { method: 'POST', path: '/v1/auth/accept-invitation', asking, target: { type: 'member', id }, detail }
  },
  signInWithCode: async () => {
    const { id, email, code } = await makeGuarded()
    const askingAnew = async () => {
      const { ticket } = await world.expect(200, 'POST', '/v1/auth/sign-in', {
        as: 'nobody',
        body: { email, password },
      })
      return { as: 'nobody', body: { ticket, code: code() } } as const
    }
    const detail = { emailHash: sha256(email) }
    return { method: 'POST', path: '/v1/auth/sign-in/second-factor', askingAnew, target: { type: 'user', id }, detail }
  },
  signInByLink: async () => {
    const { id, email } = await makePerson()
    const asking: Asking = { as: 'nobody', body: { token: await makeSignInLink(world.database.sql, email) } }
    const detail = { emailHash: sha256(email) }
    return { method: 'POST', path: '/v1/auth/sign-in/link', asking, target: { type: 'user', id }, detail }
  },
  endSession: async () => {
    const { id, as } = await makePerson()
    const { data } = await world.expect(200, 'GET', '/v1/auth/sessions', { as })
    const path = `/v1/auth/sessions/${data[0].id}`
    return { method: 'DELETE', path, asking: { as }, target: { type: 'user', id }, detail: { sessionId: data[0].id } }
  },
  endOtherSessions: async () => {
    const { id, as } = await makePerson()
    return { method: 'DELETE', path: '/v1/auth/sessions', asking: { as }, target: { type: 'user', id } }
  },
  changePassword: async () => {
    const { id, as } = await makePerson()
    const body = { currentPassword: password, newPassword: `a ${secret} password` }
    return { method: 'POST', path: '/v1/auth/password', asking: { as, body }, target: { type: 'user', id } }
  },
  resetPassword: async () => {
    const { id, email } = await makePerson()
    const { token } = await makeResetLink(world.database.sql, email, { byMail: false, dropSecondFactor: false })
    const body = { token, password: `a ${secret} password` }
    return {
      method: 'POST',
      path: '/v1/auth/reset-password',
      asking: { as: 'nobody', body },
      target: { type: 'user', id },
    }
  },
  confirmEmail: async () => {
    const { id } = await makePerson()
    const token = await createLink(world.database.sql, id, 'confirmation', { mailed: true })
    const asking: Asking = { as: 'nobody', body: { token } }
    return { method: 'POST', path: '/v1/auth/confirm-email', asking, target: { type: 'user', id } }
  },
  changeUser: async () => {
    const { id, as } = await makePerson()
    const asking = { as, body: { name: 'Kim', locale: 'de' } }
    const detail = { changed: ['name', 'locale'] }
    return { method: 'PATCH', path: '/v1/auth/user', asking, target: { type: 'user', id }, detail }
  },
  deleteUser: async () => {
    const { id, as } = await makePerson()
    const actor = { type: 'user', id, name: null }
    return {
      method: 'DELETE',
      path: '/v1/auth/user',
      asking: { as, body: { password } },
      target: { type: 'user', id },
      actor,
    }
  },
  confirmTotp: async () => {
    const person = await makePerson()
    const { id, as } = person
    const code = await begun(person)
    const askingAnew = async () => ({ as, body: await code() })
    return { method: 'POST', path: '/v1/auth/totp/confirm', askingAnew, target: { type: 'user', id } }
  },
  renewRecoveryCodes: async () => {
    const { id, as, code } = await makeGuarded()
    const askingAnew = async () => ({ as, body: { password, code: code() } })
    return { method: 'POST', path: '/v1/auth/totp/recovery-codes', askingAnew, target: { type: 'user', id } }
  },
  removeTotp: async () => {
    const { id, as, code } = await makeGuarded()
    const askingAnew = async () => ({ as, body: { password, code: code() } })
    return { method: 'DELETE', path: '/v1/auth/totp', askingAnew, target: { type: 'user', id } }
  },
  issueApiKey: async () => {
    const detail = { name: 'till', prefix: expect.stringMatching(/^ces_.{8}$/) }
    return {
      method: 'POST',
      path: '/v1/api-keys',
      asking: { body: { name: 'till' } },
      target: { type: 'api_key' },
      detail,
    }
  },
  revokeApiKey: async () => {
    const { id, prefix } = await make('/v1/api-keys', { name: 'gone' })
    return {
      method: 'DELETE',
      path: `/v1/api-keys/${id}`,
      target: { type: 'api_key', id },
      detail: { name: 'gone', prefix },
    }
  },
  createWebhook: async () => {
    const body = { url: `https://hooks.example.com:8443/${secret}?token=${secret}`, events: ['sale.created'] }
    const detail = { host: 'hooks.example.com:8443', events: ['sale.created'] }
    return { method: 'POST', path: '/v1/webhooks', asking: { body }, target: { type: 'webhook' }, detail }
  },
  changeWebhook: async () => {
    const { id } = await makeWebhook()
    const body = { enabled: false, description: secret }
    const detail = { host: 'hooks.example.com', changed: ['enabled', 'description'], enabled: false }
    return { method: 'PATCH', path: `/v1/webhooks/${id}`, asking: { body }, target: { type: 'webhook', id }, detail }
  },
  deleteWebhook: async () => {
    const { id } = await makeWebhook()
    const detail = { host: 'hooks.example.com' }
    return { method: 'DELETE', path: `/v1/webhooks/${id}`, target: { type: 'webhook', id }, detail }
  },
  rotateWebhookSecret: async () => {
    const { id } = await makeWebhook()
    const detail = { host: 'hooks.example.com' }
    return { method: 'POST', path: `/v1/webhooks/${id}/secret`, target: { type: 'webhook', id }, detail }
  },
  holdWebhook: async () => {
    const { id } = await makeWebhook()
    const detail = { host: 'hooks.example.com' }
    return { method: 'POST', path: `/v1/webhooks/${id}/hold`, target: { type: 'webhook', id }, detail }
  },
  releaseWebhook: async () => {
    const { id } = await anyWebhook()
    await world.expect(200, 'POST', `/v1/webhooks/${id}/hold`)
    const detail = { host: 'hooks.example.com' }
    return { method: 'POST', path: `/v1/webhooks/${id}/release`, target: { type: 'webhook', id }, detail }
  },
  startRecovery: async () => {
    const { webhookId } = await makeFailedDelivery()
    const asking = { body: { since: '2026-01-01T00:00:00Z' } }
    const detail = { webhookId, deliveries: 1 }
    return {
      method: 'POST',
      path: `/v1/webhooks/${webhookId}/recoveries`,
      asking,
      target: { type: 'recovery' },
      detail,
    }
  },
  cancelRecovery: async () => {
    const { webhookId } = await makeFailedDelivery()
    const { id } = await world.expect(202, 'POST', `/v1/webhooks/${webhookId}/recoveries`, {
      body: { since: '2026-01-01T00:00:00Z' },
    })
    const path = `/v1/webhooks/${webhookId}/recoveries/${id}`
    return { method: 'DELETE', path, target: { type: 'recovery', id }, detail: { webhookId } }
  },
  sendOutboundEvent: async () => {
    const { id, webhookId } = await anyFailedDelivery()
    const [row] = await world.database.sql`select event_id from deliveries where id = ${id}`
    const detail = { webhookId, outboundEventId: row!.event_id }
    const path = `/v1/outbound-events/${row!.event_id}/send`
    return { method: 'POST', path, asking: { body: { webhookId } }, target: { type: 'delivery' }, detail }
  },
  testWebhook: async () => {
    const { id } = await anyWebhook()
    const detail = { deliveryId: expect.any(String) }
    return { method: 'POST', path: `/v1/webhooks/${id}/test`, target: { type: 'webhook', id }, detail }
  },
  retryDelivery: async () => {
    const { id, webhookId } = await anyFailedDelivery()
    const path = `/v1/webhooks/${webhookId}/deliveries/${id}/retry`
    return { method: 'POST', path, target: { type: 'delivery', id }, detail: { webhookId } }
  },
  inviteMember: async () => {
    const body = { email: `${secret}@shop.example`, role: 'agent', name: secret }
    const detail = { role: 'agent', emailHash: sha256(body.email.toLowerCase()) }
    return { method: 'POST', path: '/v1/members', asking: { body }, target: { type: 'member' }, detail }
  },
  changeMember: async () => {
    const { id } = await makeMember('rises@shop.example')
    const detail = { from: 'agent', to: 'owner', emailHash: sha256('rises@shop.example') }
    const asking = { body: { role: 'owner' } }
    return { method: 'PATCH', path: `/v1/members/${id}`, asking, target: { type: 'member', id }, detail }
  },
  removeMember: async () => {
    const { id } = await makeMember('leaves@shop.example')
    const detail = { role: 'agent', status: 'invited', emailHash: sha256('leaves@shop.example') }
    return { method: 'DELETE', path: `/v1/members/${id}`, target: { type: 'member', id }, detail }
  },
  changeWorkspace: async () => {
    const detail = { name: 'Other shop', timezone: 'Europe/Berlin' }
    const asking = { body: { name: 'Other shop', timezone: 'europe/berlin' } }
    const target = { type: 'workspace', id: world.workspaceId }
    return { method: 'PATCH', path: '/v1/workspace', asking, target, detail }
  },
  connectChannel: async () => {
    const asking = { body: { kind: 'sandbox', name: 'Sandbox' } }
    const detail = { kind: 'sandbox', name: 'Sandbox', number: null }
    return { method: 'POST', path: '/v1/channels', asking, target: { type: 'channel' }, detail }
  },
  changeChannel: async () => {
    const { id } = await makeChannel()
    const asking = { body: { name: 'Sand' } }
    const detail = { kind: 'sandbox', name: 'Sand', changed: ['name'] }
    return { method: 'PATCH', path: `/v1/channels/${id}`, asking, target: { type: 'channel', id }, detail }
  },
  disconnectChannel: async () => {
    const { id } = await makeChannel()
    const detail = { kind: 'sandbox', name: 'Sandbox' }
    return { method: 'DELETE', path: `/v1/channels/${id}`, target: { type: 'channel', id }, detail }
  },
  testChannel: async () => {
    const { id } = await makeChannel()
    const detail = { kind: 'sandbox', name: 'Sandbox', ok: true }
    return { method: 'POST', path: `/v1/channels/${id}/test`, target: { type: 'channel', id }, detail }
  },
  createWorkflow: async () => {
    const asking = { body: { name: 'Waits', definition } }
    return { method: 'POST', path: '/v1/workflows', asking, target: { type: 'workflow' }, detail: { name: 'Waits' } }
  },
  changeWorkflow: async () => {
    const { id } = await makeWorkflow()
    const asking = { body: { enabled: false, running: 'stop', name: 'Stands' } }
    const detail = { name: 'Stands', changed: ['enabled', 'running', 'name'], enabled: false, running: 'stop' }
    return { method: 'PATCH', path: `/v1/workflows/${id}`, asking, target: { type: 'workflow', id }, detail }
  },
  publishWorkflow: async () => {
    const { id } = await makeWorkflow()
    const detail = { name: 'Waits', version: 1, move: false }
    return { method: 'POST', path: `/v1/workflows/${id}/publish`, target: { type: 'workflow', id }, detail }
  },
  deleteWorkflow: async () => {
    const { id } = await makeWorkflow()
    const detail = { name: 'Waits' }
    return { method: 'DELETE', path: `/v1/workflows/${id}`, target: { type: 'workflow', id }, detail }
  },
  stopRun: async () => {
    const { id, workflowId } = await makeWaitingRun()
    return { method: 'POST', path: `/v1/runs/${id}/stop`, target: { type: 'run', id }, detail: { workflowId } }
  },
  createTemplate: async () => {
    const detail = { name: 'Hello', category: 'utility' }
    return {
      method: 'POST',
      path: '/v1/templates',
      asking: { body: emptyTemplate },
      target: { type: 'template' },
      detail,
    }
  },
  changeTemplate: async () => {
    const { id } = await make('/v1/templates', emptyTemplate)
    const asking = { body: { body: `Bye ${secret}` } }
    const detail = { name: 'Hello', changed: ['body'] }
    return { method: 'PATCH', path: `/v1/templates/${id}`, asking, target: { type: 'template', id }, detail }
  },
  deleteTemplate: async () => {
    const { id } = await make('/v1/templates', emptyTemplate)
    const detail = { name: 'Hello' }
    return { method: 'DELETE', path: `/v1/templates/${id}`, target: { type: 'template', id }, detail }
  },
  createCampaign: async () => {
    const { channelId, templateId } = await makeCampaign()
    const asking = { body: { name: 'Summer', channelId, templateId, audience: { all: true } } }
    return { method: 'POST', path: '/v1/campaigns', asking, target: { type: 'campaign' }, detail: { name: 'Summer' } }
  },
  changeCampaign: async () => {
    const { id } = await makeCampaign()
    const detail = { name: 'Autumn', changed: ['name'] }
    const asking = { body: { name: 'Autumn' } }
    return { method: 'PATCH', path: `/v1/campaigns/${id}`, asking, target: { type: 'campaign', id }, detail }
  },
  deleteCampaign: async () => {
    const { id } = await makeCampaign()
    return {
      method: 'DELETE',
      path: `/v1/campaigns/${id}`,
      target: { type: 'campaign', id },
      detail: { name: 'Spring' },
    }
  },
  startCampaign: async () => {
    const { id } = await makeCampaign()
    const body = { at: '2039-01-01T00:00:00.000Z' }
    const detail = { name: 'Spring', ...body }
    const path = `/v1/campaigns/${id}/start`
    return { method: 'POST', path, asking: { body }, target: { type: 'campaign', id }, detail }
  },
  pauseCampaign: async () => {
    const { id } = await makeCampaign('running')
    return { method: 'POST', path: `/v1/campaigns/${id}/pause`, target: { type: 'campaign', id } }
  },
  resumeCampaign: async () => {
    const { id } = await makeCampaign('paused')
    return { method: 'POST', path: `/v1/campaigns/${id}/resume`, target: { type: 'campaign', id } }
  },
  cancelCampaign: async () => {
    const { id } = await makeCampaign('scheduled')
    return { method: 'POST', path: `/v1/campaigns/${id}/cancel`, target: { type: 'campaign', id } }
  },
  replaceOptOutWords: async () => {
    const target = { type: 'workspace', id: world.workspaceId }
    const asking = { body: { words: ['Basta', 'Genug'] } }
    return { method: 'PUT', path: '/v1/opt-out-words', asking, target, detail: { words: ['Basta', 'Genug'] } }
  },
  liftOptOut: async () => {
    const { id } = await makeCustomer()
    await world.expect(200, 'POST', `/v1/customers/${id}/opt-out`, { body: { reason: secret } })
    const asking = { body: { reason: `Ada ${secret} asked` } }
    return { method: 'POST', path: `/v1/customers/${id}/opt-out/lift`, asking, target: { type: 'customer', id } }
  },
  decideOptOut: async () => {
    const { id } = await makeCustomer()
    const channel = await make('/v1/channels', { kind: 'sandbox', name: 'Decisions' })
    const opened = await make('/v1/conversations', { channelId: channel.id, customerId: id })
    const asking = { body: { decision: 'opted_out' } }
    return {
      method: 'POST',
      path: `/v1/conversations/${opened.id}/opt-out-decision`,
      asking,
      target: { type: 'conversation', id: opened.id! },
      detail: { decision: 'opted_out' },
    }
  },
  eraseCustomer: async () => {
    const { id } = await makeCustomer()
    const actor = { type: 'api_key', id: world.key.id, name: 'shop system' }
    return {
      method: 'DELETE',
      path: `/v1/customers/${id}`,
      asking: { as: 'key' },
      target: { type: 'customer', id },
      actor,
    }
  },
  voidSale: async () => {
    const { id } = await makeSale()
    const asking = { body: { reason: `Ada ${secret} changed her mind` } }
    const detail = { amount: '12.5', currency: 'EUR' }
    return { method: 'POST', path: `/v1/sales/${id}/void`, asking, target: { type: 'sale', id }, detail }
  },
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
    expect(whole.map(({ id }) => id)).toEqual(
      whole
        .map(({ id }) => id)
        .toSorted()
        .reverse(),
    )
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
    expect((await world.expect(400, 'GET', '/v1/audit?actorId=me')).error.details).toHaveProperty('actorId')
    expect((await world.expect(400, 'GET', '/v1/audit?actor=me')).error.details.actor).toContain('actorId')
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
