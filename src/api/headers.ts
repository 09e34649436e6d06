/** Headers that every answer carries (contract 1.6). */

/** Hides our URLs from other sites, and stops browsers from guessing content types. */
const securityHeaders = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' }

/** One year. Subdomains are not included, because they may have other operators. */
const httpsHeaders = { 'Strict-Transport-Security': 'max-age=31536000' }

/** Headers of answers that change with time or belong to one caller. Browsers and proxies must not cache them. */
export const noStore = { 'Cache-Control': 'no-store' }

/** Names the authentication scheme, as HTTP requires for a 401. Browsers show no prompt for Bearer. */
export const authenticateHeader = { 'WWW-Authenticate': 'Bearer realm="Customer Engagement Service"' }

/** Returns a function that adds these headers to an answer. `secure` is true if the service is reached by https. */
export const headerWriter = (secure: boolean): ((answer: Response) => Response) => {
  const headers = Object.entries({ ...securityHeaders, ...(secure && httpsHeaders) })
  return answer => {
    for (const [name, value] of headers) answer.headers.set(name, value)
    return answer
  }
}

/** Header of documentation pages and of the dashboard: the address of the published document (RFC 8631). */
export const serviceDescription = { Link: '</openapi.json>; rel="service-desc"; type="application/json"' }
