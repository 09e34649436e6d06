/** Generates code for a request in curl, TypeScript, Python and PHP. */

export interface SampleRequest {
  method: string
  /** Path that starts with `/v1`. The base URL of the service is added in front. */
  path: string
  headers: [name: string, value: string][]
  /** JSON text. */
  body: string | null
}

export interface Sample {
  language: string
  code: string
}

/** Placeholder for the base URL of the service. The page fills it in. */
const base = '%url%'

export const samplesOf = (request: SampleRequest): Sample[] => [
  { language: 'curl', code: curl(request) },
  { language: 'TypeScript', code: typescript(request) },
  { language: 'Python', code: python(request) },
  { language: 'PHP', code: php(request) },
]

const curl = ({ method, path, headers, body }: SampleRequest): string =>
  [
    `curl ${method === (body === null ? 'GET' : 'POST') ? '' : `-X ${method} `}${quotedForShell(base + path)}`,
    ...headers.map(([name, value]) => `-H ${quotedForShell(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`-d ${quotedForShell(body)}`]),
  ].join(' \\\n  ')

const quotedForShell = (text: string): string => (/[^\w:/.%-]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : text)

/** Uses `fetch`, which Bun, Deno, Node and browsers all support. */
export const typescript = ({ method, path, headers, body }: SampleRequest): string => {
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length === 0 ? [] : [`headers: ${literal(Object.fromEntries(headers), typescriptWords, 1)}`]),
    ...(body === null ? [] : [`body: JSON.stringify(${literal(JSON.parse(body), typescriptWords, 1)})`]),
  ]
  const given = options.length === 0 ? '' : `, {\n${options.map(option => `  ${option},\n`).join('')}}`
  return `const response = await fetch('${base}${path}'${given})\nconsole.log(response.status, await response.text())`
}

const python = ({ method, path, headers, body }: SampleRequest): string => {
  const given = [
    `'${base}${path}'`,
    ...(headers.length === 0 ? [] : [`headers=${literal(Object.fromEntries(headers), pythonWords, 1)}`]),
    ...(body === null ? [] : [`json=${literal(JSON.parse(body), pythonWords, 1)}`]),
  ]
  return [
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    ...given.map(one => `    ${one},`),
    ')',
    'print(response.status_code, response.text)',
  ].join('\n')
}

const php = ({ method, path, headers, body }: SampleRequest): string => {
  const lines = headers.map(([name, value]) => quoted(`${name}: ${value}`))
  const options = [
    `CURLOPT_CUSTOMREQUEST => '${method}'`,
    ...(lines.length === 0 ? [] : [`CURLOPT_HTTPHEADER => [${lines.join(', ')}]`]),
    ...(body === null ? [] : [`CURLOPT_POSTFIELDS => json_encode(${literal(JSON.parse(body), phpWords, 1)})`]),
    'CURLOPT_RETURNTRANSFER => true',
  ]
  return [
    '<?php',
    `$request = curl_init('${base}${path}');`,
    'curl_setopt_array($request, [',
    ...options.map(option => `    ${option},`),
    ']);',
    "echo curl_exec($request), ' ', curl_getinfo($request, CURLINFO_RESPONSE_CODE);",
  ].join('\n')
}

/** Syntax of JSON values in a language. */
interface Words {
  indent: string
  object: [open: string, arrow: string, close: string]
  emptyObject: string
  true: string
  false: string
  null: string
  name: (name: string) => string
}

const quoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`

const typescriptWords: Words = {
  indent: '  ',
  object: ['{', ': ', '}'],
  emptyObject: '{}',
  true: 'true',
  false: 'false',
  null: 'null',
  name: name => (/^[A-Za-z_]\w*$/.test(name) ? name : quoted(name)),
}
const pythonWords: Words = {
  ...typescriptWords,
  indent: '    ',
  true: 'True',
  false: 'False',
  null: 'None',
  name: quoted,
}
const phpWords: Words = {
  ...pythonWords,
  object: ['[', ' => ', ']'],
  emptyObject: '(object) []',
  true: 'true',
  false: 'false',
  null: 'null',
}

/** Formats a value on one line if it fits, and otherwise with one entry per line. */
const literal = (value: unknown, words: Words, depth: number): string => {
  if (typeof value === 'string') return quoted(value)
  if (value === null || typeof value === 'boolean') return words[`${value}`]
  if (typeof value === 'number') return String(value)
  const list = Array.isArray(value)
  const [open, arrow, close] = list ? ['[', '', ']'] : words.object
  const entries = Object.entries(value as object).map(
    ([name, inner]) => `${list ? '' : words.name(name) + arrow}${literal(inner, words, depth + 1)}`,
  )
  if (entries.length === 0) return list ? '[]' : words.emptyObject
  const padding = open === '{' && words.indent === '  ' ? ' ' : ''
  const line = `${open}${padding}${entries.join(', ')}${padding}${close}`
  if (line.length <= 70 && !line.includes('\n')) return line
  const indent = words.indent.repeat(depth)
  return `${open}\n${entries.map(entry => `${indent}${words.indent}${entry},\n`).join('')}${indent}${close}`
}
