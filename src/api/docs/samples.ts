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
    `curl ${method === (body === null ? 'GET' : 'POST') ? '' : `-X ${method} `}${quoteForShell(base + path)}`,
    ...headers.map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`-d ${quoteForShell(body)}`]),
  ].join(' \\\n  ')

const quoteForShell = (text: string): string => (/[^\w:/.%-]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : text)

/** Uses `fetch`, which Bun, Deno, Node and browsers all support. */
export const typescript = ({ method, path, headers, body }: SampleRequest): string => {
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length === 0 ? [] : [`headers: ${literal(Object.fromEntries(headers), typescriptSyntax, 1)}`]),
    ...(body === null ? [] : [`body: JSON.stringify(${literal(JSON.parse(body), typescriptSyntax, 1)})`]),
  ]
  const args = options.length === 0 ? '' : `, {\n${options.map(option => `  ${option},\n`).join('')}}`
  return `const response = await fetch('${base}${path}'${args})\nconsole.log(response.status, await response.text())`
}

const python = ({ method, path, headers, body }: SampleRequest): string => {
  const args = [
    `'${base}${path}'`,
    ...(headers.length === 0 ? [] : [`headers=${literal(Object.fromEntries(headers), pythonSyntax, 1)}`]),
    ...(body === null ? [] : [`json=${literal(JSON.parse(body), pythonSyntax, 1)}`]),
  ]
  return [
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    ...args.map(arg => `    ${arg},`),
    ')',
    'print(response.status_code, response.text)',
  ].join('\n')
}

const php = ({ method, path, headers, body }: SampleRequest): string => {
  const lines = headers.map(([name, value]) => quote(`${name}: ${value}`))
  const options = [
    `CURLOPT_CUSTOMREQUEST => '${method}'`,
    ...(lines.length === 0 ? [] : [`CURLOPT_HTTPHEADER => [${lines.join(', ')}]`]),
    ...(body === null ? [] : [`CURLOPT_POSTFIELDS => json_encode(${literal(JSON.parse(body), phpSyntax, 1)})`]),
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
interface Syntax {
  indent: string
  object: [open: string, arrow: string, close: string]
  emptyObject: string
  true: string
  false: string
  null: string
  name: (name: string) => string
}

const quote = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`

const typescriptSyntax: Syntax = {
  indent: '  ',
  object: ['{', ': ', '}'],
  emptyObject: '{}',
  true: 'true',
  false: 'false',
  null: 'null',
  name: name => (/^[A-Za-z_]\w*$/.test(name) ? name : quote(name)),
}
const pythonSyntax: Syntax = {
  ...typescriptSyntax,
  indent: '    ',
  true: 'True',
  false: 'False',
  null: 'None',
  name: quote,
}
const phpSyntax: Syntax = {
  ...pythonSyntax,
  object: ['[', ' => ', ']'],
  emptyObject: '(object) []',
  true: 'true',
  false: 'false',
  null: 'null',
}

/** Formats a value on one line if it fits, and otherwise with one entry per line. */
const literal = (value: unknown, syntax: Syntax, depth: number): string => {
  if (typeof value === 'string') return quote(value)
  if (value === null || typeof value === 'boolean') return syntax[`${value}`]
  if (typeof value === 'number') return String(value)
  const isList = Array.isArray(value)
  const [open, arrow, close] = isList ? ['[', '', ']'] : syntax.object
  const entries = Object.entries(value as object).map(
    ([name, inner]) => `${isList ? '' : syntax.name(name) + arrow}${literal(inner, syntax, depth + 1)}`,
  )
  if (entries.length === 0) return isList ? '[]' : syntax.emptyObject
  const padding = open === '{' && syntax.indent === '  ' ? ' ' : ''
  const oneLine = `${open}${padding}${entries.join(', ')}${padding}${close}`
  if (oneLine.length <= 70 && !oneLine.includes('\n')) return oneLine
  const indent = syntax.indent.repeat(depth)
  return `${open}\n${entries.map(entry => `${indent}${syntax.indent}${entry},\n`).join('')}${indent}${close}`
}
