/**
 * Spans of distributed traces (W3C Trace Context). `open-telemetry.ts` exports them. Without an exporter there is no
 * tracer, and the service only passes on the `traceparent` that a sender gave.
 */

/** Starts spans. */
export interface Tracer {
  /** Starts a span as a child of `parent`, or of a new trace. */
  start(name: string, options: SpanOptions): Span
  /** Exports the queued spans, for a limited time, and ends. */
  stop(): Promise<void>
}

export interface SpanOptions {
  kind: 'server' | 'client' | 'internal'
  /** Valid `traceparent` of the parent. Null starts a new trace. */
  parent: string | null
  /** UUID that gives a new trace its ID, so that spans which do not know each other share it. Defaults to a random ID. */
  traceOf?: string
  /** `traceparent` of related spans. At most `maxLinks` are kept. */
  links?: readonly string[]
  attributes?: SpanAttributes
  /** Start in milliseconds since 1970. Defaults to now. */
  startedAt?: number
}

export interface Span {
  /** `traceparent` for the children of this span. */
  readonly traceparent: string
  /** Ends the span. `error` is set if it failed. */
  end(attributes?: SpanAttributes, error?: string | null): void
}

/** Attributes without a value are left out. */
export type SpanAttributes = Record<string, string | number | undefined>

/** Maximum number of links of a span: a batch can contain the events of more requests. */
export const maxLinks = 128

const pattern = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32}-(?!0{16})[0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/

/**
 * Returns a received `traceparent` in the form of version 00, which has 55 characters. Returns null if it is missing or
 * not valid.
 */
export const parseTraceparent = (header: string | null): string | null => {
  const match = header === null ? null : pattern.exec(header)
  // Later versions can have more flags. Only the first, `sampled`, is kept.
  return match && `00-${match[1]}-0${Number.parseInt(match[2]!, 16) & 1}`
}

/** Returns the trace ID of a valid `traceparent`: 32 hexadecimal digits. */
export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35)
