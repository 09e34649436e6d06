/** Reads the ids that a caller sends to correlate a request with its own systems. */

/** Fields of a log line. A field is absent if the caller did not send it, or if its value is not valid. */
export interface Correlation {
  /**
   * `X-Request-Id` of the request. Answers and records use an id made by this service instead, because a caller could
   * choose this one.
   */
  callerRequestId?: string
  /** Trace id of `traceparent` (W3C Trace Context), 32 hexadecimal digits. */
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
