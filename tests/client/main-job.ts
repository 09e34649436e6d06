/**
 * Runs the main job with a client whose types are generated from the published document. It must compile unchanged.
 */
import createClient from 'openapi-fetch'
import type { components, paths } from '../../src/dashboard/api/generated.ts'

type Definition = components['schemas']['WorkflowDefinition']

/** Signs in, sets everything up and records an event. Returns what an integrator would store. */
export const driveMainJob = async (
  baseUrl: string,
  owner: { email: string; password: string },
  receiverUrl: string,
) => {
  const anybody = createClient<paths>({ baseUrl })
  const session = await anybody.POST('/v1/auth/sign-in', { body: { email: owner.email, password: owner.password } })
  if (!session.data) throw new Error(session.error.error.message)
  if (!('token' in session.data))
    throw new Error('this account asks for a code, by POST /v1/auth/sign-in/second-factor')
  const dashboard = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${session.data.token}` } })

  const key = await dashboard.POST('/v1/api-keys', { body: { name: 'generated client' } })
  const webhook = await dashboard.POST('/v1/webhooks', { body: { url: receiverUrl, events: ['message.status'] } })
  await dashboard.POST('/v1/channels', { body: { kind: 'sandbox', name: 'Sandbox' } })
  const definition: Definition = {
    trigger: { eventType: 'order.created' },
    start: 'thanks',
    steps: { thanks: { type: 'send_message', text: 'Thank you, {{customer.name|you}}!', next: null } },
  }
  const workflow = await dashboard.POST('/v1/workflows', { body: { name: 'Thanks', definition } })
  if (!key.data || !webhook.data || !workflow.data) throw new Error('the set-up was refused')
  const params = { path: { id: workflow.data.id } }
  await dashboard.POST('/v1/workflows/{id}/publish', { params })
  await dashboard.PATCH('/v1/workflows/{id}', { params, body: { enabled: true } })

  const shop = createClient<paths>({ baseUrl, headers: { 'X-API-Key': key.data.key } })
  const recorded = await shop.POST('/v1/events', {
    body: { type: 'order.created', phone: '+4915112345678', data: { total: 12.5 }, idempotencyKey: 'client-1' },
  })
  if (!recorded.data) throw new Error(recorded.error.error.message)
  return {
    matchedWorkflows: recorded.data.matchedWorkflows,
    eventId: recorded.data.event.id,
    secret: webhook.data.secret,
  }
}
