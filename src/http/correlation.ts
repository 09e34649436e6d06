/** The ids that a caller sends to find a request again in its own systems. */

/** Fields of a log line; each is missing where the caller did not send it, or not as it must be. */
export interface Correlation {
  /** `X-Request-Id` of the request. Answers and records have an id that this service makes: nobody can choose it. */
  callerRequestId?: string
  /** The trace of `traceparent` (W3C Trace Context), 32 hexadecimal digits. */
  trace_id?: string
}

const safeId = /^[A-Za-z0-9._:/+=@-]{1,128}$/
const traceparent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/

export const correlationOf = ({ headers }: Request): Correlation => {
  const callerRequestId = headers.get('x-request-id')
  const traceId = traceparent.exec(headers.get('traceparent') ?? '')?.[1]
  return {
    ...(callerRequestId !== null && safeId.test(callerRequestId) && { callerRequestId }),
    ...(traceId !== undefined && { trace_id: traceId }),
  }
}
