import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { faultsOfVariables, fillTemplate, type TemplateContent } from '../../../src/messaging/templates/index.ts'
import { faultsOfTemplate } from '../../../src/messaging/templates/policy.ts'

const template = (
  body: string,
  names: string[] = [],
  provider: TemplateContent['provider'] = null,
): TemplateContent => ({
  id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7b01',
  name: 'Template',
  category: 'utility',
  body,
  variables: names.map(name => ({ name, sample: 'sample' })),
  provider,
})

describe('filling a template', () => {
  test('does not interpret placeholders or patterns in a value', () => {
    const { text } = fillTemplate(template('{{a}} {{ b }}', ['a', 'b']), { a: '{{b}}', b: '$& $1' })
    expect(text).toBe('{{b}} $& $1')
  })

  test('gives a provider the values in the order of the variables, not of the placeholders', () => {
    const provider = { name: 'order', language: 'en_US' }
    const filled = fillTemplate(template('{{b}}, {{a}}', ['a', 'b'], provider), { b: '2', a: '1' })
    expect(filled).toEqual({ text: '2, 1', provider: { ...provider, parameters: ['1', '2'] } })
  })

  test('keeps a text of 4096 characters and truncates values beyond that', () => {
    const long = template(`${'🙂'.repeat(4000)}{{constructor}}{{b}}`, ['constructor', 'b'])
    const { text } = fillTemplate(long, { constructor: '🙃'.repeat(90), b: 'b'.repeat(90) })
    expect(text).toEndWith(`${'🙃'.repeat(90)}bbbbbb`)
  })

  const name = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_]{0,31}$/)
  const words = fc.string({ unit: 'grapheme', maxLength: 200 }).map(text => text.replaceAll(/[{}]/g, ''))
  const written = fc.uniqueArray(name, { maxLength: 10 }).chain(names =>
    fc.record({
      names: fc.constant(names),
      pieces: fc.array(words, { minLength: names.length + 1, maxLength: names.length + 1 }),
      values: fc.array(fc.string({ unit: 'grapheme', maxLength: 2000 }), {
        minLength: names.length,
        maxLength: names.length,
      }),
    }),
  )

  test('keeps the body, yields a valid message and keeps values that fit, for any values', () => {
    fc.assert(
      fc.property(written, ({ names, pieces, values }) => {
        const body = pieces.reduce((before, piece, place) => `${before}{{${names[place - 1]}}}${piece}`)
        const one = template(body, names)
        const given = Object.fromEntries(names.map((name, place) => [name, values[place]!]))
        const { text } = fillTemplate(one, given)
        expect([...text].length).toBeLessThanOrEqual(4096)
        expect(text.isWellFormed()).toBe(true)
        const whole = pieces.reduce((before, piece, place) => before + values[place - 1] + piece)
        if ([...whole].length <= 4096) expect(text).toBe(whole.toWellFormed())
        expect(faultsOfVariables(one, given)).toEqual([])
        if (body.trim() !== '' && !/\p{Cc}/u.test(body)) expect([...faultsOfTemplate(one)]).toEqual([])
      }),
    )
  })
})

test('values are required for each variable and rejected for others', () => {
  expect([...faultsOfVariables(template('{{a}}{{b}}', ['a', 'b']), { b: '', c: 'x' })]).toEqual([
    ['a', 'Is required by the template.'],
    ['c', 'Is not a variable of the template. Its variables are a, b.'],
  ])
  const none = 'Is not a variable of the template, which has none. Remove it.'
  expect([...faultsOfVariables(template('Hello'), { a: 'x' })]).toEqual([['a', none]])
})

const unclosed = 'body: Contains {{ outside a placeholder. Write a placeholder as {{name}}.'
const nameless = 'body: Contains {{}} without a name. Write a placeholder as {{name}}.'
const control = 'body: Contains a control character other than line ends and tabs. Remove it.'
const undeclared = (name: string) =>
  `body: Contains {{${name}}}, which is not declared in variables. Declare or remove it.`
const unused = (place: number, name: string) =>
  `variables.${place}.name: Is not used: the body does not contain {{${name}}}. Use or remove it.`
test.each<[body: string, names: string, ...faults: string[]]>([
  ['Hello {{name}}', 'name'],
  ['Hello', ''],
  ['مرحبا {{name}}، طلبك \u200f{{order}}\u200f', 'name order'],
  ['👩‍👩‍👧 {{name}}\n\tand more', 'name'],
  ['{ } }} {{{name}}}', 'name'],
  ['{{ name }} {{name}}', 'name'],
  ['{{name', '', unclosed],
  ['{{{{name}}}}', 'name', unclosed],
  ['{{}}', '', nameless],
  ['{{  }}', '', nameless],
  ['{{nmae}}', 'name', undeclared('nmae'), unused(0, 'name')],
  ['{{Name}}', 'name', undeclared('Name'), unused(0, 'name')],
  ['{{a}}', 'a b', unused(1, 'b')],
  ['{{a}}', 'a a', 'variables.1.name: Is declared twice. Declare each variable once.'],
  ['a\u0007b', '', control],
  ['a\u0085b', '', control],
])('the template %j with the variables %j is rejected', (body, names, ...faults) => {
  const found = faultsOfTemplate(template(body, names.split(' ').filter(Boolean)))
  expect([...found].map(([field, message]) => `${field}: ${message}`)).toEqual(faults)
})

test('the error of a long unknown name contains only its beginning', () => {
  const [[, message]] = [...faultsOfTemplate(template(`{{${'x'.repeat(3000)}}}`))] as [[string, string]]
  expect(message.length).toBeLessThan(150)
})
