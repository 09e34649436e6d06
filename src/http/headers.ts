/** What every answer brings along, whatever it is an answer to (contract 1.6). */

/** No page of elsewhere learns addresses from here, and nothing is taken for what it does not say it is. */
const always = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' }

/** A year; of other hosts of the domain only their operator can speak. */
const byHttpsAlone = { 'Strict-Transport-Security': 'max-age=31536000' }

/** For what is true of this moment or meant for one caller: neither browsers nor proxies keep it. */
export const keptByNobody = { 'Cache-Control': 'no-store' }

/** Whoever is refused for want of a credential is told its scheme, as HTTP asks; browsers ask nobody for a Bearer. */
export const credentialWanted = { 'WWW-Authenticate': 'Bearer realm="Customer Engagement Service"' }

/** Puts on an answer what every answer brings along; `secure`: the service is reached by https. */
export const dressing = (secure: boolean): ((answer: Response) => Response) => {
  const headers = Object.entries({ ...always, ...(secure && byHttpsAlone) })
  return answer => {
    for (const [name, value] of headers) answer.headers.set(name, value)
    return answer
  }
}
