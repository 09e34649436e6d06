/** Assembles the HTTP application: registers all routes and answers requests that match none. */
import { Elysia } from 'elysia'
import type { RateLimit } from '../config.ts'
import type { Database } from '../db/client.ts'
import type { Lender } from '../db/lend.ts'
import type { FailedSignIns } from '../domain/audit/index.ts'
import type { ChannelSettings } from '../domain/channels/index.ts'
import type { WebhookSettings } from '../domain/endpoints/index.ts'
import { DomainError } from '../domain/errors.ts'
import type { EventWriter } from '../domain/events/index.ts'
import { newId } from '../domain/ids.ts'
import type { RefusalLog } from '../domain/refusals/index.ts'
import type { Seals } from '../domain/sealing.ts'
import type { Streams } from '../domain/stream/index.ts'
import { takesKeys } from '../domain/verb.ts'
import type { Log } from '../platform/log.ts'
import type { Page } from './asset.ts'
import type { Authenticator } from './auth.ts'
import type { Dashboard } from './dashboard.ts'
import { Door, type DoorDeps } from './door.ts'
import { dressing } from './headers.ts'
import { publishedDocument } from './openapi.ts'
import { accessOf, type Operation } from './operation.ts'
import { type PageDeps, pages } from './pages.ts'
import type { RateLimiter } from './rate-limit.ts'
import { accessRoutes } from './routes/access.ts'
import { accountRoutes } from './routes/account.ts'
import { activityRoutes } from './routes/activity.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { attentionRoutes } from './routes/attention.ts'
import { auditRoutes } from './routes/audit.ts'
import { authRoutes } from './routes/auth.ts'
import { campaignRoutes } from './routes/campaigns.ts'
import { channelRoutes } from './routes/channels.ts'
import { conversationRoutes } from './routes/conversations.ts'
import { customerRoutes } from './routes/customers.ts'
import { entitlementRoutes } from './routes/entitlements.ts'
import { eventRoutes } from './routes/events.ts'
import { inboundRoutes } from './routes/inbound.ts'
import { memberRoutes } from './routes/members.ts'
import { messageRoutes } from './routes/messages.ts'
import { notAcceptedRoutes } from './routes/not-accepted.ts'
import { optOutWordRoutes } from './routes/opt-out-words.ts'
import { outboundEventRoutes } from './routes/outbound-events.ts'
import { saleRoutes } from './routes/sales.ts'
import { searchRoutes } from './routes/search.ts'
import { streamRoutes } from './routes/stream.ts'
import { templateRoutes } from './routes/templates.ts'
import { trialRoutes } from './routes/trials.ts'
import { webhookRoutes } from './routes/webhooks.ts'
import { workflowRoutes } from './routes/workflows.ts'
import { workspaceRoutes } from './routes/workspace.ts'

export interface ApiDeps {
  /** Connection pool for operations outside a workspace. */
  sql: Database
  reads: Lender
  changes: Lender
  authenticator: Authenticator
  limiter: RateLimiter
  failedSignIns: FailedSignIns
  events: EventWriter
  refusals: RefusalLog
  streams: Streams
  webhookSettings: WebhookSettings
  channelSettings: ChannelSettings
  /** Maximum callback rate per workspace in this process. Null means no limit. */
  callbackRate: RateLimit | null
  /** Encrypts second factors. Null if no key is configured. */
  seals: Seals | null
  /** True if e-mail is configured. */
  byMail: boolean
  /** Maximum number of invitation e-mails per workspace and day. Null means no limit. */
  invitationsPerDay: number | null
  secure: boolean
  /** Returns the base URL that people use. Known once the service listens. */
  publicUrl: () => string
  addressOf: DoorDeps['addressOf']
  log: Log
  isDatabaseSilent?: DoorDeps['isDatabaseSilent']
  onFailure?: DoorDeps['onFailure']
  onAnswer: DoorDeps['onAnswer']
}

/** Returns all operations of the API, in the order of the published document. */
export const operationsOf = (
  deps: Pick<
    ApiDeps,
    | 'sql'
    | 'reads'
    | 'authenticator'
    | 'limiter'
    | 'limiter'
    | 'failedSignIns'
    | 'events'
    | 'refusals'
    | 'streams'
    | 'webhookSettings'
    | 'channelSettings'
    | 'callbackRate'
    | 'seals'
    | 'byMail'
    | 'invitationsPerDay'
    | 'secure'
    | 'publicUrl'
  >,
): Operation[] => [
  ...eventRoutes(deps),
  ...activityRoutes(),
  ...attentionRoutes(),
  ...searchRoutes(deps),
  ...notAcceptedRoutes(deps),
  ...streamRoutes(deps),
  ...customerRoutes(),
  ...workflowRoutes(deps),
  ...trialRoutes(deps),
  ...channelRoutes(deps),
  ...conversationRoutes(),
  ...inboundRoutes(deps),
  ...messageRoutes(),
  ...templateRoutes(),
  ...saleRoutes(),
  ...optOutWordRoutes(),
  ...campaignRoutes(),
  ...webhookRoutes(deps),
  ...outboundEventRoutes(),
  ...apiKeyRoutes(),
  ...authRoutes(deps),
  ...accountRoutes(deps),
  ...accessRoutes(deps),
  ...memberRoutes(deps),
  ...workspaceRoutes(),
  ...entitlementRoutes(),
  ...auditRoutes(),
]

/** Cached for all services of the process. The document depends only on the operations, not on their dependencies. */
let documentText: Promise<string> | undefined

const textOf = async (operations: Operation[]): Promise<string> =>
  `${JSON.stringify(await publishedDocument(operations), null, 2)}\n`

/** Creates the request handler. Without the role `http`, a process serves only the pages and no dashboard. */
export const createApp = async (
  page: Omit<PageDeps, 'document'>,
  api: ApiDeps,
  servesApi: boolean,
  dashboard: Dashboard | null,
): Promise<(request: Request) => Promise<Response>> => {
  const published = operationsOf(api)
  const served = servesApi ? published : []
  const document = await (documentText ??= textOf(published))
  const shown = pages({ ...page, document })
  const door = new Door(api)
  const app = new Elysia({ normalize: false })

  for (const [path, plain] of Object.entries(shown)) {
    const show = dashboard && inDashboard.has(path) ? dashboard.orElse(plain) : plain
    app.get(path, async ({ request }) => withRequestId(await show(request)))
    app.head(path, async ({ request }) => withRequestId(await show(request)))
  }
  if (dashboard) {
    const shownFile: Page = async request => {
      const path = new URL(request.url).pathname
      const file = await dashboard.asset(path.slice(1))
      return file ? file(request) : refuse(request, path)
    }
    for (const [path, show] of Object.entries({ '/': dashboard.page, '/assets/:file': shownFile })) {
      app.get(path, async ({ request }) => withRequestId(await show(request)))
      app.head(path, async ({ request }) => withRequestId(await show(request)))
    }
  }
  for (const operation of served) {
    const handle = door.open(operation)
    for (const method of methodsOf(operation)) {
      app.route(method, operation.path, ({ request, params }) => handle(request, params), { parse: 'none' })
    }
  }
  const paths = new PathTable(served, [...Object.keys(shown), ...(dashboard ? ['/'] : [])])
  const refuse = (request: Request, pathname: string) =>
    door.refuse(request, pathname, paths.methodsOf(pathname), paths.keyMayReach(pathname))
  for (const [method, path] of paths.takenForRecords()) app.route(method, path, ({ request }) => refuse(request, path))
  app.onError(({ request, error, code }) => {
    const { pathname } = new URL(request.url)
    if (code !== 'NOT_FOUND') return door.fail(request, pathname, error)
    if (dashboard && isForPage(request, pathname))
      return shownPage(request, dashboard).catch(reason => door.fail(request, pathname, reason))
    return refuse(request, pathname)
  })
  app.compile()
  const dress = dressing(api.secure)
  return async given => {
    const request = withReadableUrl(given)
    return dress(
      await (namesTwoHosts(request)
        ? door.fail(request, new URL(request.url).pathname, twoHosts())
        : app.fetch(request)),
    )
  }
}

/**
 * Pages opened by links in e-mails. The dashboard serves them; a plain page is served where no dashboard is built in.
 */
const inDashboard = new Set(['/accept-invitation', '/reset-password', '/confirm-email'])

/** First path segments that never belong to the dashboard. */
const servedElsewhere = new Set(['v1', 'docs', 'assets'])

/** Returns whether a browser requests a dashboard page. Only the dashboard knows which of its addresses exist. */
const isForPage = ({ method, headers }: Request, pathname: string): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  headers.get('accept')?.includes('text/html') === true &&
  !servedElsewhere.has(pathname.split('/', 2)[1] ?? '')

const shownPage = async (request: Request, { page }: Dashboard): Promise<Response> => withRequestId(await page(request))
/**
 * Returns whether the request has more than one Host header. The runtime joins them with a comma. Such requests are
 * rejected, because a proxy may have used either one for routing.
 */
const namesTwoHosts = ({ headers }: Request): boolean => headers.get('host')?.includes(',') ?? false

const twoHosts = () => new DomainError('malformed_request', 'The request has more than one Host header; send one.')

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
const withReadableUrl = (request: Request): Request => {
  const { url } = request
  const slash = url.startsWith('/') ? 0 : url.indexOf('/', 8)
  const end = url.indexOf('#', slash)
  if (slash >= 11 && end < 0 && URL.canParse(url)) return request
  return Object.defineProperty(request, 'url', {
    value: `http://localhost${url.slice(slash, end < 0 ? undefined : end)}`,
  })
}

const withRequestId = (response: Response): Response => {
  if (!response.headers.has('X-Request-Id')) response.headers.set('X-Request-Id', newId())
  return response
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
        key: takesKeys(accessOf(operation)),
      })),
      ...pagePaths.map(path => ({
        path,
        pattern: new RegExp(`^${path.replaceAll('.', '\\.')}$`),
        methods: ['GET', 'HEAD'],
        key: false,
      })),
    ]
  }

  methodsOf(pathname: string): string[] {
    return [...new Set(this.#meant(pathname).flatMap(({ methods }) => methods))].sort()
  }

  /**
   * Returns (method, path) pairs that a router would match as a record id. For example, `batch` is not an id of
   * `/v1/events/:id`.
   */
  takenForRecords(): [method: string, path: string][] {
    return [...new Set(this.#entries.filter(isFixed).map(({ path }) => path))].flatMap(path => {
      const own = this.methodsOf(path)
      const others = this.#matching(path).flatMap(({ methods }) => methods)
      return [...new Set(others)]
        .filter(method => !own.includes(method))
        .map(method => [method, path] as [string, string])
    })
  }

  keyMayReach(pathname: string): boolean {
    return /^\/v1\/(events|customers)(\/|$)/.test(pathname) || this.#matching(pathname).some(({ key }) => key)
  }

  /** Returns the entries for a path. Entries without parameters take precedence. */
  #meant(pathname: string): PathEntry[] {
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
  key: boolean
}

const isFixed = ({ path }: PathEntry): boolean => !path.includes(':')
