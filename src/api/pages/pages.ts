/** Serves the public pages outside /v1: health checks, metrics, the published document and its documentation. */
import { type Page, textAsset } from '../asset.ts'
import { docsPages } from '../docs/index.ts'
import { noStore } from '../headers.ts'
import { metricsPath } from '../metrics.ts'
import { invitationPage, invitationScript } from './invitation.ts'
import { confirmationPage, confirmationScript, resetPage, resetScript } from './links.ts'

/** Returns whether the service can work. `held`: it sends nothing. `paused`: it does not do these kinds of work. `problem` describes what is missing. */
export type Readiness = () => Promise<
  { ready: true; held?: true; paused?: readonly string[] } | { ready: false; problem: string }
>

/** Readiness of each cell. */
export type CellStates = () => Promise<readonly ({ cell: string } & Awaited<ReturnType<Readiness>>)[]>

export interface PageDeps {
  readiness: Readiness
  /** Returns the state of each cell, for `verbose`. */
  cells: CellStates
  /** Null if the metrics are served on a separate port. */
  metrics: ((request: Request) => Promise<Response>) | null
  /** The published document as text. */
  document: string
  /** Returns the base URL that people use. Known once the service listens. */
  publicUrl: () => string
}

/** Returns the pages by path. All of them answer GET and HEAD. */
export const pages = ({ readiness, cells, metrics, document, publicUrl }: PageDeps): Record<string, Page> => ({
  '/healthz': () => Response.json({ status: 'ok' }, { headers: noStore }),
  '/readyz': async request => {
    const result = await readiness()
    const isVerbose = new URL(request.url).searchParams.has('verbose')
    const states = isVerbose
      ? { cells: (await cells()).map(({ cell, ...state }) => ({ cell, ...describe(state) })) }
      : {}
    return Response.json({ ...describe(result), ...states }, { status: result.ready ? 200 : 503, headers: noStore })
  },
  ...(metrics && { [metricsPath]: metrics }),
  '/openapi.json': textAsset(document, {
    contentType: 'application/json',
    headers: { 'Access-Control-Allow-Origin': '*' },
  }),
  ...formPages('/accept-invitation', invitationPage, invitationScript),
  ...formPages('/reset-password', resetPage, resetScript),
  ...formPages('/confirm-email', confirmationPage, confirmationScript),
  ...docsPages(document, publicUrl),
})

const describe = (result: Awaited<ReturnType<Readiness>>) =>
  result.ready
    ? { status: 'ready', ...(result.held && { held: true }), ...(result.paused && { paused: result.paused }) }
    : { status: 'not ready', problem: result.problem }

const cacheOneHour = { 'Cache-Control': 'public, max-age=3600' }

/** Returns a page with a form, and its script. */
const formPages = (path: string, page: string, script: string): Record<string, Page> => ({
  [path]: () => textResponse(page, 'text/html; charset=utf-8', { 'Content-Security-Policy': contentSecurityPolicy }),
  [`${path}.js`]: () => textResponse(script, 'text/javascript; charset=utf-8', cacheOneHour),
})

const textResponse = (text: string, contentType: string, headers: Record<string, string>): Response =>
  new Response(text, { headers: { 'Content-Type': contentType, ...headers } })

/** Makes the browser block content from other origins. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
