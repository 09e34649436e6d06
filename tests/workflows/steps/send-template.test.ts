import { describe, expect, test } from 'bun:test'
import { sendTemplate } from '../../../src/workflows/steps/send-template.ts'
import { channel, facts, noon, visit } from './visit.ts'

const templateId = '01981b7e-3c00-7a51-9a64-1f0f5c3d7f09'
const template = {
  id: templateId,
  name: 'Welcome',
  category: 'utility' as const,
  body: 'Hello {{name}}, {{total}}',
  variables: [
    { name: 'name', sample: 'Ana' },
    { name: 'total', sample: '1' },
  ],
  provider: { name: 'welcome', language: 'en' },
}
const hello = {
  type: 'send_template' as const,
  templateId: templateId.toUpperCase(),
  variables: { name: '{{customer.name|there}}', total: '{{data.total}}' },
  next: 'after',
}
const seen = (other: Parameters<typeof visit>[0] = {}) => visit({ templates: { [templateId]: template }, ...other })

test('queues the filled template with the parameters of its provider', () => {
  expect(sendTemplate.enter(hello, seen())).toEqual({
    outcome: 'queued',
    effects: [
      {
        kind: 'queue_message',
        text: 'Hello Ana, 120',
        template: {
          id: templateId,
          marketing: false,
          provider: { name: 'welcome', language: 'en', parameters: ['Ana', '120'] },
        },
        channelId: 'first',
        handle: '+4915112345678',
        skipped: null,
      },
    ],
    next: 'after',
  })
})

test('is skipped if the template was removed, or has a new variable without a value', () => {
  const variables = [...template.variables, { name: 'shop', sample: 'Ours' }]
  const grown = { ...template, body: `${template.body} {{shop}}`, variables }
  for (const templates of [undefined, { [templateId]: grown }])
    expect(sendTemplate.enter(hello, visit(templates && { templates }))).toEqual({
      outcome: 'skipped',
      detail: { reason: 'no_template' },
      next: 'after',
    })
})

describe('is stored as skipped', () => {
  const { customer } = facts()
  const marketing = { templates: { [templateId]: { ...template, category: 'marketing' as const } } }
  const windowed = (windowClosesAt: string | null) => [channel({ windowHours: 24, windowClosesAt })]
  const local = { templates: { [templateId]: { ...template, provider: null } } }
  test.each([
    ['plan', { plan: { workflows: false } }, 'The plan does not include workflows.'],
    ['opted_out', { customer: { ...customer, optedOut: true } }, 'The customer has opted out.'],
    ['no_opt_in', { ...marketing, customer: { ...customer, optedIn: false } }, 'The customer has not opted in.'],
    ['window_closed', { channels: windowed(null) }, 'The messaging window of the provider has closed.'],
    [
      'window_closed',
      { ...local, channels: [channel({ templates: true, windowHours: 24, windowClosesAt: noon.toISOString() })] },
      'The messaging window of the provider has closed.',
    ],
  ])('%s', (reason, other, skipped) => {
    const done = sendTemplate.enter(hello, seen(other))
    expect(done).toMatchObject({ outcome: 'skipped', detail: { reason }, next: 'after' })
    expect(done.effects).toMatchObject([{ kind: 'queue_message', text: 'Hello Ana, 120', skipped }])
  })

  test('but not if the window is open or the provider allows templates', () => {
    const later = new Date(noon.getTime() + 1).toISOString()
    const passing = [windowed(later), [channel({ templates: true, windowHours: 24 })]]
    expect(passing.map(channels => sendTemplate.enter(hello, seen({ channels })).outcome)).toEqual(['queued', 'queued'])
  })
})

test('sends a marketing template to a customer who opted in', () => {
  const marketing = { [templateId]: { ...template, category: 'marketing' as const } }
  const [effect] = sendTemplate.enter(hello, visit({ templates: marketing })).effects!
  expect(effect).toMatchObject({ template: { marketing: true }, skipped: null })
})

test('ignores a disconnected channel', () => {
  const channels = [channel({ id: 'gone', connected: false }), channel({ id: 'second' })]
  const [effect] = sendTemplate.enter(hello, seen({ channels })).effects!
  expect(effect).toMatchObject({ channelId: 'second' })
  expect(sendTemplate.enter({ ...hello, channelId: 'gone' }, seen({ channels }))).toMatchObject({
    outcome: 'skipped',
    detail: { reason: 'no_channel' },
  })
})

test('references the template with its variables, and the channel', () => {
  expect([...sendTemplate.references!({ ...hello, channelId: 'one' })]).toEqual([
    {
      kind: 'template',
      id: hello.templateId,
      field: 'templateId',
      variables: hello.variables,
      variablesField: 'variables',
    },
    { kind: 'channel', id: 'one', field: 'channelId' },
  ])
})
