/** Serves the dashboard: one page for all of its addresses, and the files it loads. */
import { randomBytes } from 'node:crypto'
import type { PageFile } from '../platform/runtime.ts'
import { type Page, textAsset } from './asset.ts'
import { keptByNobody } from './headers.ts'

export interface Dashboard {
  /** The page itself, whatever its address. Leads to the documentation where there are no files. */
  page: Page
  /** The page itself where there are files, else what would be there without it. */
  orElse: (plain: Page) => Page
  /** One of the files it loads; null where there is none of this name. */
  asset: (path: string) => Promise<Page | null>
}

/** `files` is asked once somebody comes. */
export const createDashboard = (files: () => Promise<PageFile[] | null>): Dashboard => {
  let loaded: Promise<Loaded | null> | undefined
  const load = () => {
    loaded ??= files().then(all => all && loadedOf(all))
    loaded.catch(() => {
      loaded = undefined
    })
    return loaded
  }
  const orElse =
    (plain: Page): Page =>
    async request => {
      const html = (await load())?.html
      return html === undefined ? plain(request) : pageOf(html)
    }
  return {
    page: orElse(() => new Response(null, { status: 302, headers: { Location: '/docs', ...keptByNobody } })),
    orElse,
    asset: async path => (await load())?.files.get(path) ?? null,
  }
}

const pageOf = (html: string): Response => {
  const nonce = randomBytes(16).toString('base64')
  return new Response(
    html.replace('name="csp-nonce" content=""', () => `name="csp-nonce" content="${nonce}"`),
    {
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': contentSecurityPolicy(nonce),
        ...keptByNobody,
      },
    },
  )
}

interface Loaded {
  html: string
  files: Map<string, Page>
}

/** Names carry a hash: what is behind one never changes. */
const forEver = { 'Cache-Control': 'public, max-age=31536000, immutable' }

const loadedOf = (all: PageFile[]): Loaded => {
  const page = all.find(({ path }) => path === 'index.html')
  return {
    html: new TextDecoder().decode(page?.bytes),
    files: new Map(
      all
        .filter(file => file !== page)
        .map(({ path, bytes }) => [path, textAsset(bytes, { contentType: typeOf(path), headers: forEver })]),
    ),
  }
}

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
  svg: 'image/svg+xml',
}

const typeOf = (path: string): string => types[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream'

/** The browser itself holds the page to loading nothing from elsewhere, and to no style element but the library's. */
const contentSecurityPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
