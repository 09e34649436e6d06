/**
 * Renders chapters from Markdown. A block ```` ```http owner POST /v1/webhooks keep webhook=id ```` is a request. It is
 * shown in four languages and can be sent from the page. The page replaces placeholders such as `%key%` by stored
 * values.
 */
import { Marked, type RendererObject } from 'marked'
import { type SampleRequest, samplesOf } from './samples.ts'

/** Address of the service in the chapters. Every page shows the address of this service instead. */
export const exampleUrl = 'http://127.0.0.1:3000'

/** Placeholders and their default texts. */
export const placeholders: Record<string, string> = {
  url: exampleUrl,
  key: 'ces_your_key',
  session: 'ses_your_token',
  webhook: 'id-of-the-webhook',
  secret: 'whsec_your_secret',
  workflow: 'id-of-the-workflow',
  channel: 'id-of-the-channel',
  conversation: 'id-of-the-conversation',
  customer: 'id-of-the-customer',
  template: 'id-of-the-template',
  campaign: 'id-of-the-campaign',
  event: 'id-of-the-event',
}

/** A section of a chapter, as a search result. */
export interface Section {
  title: string
  /** Fragment of the section's URL. Empty for the beginning of the chapter. */
  anchor: string
  /** Plain text without markup. */
  text: string
}

export interface Chapter {
  html: string
  sections: Section[]
}

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Returns the code as HTML, with an element for each placeholder. */
const withPlaceholders = (code: string): string =>
  escapeHtml(code).replace(/%([a-z]+)%/g, (match, name: string) =>
    name in placeholders ? `<span class="fill" data-fill="${name}">${escapeHtml(placeholders[name]!)}</span>` : match,
  )

const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** Renders a chapter and extracts its sections for the search. */
export const readChapter = (markdown: string): Chapter => {
  const marked = new Marked({ renderer: { heading, code, table } })
  const sections: Section[] = [{ title: '', anchor: '', text: '' }]
  for (const token of marked.lexer(markdown)) {
    if (token.type === 'heading' && token.depth === 2)
      sections.push({ title: token.text, anchor: anchorOf(token.text), text: '' })
    else if (token.type !== 'heading') sections.at(-1)!.text += ` ${plainTextOf(token.raw)}`
  }
  return { html: mergeCodeBlocks(marked.parse(markdown, { async: false })), sections }
}

/** Merges adjacent code blocks into one block with language tabs. */
const mergeCodeBlocks = (html: string): string =>
  html.replaceAll('</section></div>\n<div class="code tabs"><section', '</section><section')

const plainTextOf = (markdown: string): string =>
  markdown
    .replaceAll(/\]\([^)]*\)/g, ' ')
    .replaceAll(/[`*|[\]#]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

const heading: RendererObject['heading'] = function ({ tokens, depth, text }) {
  const id = anchorOf(text)
  const inner = this.parser.parseInline(tokens)
  return depth === 1
    ? `<h1>${inner}</h1>\n`
    : `<h${depth} id="${id}">${inner} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${depth}>\n`
}

const table: RendererObject['table'] = function ({ header, rows }) {
  const cells = (row: typeof header, tag: 'th' | 'td') =>
    `<tr>${row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>\n`
  const body = rows.map(row => cells(row, 'td')).join('')
  return `<div class="wide" tabindex="0"><table><thead>${cells(header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`
}

const code: RendererObject['code'] = ({ text, lang = '' }) => {
  if (lang.startsWith('http ')) return requestBlock(lang.slice('http '.length), text)
  if (lang.startsWith('tab ')) return tabsBlock([{ language: lang.slice(4), code: text }])
  return codeBlock(text)
}

const codeBlock = (text: string): string =>
  `<div class="code"><pre tabindex="0"><code>${withPlaceholders(text)}</code></pre></div>\n`

const tabsBlock = (samples: { language: string; code: string }[], request = ''): string => {
  const panes = samples.map(
    ({ language, code }) =>
      `<section data-language="${language}"><h4>${language}</h4><pre tabindex="0"><code>${withPlaceholders(code)}</code></pre></section>`,
  )
  return `<div class="code tabs"${request}>${panes.join('')}</div>\n`
}

const requestBlock = (definition: string, body: string): string => {
  const request = parseRequest(definition, body)
  return tabsBlock(samplesOf(request), ` data-request="${escapeHtml(JSON.stringify(request))}"`)
}

/** A request of a chapter. `keep` has the fields of the response that later requests use, by placeholder. */
export type ChapterRequest = SampleRequest & { keep: Record<string, string> }

/** Parses `<who> <METHOD> <path> keep <name>=<field of the answer> …`. An empty body means that there is none. */
export const parseRequest = (definition: string, body: string): ChapterRequest => {
  const [credentialKind, method, path, ...rest] = definition.split(' ') as [CredentialKind, string, string, ...string[]]
  return {
    method,
    path,
    headers: headersOf(credentialKind, body !== ''),
    body: body === '' ? null : body,
    keep: Object.fromEntries(storedFields(rest)),
  }
}

type CredentialKind = 'key' | 'owner' | 'nobody'

const credentials: Record<CredentialKind, SampleRequest['headers']> = {
  key: [['X-API-Key', '%key%']],
  owner: [['Authorization', 'Bearer %session%']],
  nobody: [],
}

const headersOf = (credentialKind: CredentialKind, hasBody: boolean): SampleRequest['headers'] => [
  ...credentials[credentialKind],
  ...(hasBody ? ([['Content-Type', 'application/json']] as SampleRequest['headers']) : []),
]

const storedFields = ([keep, ...names]: string[]): string[][] =>
  keep === 'keep' ? names.map(name => name.split('=')) : []
