/**
 * No external text blocks the event loop. The table contains every operation that processes a text in one piece, with
 * its worst input at the maximum size. Operations on several pieces yield between them.
 */
import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import type { TSchema } from '@sinclair/typebox'
import { digitsOf, parseJsonObject } from '../src/api/body.ts'
import { Budget, evaluateCondition, maxTotalCost } from '../src/core/conditions/index.ts'
import { isOptOut, normalizeWord, readOptOut } from '../src/core/opt-out-words.ts'
import { render } from '../src/core/texts.ts'
import { validator } from '../src/core/validate.ts'
import { UpsertCustomer } from '../src/customers/schema.ts'
import { decide } from '../src/events/decide.ts'
import { sizeUpTo } from '../src/events/event-size.ts'
import { RecordEvent, RecordEvents } from '../src/events/schema.ts'
import { renderMessage } from '../src/messaging/campaigns/recipient.ts'
import { providers } from '../src/messaging/channels/providers/index.ts'
import { fillTemplate } from '../src/messaging/templates/content.ts'
import { validateTemplate } from '../src/messaging/templates/policy.ts'
import type { Slices } from '../src/platform/slices.ts'
import { checkSignature } from '../src/webhooks/signatures/diagnosis.ts'
import { explainMismatch } from '../src/webhooks/signatures/explain.ts'
import { matchesReply, normalize } from '../src/workflows/runs/reply.ts'
import { Definition } from '../src/workflows/schema.ts'
import { checkDefinition } from '../src/workflows/validate.ts'
import { longestPieceOf, longestStretch, maxStretchMs, stretchOf } from './support/stretch.ts'
import { eventually, startWorld } from './support/world.ts'

const mib = 1024 * 1024
const bytes = (text: string) => new TextEncoder().encode(text)
const times = <T>(count: number, one: (place: number) => T): T[] =>
  Array.from({ length: count }, (_, place) => one(place))
/** Joins as many pieces as fit `size` bytes, separated by commas. */
const filled = (size: number, piece: (place: number) => string): string => {
  const pieces: string[] = []
  for (let left = size; left > 0; ) {
    const one = piece(pieces.length)
    left -= Buffer.byteLength(one) + 1
    if (left > 0) pieces.push(one)
  }
  return pieces.join(',')
}

/** Functions by name that prepare the worst input, and return the work to measure. */
type Rows<Result = unknown> = Record<string, () => () => Result>

const rowsOf = <Input, Result>(
  what: string,
  inputs: Record<string, Input>,
  make: (input: Input) => () => Result,
): Rows<Result> =>
  Object.fromEntries(Object.entries(inputs).map(([name, input]) => [`${what}: ${name}`, () => make(input)]))

const quietly = (work: () => unknown) => () => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

const namesOf = (size: number) => filled(size, n => `"k${n.toString(36)}":1`)
const shapes = {
  numbers: (size: number) => `[${filled(size, () => '1')}]`,
  'numbers with exponents': (size: number) => `[${filled(size, () => '1e-9')}]`,
  'empty objects': (size: number) => `[${filled(size, () => '{}')}]`,
  'objects of a name each': (size: number) => `[${filled(size, n => `{"k${n.toString(36)}":1}`)}]`,
  names: (size: number) => `{${namesOf(size)}}`,
  'names that are numbers': (size: number) => `{${filled(size, n => `"${n * 97}":1`)}}`,
  'a name that is repeated at the end': (size: number) => `{${namesOf(size)},"k0":1}`,
  texts: (size: number) => `[${filled(size, n => `"${n.toString(36)}"`)}]`,
  'numbers of many digits': (size: number) => `[${filled(size, n => String(9007199254740993n + BigInt(n)))}]`,
  'numbers of 200 digits': (size: number) => `[${filled(size, () => '7'.repeat(200))}]`,
  escapes: (size: number) => `["${'\\u0041'.repeat(size / 6 - 20)}"]`,
  'deep lists': (size: number) => '['.repeat(size / 2) + ']'.repeat(size / 2),
}

const bodies = rowsOf('a body of 1 MiB', shapes, shape => {
  const body = bytes(`{"data":${shape(mib - 20)}}`)
  return () => parseJsonObject(body, { acquire: () => {} })
})

const manyNames = JSON.parse(shapes.names(mib - 200))
const numberedNames = JSON.parse(shapes['names that are numbers'](mib - 200))
const phone = '+4915112345678'
const refused = rowsOf<[TSchema, unknown, count?: number], unknown>(
  'a rejected body',
  {
    'an event with too many names': [RecordEvent, { type: 'a', data: manyNames }],
    'an event with names for a text': [RecordEvent, { type: manyNames }],
    'attributes with too many names': [UpsertCustomer, { phone, attributes: manyNames }],
    'a list that is too long': [RecordEvents, { events: times(mib / 3, () => ({})) }],
    'a text of emoji': [RecordEvent, { type: '😀'.repeat(mib / 4) }],
    // Listing names that are numbers takes three times as long as listing other names.
    '4 events with names that are numbers': [RecordEvent, { type: 'a', data: numberedNames }, 4],
    '4 customers with names that are numbers': [UpsertCustomer, { phone, attributes: numberedNames }, 4],
  },
  ([schema, value, count = 1]) => {
    const check = validator(schema)
    return () =>
      times(
        count,
        quietly(() => check(value)),
      )
  },
)

const sizes: Rows = {
  'the size of many lists': () => () => sizeUpTo(times(mib / 3, () => [])),
  'the size of many names': () => () => sizeUpTo(manyNames),
  'the digits of a body': () => () => digitsOf(bytes(`{${filled(60_000, n => `"k${n}":${n}.5`)}}`)),
}

const whatsapp = providers.whatsapp_cloud.callbacks!
const whatsappCredentials = { phoneNumberId: '1', accessToken: 'x', appSecret: 'y', verifyToken: 'z' } as never
const requestOf = (body: Uint8Array<ArrayBuffer>, headers = {}) => ({
  body,
  headers: new Headers(headers),
  url: 'https://engage.example.com/',
})
const readWhatsapp = (text: string, count = 1) => {
  const request = requestOf(bytes(text))
  return () => times(count, () => whatsapp.read(request, whatsappCredentials))
}
const change = (value: string) => `{"field":"messages","value":{"metadata":{"phone_number_id":"1"},${value}}}`
const callback = (entries: string) => `{"object":"whatsapp_business_account","entry":[${entries}]}`
const most = 3 * mib - 200
const invalidEntries = () => callback(filled(most, () => '1'))

const callbacks: Rows = {
  ...rowsOf('a callback of WhatsApp', shapes, shape => readWhatsapp(shape(most))),
  ...rowsOf(
    'a callback of WhatsApp with changes',
    {
      'of invalid messages': change(`"messages":[${times(400, () => '1')}]`),
      'of empty messages': change(`"messages":[${times(400, () => '{}')}]`),
      'of contacts': change(`"contacts":[${times(1000, () => '{}')}]`),
      'of people': change(`"contacts":[${times(400, n => `{"wa_id":"${n}"}`)}]`),
      'that are invalid': String(times(1000, () => '1')),
      'of other fields': String(times(1000, () => '{"field":"account"}')),
    },
    changes => readWhatsapp(callback(filled(most, () => `{"changes":[${changes}]}`))),
  ),
  ...rowsOf(
    '12 callbacks of WhatsApp with a change',
    { 'of names': shapes.names, 'of names that are numbers': shapes['names that are numbers'] },
    shape => readWhatsapp(callback(`{"changes":[{"field":"messages","value":${shape(1_190_000)}}]}`), 12),
  ),
  'a callback of WhatsApp: invalid entries': () => readWhatsapp(invalidEntries()),
  '8 callbacks of WhatsApp: invalid entries': () => readWhatsapp(invalidEntries(), 8),
  'a callback of WhatsApp: its signature': () => {
    const request = requestOf(new Uint8Array(3 * mib), { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` })
    return () => whatsapp.verify(request, whatsappCredentials)
  },
  ...rowsOf(
    'a callback of Twilio',
    {
      'many parameters': times(1999, n => `${'%C3%A9'.repeat(250)}${n}=${n}`).join('&'),
      'one name': times(1999, n => `a=${'y'.repeat(1500)}${n}`).join('&'),
      escapes: `a=${'%41'.repeat(mib)}`,
      'too many parameters': '&'.repeat(3 * mib),
    },
    text => {
      const request = requestOf(bytes(text), { 'x-twilio-signature': 'a' })
      const credentials = { accountSid: 'AC1', authToken: 'x', from: '+15551234567' } as never
      return quietly(() => providers.twilio_sms.callbacks!.verify(request, credentials))
    },
  ),
}

const maxText = 65_536
const customerTexts = {
  'one that grows by NFKC': '\ufdfa'.repeat(maxText),
  'plain words': 'Where is it? '.repeat(maxText / 13),
  'marks on one letter': `a${'\u0316\u0301'.repeat(maxText / 2)}`,
  'emoji before a word': `${'1\ufe0f\u20e3'.repeat(21_000)}stop`,
  'emoji behind a word': `stop${'1\ufe0f\u20e3'.repeat(21_000)}`,
  'invisible characters': `s${'\u200b'.repeat(maxText - 4)}top`,
  'halves of pairs': '\ud83d'.repeat(maxText),
}

const together = () => new Budget(maxTotalCost)
const messages: Rows = {
  ...rowsOf('a message read for an opt-out', customerTexts, text => () => readOptOut(text)),
  ...rowsOf('a stored reply read for an opt-out', customerTexts, text => () => isOptOut(text, [])),
  '100 opt-out words': () => () => times(100, () => normalizeWord('\ufdfa'.repeat(50))),
  '50 replies compared with 1,000 words': () => () => {
    const exits = times(10, exit => times(100, n => `${'\ufdfa'.repeat(195)}${exit}.${n}`))
    const budget = together()
    for (let reply = 0; reply < 50; reply++)
      for (const exit of exits) matchesReply(exit, `${'\ufdfa'.repeat(250)}${reply}`, budget)
  },
  '1,000 words of marks': () => () => times(1000, n => normalize(`a${'\u0316\u0301'.repeat(98)}${n}`)),
}

const compared = (op: string, value: unknown, path = 'data.a') =>
  ({ any: times(4, () => ({ any: times(50, () => ({ path, op, value })) })) }) as never
const listOf = (digits: number) => times(1000, n => `${'1'.repeat(digits - 6)}${100_000 + n}`)
const nowhere = 'a'.repeat(998)
const conditions: Record<string, [condition: never, data: unknown]> = {
  'texts of 300 digits and a number': [compared('in', listOf(300)), 5],
  'texts of 17 digits and a number': [compared('in', listOf(17)), 5],
  'a number of 300 digits and texts': [
    compared(
      'in',
      times(1000, n => n),
    ),
    '1'.repeat(300),
  ],
  'numbers in a long list': [compared('contains', 5), times(60_000, n => `${10 ** 16}${n}`)],
  'orders of numbers': [compared('gt', '1'.repeat(300)), '2'.repeat(300)],
  'long similar texts': [compared('eq', 'a'.repeat(400_000)), `${'a'.repeat(399_999)}b`],
  'a text within a text': [compared('contains', `${nowhere}ba`), `${nowhere}ab`.repeat(900)],
  'paths that lead nowhere': [compared('eq', 1, `data${'.a'.repeat(8)}`), {}],
}

const id = '01981b7e-3c00-7a51-9a64-1f0f5c3d7e99'
const listening = (where: never) =>
  times(20, n => ({
    ...{ workspaceId: id, workflowId: String(n), name: 'A workflow', enabled: true, version: 1, where, entry: null },
    ...{ type: 'order.created', triggerType: 'order.created', switchedAt: null, switchedBy: null },
  })) as never
const judged: Rows = {
  ...rowsOf(
    'a condition',
    conditions,
    ([condition, a]) =>
      () =>
        evaluateCondition(condition, { data: { a } }, together()),
  ),
  ...rowsOf('an event for 20 filters', conditions, ([condition, a]) => {
    const ids = { workspaceId: id, customerId: null, externalId: null, phone }
    const snapshot = { replays: [], customers: [], listening: listening(condition), nearest: () => null }
    return () => decide([{ ...ids, type: 'order.created', data: { a } } as never], snapshot)
  }),
}

type Next = (ahead: number) => string | null
const steps = (one: (place: number, next: Next) => object) =>
  Object.fromEntries(times(200, n => [`s${n}`, one(n, ahead => (n + ahead < 200 ? `s${n + ahead}` : null))]))
const branching = (conditionOf: (n: number) => object, otherwise: (next: Next) => string | null = () => null) =>
  steps((n, next) => ({ type: 'condition', if: conditionOf(n), then: next(1), else: otherwise(next) }))
const sending = (text: string) => steps((_, next) => ({ type: 'send_message', text, next: next(1) }))
const waiting = (more: (next: Next) => object) =>
  steps((_, next) => ({ type: 'wait_for', timeout: '1h', onTimeout: next(1), ...more(next) }))
const nested = (levels: number, inner: object): object => (levels === 0 ? inner : { all: [nested(levels - 1, inner)] })
const largest = (op: string) => {
  const many = times(50, () => ({ any: times(50, () => ({ any: times(6, () => ({ path: 'data.a', op })) })) }))
  return branching(n => (n === 0 ? nested(20, { all: many }) : { path: 'data.a', op: 'exists' }))
}
const shaped = validator(Definition)
const definitions = rowsOf(
  'a definition',
  {
    'paths that are misspelt': branching(() => ({
      all: times(50, () => ({ path: 'customer.naem', op: 'eq', value: 1 })),
    })),
    conditions: branching(
      () => ({ any: [{ all: times(50, () => ({ path: 'data.a', op: 'eq', value: 1 })) }] }),
      next => next(2),
    ),
    'a wrong comparison deep within': branching(() =>
      nested(25, { all: times(40, () => ({ path: 'data.a', op: 'is' })) }),
    ),
    'one condition of the largest size': largest('eq'),
    'one condition of the largest size, wrong within': largest('e'),
    'a list too long': branching(n => ({ all: times(n === 0 ? 30_000 : 1, () => ({ path: 'data.a', op: 'e' })) })),
    placeholders: sending('{{customer.naem}}'.repeat(150)),
    braces: sending('{{'.repeat(1250)),
    'texts of emoji': sending('😀'.repeat(600)),
    'branches without a wait': waiting(next => ({
      timeout: '1ms',
      any: times(10, n => ({ reply: {}, next: next(n + 2) })),
    })),
    'a circle of short waits': waiting(next => ({
      timeout: '6ms',
      onTimeout: next(1) ?? 's0',
      any: times(10, k => ({ reply: {}, next: next(k + 1) ?? 's0' })),
    })),
    'words of marks': waiting(() => ({
      any: [{ reply: { in: times(6, n => `a${'\u0316\u0301'.repeat(98)}${n}`) }, next: null }],
    })),
    'pairs of a match': waiting(() => {
      const match = Object.fromEntries(times(5, n => [`data.a${n}`, 'customer.naem']))
      return { any: times(10, () => ({ event: 'order.paid', match, next: null })) }
    }),
    'time zones': steps((n, next) => ({
      type: 'delay',
      until: { time: '09:00', zone: `Etc/GMT+${n % 12}` },
      next: next(1),
    })),
    'unknown fields': steps((_, next) => ({
      type: 'exit',
      ...Object.fromEntries(times(150, n => [`reasom${n}`, 1])),
      next: next(1),
    })),
  },
  made => {
    const definition = { trigger: { eventType: 'order.created' }, start: Object.keys(made)[0], steps: made }
    return quietly(() => checkDefinition(shaped(JSON.parse(JSON.stringify(definition))) as never))
  },
)

const largeObject = (count: number) => Object.fromEntries(times(count, n => [`k${n}`, n]))
const templateOf = (body: string, variables: object[]) =>
  ({ id: '', name: '', category: 'utility', body, variables, provider: null }) as never
const variablesOf = (count: number, text: string) => Object.fromEntries(times(count, n => [`v${n}`, text]))
const texts: Rows = {
  ...rowsOf(
    'a text of placeholders, filled with',
    {
      'a large event': () => largeObject(50_000),
      emoji: () => '😀'.repeat(200_000),
      'a long list': () => times(200_000, () => 'a'),
    } as Record<string, () => unknown>,
    a => () => render('{{data.a}}'.repeat(409), { data: { a: a() } } as never),
  ),
  'the 100 texts of a campaign, filled for one customer': () => {
    const attributes = { a: largeObject(1500) }
    const person = { id: '', phone: null, externalId: null, name: '😀'.repeat(200), attributes } as never
    const template = templateOf(times(300, n => `{{v${n % 100}}}`).join(''), [])
    return () => renderMessage(person, template, variablesOf(100, '{{customer.attributes.a}}'.repeat(40)))
  },
  'the 50 variables of a template, filled from a large event': () => {
    const facts = { data: { a: largeObject(50_000) } } as never
    return () => times(50, () => render('{{data.a}}'.repeat(100), facts, 1024))
  },
  'a template': () => {
    const variables = times(50, n => ({ name: `${'v'.repeat(28)}${n}`, sample: '😀'.repeat(200) }))
    return quietly(() => validateTemplate({ name: 'x', body: '{{unknown}}'.repeat(370), variables }))
  },
  'a template, filled': () => {
    const variables = times(50, n => ({ name: `v${n}`, sample: 'x' }))
    const template = templateOf(times(500, n => `{{v${n % 100}}}`).join(''), variables)
    return () => fillTemplate(template, variablesOf(100, '😀'.repeat(1000)))
  },
}

const secret = 'whsec_0123456789abcdef'
const signed = (body: string, digests = 1, key = 'another') => {
  const header = `t=1760000000${`,v1=${createHmac('sha256', key).update(body).digest('hex')}`.repeat(digests)}`
  return { secret, headers: { 'X-Service-Signature': header }, body, at: new Date() }
}
const signedStandard = (body: string, digests = 1) => {
  const digest = createHmac('sha256', 'another').update(body).digest('base64')
  const headers = { 'webhook-id': 'id', 'webhook-timestamp': '1760000000' }
  const signatures = `v1,${digest} `.repeat(digests)
  return { secret, headers: { ...headers, 'webhook-signature': signatures }, body, at: new Date() }
}
const endpoints = times(10, n => ({
  id: String(n),
  url: 'https://a.example',
  secret: `whsec_${n}`,
  previousSecret: null,
}))
const deep = (levels: number, size: number) =>
  `${'{"a":['.repeat(levels)}${filled(size, () => '1')}${']}'.repeat(levels)}`
const signedBodies = {
  'a long body': JSON.stringify({ data: 'x/é'.repeat(30_000) }),
  'a body of names': `{${filled(32_000, n => `"k${n}":1`)}}`,
  'a body of levels': deep(48, 31_000),
  'a body of letters beyond ASCII': JSON.stringify({ data: 'é'.repeat(32_000) }),
  'the largest body of names': `{${filled(128 * 1024 - 2, n => `"k${n}":1`)}}`,
  'the largest body of quotes': '"'.repeat(128 * 1024),
  'the largest body of line ends': '\r\n'.repeat(64 * 1024),
}
const changedTo = (received: (body: string) => string) => (body: string) => () =>
  explainMismatch(
    { ...signed(`1760000000.${body}`, 1, secret), body: received(body) },
    { sentBody: body, endpoints },
    'service',
  )
const mismatches = {
  ...rowsOf(
    'a wrong signature',
    signedBodies,
    body => () => explainMismatch(signed(body, 120), { sentBody: `${body} `, endpoints }, 'service'),
  ),
  ...rowsOf(
    'a wrong signature of Standard Webhooks',
    signedBodies,
    body => () => explainMismatch(signedStandard(body, 150), { sentBody: `${body} `, endpoints }, 'standard'),
  ),
  ...rowsOf(
    'a changed body',
    signedBodies,
    changedTo(body => `${body} .`),
  ),
  ...rowsOf(
    'a changed body',
    { 'a sent body of 1 MiB': `{${filled(mib - 2, n => `"k${n}":1`)}}`, 'a sent body of levels': deep(30, 900_000) },
    changedTo(() => '{}'),
  ),
}
const signatures: Rows = {
  'a signature of malformed digests': () => () =>
    checkSignature({ ...signed('x'), headers: { 'X-Service-Signature': `t=1${',v1=a'.repeat(1600)}` } }),
  'a signature of Standard Webhooks, of malformed digests': () => () =>
    checkSignature({ ...signed('x'), headers: { 'webhook-signature': 'v1,a '.repeat(1600) } }),
}

describe(`blocks other callers for less than ${maxStretchMs} ms`, () => {
  const expectShort = (name: string, ms: number) => {
    if (process.env.STRETCHES) console.log(ms.toFixed(1).padStart(8), name)
    expect(ms).toBeLessThan(maxStretchMs)
  }
  const rows = { ...refused, ...sizes, ...callbacks, ...messages, ...judged, ...definitions, ...texts, ...signatures }
  test.each(Object.entries(rows))('%s', (name, make) => expectShort(name, stretchOf(make())))

  // The service divides this work. Other callers wait for one piece of it.
  const divided: Rows<Slices<unknown>> = { ...bodies, ...mismatches }
  test.each(Object.entries(divided))('%s', (name, make) => expectShort(name, longestPieceOf(make())))
})

test('records 28 concurrent events of 1 MiB without blocking other callers for 100 ms', async () => {
  await using world = await startWorld()
  // Sends from another process, so that the measurement excludes it.
  const sender = `
    const raw = JSON.stringify({ type: 'order.created', phone: '+4915112345678', data: { a: '"'.repeat(500_000) } })
    const headers = { 'Content-Type': 'application/json', 'X-API-Key': process.env.KEY }
    const send = async () => {
      const answer = await fetch(process.env.URL + '/v1/events', { method: 'POST', body: raw, headers })
      await answer.arrayBuffer()
      return answer.status
    }
    console.log(JSON.stringify(await Promise.all(Array.from({ length: 28 }, send))))`
  const { ms, result } = await longestStretch(async () => {
    const env = { KEY: world.key.value, URL: world.url }
    const sending = Bun.spawn([process.execPath, '-e', sender], { env, stdout: 'pipe' })
    return new Response(sending.stdout).json()
  })
  expect(result).toEqual(Array(28).fill(201))
  expect(ms).toBeLessThan(maxStretchMs)
})

test('yields between the steps of a long execution', async () => {
  await using world = await startWorld()
  const { sql } = world.database
  await world.sandbox()
  const steps = 1000
  const text = '{{data.n}} '.repeat(350)
  const say = (n: number) => ({ type: 'send_message', text, next: n + 1 < steps ? String(n + 1) : null })
  const trigger = { eventType: 'long' }
  const id = await world.workflow({ trigger, start: 's', steps: { s: { ...say(0), next: null } } })
  const long = { trigger, start: '0', steps: Object.fromEntries(Array.from({ length: steps }, (_, n) => [n, say(n)])) }
  await sql`update workflow_versions set definition = ${JSON.stringify(long)}::text::jsonb where workflow_id = ${id}`
  const { ms } = await longestStretch(async () => {
    const body = { type: 'long', phone: '+4915112345678', data: { n: 1 } }
    await world.expect(201, 'POST', '/v1/events', { as: 'key', body })
    await eventually('the run ends', async () => {
      const [run] = await sql`select status from workflow_runs where workflow_id = ${id}`
      return run!.status === 'done'
    })
  })
  // About 10 ms, and 90 ms without yielding.
  expect(ms).toBeLessThan(50)
})
