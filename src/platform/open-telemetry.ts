/** Exports spans to a collector over OTLP (OpenTelemetry). Loaded only if an endpoint is configured. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, type TimeInput, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { TracingSettings } from '../config.ts'
import type { Log } from './log.ts'
import { maxLinks, type Span, type SpanOptions, type Tracer } from './tracing.ts'

/**
 * Limits of the export. One request with at most `batch` spans is open at a time, for at most `timeoutMs`. Meanwhile at
 * most `queue` spans wait, and further spans are dropped. A collector that hangs delays only the end of the process, by
 * `stopMs`.
 */
const limits = { queue: 4096, batch: 512, timeoutMs: 10_000, delayMs: 1000, stopMs: 2000 }
/** Maximum number of characters of a value, and of attributes of a span. */
const spanLimits = { attributeValueLengthLimit: 512, attributeCountLimit: 32, linkCountLimit: maxLinks }

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL }

export const createTracer = (settings: TracingSettings, version: string, log: Log): Tracer => {
  const exporter = new OTLPTraceExporter({
    url: `${settings.endpoint}/v1/traces`,
    headers: settings.headers,
    timeoutMillis: limits.timeoutMs,
    // At the end, all batches of the queue are sent together.
    concurrencyLimit: limits.queue / limits.batch + 1,
  })
  const ids = new TraceIds()
  const provider = new TracerProvider({
    idGenerator: ids,
    resource: resourceFromAttributes({ 'service.name': settings.serviceName, 'service.version': version }),
    sampler: samplerOf(settings.sampler),
    spanLimits,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: withLog(exporter, log),
        maxQueueSize: limits.queue,
        maxExportBatchSize: limits.batch,
        scheduledDelayMillis: limits.delayMs,
        exportTimeoutMillis: limits.timeoutMs,
      }),
    ],
  })
  const tracer = provider.getTracer('customer-engagement-service', version)
  return {
    start(name, { kind, parent, traceOf, links, attributes, startedAt }: SpanOptions): Span {
      const options = {
        kind: kinds[kind],
        links: (links ?? []).slice(0, maxLinks).map(link => ({ context: spanContextOf(link) })),
        ...(attributes && { attributes }),
        ...(startedAt !== undefined && { startTime: startedAt as TimeInput }),
      }
      const span = ids.during(traceOf, () => tracer.startSpan(name, options, contextOf(parent)))
      const { traceId, spanId, traceFlags } = span.spanContext()
      return {
        traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}`,
        end(attributes, error = null) {
          if (attributes) span.setAttributes(attributes)
          if (error !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: error })
          span.end()
        },
      }
    },
    async stop() {
      const timeout = sleep(limits.stopMs, undefined, { ref: false })
      await Promise.race([provider.shutdown().catch(() => {}), timeout])
    },
  }
}

/** Random IDs, except for a new trace that gets the ID of a UUID. */
class TraceIds extends RandomIdGenerator {
  #traceOf: string | undefined

  /** Starts a span, which is synchronous. */
  during<T>(traceOf: string | undefined, start: () => T): T {
    this.#traceOf = traceOf
    try {
      return start()
    } finally {
      this.#traceOf = undefined
    }
  }

  override generateTraceId(): string {
    return this.#traceOf?.replaceAll('-', '') ?? super.generateTraceId()
  }
}

const contextOf = (parent: string | null): Context =>
  parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, spanContextOf(parent))

const spanContextOf = (traceparent: string) => ({
  traceId: traceparent.slice(3, 35),
  spanId: traceparent.slice(36, 52),
  traceFlags: Number.parseInt(traceparent.slice(53), 16),
  isRemote: true,
})

/** Logs the first failed export, and the first success after it. */
const withLog = (exporter: SpanExporter, log: Log): SpanExporter => {
  let isFailing = false
  return {
    export(spans, onResult) {
      exporter.export(spans, result => {
        const hasFailed = result.code !== 0
        if (hasFailed && !isFailing) log.warn({ error: result.error }, 'spans could not be exported and are dropped')
        if (!hasFailed && isFailing) log.info({}, 'spans are exported again')
        isFailing = hasFailed
        onResult(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  }
}

const samplerOf = ({ name, ratio }: TracingSettings['sampler']): Sampler => {
  const root = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }
  return name.startsWith('parentbased_')
    ? new ParentBasedSampler({ root: root[name.slice('parentbased_'.length) as keyof typeof root]() })
    : root[name as keyof typeof root]()
}
