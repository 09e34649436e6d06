/**
 * The documentation under /docs: guides, concepts, webhook receivers and the API reference. It needs no external
 * resources, and its Content-Security-Policy blocks them.
 */
import { randomBytes } from 'node:crypto'
import { type Page, textAsset } from '../asset.ts'
import { serviceDescription } from '../headers.ts'
import { receiversChapter } from '../receivers-page.ts'
import campaigns from './chapters/campaigns.md' with { type: 'text' }
import conversations from './chapters/conversations.md' with { type: 'text' }
import credentials from './chapters/credentials.md' with { type: 'text' }
import deliveries from './chapters/deliveries.md' with { type: 'text' }
import errors from './chapters/errors.md' with { type: 'text' }
import events from './chapters/events.md' with { type: 'text' }
import signatures from './chapters/signatures.md' with { type: 'text' }
import start from './chapters/start.md' with { type: 'text' }
import tools from './chapters/tools.md' with { type: 'text' }
import workflows from './chapters/workflows.md' with { type: 'text' }
import { brunoCollection, postmanCollection } from './collections.ts'
import css from './docs.css' with { type: 'text' }
import docsScript from './made/docs.js.txt' with { type: 'text' }
import favicon from './made/favicon.svg.txt' with { type: 'text' }
import inter from './made/inter.txt' with { type: 'text' }
import jetbrainsMono from './made/jetbrains-mono.txt' with { type: 'text' }
import referenceScript from './made/reference.js.txt' with { type: 'text' }
import scalar from './made/scalar.js.txt' with { type: 'text' }
import { escapeHtml, exampleUrl, readChapter } from './markdown.ts'
import { operationsByTag } from './operations.ts'
import { listOfPages, plainChapter, plainReference } from './plain.ts'
import { entriesOf } from './search.ts'
import {
  concepts,
  guide,
  markdownPathOf,
  overview,
  type PageInfo,
  page,
  receivers,
  reference,
  searchPage,
} from './shell.ts'

const chapters: Record<string, string> = {
  '/docs/start': start,
  '/docs/events': events,
  '/docs/workflows': workflows,
  '/docs/deliveries': deliveries,
  '/docs/signatures': signatures,
  '/docs/credentials': credentials,
  '/docs/tools': tools,
  '/docs/errors': errors,
  '/docs/conversations': conversations,
  '/docs/campaigns': campaigns,
  '/docs/receivers': receiversChapter,
}
const chapterPages = [guide, ...concepts]

/**
 * Returns all pages under /docs and the lists of them for programs, by path. `document` is the text of the published
 * document. `address` returns the base URL of this service, once it listens.
 */
export const docsPages = (document: string, address: () => string): Record<string, Page> => {
  const here = (text: () => string) => () => text().replaceAll(exampleUrl, address())
  return {
    [overview.path]: html(() => overviewPage(document)),
    ...Object.fromEntries(chapterPages.map(info => [info.path, html(here(() => chapterPage(info)))])),
    [receivers.path]: html(here(() => page({ info: receivers, main: readChapter(receiversChapter).html }))),
    [searchPage.path]: html(() => page({ info: searchPage, main: searchMain, hasMarkdown: false })),
    [reference.path]: referencePage,
    ...Object.fromEntries(
      [...chapterPages, receivers].map(info => [
        markdownPathOf(info),
        plain(
          'markdown',
          here(() => plainPage(info)),
        ),
      ]),
    ),
    [markdownPathOf(reference)]: plain('markdown', () => plainReference(document)),
    [markdownPathOf(overview)]: plain('markdown', () => listOfPages),
    '/llms.txt': plain('plain', () => listOfPages),
    '/llms-full.txt': plain(
      'plain',
      here(() => allPages(document)),
    ),
    '/docs/search.json': textAsset(
      here(() => JSON.stringify(entriesOf(document, readChapters()))),
      {
        contentType: 'application/json',
      },
    ),
    [postmanPath]: textAsset(
      here(() => postmanCollection(document)),
      {
        contentType: 'application/json',
        headers: fromAnywhere,
      },
    ),
    [brunoPath]: textAsset(
      here(() => brunoCollection(document)),
      { contentType: 'application/json', headers: fromAnywhere },
    ),
    '/docs/docs.css': textAsset(css, { contentType: 'text/css; charset=utf-8', headers: cacheOneHour }),
    '/docs/favicon.svg': textAsset(favicon, { contentType: 'image/svg+xml', headers: cacheOneHour }),
    '/docs/inter.woff2': font(inter),
    '/docs/jetbrains-mono.woff2': font(jetbrainsMono),
    '/docs/docs.js': textAsset(docsScript, javascript),
    '/docs/reference.js': textAsset(referenceScript, javascript),
    '/docs/scalar.js': textAsset(scalar, javascript),
  }
}

/** Paths of the collections of requests. */
const [postmanPath, brunoPath] = ['/docs/postman.json', '/docs/bruno.json']

/** Page of an unknown address under /docs. */
export const missingDocsPage: Page = async request => {
  const { body, headers } = await notFound(request)
  return new Response(body, { status: 404, headers })
}

/** Lets applications in a browser import the file. */
const fromAnywhere = { 'Access-Control-Allow-Origin': '*' }

/** Headers with which a browser revalidates its copy after one hour. */
const cacheOneHour = { 'Cache-Control': 'public, max-age=3600' }
const javascript = { contentType: 'text/javascript; charset=utf-8', headers: cacheOneHour }

const font = (base64: string): Page =>
  textAsset(Buffer.from(base64, 'base64'), { contentType: 'font/woff2', headers: cacheOneHour })

/** Returns a policy that makes the browser block external resources and inline scripts. */
const policy = (style: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'${style}; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const html = (text: () => string): Page =>
  textAsset(text, {
    contentType: 'text/html; charset=utf-8',
    headers: { 'Content-Security-Policy': policy(''), ...serviceDescription },
  })

const plain = (kind: 'markdown' | 'plain', text: () => string): Page =>
  textAsset(text, { contentType: `text/${kind}; charset=utf-8`, headers: serviceDescription })

const plainPage = (info: PageInfo): string => plainChapter(chapters[info.path]!)

const allPages = (document: string): string =>
  [...[...chapterPages, receivers].map(plainPage), plainReference(document)].join('\n')

const notFound = html(() =>
  page({
    info: { path: overview.path, title: 'Page not found', summary: '' },
    main: `<h1>Page not found</h1>
<p class="lead">The documentation has no page at this address.</p>
<p><a class="action" href="${overview.path}">All pages</a> or <a href="${searchPage.path}">search the documentation</a></p>
`,
    hasMarkdown: false,
  }),
)

const readChapters = () => chapterPages.map(info => ({ info, sections: readChapter(chapters[info.path]!).sections }))

const overviewPage = (document: string): string =>
  page({
    info: overview,
    main: `<h1>Customer Engagement Service</h1>
<p class="lead">Send business events, run workflows on them, exchange messages with customers, and receive signed webhooks.</p>
<p><a class="action" href="${guide.path}">Your first webhook in five minutes</a></p>
<h2>Concepts</h2>
<ul class="cards">${concepts.map(cardFor).join('')}</ul>
<h2>Resources</h2>
<ul class="cards">${[receivers, reference].map(cardFor).join('')}<li><a href="/openapi.json"><b>OpenAPI document</b>
<span>The reference in a machine-readable format.</span></a></li>
<li><a href="${postmanPath}" download><b>Postman collection</b> <span>All operations with example bodies. In Postman, choose Import.</span></a></li>
<li><a href="${brunoPath}" download><b>Bruno collection</b> <span>All operations with example bodies. In Bruno, choose Import collection.</span></a></li></ul>
<p>In both collections, set <code>baseUrl</code>, and <code>token</code> to an access token. Events and customers use <code>apiKey</code>.
<code>workspaceId</code> is only needed by persons with several workspaces.</p>
<h2>All operations</h2>
${operationsByTag(document).map(operationsOf).join('\n')}
`,
  })

const cardFor = ({ path, title, summary }: PageInfo): string =>
  `<li><a href="${path}"><b>${escapeHtml(title)}</b> <span>${escapeHtml(summary)}</span></a></li>`

const operationsOf = ({ tag, operations }: ReturnType<typeof operationsByTag>[number]): string =>
  `<details class="operations"><summary>${escapeHtml(tag)} <span>${operations.length}</span></summary><ul>${operations
    .map(
      ({ method, path, summary, address }) =>
        `<li><a href="${address}"><code><b>${method}</b> ${escapeHtml(path)}</code> <span>${escapeHtml(summary)}</span></a></li>`,
    )
    .join('')}</ul></details>`

const chapterPage = (info: PageInfo): string => {
  const { html } = readChapter(chapters[info.path]!)
  const next = chapterPages[chapterPages.indexOf(info) + 1] ?? receivers
  return page({ info, main: `${html}<p class="next"><a href="${next.path}">Next: ${escapeHtml(next.title)}</a></p>\n` })
}

const searchMain = `<h1>Search</h1>
<div data-search>Search requires JavaScript. The <a href="/docs">overview</a> lists all pages and operations.</div>
`

/**
 * Serves the reference. It adds style elements and style attributes, so its policy allows a new nonce for each request,
 * and style attributes.
 */
const referencePage: Page = () => {
  const nonce = randomBytes(16).toString('base64url')
  const text = page({
    info: reference,
    main: '<div id="reference"><p class="waiting">Loading the reference …</p></div>\n',
    scripts: ['/docs/docs.js', '/docs/reference.js'],
    fillsWindow: true,
  }).replace('<meta charset', `<meta property="csp-nonce" content="${nonce}" nonce="${nonce}">\n  <meta charset`)
  return new Response(text, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': policy(` 'nonce-${nonce}'; style-src-attr 'unsafe-inline'`),
      ...serviceDescription,
    },
  })
}
