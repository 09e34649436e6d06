/** Reads the ids that a caller sends to correlate a request with its own systems. */
import { parseTraceparent, type Span, traceIdOf } from '../platform/tracing.ts'

/** Fields of a log line. A field is absent if the caller did not send it, or if its value is not valid. */
export interface Correlation {
  /**
   * `X-Request-Id` of the request. Answers and records use an id made by this service instead, because a caller could
   * choose this one.
   */
  callerRequestId?: string
  /** Trace id (W3C Trace Context) of the span, or of `traceparent`: 32 hexadecimal digits. */
  trace_id?: string
}

const safeId = /^[A-Za-z0-9._:/+=@-]{1,128}$/

export const correlationOf = ({ headers }: Request, span: Span | null = null): Correlation => {
  const callerRequestId = headers.get('x-request-id')
  const traceparent = span?.traceparent ?? parseTraceparent(headers.get('traceparent'))
  return {
    ...(callerRequestId !== null && safeId.test(callerRequestId) && { callerRequestId }),
    ...(traceparent !== null && { trace_id: traceIdOf(traceparent) }),
  }
}
