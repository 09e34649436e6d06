/** Client of an OpenID Connect provider: authorization code flow with PKCE, and back-channel logout tokens. */

import { createHash } from 'node:crypto'
import { createRemoteJWKSet, customFetch as joseFetch, jwtVerify } from 'jose'
import * as oidc from 'openid-client'
import { readBody } from './read-body.ts'

export interface OidcSettings {
  /** Issuer identifier of the provider. */
  issuer: string
  clientId: string
  /** Null for a public client, which PKCE alone protects. */
  clientSecret: string | null
}

/** Claims of a person that the provider has authenticated. */
export interface OidcIdentity {
  issuer: string
  subject: string
  /** Session at the provider (`sid`), which back-channel logout can name. */
  session: string | null
  /** Null if the provider sent no address, or one that it has not verified. */
  verifiedEmail: string | null
  /** All claims of the ID token and of the user info. */
  claims: Readonly<Record<string, unknown>>
}

/** Sessions that a logout token ends: all of a subject, or one session of the provider. */
export interface OidcLogout {
  subject: string | null
  session: string | null
}

/** The provider cannot be reached, answers with a server error, or its metadata is not valid. A retry can succeed. */
export class OidcUnavailable extends Error {
  override readonly name = 'OidcUnavailable'
}

/** The provider, or the check of its answer, rejected the sign-in or the logout. A retry with the same input cannot succeed. */
export class OidcRejected extends Error {
  override readonly name = 'OidcRejected'
}

/** Milliseconds for one request to the provider. */
const requestMs = 5000
/** Maximum bytes of an answer of the provider. */
const maxAnswerBytes = 256 * 1024
/** Milliseconds after which the metadata of the provider is read again. */
const metadataMs = 600_000
/** Maximum seconds since a logout token was issued. */
const maxLogoutAge = 300
/** Maximum characters of a claim that is stored or compared. */
const maxClaim = 320
/** Maximum number of code exchanges at the same time, so that a provider that hangs does not collect requests. */
const maxExchanges = 32

/** Returns the PKCE challenge (S256) of a verifier. */
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

export class OidcProvider {
  readonly #settings: OidcSettings
  #metadata: { read: Promise<oidc.ServerMetadata>; expiresAt: number } | null = null
  #signingKeys: { uri: string; keys: ReturnType<typeof createRemoteJWKSet> } | null = null
  #keyCache: ReturnType<typeof oidc.getJwksCache>
  #exchanges = 0

  constructor(settings: OidcSettings) {
    this.#settings = settings
  }

  get issuer(): string {
    return this.#settings.issuer
  }

  /** Reads the metadata of the provider. Throws `OidcUnavailable` if it cannot be reached, or is not the issuer. */
  async check(): Promise<void> {
    await this.#readMetadata()
  }

  /** Returns the URL of the provider that asks the person to sign in. Throws `OidcUnavailable`. */
  async authorizationUrl(p: { redirectUri: string; state: string; nonce: string; challenge: string }): Promise<string> {
    const config = this.#configuration(await this.#readMetadata(), noSignal)
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: p.redirectUri,
      scope: 'openid email profile',
      state: p.state,
      nonce: p.nonce,
      code_challenge: p.challenge,
      code_challenge_method: 'S256',
    })
    return url.href
  }

  /**
   * Exchanges the code of `callback`, the redirect URI with the parameters of the provider, and returns the identity.
   * Checks issuer, audience, signature, nonce and state. `signal` aborts all requests. Throws `OidcUnavailable` or
   * `OidcRejected`.
   */
  async exchange(
    callback: URL,
    { state, nonce, verifier }: { state: string; nonce: string; verifier: string },
    signal: AbortSignal,
  ): Promise<OidcIdentity> {
    if (this.#exchanges >= maxExchanges) throw new OidcUnavailable('too many sign-ins wait for the identity provider')
    this.#exchanges++
    try {
      const config = this.#configuration(await this.#readMetadata(), signal)
      const tokens = await oidc.authorizationCodeGrant(config, callback, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const idToken = tokens.claims()!
      const userInfo =
        config.serverMetadata().userinfo_endpoint === undefined
          ? {}
          : await oidc.fetchUserInfo(config, tokens.access_token, idToken.sub)
      this.#keyCache = oidc.getJwksCache(config)
      return identityOf(this.issuer, idToken, userInfo)
    } catch (error) {
      throw unavailableOf(error) ?? new OidcRejected(messageOf(error), { cause: error })
    } finally {
      this.#exchanges--
    }
  }

  /** Checks a logout token of the provider. Throws `OidcUnavailable` or `OidcRejected`. */
  async readLogoutToken(token: string): Promise<OidcLogout> {
    const keys = this.#keysOf(await this.#readMetadata())
    const { payload } = await jwtVerify(token, keys, {
      issuer: this.issuer,
      audience: this.#settings.clientId,
      maxTokenAge: maxLogoutAge,
      clockTolerance: 30,
      requiredClaims: ['iat', 'jti', 'events'],
    }).catch(error => {
      throw unavailableOf(error) ?? new OidcRejected(messageOf(error), { cause: error })
    })
    const { events, nonce } = payload
    const subject = shortText(payload.sub)
    const session = shortText(payload.sid)
    if (!isRecord(events) || !isRecord(events[logoutEvent])) throw new OidcRejected('the token is no logout token')
    if (nonce !== undefined) throw new OidcRejected('a logout token has no nonce')
    if (subject === null && session === null) throw new OidcRejected('the token names neither a subject nor a session')
    return { subject, session }
  }

  /** Creates the configuration of one call, because its requests end with the call. */
  #configuration(metadata: oidc.ServerMetadata, signal: AbortSignal): oidc.Configuration {
    const { clientId, clientSecret } = this.#settings
    const config = new oidc.Configuration(
      metadata,
      clientId,
      undefined,
      clientSecret === null ? oidc.None() : clientAuthentication(metadata, clientSecret),
    )
    config[oidc.customFetch] = fetchWithin(signal)
    config.timeout = requestMs / 1000
    // The service also checks the signature of an ID token that it received directly from the provider.
    oidc.enableNonRepudiationChecks(config)
    if (this.issuer.startsWith('http:')) oidc.allowInsecureRequests(config)
    if (this.#keyCache) oidc.setJwksCache(config, this.#keyCache)
    return config
  }

  /** Reads the metadata once for all callers. A failure is not kept. No caller can abort it for others. */
  #readMetadata(): Promise<oidc.ServerMetadata> {
    if (this.#metadata && this.#metadata.expiresAt > performance.now()) return this.#metadata.read
    const read = this.#discover()
    const metadata = { read, expiresAt: performance.now() + metadataMs }
    this.#metadata = metadata
    read.catch(() => {
      if (this.#metadata === metadata) this.#metadata = null
    })
    return read
  }

  async #discover(): Promise<oidc.ServerMetadata> {
    try {
      const config = await oidc.discovery(new URL(this.issuer), this.#settings.clientId, undefined, oidc.None(), {
        [oidc.customFetch]: fetchWithin(noSignal),
        timeout: requestMs / 1000,
        execute: this.issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [],
      })
      const metadata = config.serverMetadata()
      if (!metadata.authorization_endpoint || !metadata.token_endpoint || !metadata.jwks_uri)
        throw new Error('the metadata of the identity provider lacks an endpoint')
      // Logout tokens name this issuer. The library also accepts one that differs only in its spelling.
      if (metadata.issuer !== this.issuer)
        throw new Error(`the issuer of the identity provider is ${metadata.issuer}, not ${this.issuer}`)
      return metadata
    } catch (error) {
      throw unavailableOf(error) ?? new OidcUnavailable(messageOf(error), { cause: error })
    }
  }

  #keysOf({ jwks_uri: uri }: oidc.ServerMetadata): ReturnType<typeof createRemoteJWKSet> {
    if (this.#signingKeys?.uri === uri) return this.#signingKeys!.keys
    const keys = createRemoteJWKSet(new URL(uri!), {
      timeoutDuration: requestMs,
      [joseFetch]: (url, options) => boundedFetch(url, options as RequestInit, noSignal),
    })
    this.#signingKeys = { uri: uri!, keys }
    return keys
  }
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
const noSignal = new AbortController().signal

/** Prefers HTTP Basic, the default of the standard, unless the provider only accepts the secret in the body. */
const clientAuthentication = (
  { token_endpoint_auth_methods_supported: methods }: oidc.ServerMetadata,
  secret: string,
): oidc.ClientAuth =>
  methods && !methods.includes('client_secret_basic') && methods.includes('client_secret_post')
    ? oidc.ClientSecretPost(secret)
    : oidc.ClientSecretBasic(secret)

type Claims = Record<string, unknown>

const identityOf = (issuer: string, idToken: Claims, userInfo: Claims): OidcIdentity => {
  const subject = shortText(idToken.sub)
  if (subject === null) throw new OidcRejected('the subject of the ID token is not valid')
  return {
    issuer,
    subject,
    session: shortText(idToken.sid),
    // An address and its verification must have the same source.
    verifiedEmail: verifiedEmailOf(idToken) ?? verifiedEmailOf(userInfo),
    claims: { ...userInfo, ...idToken },
  }
}

const verifiedEmailOf = ({ email, email_verified: isVerified }: Claims): string | null =>
  isVerified === true ? shortText(email) : null

/** Returns a claim that can be stored. Longer texts, and other values, count as missing. */
const shortText = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= maxClaim && value.isWellFormed() && !value.includes('\0')
    ? value
    : null

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const fetchWithin =
  (signal: AbortSignal): oidc.CustomFetch =>
  (url, options) =>
    boundedFetch(url, options as RequestInit, signal)

/**
 * Sends a request to the provider, with limits of time and bytes. Follows no redirects. Throws `OidcUnavailable` if there
 * is no complete answer, or one with a status of 500 or above.
 */
const boundedFetch = async (url: string, options: RequestInit, caller: AbortSignal): Promise<Response> => {
  const signal = AbortSignal.any([caller, AbortSignal.timeout(requestMs)])
  try {
    const response = await fetch(url, { ...options, redirect: 'manual', signal })
    const bytes = await readBody(response.body, { maxBytes: maxAnswerBytes, signal })
    if (response.status >= 500) throw new Error(`the identity provider answered with the status ${response.status}`)
    const hasBody = response.status >= 200 && response.status !== 204 && response.status !== 304
    return new Response(hasBody ? bytes : null, { status: response.status, headers: response.headers })
  } catch (error) {
    throw new OidcUnavailable(messageOf(error), { cause: error })
  }
}

/** Returns the failure of a request that the library has wrapped. */
const unavailableOf = (error: unknown): OidcUnavailable | null => {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof OidcUnavailable) return cause
  return null
}

const messageOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return error instanceof Error ? `${error.message}${cause}` : String(error)
}
