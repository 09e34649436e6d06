/** Serves the dashboard: one HTML page for all of its addresses, and the files that the page loads. */
import { randomBytes } from 'node:crypto'
import type { PageFile } from '../platform/runtime.ts'
import { type Page, textAsset } from './asset.ts'
import { noStore, serviceDescription } from './headers.ts'

export interface Dashboard {
  /** The HTML page for every address. Redirects to the documentation if no dashboard files exist. */
  page: Page
  /** Returns the HTML page if dashboard files exist, and the given page otherwise. */
  withFallback: (fallback: Page) => Page
  /** Returns a file that the page loads. Null if no file has this name. */
  asset: (path: string) => Promise<Page | null>
  /** Loads the files, so that the first request does not wait. Returns false if none exist. */
  load: () => Promise<boolean>
}

/** Creates the dashboard. `files` is called on the first request. */
export const createDashboard = (files: () => Promise<PageFile[] | null>): Dashboard => {
  let loaded: Promise<LoadedFiles | null> | undefined
  const load = () => {
    loaded ??= files().then(pageFiles => pageFiles && parseFiles(pageFiles))
    loaded.catch(() => {
      loaded = undefined
    })
    return loaded
  }
  const withFallback =
    (fallback: Page): Page =>
    async request => {
      const html = (await load())?.html
      return html === undefined ? fallback(request) : pageResponse(html)
    }
  return {
    page: withFallback(
      () => new Response(null, { status: 302, headers: { Location: '/docs', ...noStore, ...serviceDescription } }),
    ),
    withFallback,
    asset: async path => (await load())?.files.get(path) ?? null,
    load: async () => (await load()) !== null,
  }
}

const pageResponse = (html: string): Response => {
  const nonce = randomBytes(16).toString('base64')
  return new Response(
    html.replace('name="csp-nonce" content=""', () => `name="csp-nonce" content="${nonce}"`),
    {
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': contentSecurityPolicy(nonce),
        ...noStore,
        ...serviceDescription,
      },
    },
  )
}

interface LoadedFiles {
  html: string
  files: Map<string, Page>
}

/** File names contain a content hash, so the content of a name never changes. */
const cacheForever = { 'Cache-Control': 'public, max-age=31536000, immutable' }

/** A file of the name of another one and `.br` is that one, compressed. */
const parseFiles = (pageFiles: PageFile[]): LoadedFiles => {
  const contents = new Map(pageFiles.map(({ path, bytes }) => [path, bytes]))
  const assets = pageFiles.filter(({ path }) => path !== 'index.html' && !path.endsWith('.br'))
  return {
    html: new TextDecoder().decode(contents.get('index.html')),
    files: new Map(
      assets.map(({ path, bytes }) => [
        path,
        textAsset(bytes, {
          contentType: contentTypeOf(path),
          brotli: contents.get(`${path}.br`),
          headers: cacheForever,
        }),
      ]),
    ),
  }
}

const contentTypes: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
  svg: 'image/svg+xml',
}

const contentTypeOf = (path: string): string =>
  contentTypes[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream'

/** Makes the browser block content from other origins and style elements without the nonce. */
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
