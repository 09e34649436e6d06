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

const faultsOf = (body: string, names: string[] = []) => Object.fromEntries(faultsOfTemplate(template(body, names)))

describe('filling a template', () => {
  test('replaces every placeholder by its value, with or without white space in the braces', () => {
    const { text } = fillTemplate(template('{{a}} {{ b }} {{a}}', ['a', 'b']), { a: '1', b: '2' })
    expect(text).toBe('1 2 1')
  })

  test('does not interpret placeholders or patterns in a value', () => {
    const { text } = fillTemplate(template('{{a}}{{b}}', ['a', 'b']), { a: '{{b}}', b: '$& $1' })
    expect(text).toBe('{{b}}$& $1')
  })

  test('gives a provider the values in the order of the variables, not of the placeholders', () => {
    const provider = { name: 'order', language: 'en_US' }
    const filled = fillTemplate(template('{{b}}, {{a}}', ['a', 'b'], provider), { b: '2', a: '1' })
    expect(filled).toEqual({ text: '2, 1', provider: { ...provider, parameters: ['1', '2'] } })
  })

  test('treats a name that every object inherits like any other', () => {
    const one = template('{{constructor}}', ['constructor'])
    expect(fillTemplate(one, {}).text).toBe('')
    expect(fillTemplate(one, { constructor: 'x' }).text).toBe('x')
    expect(faultsOfVariables(one, {})).toEqual([['constructor', expect.any(String)]])
  })

  test('keeps a text of 4096 characters and truncates values beyond that', () => {
    const { text } = fillTemplate(template(`${'🙂'.repeat(4000)}{{a}}{{b}}`, ['a', 'b']), {
      a: '🙃'.repeat(90),
      b: 'b'.repeat(90),
    })
    expect([...text]).toHaveLength(4096)
    expect(text.endsWith(`${'🙃'.repeat(90)}bbbbbb`)).toBe(true)
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

describe('the values of variables', () => {
  test('are required for each variable and rejected for others', () => {
    const faults = Object.fromEntries(faultsOfVariables(template('{{a}}{{b}}', ['a', 'b']), { b: '', c: 'x' }))
    expect(faults).toEqual({
      a: 'Is required by the template.',
      c: 'Is not a variable of the template. Its variables are a, b.',
    })
  })

  test('are rejected for a template without variables', () => {
    expect(faultsOfVariables(template('Hello'), { a: 'x' })).toEqual([
      ['a', 'Is not a variable of the template, which has none. Remove it.'],
    ])
  })
})

describe('the errors of a template', () => {
  test.each([
    ['Hello {{name}}', ['name']],
    ['Hello', []],
    ['مرحبا {{name}}، طلبك \u200f{{order}}\u200f', ['name', 'order']],
    ['👩‍👩‍👧 {{name}}\n\tand more', ['name']],
    ['{ } }} {{{name}}}', ['name']],
    ['{{ name }} {{name}}', ['name']],
  ])('are empty for %j', (body, names) => {
    expect(faultsOf(body, names)).toEqual({})
  })

  test.each<[string, string[], Record<string, string>]>([
    ['{{name', [], { body: 'Contains {{ outside a placeholder. Write a placeholder as {{name}}.' }],
    ['{{{{name}}}}', ['name'], { body: 'Contains {{ outside a placeholder. Write a placeholder as {{name}}.' }],
    ['{{}}', [], { body: 'Contains {{}} without a name. Write a placeholder as {{name}}.' }],
    ['{{  }}', [], { body: 'Contains {{}} without a name. Write a placeholder as {{name}}.' }],
    [
      '{{nmae}}',
      ['name'],
      {
        body: 'Contains {{nmae}}, which is not declared in variables. Declare or remove it.',
        'variables.0.name': 'Is not used: the body does not contain {{name}}. Use or remove it.',
      },
    ],
    ['{{a}}', ['a', 'b'], { 'variables.1.name': 'Is not used: the body does not contain {{b}}. Use or remove it.' }],
    ['{{a}}', ['a', 'a'], { 'variables.1.name': 'Is declared twice. Declare each variable once.' }],
    [
      '{{Name}}',
      ['name'],
      {
        body: 'Contains {{Name}}, which is not declared in variables. Declare or remove it.',
        'variables.0.name': 'Is not used: the body does not contain {{name}}. Use or remove it.',
      },
    ],
    ['a\u0007b', [], { body: 'Contains a control character other than line ends and tabs. Remove it.' }],
    ['a\u0085b', [], { body: 'Contains a control character other than line ends and tabs. Remove it.' }],
  ])('for %j with %j', (body, names, faults) => {
    expect(faultsOf(body, names)).toEqual(faults)
  })

  test('contain only the beginning of a long unknown name', () => {
    expect(faultsOf(`{{${'x'.repeat(3000)}}}`).body!.length).toBeLessThan(150)
  })
})
