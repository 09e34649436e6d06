/**
 * No external text makes a regular expression slow. The table contains every expression in src: with its worst case at
 * the maximum input size, or with the reason why it never reads external text.
 */
import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { describeOperations } from '../../src/app/cli/openapi.ts'

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

const written = [
  ...new Set(
    readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter(path => path.endsWith('.ts') && !inside.test(path))
      .flatMap(path => expressionsIn(readFileSync(join(src, path), 'utf8'))),
  ),
].sort()

const operations = describeOperations()

const body = 1024 * 1024
const header = 16 * 1024
/** Maximum characters of a message's text. */
const message = 4096
/** Maximum stored characters of a provider's message. */
const keptMessage = 65_536
/** Maximum characters of an event type, or of an unknown field that is examined further. */
const name = 200

/** Returns a text of `size` characters that repeats the piece between a beginning and an end. */
const text = (size: number, piece: string, begin = '', end = ''): string =>
  begin + piece.repeat(Math.floor((size - begin.length - end.length) / piece.length)) + end

/** The most expensive texts of each expression. Each expression also gets texts that repeat one character. */
const seesOutside: [RegExp, number, (size: number) => string[]][] = [
  // Text and sender of a customer's message. Longer texts are not searched.
  [/\p{Default_Ignorable_Code_Point}/gu, message, size => [text(size, '\u200b')]],
  [/[\s\p{Z}\p{Cc}]+/gu, message, size => [text(size, ' '), text(size, ' a')]],
  [/\P{M}*\p{M}{0,20}/gu, 1000, size => [text(size, '\u0316\u0301'), text(size, 'a\u0301')]],
  [
    /\p{Emoji_Presentation}|\p{Emoji}\ufe0f\u20e3?|[0-9#*]\u20e3|[\u2120\u2122]|(?<letter>[\p{L}\p{N}])/gu,
    keptMessage,
    size => [text(size, '1\ufe0f\u20e3'), text(size, '\u{1f6d1}'), text(size, '#', '', 'a')],
  ],
  [/[\ufe0f\u20e3\udc00-\udfff]/, 1, () => ['\ufe0f', 'a']],
  [/\p{Pd}/gu, message, size => [text(size, '-')]],
  [
    /\p{Emoji_Presentation}|\p{Emoji}\ufe0f\u20e3?|[0-9#*]\u20e3|[\u2120\u2122]/gu,
    message,
    size => [text(size, '1'), text(size, '1\ufe0f')],
  ],
  // Names in mails: 100 characters, which NFKC can expand 18-fold.
  [/[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, message, size => [text(size, '\u200b')]],
  [/["\u201C\u201D\u201E\u00AB\u00BB]/g, message, size => [text(size, '"')]],
  [/[:/\\@](?=\S)|(?<=\S)[.\u3002](?=\S)/gu, message, size => [text(size, ':'), text(size, ': '), text(size, '.a')]],
  // Names and values of custom headers.
  [/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, body, size => [text(size, 'a')]],
  [/^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/, message, size => [text(size, ' ', 'a'), text(size, 'a ', '', '\n')]],
  [/[\p{L}\p{N}]/u, message, size => [text(size, '\u0301')]],
  [/\p{M}|\u200d|\ufe0f/u, message, size => [text(size, 'a')]],
  [/[^\p{L}\p{N}\p{M}]+/gu, message, size => [text(size, '.'), text(size, '.a')]],
  [/[\p{L}\p{N}]\p{M}*/gu, message, size => [text(size, '\u0301', 'a'), text(size, 'a\u0301')]],
  [/[\p{L}\p{N}\p{M}-]+/gu, message, size => [text(size, 'a'), text(size, 'a.')]],
  [/^\+[1-9][0-9]{6,14}$/, body, size => [text(size, '9', '+')]],
  // Query parameters, headers and path parameters. Also a second-factor code, and a mail subject that contains a
  // workspace name.
  [/[\s-]/g, name, size => [text(size, ' -')]],
  // A phone number as a person types or pastes it into a search.
  [/[\s\p{Cf}\p{Pd}()./]/gu, name, size => [text(size, '(-'), text(size, '\u202a')]],
  [/^tel:/i, name, size => [text(size, 'tel:')]],
  [/^00|^\+/, name, size => [text(size, '0')]],
  [/\s+/g, name, size => [text(size, ' '), text(size, ' a')]],
  [/^\d{1,9}$/, header, size => [text(size, '9')]],
  [/^[1-9]\d{0,8}$/, header, size => [text(size, '9')]],
  [/[?#]/, header, size => [text(size, 'a')]],
  [/^(true|false)$/, header, size => [text(size, 'true')]],
  [/^\S+ +/, header, size => [text(size, 'a'), text(size, ' ', 'a', 'a')]],
  [/^[\x20-\x7e]*$/, header, size => [text(size, 'a', '', '\x7f')]],
  [/^"([^"\\]*)"$/, header, size => [text(size, 'a', '"'), text(size, 'a', '"', '"x')]],
  [/^Bearer +(\S+)$/i, header, size => [text(size, ' ', 'Bearer'), text(size, 'a', 'Bearer ', ' ')]],
  [/^[A-Za-z0-9._:/+=@-]{1,128}$/, header, size => [text(size, 'a'), text(129, 'a', '', '"')]],
  [
    /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/,
    header,
    size => [text(size, '0', '00-'), text(size, '00-')],
  ],
  [/^ces_[A-Za-z0-9_-]{43}$/, header, size => [text(size, 'ces_')]],
  [/^s([0-9a-z]{1,10})$/, header, size => [text(size, 'a', 's')]],
  [/^\/v1\/(events|customers)(\/|$)/, header, size => [text(size, '/v1/events')]],
  [/woocommerce/i, header, size => [text(size, 'woocommerc')]],
  [/shopify/i, header, size => [text(size, 'shopif')]],
  [/magento|adobe ?commerce/i, header, size => [text(size, 'adobe '), text(size, 'adobe commerc')]],
  [/prestashop/i, header, size => [text(size, 'prestasho')]],
  [/shopware/i, header, size => [text(size, 'shopwar')]],
  [/opencart/i, header, size => [text(size, 'opencar')]],
  [/bigcommerce/i, header, size => [text(size, 'bigcommerc')]],
  [/\bwix/i, header, size => [text(size, 'wi'), text(size, ' wi')]],
  [/squarespace/i, header, size => [text(size, 'squarespac')]],
  [/ecwid/i, header, size => [text(size, 'ecwi')]],
  [/vtex/i, header, size => [text(size, 'vte')]],
  [/oxid/i, header, size => [text(size, 'oxi')]],
  [/jtl[- ]?(shop|connector)/i, header, size => [text(size, 'jtl-'), text(size, 'jtl sho')]],
  [/[\\%_]/g, header, size => [text(size, '%')]],
  [/[a-z0-9]{3}/i, header, size => [text(size, 'ab ')]],
  // Fields of a body.
  [/[._\-\s]+/g, name, size => [text(size, 'a.'), text(size, ' ', '', 'a')]],
  [/[_\-\s]/g, name, () => []],
  [/[\u{10000}-\u{10ffff}]/gu, body, size => [text(size, '😀'), text(size, '\ud83d')]],
  [
    /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/,
    body,
    size => [text(size, '9', '2026-03-01T09:30:00.')],
  ],
  [/^(\d{1,10})(ms|s|m|h|d)$/, body, size => [text(size, 'm', '9')]],
  [
    /^P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,8}(?:\.\d{1,3})?)S)?)?$/,
    body,
    size => [text(size, '9', 'PT'), text(size, '9', 'P1W1DT1H1M1.'), text(size, '1W', 'P')],
  ],
  [
    /\{\{([^{}]*)\}\}/g,
    message,
    size => [
      text(size, '{{a'),
      text(size, '|', '{{'),
      text(size, 'a|', '{{'),
      text(size, ' ', '{{', '|'),
      text(size, '{{a|', '', '}'),
      text(size, '{{', '', '}}'),
      text(size, '{{a}'),
    ],
  ],
  [/[\t\n\r]/g, message, size => [text(size, '\t')]],
  [/[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u, message, size => [text(size, ' '), text(size, '\u200b')]],
  [/[\p{Cc}\p{Default_Ignorable_Code_Point}]/u, 320, size => [text(size, 'a')]],
  [/\\(.)|"/gsu, 320, size => [text(size, '\\'), text(size, '"')]],
  [/\p{Cc}/u, message, size => [text(size, 'a')]],
  // Numbers as PostgreSQL writes them. Also a finite number, which has few digits before its decimal point.
  [/\d{16}/, body, size => [text(size, `${'9'.repeat(15)},`)]],
  [
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]\+?(\d+))?$/,
    body,
    size => [text(size, '9', '', 'x'), text(size, '0', '9007199254740993.', 'x'), text(size, '0', '1e+', 'x')],
  ],
  [
    /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/,
    body,
    size => [text(size, '9', '', 'x'), text(size, '0', '9.', 'x'), text(size, '0', '1e+', 'x')],
  ],
  // Reads at most a hundred characters.
  [/^(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/, name, size => [text(size, '9'), text(size, '9', '9.', 'e')]],
  [/^[A-Za-z][A-Za-z0-9_?-]{0,63}$/, body, () => []],
  [
    /^(\.[^.\s]+)+$/,
    message,
    size => [text(size, '.a', '', '.'), text(size, 'a', '.', ' '), text(size, '.a', '', ' ')],
  ],
  [/^event\.(?=data\.)/, message, size => [text(size, 'event.')]],
  // Names in a definition: attributes, a time zone.
  [/^[A-Za-z0-9_-]{1,100}$/, message, size => [text(size, 'a'), text(size, 'a', '', ' ')]],
  [/^[A-Za-z]/, message, size => [text(size, 'a')]],
  // A customer's answer after its characters are expanded, and a single character of it.
  [/\s+/u, 20 * message, size => [text(size, ' '), text(size, ' a')]],
  [
    /^(?:\s|\p{P}|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Default_Ignorable_Code_Point})$/u,
    message,
    size => [text(size, ' '), text(size, '!')],
  ],
  [/\.$/, body, size => [text(size, '.', '', 'x')]],
  [/0000$/, body, size => [text(size, '0', '', '1')]],
  // Accept-Encoding and If-None-Match headers of a browser, and the host of an endpoint.
  [/^\s*q\s*=\s*([\d.]+)\s*$/, header, size => [text(size, ' '), text(size, ' ', 'q'), text(size, '1', 'q=', 'x')]],
  [/^W\//, header, () => []],
  [/^(localhost|127(\.\d{1,3}){3}|\[::1\])$/, header, size => [text(size, '.1', '127')]],
  // Input of the signature check.
  [/^[0-9]{1,11}$/, header, () => []],
  [/^[0-9]{12,}$/, header, size => [text(size, '9', '', 'x')]],
  [/,\s+v1=/, header, size => [text(size, ' ', ','), text(size, ', '), text(size, ', v1')]],
  [/^[0-9a-f]{64}$/, header, () => []],
  [/^[0-9a-fA-F]{64}$/, header, () => []],
  [/^[0-9a-f]*$/, header, size => [text(size, 'a', '', 'x')]],
  [/^(["'])(.*)\1$/g, body, size => [text(size, "'", "'", '"'), text(size, 'a', '"')]],
  [/^whsec_/, body, size => [text(size, 'whsec_')]],
  [/^\ufeff/, body, size => [text(size, '\ufeff')]],
  [/\r?\n$/, body, size => [text(size, '\n', '', 'x'), text(size, '\r\n', '', 'x')]],
  [/\r?\n/g, body, size => [text(size, '\r\n')]],
  [/[\u0080-\uffff]/g, body, size => [text(size, 'ß')]],
  // The URL of an endpoint.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  [/[\u0000-\u0020\u007f]/, body, () => []],
  [/[^\u0021-\u007e]/, body, () => []],
  [/%(?![0-9A-Fa-f]{2})/, body, size => [text(size, '%ff'), text(size, '%f0%f0')]],
  [
    /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)(\/[^?#]*)?(\?[^#]*)?(#.*)?$/,
    body,
    size => [
      text(size, 'x', 'a://', '#\n'),
      text(size, '/', 'a://', '#\n'),
      text(size, '?', 'a://', '#\n'),
      text(size, '#', 'a://', '\n'),
    ],
  ],
  [/^(\[[^[\]]*\]|[^:[\]]*)(?::([^:[\]]*))?$/, body, size => [text(size, 'a', '[', ']['), text(size, 'a', 'a:', ':')]],
  [/[[\]]|:.*:/, body, size => [text(size, 'a', ':'), text(size, ':\n')]],
  [/[^a-z0-9._-]/, body, () => []],
  [/^(?:W\/)?"[^"]*"$/, 1000, size => [text(size, 'a', '"', ''), text(size, 'a', 'W/"', '"x')]],
  [/^(?:[0-9]+|0x[0-9a-f]*)$/, body, size => [text(size, '9', '', 'x'), text(size, 'f', '0x', 'x')]],
  [/^[1-9][0-9]{0,4}$/, body, () => []],
  [/^\[|\]$/g, body, size => [text(size, ']', '', 'x')]],
  // Answers and callbacks of providers.
  [/[\ud800-\udbff]$/, body, size => [text(size, '\ud800', '', 'x')]],
  [/^[1-9][0-9]{6,14}$/, body, () => []],
  [/^[A-Za-z0-9][A-Za-z0-9._:@+-]*$/, body, size => [text(size, 'a')]],
  [/^[0-9]{1,12}$/, body, () => []],
  [/^\d{10}$/, body, () => []],
  [/[^0-9]/g, body, size => [text(size, '+')]],
  [/:\d+$/, header, size => [text(size, '9', ':', 'x'), text(size, ':9', '', 'x')]],
  // An IP address of at most 45 characters. Longer texts are rejected first.
  [/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, 45, size => [text(size, '9', '::'), text(size, '9.', '::')]],
]

/** Reasons why these expressions never read long external text. */
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: source as it is written
const seesNothingOutside: [string, string][] = [
  ['/\\.woff2$/', 'names of files of the dashboard, as it is bundled'],
  ['/<link rel="stylesheet"[^>]*>/g', 'the page of the dashboard, as it is bundled'],
  ['/^@formatjs\\/icu-messageformat-parser$/', 'names of packages of the dashboard, as it is bundled'],
  ['/%([a-z]+)%/', 'pages of the documentation, and what is sent from them'],
  ['/%([a-z]+)%/g', 'pages of the documentation, and what is sent from them'],
  ['/[^\\w:/.%-]/', 'pages of the documentation, and what is sent from them'],
  ['/[^a-z0-9]+/g', 'pages of the documentation, and what is sent from them'],
  ['/[`*|[\\]#]/g', 'pages of the documentation, and what is sent from them'],
  ['/\\]\\([^)]*\\)/g', 'pages of the documentation, and what is sent from them'],
  ['/^(INPUT|TEXTAREA|SELECT)$/', 'pages of the documentation, and what is sent from them'],
  ['/^-|-$/g', 'pages of the documentation, and what is sent from them'],
  ['/^[A-Za-z_]\\w*$/', 'pages of the documentation, and what is sent from them'],
  ['/"minLength":(?![01]\\b)/', 'our own schemas'],
  ['/^127\\./', 'the host of a setting'],
  ['/:\\w+/g', 'our own paths'],
  ['/([\\w-]+)\\/:(\\w+)/g', 'our own paths'],
  ['/Id$/', 'our own paths'],
  ['/ies$/', 'our own paths'],
  ['/s$/', 'our own paths'],
  ["RegExp(`^${path.replaceAll('.', '\\\\.')}$`)", 'one of our own paths, letter by letter'],
  [
    "RegExp(`^${operation.path.replaceAll('.', '\\\\.').replaceAll(/:\\w+/g, '[^/]+')}/?$`)",
    'reads paths from outside, but is made of our own: the parts between slashes are found in one way only',
  ],
  ['/--.*$/gm', 'our own migrations'],
  ['/\\bconcurrently\\b/i', 'our own migrations'],
  ['/^drop\\s+index\\s+concurrently\\s+if\\s+exists\\s+\\w+\\s*;?$/i', 'our own migrations'],
  ['/^-- least compatible: (\\w+)$/', 'our own migrations'],
  ['/^--\\s*(least.?compatible|online|step)\\b\\W*(\\S+\\W*){0,4}$/i', 'our own migrations'],
  ['/^[ \\t]*-- step(: again until nothing changes)?[ \\t]*$/m', 'our own migrations'],
  [
    '/^create\\s+(?:unique\\s+)?index\\s+concurrently\\s+if\\s+not\\s+exists\\s+(\\w+)\\s+on\\s/i',
    'our own migrations',
  ],
  ['RegExp(`${compatible.source}|^-- online$|${stepDirective.source}`)', 'our own migrations'],
  [
    "RegExp(` (?:${optOutPhrases.join('|')})`)",
    'at most 1,000 characters of a message, timed in tests/longest-stretch.test.ts',
  ],
  ['/^(42501|3F000)$/', 'an SQLSTATE, or the code of an error'],
  ['/^(57014|55P03|40001|40P01|53...)$/', 'an SQLSTATE, or the code of an error'],
  ['/^08P01$/', 'an SQLSTATE, or the code of an error'],
  ['/^25006$/', 'an SQLSTATE, or the code of an error'],
  ['/^53300$/', 'an SQLSTATE, or the code of an error'],
  [
    '/^(53...|57P0.|08...|CONNECT_TIMEOUT|CONNECTION_[A-Z]+|ECONN[A-Z]+|EPIPE|ETIMEDOUT|E[A-Z]+UNREACH|ENOTFOUND|EAI_AGAIN)$/',
    'an SQLSTATE, or the code of an error',
  ],
  ['/^\\s*commit\\b/i', 'our own statements'],
  ['/^(08...|57P0[1-5]|25P0[34])$/', 'an SQLSTATE'],
  ['/^(21|22|23|54)/', 'an SQLSTATE'],
  ['/^(?:2[123]...|44000|54...|P0001|40001|40P01)$/', 'an SQLSTATE'],
  ['/^(40|55)/', 'an SQLSTATE'],
  ['/^P0001$/', 'an SQLSTATE'],
  ['/^(08|0A|25|28|3D|3F|42|53|57|58)/', 'an SQLSTATE'],
  ['/^(25|28|53|57|58)/', 'an SQLSTATE'],
  ['/^[a-z]+:\\/\\/([^/?#]*)/i', 'the URL of the database'],
  ['/^([a-z]+:\\/\\/[^/?#]*@)(?=\\/)/i', 'the URL of the database'],
  ['/^\\[|\\]$/g', 'the URL of the database'],
  [
    '/Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Client was closed|Query read timeout/',
    'what the driver says',
  ],
  ['/^(?:ECONNRESET|EPIPE|ECONNABORTED)$/', 'the code of an error'],
  ['/^ECONNREFUSED$/', 'the code of an error'],
  ['/^(?:ENETUNREACH|EHOSTUNREACH|ENETDOWN|EHOSTDOWN|EADDRNOTAVAIL|EACCES|EPERM)$/', 'the code of an error'],
  ['/^ETIMEDOUT$|TIMEOUT/i', 'the code of an error'],
  ['/^EPROTO$|^ERR_SSL/', 'the code of an error'],
  [
    '/CERT|CRL|VERIFY|ISSUER|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH/',
    'the code of an error, which the runtime chose',
  ],
  ['/HTTP|Header|Content|Upgrade|Transfer|Chunk|HPE_/', 'the code of an error, which the runtime chose'],
]
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: source as it is written

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

const lines = ['a', 'A', '9', '0', ' ', '\n', '.', ':', '/', '-', '_', '"', '\\', '{', '[', '@', '%', 'ß']

/** Returns the beginnings of the texts that take too long. */
const slowAmong = (expression: RegExp, size: number, worst: string[]): string[] =>
  [
    ...worst.filter(given => !isQuick(expression, given, maxMs)),
    ...lines
      .map(line => text(Math.min(size, sample), line, '', '!'))
      .filter(given => !isQuick(expression, given, maxSampleMs)),
  ].map(given => given.slice(0, 40))

test('the table contains every expression and no other', () => {
  const known = [...seesOutside.map(([expression]) => String(expression)), ...seesNothingOutside.map(([one]) => one)]
  expect([...new Set(known)].sort()).toEqual(written)
})

const named = seesOutside.map(row => [String(row[0]), ...row] as const)

test.each(named)('%s is quick for any text', (_, expression, size, worst) => {
  expect(slowAmong(expression, size, worst(size))).toEqual([])
})

/** Returns the patterns of request schemas, which `format` and the validator turn into expressions. */
const patternsOf = (schema: unknown): string[] => {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([keyword, inner]) =>
    keyword === 'pattern' && typeof inner === 'string' ? [inner] : patternsOf(inner),
  )
}

/** Texts that match a pattern up to their last character. */
const nearlyFitting: Record<string, (size: number) => string[]> = {
  '^(?:[0-9]{1,10}(?:ms|s|m|h|d)|P(?=[0-9T])(?:[0-9]{1,4}W)?(?:[0-9]{1,4}D)?(?:T(?=[0-9])(?:[0-9]{1,6}H)?(?:[0-9]{1,6}M)?(?:[0-9]{1,8}(?:[.][0-9]{1,3})?S)?)?)$':
    size => [text(size, '9'), text(size, '9', 'PT')],
  '^(me|none|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$': size => [text(size, 'a'), text(size, 'me')],
  "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$": size => [text(size, 'a', '', ' ')],
  '^[A-Za-z0-9_-]{1,100}$': size => [text(size, 'a', '', ' ')],
  '^[Hh][Tt][Tt][Pp][Ss]?://[^/]': size => [text(size, 'h'), text(size, '/', 'https:')],
  '^[\\x21-\\x7e](?:[\\x20-\\x7e\\t]*[\\x21-\\x7e])?$': size => [text(size, 'a', '', '\n'), text(size, ' ', 'a')],
  '^[!-~]*$': size => [text(size, 'a', '', ' ')],
  '^[0-9]*$': size => [text(size, '9', '', 'x')],
  '^AC[0-9A-Za-z]+$': size => [text(size, 'a', 'AC', '_')],
  '^MG[0-9A-Za-z]+$': size => [text(size, 'a', 'MG', '_')],
  '^(whatsapp:)?\\+[1-9][0-9]{6,14}$|^[0-9]{3,8}$|^(?=.*[A-Za-z])[0-9A-Za-z ]{1,11}$': size => [
    text(size, '9', 'whatsapp:+'),
    text(size, '9'),
    text(size, ' ', '', 'a'),
  ],
  '\\S': () => [],
  '^[!-~]+$': size => [text(size, 'a', '', ' ')],
  '^[A-Z]{3}$': () => [],
  '^[A-Za-z]': () => [],
  '^[A-Za-z0-9][A-Za-z0-9_]*$': size => [text(size, 'a', '', ' ')],
  '^[A-Za-z]{2,3}([_-][A-Za-z0-9]{2,8}){0,2}$': size => [
    text(size, '_aa', 'aa', '_'),
    text(size, '-aaaaaaaa', 'aa', '!'),
  ],
  '^[^\\u0000]*$': size => [text(size, 'a', '', '\0')],
  '^[^\\s@]+@[^\\s@]+$': size => [text(size, 'a', '', ' '), text(size, 'a', 'a@', '@'), text(size, 'a@')],
  '^[+ ][1-9][0-9]{6,14}$': size => [text(size, '9', '+')],
  '^\\+[1-9][0-9]{6,14}$': size => [text(size, '9', '+')],
  '^[A-Za-z][A-Za-z0-9_?-]{0,63}$': () => [],
  '^([01][0-9]|2[0-3]):[0-5][0-9]$': () => [],
  '^(now|(data|event|customer|answer|trigger\\.data)(\\.[A-Za-z0-9_-]{1,100}){1,8})$': size => [
    text(size, 'a', 'data.'),
    text(size, '.a', 'trigger.data'),
    text(size, `.${'a'.repeat(100)}`, 'data'),
  ],
  '^data(\\.[A-Za-z0-9_-]{1,100}){1,8}$': size => [text(size, '.a', 'data'), text(size, `.${'a'.repeat(100)}`, 'data')],
}

const taken = operations.flatMap(({ body, query }) => [...patternsOf(body), ...patternsOf(query)])
const patterns = [...new Set(taken)].sort()

test('the list contains every pattern of a schema', () => {
  expect(patterns.filter(pattern => !(pattern in nearlyFitting))).toEqual([])
})

test.each(patterns)('the pattern %s is quick for any text', pattern => {
  const expression = new RegExp(pattern, 'u')
  expect(slowAmong(expression, body, nearlyFitting[pattern]?.(body) ?? [])).toEqual([])
})

describe('the scan finds an expression', () => {
  test.each([
    [`const a = /x+/g`, '/x+/g'],
    [`text.replaceAll(/[/*]+/g, '')`, '/[/*]+/g'],
    [`const a = [/x/, 1]`, '/x/'],
    [`new RegExp(made, 'g')`, `RegExp(made, 'g')`],
    [`globalThis.RegExp('x')`, `RegExp('x')`],
  ])('%s', (written, found) => {
    expect(expressionsIn(written)).toEqual([found])
  })

  test('ignores texts without an expression', () => {
    expect(expressionsIn(`const a = b / c / d // /x/\nconst said = '/x/'`)).toEqual([])
  })
})

test('the measurement detects a slow expression', () => {
  expect(isQuick(/\d{300}/, text(2 * body, `${'9'.repeat(299)},`), maxMs, 1)).toBe(false)
  expect(isQuick(/"(?:[^"\\]|\\.)*"/, text(20_000, '\\"', '"'), maxMs, 1)).toBe(false)
  expect(slowAmong(/\s+$/, sample, []).length).toBeGreaterThan(0)
}, 20_000)
