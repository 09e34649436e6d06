/** Assembles the HTTP application: registers all routes and answers requests that match none. */
import { Elysia } from 'elysia'
import type { FailedSignIns } from '../accounts/audit/index.ts'
import type { SsoSettings } from '../accounts/single-sign-on/index.ts'
import type { RateLimit } from '../config.ts'
import { DomainError } from '../core/errors.ts'
import { allowsKeys } from '../core/verb.ts'
import type { EventWriter } from '../events/index.ts'
import type { RejectedRequestLog } from '../events/rejected-requests/index.ts'
import type { LiveFeeds } from '../insights/live-feed/index.ts'
import type { ChannelSettings } from '../messaging/channels/index.ts'
import type { Keyring } from '../platform/encryption.ts'
import type { Log } from '../platform/log.ts'
import type { Database } from '../platform/postgres/client.ts'
import type { LimitedPool } from '../platform/postgres/limited-pool.ts'
import type { WebhookSettings } from '../webhooks/endpoints/index.ts'
import type { PullWaiters } from '../webhooks/outbound-events/index.ts'
import type { Page } from './asset.ts'
import type { Authenticator } from './auth.ts'
import type { Dashboard } from './dashboard.ts'
import { missingDocsPage } from './docs/index.ts'
import { publishedDocument } from './document/openapi.ts'
import { headerWriter } from './headers.ts'
import type { RateLimiter } from './limits/rate-limit.ts'
import { accessOf, type Operation } from './operation.ts'
import { type PageDeps, pages } from './pages/pages.ts'
import { recordPage } from './pages/record.ts'
import { Pipeline, type PipelineDeps, type PipelineLimits } from './pipeline.ts'
import { allowRepetition, isRepeatable } from './routed-requests.ts'
import { accessRoutes } from './routes/accounts/access.ts'
import { accountRoutes } from './routes/accounts/account.ts'
import { apiKeyRoutes } from './routes/accounts/api-keys.ts'
import { auditRoutes } from './routes/accounts/audit.ts'
import { authRoutes } from './routes/accounts/auth.ts'
import { entitlementRoutes } from './routes/accounts/entitlements.ts'
import { memberRoutes } from './routes/accounts/members.ts'
import { savedViewRoutes } from './routes/accounts/saved-views.ts'
import { ssoRoutes } from './routes/accounts/single-sign-on.ts'
import { tokenRoutes } from './routes/accounts/tokens.ts'
import { workspaceRoutes } from './routes/accounts/workspace.ts'
import { customerRoutes } from './routes/customers/customers.ts'
import { saleRoutes } from './routes/customers/sales.ts'
import { eventRoutes } from './routes/events/events.ts'
import { rejectedRequestRoutes } from './routes/events/rejected-requests.ts'
import { activityRoutes } from './routes/insights/activity.ts'
import { attentionRoutes } from './routes/insights/attention.ts'
import { inboxRoutes } from './routes/insights/inbox.ts'
import { searchRoutes } from './routes/insights/search.ts'
import { streamRoutes } from './routes/insights/stream.ts'
import { campaignRoutes } from './routes/messaging/campaigns.ts'
import { channelRoutes } from './routes/messaging/channels.ts'
import { conversationRoutes } from './routes/messaging/conversations.ts'
import { inboundRoutes } from './routes/messaging/inbound.ts'
import { messageRoutes } from './routes/messaging/messages.ts'
import { optOutWordRoutes } from './routes/messaging/opt-out-words.ts'
import { templateRoutes } from './routes/messaging/templates.ts'
import { outboundEventRoutes } from './routes/webhooks/outbound-events.ts'
import { webhookStatsRoutes } from './routes/webhooks/statistics.ts'
import { webhookRoutes } from './routes/webhooks/webhooks.ts'
import { trialRoutes } from './routes/workflows/trials.ts'
import { workflowRoutes } from './routes/workflows/workflows.ts'

export interface ApiDeps {
  /** Connection pool for operations outside a workspace. */
  sql: Database
  reads: LimitedPool
  changes: LimitedPool
  authenticator: Authenticator
  limiter: RateLimiter
  failedSignIns: FailedSignIns
  events: EventWriter
  rejectedRequests: RejectedRequestLog
  liveFeeds: LiveFeeds
  pullWaiters: PullWaiters
  webhookSettings: WebhookSettings
  channelSettings: ChannelSettings
  /** Maximum callback rate per workspace in this process. Null means no limit. */
  callbackRate: RateLimit | null
  /** Encrypts second factors. Null if no key is configured. */
  keyring: Keyring | null
  /** True if e-mail is configured. */
  byMail: boolean
  /** Identity provider of single sign-on. Null if none is configured. */
  sso: SsoSettings | null
  /** Maximum number of invitation e-mails per workspace and day. Null means no limit. */
  invitationsPerDay: number | null
  secure: boolean
  /** Returns the base URL that people use. Known once the service listens. */
  publicUrl: () => string
  addressOf: PipelineDeps['addressOf']
  log: Log
  isDatabaseUnresponsive?: PipelineDeps['isDatabaseUnresponsive']
  onFailure?: PipelineDeps['onFailure']
  onResponse: PipelineDeps['onResponse']
  onRejected?: PipelineDeps['onRejected']
  tracer?: PipelineDeps['tracer']
  /** Limits of this process. By default the handler has its own. */
  limits?: PipelineLimits
}

/** Returns all operations of the API, in the order of the published document. */
export const operationsOf = (
  deps: Pick<
    ApiDeps,
    | 'sql'
    | 'reads'
    | 'changes'
    | 'authenticator'
    | 'limiter'
    | 'limiter'
    | 'failedSignIns'
    | 'events'
    | 'rejectedRequests'
    | 'liveFeeds'
    | 'pullWaiters'
    | 'webhookSettings'
    | 'channelSettings'
    | 'callbackRate'
    | 'keyring'
    | 'byMail'
    | 'sso'
    | 'invitationsPerDay'
    | 'secure'
    | 'publicUrl'
  >,
): Operation[] => [
  ...eventRoutes(deps),
  ...activityRoutes(),
  ...webhookStatsRoutes(),
  ...attentionRoutes(),
  ...searchRoutes(deps),
  ...rejectedRequestRoutes(deps),
  ...streamRoutes(deps),
  ...customerRoutes(),
  ...workflowRoutes(deps),
  ...trialRoutes(deps),
  ...channelRoutes(deps),
  ...conversationRoutes(),
  ...inboxRoutes(),
  ...inboundRoutes(deps),
  ...messageRoutes(),
  ...templateRoutes(),
  ...saleRoutes(),
  ...optOutWordRoutes(),
  ...campaignRoutes(),
  ...webhookRoutes(deps),
  ...outboundEventRoutes(deps),
  ...apiKeyRoutes(),
  ...authRoutes(deps),
  ...ssoRoutes(deps),
  ...accountRoutes(deps),
  ...tokenRoutes(deps),
  ...accessRoutes(deps),
  ...savedViewRoutes(),
  ...memberRoutes(deps),
  ...workspaceRoutes(),
  ...entitlementRoutes(),
  ...auditRoutes(),
]

/** Cached for all services of the process. The document depends only on the operations, not on their dependencies. */
let documentText: Promise<string> | undefined

const textOf = async (operations: Operation[]): Promise<string> =>
  `${JSON.stringify(await publishedDocument(operations), null, 2)}\n`

/** Answers a request. */
export type Handler = (request: Request) => Promise<Response>

/** Returns the handler of another cell, or null if this one answers the request. */
export type Route = (request: Request) => Promise<Handler | null>

/**
 * Creates the request handler. Without the role `http`, a process serves only the pages and no dashboard. `page` is null
 * for a handler that serves no pages.
 */
export const createApp = async (
  page: Omit<PageDeps, 'document' | 'publicUrl'> | null,
  api: ApiDeps,
  servesApi: boolean,
  dashboard: Dashboard | null,
  route: Route | null = null,
): Promise<Handler> => {
  const allOperations = operationsOf(api)
  const servedOperations = servesApi ? allOperations : []
  const document = await (documentText ??= textOf(allOperations))
  const publicPages = page ? pages({ ...page, document, publicUrl: api.publicUrl }) : {}
  const pipeline = new Pipeline(api, api.limits)
  const serveDashboard = dashboard && recordPage('/', dashboard.page, api)
  const serveMissingDocs = recordPage(docsRoute, missingDocsPage, api)
  const app = new Elysia({ normalize: false })

  const addPage = (path: string, serve: Page) => {
    app.get(path, async ({ request }) => await serve(request))
    app.head(path, async ({ request }) => await serve(request))
  }
  for (const [path, fallback] of Object.entries(publicPages)) {
    const serve = dashboard && dashboardPaths.has(path) ? dashboard.withFallback(fallback) : fallback
    addPage(path, recordPage(firstSegment(path) === 'docs' ? docsRoute : path, serve, api))
  }
  if (dashboard && serveDashboard) {
    addPage('/', serveDashboard)
    addPage(assetRoute, async request => {
      const path = new URL(request.url).pathname
      const file = await dashboard.asset(path.slice(1))
      return file ? recordPage(assetRoute, file, api)(request) : answerUnmatched(request, path)
    })
  }
  for (const operation of servedOperations) {
    const handle = pipeline.handlerFor(operation)
    for (const method of methodsOf(operation)) {
      app.route(method, operation.path, ({ request, params }) => handle(request, params), { parse: 'none' })
    }
  }
  const paths = new PathTable(servedOperations, [...Object.keys(publicPages), ...(dashboard ? ['/'] : [])])
  const answerUnmatched = (request: Request, pathname: string) =>
    pipeline.answerUnmatched(request, pathname, paths.methodsOf(pathname), paths.isKeyAllowed(pathname))
  for (const [method, path] of paths.fixedPathConflicts())
    app.route(method, path, ({ request }) => answerUnmatched(request, path))
  app.onError(({ request, error, code }) => {
    const { pathname } = new URL(request.url)
    if (code !== 'NOT_FOUND') return pipeline.answerError(request, pathname, error)
    if (serveDashboard && isDashboardRequest(request, pathname))
      return serveDashboard(request).catch(reason => pipeline.answerError(request, pathname, reason))
    if (acceptsHtml(request) && firstSegment(pathname) === 'docs' && paths.methodsOf(pathname).length === 0)
      return serveMissingDocs(request)
    return answerUnmatched(request, pathname)
  })
  app.compile()
  const addHeaders = headerWriter(api.secure)
  const answerError = (request: Request, error: unknown) =>
    pipeline.answerError(request, new URL(request.url).pathname, error)
  const answerHere = async (request: Request) =>
    addHeaders(await (hasSeveralHosts(request) ? answerError(request, severalHosts()) : app.fetch(request)))
  if (!route || !servesApi) return original => answerHere(withParsableUrl(original))
  const answer: Handler = async request => {
    const other = await route(request).catch(
      (error): Handler =>
        () =>
          answerError(request, error).then(addHeaders),
    )
    return (other ?? answerHere)(request)
  }
  return async original => {
    const request = withParsableUrl(original)
    allowRepetition(request)
    const response = await answer(request)
    return isRepeatable(request) ? response : answer(request)
  }
}

/**
 * Pages opened by links in e-mails. The dashboard serves them; a plain page is served where no dashboard is built in.
 */
const dashboardPaths = new Set(['/accept-invitation', '/reset-password', '/confirm-email'])

/** Names in the log and the metrics, of all pages of the documentation and of all files of the dashboard. */
const [docsRoute, assetRoute] = ['/docs', '/assets/:file']

/** First path segments that never belong to the dashboard. */
const reservedSegments = new Set(['v1', 'docs', 'assets'])

/** Returns whether a browser requests a dashboard page. Only the dashboard knows which of its addresses exist. */
const isDashboardRequest = (request: Request, pathname: string): boolean =>
  acceptsHtml(request) && !reservedSegments.has(firstSegment(pathname))

const acceptsHtml = ({ method, headers }: Request): boolean =>
  (method === 'GET' || method === 'HEAD') && headers.get('accept')?.includes('text/html') === true

const firstSegment = (pathname: string): string => pathname.split('/', 2)[1] ?? ''

/**
 * Returns whether the request has more than one Host header. The runtime joins them with a comma. Such requests are
 * rejected, because a proxy may have used either one for routing.
 */
const hasSeveralHosts = ({ headers }: Request): boolean => headers.get('host')?.includes(',') ?? false

const severalHosts = () => new DomainError('malformed_request', 'The request has more than one Host header. Send one.')

/** Returns the methods of an operation. HEAD is available wherever GET is. */
const methodsOf = ({ method }: Operation): string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method])

/**
 * Replaces the host of a URL that cannot be parsed. The host is chosen by the caller and nothing depends on it. Without
 * a Host header, the URL is only a path.
 *
 * Elysia looks for the path from the eleventh character on, so a shorter host such as `http://api/x` must be replaced.
 * Elysia also treats a fragment as part of the path, so the fragment is removed.
 *
 * The URL of the same request object is redefined. A copy would lose the client address, and would not show that the
 * rest of a rejected body is unread.
 */
const withParsableUrl = (request: Request): Request => {
  const { url } = request
  const slash = url.startsWith('/') ? 0 : url.indexOf('/', 8)
  const end = url.indexOf('#', slash)
  if (slash >= 11 && end < 0 && URL.canParse(url)) return request
  return Object.defineProperty(request, 'url', {
    value: `http://localhost${url.slice(slash, end < 0 ? undefined : end)}`,
  })
}

/** Lists the methods of each path, for 405 and its `Allow` header, and the paths that accept API keys. */
class PathTable {
  readonly #entries: PathEntry[]

  constructor(operations: Operation[], pagePaths: string[]) {
    this.#entries = [
      ...operations.map(operation => ({
        path: operation.path,
        pattern: new RegExp(`^${operation.path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}/?$`),
        methods: methodsOf(operation),
        acceptsKeys: allowsKeys(accessOf(operation)),
      })),
      ...pagePaths.map(path => ({
        path,
        pattern: new RegExp(`^${path.replaceAll('.', '\\.')}$`),
        methods: ['GET', 'HEAD'],
        acceptsKeys: false,
      })),
    ]
  }

  methodsOf(pathname: string): string[] {
    return [...new Set(this.#bestMatches(pathname).flatMap(({ methods }) => methods))].sort()
  }

  /**
   * Returns (method, path) pairs that a router would match as a record id. For example, `batch` is not an id of
   * `/v1/events/:id`.
   */
  fixedPathConflicts(): [method: string, path: string][] {
    return [...new Set(this.#entries.filter(isFixed).map(({ path }) => path))].flatMap(path => {
      const ownMethods = this.methodsOf(path)
      const otherMethods = this.#matching(path).flatMap(({ methods }) => methods)
      return [...new Set(otherMethods)]
        .filter(method => !ownMethods.includes(method))
        .map(method => [method, path] as [string, string])
    })
  }

  isKeyAllowed(pathname: string): boolean {
    return (
      /^\/v1\/(events|customers)(\/|$)/.test(pathname) ||
      this.#matching(pathname).some(({ acceptsKeys }) => acceptsKeys)
    )
  }

  /** Returns the entries for a path. Entries without parameters take precedence. */
  #bestMatches(pathname: string): PathEntry[] {
    const matching = this.#matching(pathname)
    const fixed = matching.filter(isFixed)
    return fixed.length > 0 ? fixed : matching
  }

  #matching(pathname: string): PathEntry[] {
    return this.#entries.filter(({ pattern }) => pattern.test(pathname))
  }
}

interface PathEntry {
  path: string
  pattern: RegExp
  methods: string[]
  acceptsKeys: boolean
}

const isFixed = ({ path }: PathEntry): boolean => !path.includes(':')
