/**
 * No external text makes a regular expression slow. The table contains every expression in src: with its worst case at
 * the maximum input size, or with the reason why it never reads external text.
 */
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { describeOperations } from '../../src/app/cli/openapi.ts'
import { PullQuery } from '../../src/webhooks/outbound-events/index.ts'

const src = resolve(import.meta.dir, '../../src')

/** Returns the expressions in a TypeScript source: literals and the arguments of `RegExp`. */
const expressionsIn = (text: string): string[] => {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text)
    else if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText().endsWith('RegExp'))
      found.push(`RegExp(${node.arguments?.map(argument => argument.getText()).join(', ') ?? ''})`)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest, true))
  return found
}

/**
 * Folders whose expressions read only the operator's settings or our own programs. The dashboard's expressions run in
 * the user's browser.
 */
const inside = /^(app\/cli|dashboard|platform\/embedded-postgres|config\.ts)/

/** The expressions of each file. */
const written = new Map(
  readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts') && !inside.test(path))
    .map(path => [path, [...new Set(expressionsIn(readFileSync(join(src, path), 'utf8')))]] as const),
)

const operations = describeOperations()

const body = 1024 * 1024
const header = 16 * 1024
/** Maximum characters of a message's text. */
const message = 4096
/** Maximum stored characters of a provider's message. */
const keptMessage = 65_536
/** Maximum characters of an event type, or of an unknown field that is examined further. */
const name = 200

/** Returns a text of at most `size` characters that repeats the part between « and ». */
const textOf = (worst: string, size: number): string => {
  const [begin = '', piece, end = ''] = worst.split(/[«»]/)
  return piece ? begin + piece.repeat(Math.floor((size - begin.length - end.length) / piece.length)) + end : begin
}

/** The most expensive texts of each expression, as `before«repeated»after`. Each expression also gets texts that repeat one character. */
const seesOutside: [expression: RegExp, maxSize: number, ...worst: string[]][] = [
  // Text and sender of a customer's message. Longer texts are not searched.
  [/\p{Default_Ignorable_Code_Point}/gu, message, '«\u200b»'],
  [/[\s\p{Z}\p{Cc}]+/gu, message, '« »', '« a»'],
  [/\P{M}*\p{M}{0,20}/gu, 1000, '«\u0316\u0301»', '«a\u0301»'],
  [
    /\p{Emoji_Presentation}|\p{Emoji}\ufe0f\u20e3?|[0-9#*]\u20e3|[\u2120\u2122]|(?<letter>[\p{L}\p{N}])/gu,
    keptMessage,
    '«1\ufe0f\u20e3»',
    '«\u{1f6d1}»',
    '«#»a',
  ],
  [/[\ufe0f\u20e3\udc00-\udfff]/, 1, '\ufe0f', 'a'],
  [/\p{Pd}/gu, message, '«-»'],
  [/\p{Emoji_Presentation}|\p{Emoji}\ufe0f\u20e3?|[0-9#*]\u20e3|[\u2120\u2122]/gu, message, '«1»', '«1\ufe0f»'],
  // Names in mails: 100 characters, which NFKC can expand 18-fold.
  [/[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, message, '«\u200b»'],
  [/["\u201C\u201D\u201E\u00AB\u00BB]/g, message, '«"»'],
  [/[:/\\@](?=\S)|(?<=\S)[.\u3002](?=\S)/gu, message, '«:»', '«: »', '«.a»'],
  // Names and values of custom headers.
  [/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, body, '«a»'],
  [/^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/, message, 'a« »', '«a »\n'],
  [/[\p{L}\p{N}]/u, message, '«\u0301»'],
  [/\p{M}|\u200d|\ufe0f/u, message, '«a»'],
  [/[^\p{L}\p{N}\p{M}]+/gu, message, '«.»', '«.a»'],
  [/[\p{L}\p{N}]\p{M}*/gu, message, 'a«\u0301»', '«a\u0301»'],
  [/[\p{L}\p{N}\p{M}-]+/gu, message, '«a»', '«a.»'],
  [/^\+[1-9][0-9]{6,14}$/, body, '+«9»'],
  // Query parameters, headers and path parameters. Also a second-factor code, and a mail subject that contains a
  // workspace name.
  [/[\s-]/g, name, '« -»'],
  // Text of a search, and its words without accents.
  [/[\s,;()[\]"\u201c\u201d\u201e]+/u, name, '«,»', '«a »'],
  [/^[\p{Pd}'\u2019]+|[\p{Pd}'\u2019]+$/gu, name, '«-»', '«-»a', 'a«-»a'],
  [/[\u0300-\u036f]+/g, name * 3, '«\u0301»', '«a\u0301»'],
  [/[\p{Pd}'\u2019]/gu, name * 3, '«-»'],
  [/[a-z0-9]{3}/, name * 3, '«ab »'],
  // A phone number as a person types or pastes it into a search.
  [/[\s\p{Cf}\p{Pd}()./]/gu, name, '«(-»', '«\u202a»'],
  [/^[\d\s\p{Cf}\p{Pd}()./]+$/u, name, '«1»!'],
  [/\D/g, name, '«a»'],
  [/^0+/, name, '«0»'],
  // Field names of a rejected event. Longer names are not examined.
  [/^(?!.*\d{4})[\p{L}_$][\p{L}\p{N}_$.:-]*$/u, name, '«a1»!', '«123a»'],
  [/^tel:/i, name, '«tel:»'],
  [/^00|^\+/, name, '«0»'],
  [/\s+/g, name, '« »', '« a»'],
  [/^\d{1,9}$/, header, '«9»'],
  [/^[1-9]\d{0,8}$/, header, '«9»'],
  [/[?#]/, header, '«a»'],
  [/^(true|false)$/, header, '«true»'],
  [/^\S+ +/, header, '«a»', 'a« »a'],
  [/^[\x20-\x7e]*$/, header, '«a»\x7f'],
  [/^"([^"\\]*)"$/, header, '"«a»', '"«a»"x'],
  [/^Bearer +(\S+)$/i, header, 'Bearer« »', 'Bearer «a» '],
  [/^[A-Za-z0-9._:/+=@-]{1,128}$/, header, '«a»', '«a»"'],
  [/^ces_[A-Za-z0-9_-]{43}$/, header, '«ces_»'],
  [/^cest_[A-Za-z0-9_-]{43}$/, header, '«cest_»'],
  [/^s([0-9a-z]{1,10})$/, header, 's«a»'],
  [/^\/v1\/(events|customers)(\/|$)/, header, '«/v1/events»'],
  [/woocommerce/i, header, '«woocommerc»'],
  [/shopify/i, header, '«shopif»'],
  [/magento|adobe ?commerce/i, header, '«adobe »', '«adobe commerc»'],
  [/prestashop/i, header, '«prestasho»'],
  [/shopware/i, header, '«shopwar»'],
  [/opencart/i, header, '«opencar»'],
  [/bigcommerce/i, header, '«bigcommerc»'],
  [/\bwix/i, header, '«wi»', '« wi»'],
  [/squarespace/i, header, '«squarespac»'],
  [/ecwid/i, header, '«ecwi»'],
  [/vtex/i, header, '«vte»'],
  [/oxid/i, header, '«oxi»'],
  [/jtl[- ]?(shop|connector)/i, header, '«jtl-»', '«jtl sho»'],
  [/[\\%_]/g, header, '«%»'],
  // Fields of a body.
  [/[._\-\s]+/g, name, '«a.»', '« »a'],
  [/[_\-\s]/g, name],
  [/[\u{10000}-\u{10ffff}]/gu, body, '«😀»', '«\ud83d»'],
  [
    /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/,
    body,
    '2026-03-01T09:30:00.«9»',
  ],
  [/^(\d{1,10})(ms|s|m|h|d)$/, body, '9«m»'],
  [
    /^P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,8}(?:\.\d{1,3})?)S)?)?$/,
    body,
    'PT«9»',
    'P1W1DT1H1M1.«9»',
    'P«1W»',
  ],
  [/\{\{([^{}]*)\}\}/g, message, '«{{a»', '{{«|»', '{{«a|»', '{{« »|', '«{{a|»}', '«{{»}}', '«{{a}»'],
  [/[\t\n\r]/g, message, '«\t»'],
  [/[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u, message, '« »', '«\u200b»'],
  [/[\p{Cc}\p{Default_Ignorable_Code_Point}]/u, 320, '«a»'],
  [/\\(.)|"/gsu, 320, '«\\»', '«"»'],
  [/\p{Cc}/u, message, '«a»'],
  // Numbers as PostgreSQL writes them. Also a finite number, which has few digits before its decimal point.
  [/\d{16}/, body, `«${'9'.repeat(15)},»`],
  [/^(-?)(\d+)(?:\.(\d+))?(?:[eE]\+?(\d+))?$/, body, '«9»x', '9007199254740993.«0»x', '1e+«0»x'],
  [/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/, body, '«9»x', '9.«0»x', '1e+«0»x'],
  // Reads at most a hundred characters.
  [/^(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/, name, '«9»', '9.«9»e'],
  [/^[A-Za-z][A-Za-z0-9_?-]{0,63}$/, body],
  [/^(\.[^.\s]+)+$/, message, '«.a».', '.«a» ', '«.a» '],
  [/^event\.(?=data\.)/, message, '«event.»'],
  // Names in a definition: attributes, a time zone.
  [/^[A-Za-z0-9_-]{1,100}$/, message, '«a»', '«a» '],
  [/^[A-Za-z]/, message, '«a»'],
  // A customer's answer after its characters are expanded, and a single character of it.
  [/\s+/u, 20 * message, '« »', '« a»'],
  [
    /^(?:\s|\p{P}|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Default_Ignorable_Code_Point})$/u,
    message,
    '« »',
    '«!»',
  ],
  [/\.$/, body, '«.»x'],
  [/0000$/, body, '«0»1'],
  // Accept-Encoding and If-None-Match headers of a browser, and the host of an endpoint.
  [/^\s*q\s*=\s*([\d.]+)\s*$/, header, '« »', 'q« »', 'q=«1»x'],
  [/^W\//, header],
  [/^(localhost|127(\.\d{1,3}){3}|\[::1\])$/, header, '127«.1»'],
  // Input of the signature check.
  [/^[0-9]{1,11}$/, header],
  [/^[0-9]{12,}$/, header, '«9»x'],
  [/,\s+v1=/, header, ',« »', '«, »', '«, v1»'],
  [/^[0-9a-f]{64}$/, header],
  [/^[0-9a-fA-F]{64}$/, header],
  [/^[0-9a-f]*$/, header, '«a»x'],
  [/^[A-Za-z0-9+/]*=$/, header, '«a»', '«a»x'],
  [/[_-]/, header, '«a»'],
  [/^(whsec_)?[A-Za-z0-9+/]{43}=$/, body, '«a»', 'whsec_«a»'],
  [/^(["'])(.*)\1$/g, body, "'«'»\"", '"«a»'],
  [/^whsec_/, body, '«whsec_»'],
  [/^\ufeff/, body, '«\ufeff»'],
  [/\r?\n$/, body, '«\n»x', '«\r\n»x'],
  [/\r?\n/g, body, '«\r\n»'],
  [/[\u0080-\uffff]/g, body, '«ß»'],
  // The URL of an endpoint.
  [/[\p{Z}\p{Cc}]/u, body],
  [/[^\u0021-\u007e]/, body],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
  [/^[\u0000-\u007f]*$/, body],
  [/^([A-Za-z][A-Za-z0-9+.-]*:\/\/)([^/?#]*)(.*)$/su, body, 'a://«x»'],
  [/^[^@:[\]\\%]+/, body],
  [/[^\p{ASCII}\p{Z}\p{Cc}\p{Cs}]+/gu, body, '«ß»', '«ßa»'],
  [/%(?![0-9A-Fa-f]{2})/, body, '«%ff»', '«%f0%f0»'],
  [
    /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)(\/[^?#]*)?(\?[^#]*)?(#.*)?$/,
    body,
    'a://«x»#\n',
    'a://«/»#\n',
    'a://«?»#\n',
    'a://«#»\n',
  ],
  [/^(\[[^[\]]*\]|[^:[\]]*)(?::([^:[\]]*))?$/, body, '[«a»][', 'a:«a»:'],
  [/[[\]]|:.*:/, body, ':«a»', '«:\n»'],
  [/[^a-z0-9._-]/, body],
  [/^(?:W\/)?"[^"]*"$/, 1000, '"«a»', 'W/"«a»"x'],
  [/^(?:[0-9]+|0x[0-9a-f]*)$/, body, '«9»x', '0x«f»x'],
  [/^[1-9][0-9]{0,4}$/, body],
  [/^\[|\]$/g, body, '«]»x'],
  // Answers and callbacks of providers.
  [/[\ud800-\udbff]$/, body, '«\ud800»x'],
  [/^[1-9][0-9]{6,14}$/, body],
  [/^[A-Za-z0-9][A-Za-z0-9._:@+-]*$/, body, '«a»'],
  [/^[0-9]{1,12}$/, body],
  [/^\d{10}$/, body],
  [/[^0-9]/g, body, '«+»'],
  [/:\d+$/, header, ':«9»x', '«:9»x'],
  // The traceparent of an event, and lines of the log.
  [/^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32}-(?!0{16})[0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/, header, '00-«0»'],
  [/^/gm, body, '«\n»x'],
  [/^[^\s"\p{C}]+$/u, body],
  [/[^\P{Cc}\n]/gu, body, '«\u0001»x'],
  // An IP address of at most 45 characters. Longer texts are rejected first.
  [/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, 45, '::«9»', '::«9.»'],
]

const paths = 'our own paths'
const codes = 'the codes of errors, and what the driver says'
/** Other expressions never read long external text: their number by file, and what they read. */
const ownTexts: Record<string, [count: number, read: string]> = {
  'api/app.ts': [3, paths],
  'api/docs/client/code.ts': [1, 'our documentation'],
  'api/docs/client/docs.ts': [1, 'our documentation'],
  'api/docs/client/store.ts': [1, 'our documentation'],
  'api/docs/collections.ts': [1, 'our documentation'],
  'api/docs/markdown.ts': [5, 'our documentation'],
  'api/docs/plain.ts': [4, 'our documentation'],
  'api/docs/samples.ts': [2, 'our documentation'],
  'api/document/openapi.ts': [1, paths],
  'api/requirements.ts': [4, paths],
  'app/start-error.ts': [6, codes],
  'app/tasks/pool.ts': [2, codes],
  'core/opt-out-words.ts': [1, 'at most 1,000 characters of a message, timed in tests/longest-stretch.test.ts'],
  'core/validate.ts': [1, 'our own schemas'],
  'events/record-round.ts': [1, codes],
  'messaging/channels/providers/send-request.ts': [1, codes],
  'platform/mailer.ts': [1, 'the host of a setting'],
  'platform/postgres/bisect.ts': [1, codes],
  'platform/postgres/citus-cell.ts': [1, 'our migrations'],
  'platform/postgres/client.ts': [2, codes],
  'platform/postgres/migration-file.ts': [9, 'our migrations'],
  'platform/postgres/target.ts': [3, 'the URL of the database'],
  'webhooks/deliveries/attempt.ts': [7, codes],
  'workflows/runs/failures.ts': [3, codes],
}

/** Maximum milliseconds for a body: many times the time of a linear expression, and a small part of any other's. */
const maxMs = 100
/** Sample size for texts without a known worst case. */
const sample = 16 * 1024
const maxSampleMs = 50

/**
 * Measures processor time, because other processes can take wall time. Retries a slow result twice, because the first
 * call may include compilation.
 */
const isQuick = (expression: RegExp, given: string, withinMs: number, tries = 3): boolean =>
  Array.from({ length: tries }).some(() => {
    const before = process.cpuUsage()
    if (expression.global) given.replaceAll(expression, '')
    else expression.test(given)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000 < withinMs
  })

const letters = ['a', 'A', '9', '0', ' ', '\n', '.', ':', '/', '-', '_', '"', '\\', '{', '[', '@', '%', 'ß']

/** Returns the beginnings of the texts that take too long. */
const slowAmong = (expression: RegExp, size: number, worst: string[]): string[] =>
  [
    ...worst.map(given => textOf(given, size)).filter(given => !isQuick(expression, given, maxMs)),
    ...letters
      .map(letter => textOf(`«${letter}»!`, Math.min(size, sample)))
      .filter(given => !isQuick(expression, given, maxSampleMs)),
  ].map(given => given.slice(0, 40))

test('the table contains every expression that reads external text, and no other', () => {
  const known = new Set(seesOutside.map(([expression]) => String(expression)))
  const others = [...written].map(([path, all]) => [path, all.filter(one => !known.has(one)).length] as const)
  expect(Object.fromEntries(others.filter(([, count]) => count > 0))).toEqual(
    Object.fromEntries(Object.entries(ownTexts).map(([path, [count]]) => [path, count])),
  )
  const all = [...written.values()].flat()
  expect([...known].filter(one => !all.includes(one))).toEqual([])
})

const named = seesOutside.map(row => [String(row[0]), row] as const)

test.each(named)('%s is quick for any text', (_, [expression, size, ...worst]) => {
  expect(slowAmong(expression, size, worst)).toEqual([])
})

/** Returns the patterns of request schemas, which `format` and the validator turn into expressions. */
const patternsOf = (schema: unknown): string[] => {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([keyword, inner]) =>
    keyword === 'pattern' && typeof inner === 'string' ? [inner] : patternsOf(inner),
  )
}

/** Texts that match a pattern up to their last character. */
const nearlyFitting: Record<string, string[]> = {
  '^(?:[0-9]{1,10}(?:ms|s|m|h|d)|P(?=[0-9T])(?:[0-9]{1,4}W)?(?:[0-9]{1,4}D)?(?:T(?=[0-9])(?:[0-9]{1,6}H)?(?:[0-9]{1,6}M)?(?:[0-9]{1,8}(?:[.][0-9]{1,3})?S)?)?)$':
    ['«9»', 'PT«9»'],
  '^(me|none|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$': ['«a»', '«me»'],
  '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}(,[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}){0,99}$': [
    '«00000000-0000-0000-0000-000000000000,»x',
    '«a»',
  ],
  '^([1-5]([0-9]{2}|xx)|none)$': ['«5»', '5«x»'],
  [PullQuery.properties.types['x-published'].pattern]: ['«ping,»x'],
  "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$": ['«a» '],
  '^[A-Za-z0-9_-]{1,100}$': ['«a» '],
  '^[Hh][Tt][Tt][Pp][Ss]?://[^/]': ['«h»', 'https:«/»'],
  '^[\\x21-\\x7e](?:[\\x20-\\x7e\\t]*[\\x21-\\x7e])?$': ['«a»\n', 'a« »'],
  '^[!-~]*$': ['«a» '],
  '^[0-9]*$': ['«9»x'],
  '^[a-z][a-z0-9_-]*$': ['a«a» '],
  '^AC[0-9A-Za-z]+$': ['AC«a»_'],
  '^MG[0-9A-Za-z]+$': ['MG«a»_'],
  '^(whatsapp:)?\\+[1-9][0-9]{6,14}$|^[0-9]{3,8}$|^(?=.*[A-Za-z])[0-9A-Za-z ]{1,11}$': ['whatsapp:+«9»', '«9»', '« »a'],
  '\\S': [],
  '^[!-~]+$': ['«a» '],
  '^[A-Z]{3}$': [],
  '^[A-Za-z]': [],
  '^[A-Za-z0-9][A-Za-z0-9_]*$': ['«a» '],
  '^[A-Za-z]{2,3}([_-][A-Za-z0-9]{2,8}){0,2}$': ['aa«_aa»_', 'aa«-aaaaaaaa»!'],
  '^[^\\u0000]*$': ['«a»\0'],
  '^[^\\s@]+@[^\\s@]+$': ['«a» ', 'a@«a»@', '«a@»'],
  '^[+ ][1-9][0-9]{6,14}$': ['+«9»'],
  '^\\+[1-9][0-9]{6,14}$': ['+«9»'],
  '^[A-Za-z][A-Za-z0-9_?-]{0,63}$': [],
  '^([01][0-9]|2[0-3]):[0-5][0-9]$': [],
  '^(now|(data|event|customer|answer|trigger\\.data)(\\.[A-Za-z0-9_-]{1,100}){1,8})$': [
    'data.«a»',
    'trigger.data«.a»',
    `data«.${'a'.repeat(100)}»`,
  ],
  '^data(\\.[A-Za-z0-9_-]{1,100}){1,8}$': ['data«.a»', `data«.${'a'.repeat(100)}»`],
}

const taken = operations.flatMap(({ body, query }) => [...patternsOf(body), ...patternsOf(query)])
const patterns = [...new Set(taken)].sort()

test('the list contains every pattern of a schema', () => {
  expect(patterns.filter(pattern => !(pattern in nearlyFitting))).toEqual([])
})

test.each(patterns)('the pattern %s is quick for any text', pattern => {
  const expression = new RegExp(pattern, 'u')
  expect(slowAmong(expression, body, nearlyFitting[pattern] ?? [])).toEqual([])
})

test.each([
  [`const a = /x+/g`, ['/x+/g']],
  [`text.replaceAll(/[/*]+/g, '')`, ['/[/*]+/g']],
  [`new RegExp(made, 'g')`, [`RegExp(made, 'g')`]],
  [`const a = b / c / d // /x/\nconst said = '/x/'`, []],
])('the scan finds the expressions of %s', (source, found) => {
  expect(expressionsIn(source)).toEqual(found)
})

test('the measurement detects a slow expression', () => {
  expect(isQuick(/\d{300}/, textOf(`«${'9'.repeat(299)},»`, 2 * body), maxMs, 1)).toBe(false)
  expect(isQuick(/"(?:[^"\\]|\\.)*"/, textOf('"«\\"»', 20_000), maxMs, 1)).toBe(false)
  expect(slowAmong(/\s+$/, sample, []).length).toBeGreaterThan(0)
}, 20_000)
