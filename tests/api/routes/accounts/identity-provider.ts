/** An OpenID Connect provider on loopback (`oidc-provider`), and a browser that signs in there. */
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** A person at the provider. */
export interface Account {
  id: string
  email: string
  /** Defaults to true. */
  verified?: boolean
  /** True if the ID token also has the address. Otherwise only the user info has it. */
  emailInIdToken?: boolean
  /** Additional claims of the user info. */
  claims?: Record<string, unknown>
}

export interface IdentityProvider {
  issuer: string
  clientId: string
  clientSecret: string
  /** Person that the next sign-in is for. */
  account: Account
  /** Answers instead of the provider. Returns true if it handled the request, or will never answer it. */
  intercept: ((path: string, request: IncomingMessage, response: ServerResponse) => boolean) | null
  /** Allows a redirect URI and a back-channel logout URI. Called before the first request. */
  register(serviceUrl: string): void
  /** Number of requests by path. */
  requests: Map<string, number>
  stop(): Promise<void>
}

const jwk = (): Record<string, unknown> => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  alg: 'ES256',
  use: 'sig',
  kid: crypto.randomUUID(),
})

export const startIdentityProvider = async (): Promise<IdentityProvider> => {
  let provider: Provider | undefined
  const keys = [jwk()]
  const clientSecret = 'a secret of the tests'
  const server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://localhost').pathname
    running.requests.set(path, (running.requests.get(path) ?? 0) + 1)
    if (running.intercept?.(path, request, response)) return
    if (!path.startsWith('/interaction/')) return void provider!.callback()(request, response)
    const { id } = running.account
    void provider!.interactionFinished(request, response, { login: { accountId: id } })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const accounts = new Map<string, Account>()
  const running: IdentityProvider = {
    issuer,
    clientId: 'engagement',
    clientSecret,
    account: { id: 'nobody', email: 'nobody@shop.example' },
    intercept: null,
    requests: new Map(),
    register: serviceUrl => {
      provider = new Provider(issuer, {
        clients: [
          {
            client_id: 'engagement',
            client_secret: clientSecret,
            redirect_uris: [`${serviceUrl}/sign-in/sso`],
            post_logout_redirect_uris: [],
            backchannel_logout_uri: `${serviceUrl}/v1/auth/sso/logout`,
            backchannel_logout_session_required: true,
            id_token_signed_response_alg: 'ES256',
          },
        ],
        clientAuthMethods: ['client_secret_basic'],
        jwks: { keys },
        cookies: { keys: ['a key of the tests'] },
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['role'] },
        features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
        interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
        pkce: { required: () => true },
        conformIdTokenClaims: false,
        // The provider asks for no consent.
        loadExistingGrant: async ({ oidc }: GrantContext) => {
          const grant = new oidc.provider.Grant({
            clientId: oidc.client.clientId,
            accountId: oidc.session.accountId,
          })
          grant.addOIDCScope('openid email profile')
          await grant.save()
          return grant
        },
        findAccount: (_: unknown, id: string) => {
          if (running.account.id === id) accounts.set(id, running.account)
          const { email, verified = true, emailInIdToken = false, claims = {} } = accounts.get(id)!
          const address = { email, email_verified: verified }
          return {
            accountId: id,
            claims: (use: 'id_token' | 'userinfo') => ({
              sub: id,
              ...(use === 'userinfo' ? { ...address, ...claims } : emailInIdToken && address),
            }),
          }
        },
      })
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
  return running
}

interface GrantContext {
  oidc: {
    client: { clientId: string }
    session: { accountId: string }
    provider: {
      Grant: new (p: object) => { addOIDCScope(scope: string): void; save(): Promise<string> }
    }
  }
}

/** Cookies of one browser at the provider and at the service. */
export class Browser {
  readonly #cookies = new Map<string, string>()

  /** Requests a page without following redirects, and keeps its cookies. */
  async request(url: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = new Headers(init.headers)
    if (cookie) headers.set('cookie', cookie)
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [pair] = line.split(';', 1)
      const [name, value] = [pair!.slice(0, pair!.indexOf('=')), pair!.slice(pair!.indexOf('=') + 1)]
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return response
  }

  /** Follows the redirects of the provider to the service. Returns the parameters of the last one. */
  async signIn(url: string): Promise<Record<string, string>> {
    for (let next = url, hops = 0; hops < 10; hops++) {
      const response = await this.request(next)
      await response.body?.cancel()
      const location = response.headers.get('location')
      if (location === null) throw new Error(`no redirect from ${next}: ${response.status}`)
      const target = new URL(location, next)
      if (target.pathname === '/sign-in/sso') return Object.fromEntries(target.searchParams)
      next = target.href
    }
    throw new Error('too many redirects')
  }
}
