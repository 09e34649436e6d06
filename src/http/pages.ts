/** Serves the public pages outside /v1: health checks, metrics, the published document and its documentation. */
import { type Page, textAsset } from './asset.ts'
import { docsPages } from './docs/index.ts'
import { keptByNobody } from './headers.ts'
import { invitationPage, invitationScript } from './invitation.ts'
import { confirmationPage, confirmationScript, resetPage, resetScript } from './link-pages.ts'
import { metricsPath } from './metrics.ts'

/** Returns whether the service can work. `problem` describes what is missing. */
export type Readiness = () => Promise<{ ready: true } | { ready: false; problem: string }>

export interface PageDeps {
  readiness: Readiness
  /** Null if the metrics are served on a separate port. */
  metrics: ((request: Request) => Promise<Response>) | null
  /** The published document as text. */
  document: string
}

/** Returns the pages by path. All of them answer GET and HEAD. */
export const pages = ({ readiness, metrics, document }: PageDeps): Record<string, Page> => ({
  '/healthz': () => Response.json({ status: 'ok' }, { headers: keptByNobody }),
  '/readyz': async () => {
    const state = await readiness()
    return state.ready
      ? Response.json({ status: 'ready' }, { headers: keptByNobody })
      : Response.json({ status: 'not ready', problem: state.problem }, { status: 503, headers: keptByNobody })
  },
  ...(metrics && { [metricsPath]: metrics }),
  '/openapi.json': textAsset(document, {
    contentType: 'application/json',
    headers: { 'Access-Control-Allow-Origin': '*' },
  }),
  '/accept-invitation': () =>
    asset(invitationPage, 'text/html; charset=utf-8', { 'Content-Security-Policy': contentSecurityPolicy }),
  '/accept-invitation.js': () => asset(invitationScript, 'text/javascript; charset=utf-8', forAnHour),
  '/reset-password': () =>
    asset(resetPage, 'text/html; charset=utf-8', { 'Content-Security-Policy': contentSecurityPolicy }),
  '/reset-password.js': () => asset(resetScript, 'text/javascript; charset=utf-8', forAnHour),
  '/confirm-email': () =>
    asset(confirmationPage, 'text/html; charset=utf-8', { 'Content-Security-Policy': contentSecurityPolicy }),
  '/confirm-email.js': () => asset(confirmationScript, 'text/javascript; charset=utf-8', forAnHour),
  ...docsPages(document),
})

const forAnHour = { 'Cache-Control': 'public, max-age=3600' }

const asset = (text: string, contentType: string, headers: Record<string, string> = {}): Response =>
  new Response(text, { headers: { 'Content-Type': contentType, ...headers } })

/** Makes the browser block content from other origins. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
