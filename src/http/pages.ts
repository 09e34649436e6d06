/** What is served outside /v1, to anyone: health, metrics, the published document and the page that shows it. */
import css from 'swagger-ui-dist/swagger-ui.css' with { type: 'text' }
import bundle from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'text' }
import { keptByNobody } from './headers.ts'
import { invitationPage, invitationScript } from './invitation.ts'
import { confirmationPage, confirmationScript, resetPage, resetScript } from './link-pages.ts'
import { metricsPath } from './metrics.ts'
import { receiversPage } from './receivers.ts'

/** Is the service able to do its work? `problem` says what is missing, in words. */
export type Readiness = () => Promise<{ ready: true } | { ready: false; problem: string }>

export interface PageDeps {
  readiness: Readiness
  /** null = they are told on a port of their own. */
  metrics: ((request: Request) => Promise<Response>) | null
  /** The published document as text. */
  document: string
}

type Page = (request: Request) => Response | Promise<Response>

/** Path -> page. All of them answer GET and HEAD. */
export const pages = ({ readiness, metrics, document }: PageDeps): Record<string, Page> => ({
  '/healthz': () => Response.json({ status: 'ok' }, { headers: keptByNobody }),
  '/readyz': async () => {
    const state = await readiness()
    return state.ready
      ? Response.json({ status: 'ready' }, { headers: keptByNobody })
      : Response.json({ status: 'not ready', problem: state.problem }, { status: 503, headers: keptByNobody })
  },
  ...(metrics && { [metricsPath]: metrics }),
  '/openapi.json': () => asset(document, 'application/json', { 'Access-Control-Allow-Origin': '*' }),
  '/accept-invitation': () =>
    asset(invitationPage, 'text/html; charset=utf-8', { 'Content-Security-Policy': contentSecurityPolicy }),
  '/accept-invitation.js': () => asset(invitationScript, 'text/javascript; charset=utf-8', forAnHour),
  '/reset-password': () =>
    asset(resetPage, 'text/html; charset=utf-8', { 'Content-Security-Policy': contentSecurityPolicy }),
  '/reset-password.js': () => asset(resetScript, 'text/javascript; charset=utf-8', forAnHour),
  '/confirm-email': () =>
    asset(confirmationPage, 'text/html; charset=utf-8', { 'Content-Security-Policy': contentSecurityPolicy }),
  '/confirm-email.js': () => asset(confirmationScript, 'text/javascript; charset=utf-8', forAnHour),
  '/docs': () => asset(docsPage, 'text/html; charset=utf-8', { 'Content-Security-Policy': contentSecurityPolicy }),
  '/docs/receivers': () =>
    asset(receiversPage, 'text/html; charset=utf-8', { 'Content-Security-Policy': contentSecurityPolicy }),
  '/docs/swagger-ui.css': () => asset(css, 'text/css; charset=utf-8', forAnHour),
  '/docs/swagger-ui-bundle.js': () => asset(bundle, 'text/javascript; charset=utf-8', forAnHour),
  '/docs/start.js': () => asset(startScript, 'text/javascript; charset=utf-8', forAnHour),
})

const forAnHour = { 'Cache-Control': 'public, max-age=3600' }

const asset = (text: string, contentType: string, headers: Record<string, string> = {}): Response =>
  new Response(text, { headers: { 'Content-Type': contentType, ...headers } })

/** The browser itself holds the page to loading nothing from elsewhere. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const docsPage = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Customer Engagement Service: API</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
  <div id="docs"></div>
  <script src="/docs/swagger-ui-bundle.js"></script>
  <script src="/docs/start.js"></script>
</body>
</html>
`

const startScript = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#docs', deepLinking: true, docExpansion: 'list', validatorUrl: null })\n`
