/** An OpenTelemetry collector on loopback that decodes the protobuf of OTLP. */

export interface ExportedSpan {
  name: string
  traceId: string
  spanId: string
  parentId: string
  /** Trace IDs of the linked spans. */
  links: string[]
  attributes: Record<string, string | number>
  hasFailed: boolean
}

export interface Collector {
  /** Base URL for OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string
  spans: ExportedSpan[]
  /** Attributes of the resource of the last request. */
  resource: Record<string, string | number>
  /** Headers of the requests. */
  headers: Headers[]
  stop(): Promise<void>
}

/** Starts a collector. `respond` answers a request after its spans were read. */
export const startCollector = async (
  respond: () => Response | Promise<Response> = () => new Response(new Uint8Array()),
): Promise<Collector> => {
  const collector = { spans: [] as ExportedSpan[], resource: {}, headers: [] as Headers[] }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    fetch: async request => {
      if (new URL(request.url).pathname !== '/v1/traces') return new Response(null, { status: 404 })
      collector.headers.push(request.headers)
      for (const resourceSpans of all(fieldsOf(new Uint8Array(await request.arrayBuffer())), 1)) {
        const parts = fieldsOf(resourceSpans)
        collector.resource = Object.assign({}, ...all(parts, 1).map(resource => attributesOf(fieldsOf(resource), 1)))
        for (const scope of all(parts, 2)) collector.spans.push(...all(fieldsOf(scope), 2).map(spanOf))
      }
      return respond()
    },
  })
  return Object.assign(collector, { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) })
}

type Field = { number: number; value: Uint8Array | bigint }

/** Splits a protobuf message into its fields. */
const fieldsOf = (bytes: Uint8Array): Field[] => {
  const fields: Field[] = []
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]!
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return value
    }
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const type = tag & 7
    if (type === 0) fields.push({ number: tag >> 3, value: varint() })
    else {
      const length = type === 2 ? Number(varint()) : type === 1 ? 8 : 4
      fields.push({ number: tag >> 3, value: bytes.subarray(at, at + length) })
      at += length
    }
  }
  return fields
}

const all = (fields: Field[], number: number) =>
  fields.flatMap(field => (field.number === number && typeof field.value !== 'bigint' ? [field.value] : []))
const hex = (fields: Field[], number: number) => Buffer.from(all(fields, number)[0] ?? []).toString('hex')
const text = (fields: Field[], number: number) => Buffer.from(all(fields, number)[0] ?? []).toString()

const attributesOf = (fields: Field[], number: number): Record<string, string | number> =>
  Object.fromEntries(
    all(fields, number).map(pair => {
      const keyValue = fieldsOf(pair)
      const [value] = fieldsOf(all(keyValue, 2)[0]!)
      return [
        text(keyValue, 1),
        typeof value!.value === 'bigint' ? Number(value!.value) : Buffer.from(value!.value).toString(),
      ]
    }),
  )

const spanOf = (bytes: Uint8Array): ExportedSpan => {
  const fields = fieldsOf(bytes)
  const [status] = all(fields, 15)
  return {
    name: text(fields, 5),
    traceId: hex(fields, 1),
    spanId: hex(fields, 2),
    parentId: hex(fields, 4),
    links: all(fields, 13).map(link => hex(fieldsOf(link), 1)),
    attributes: attributesOf(fields, 9),
    hasFailed: status !== undefined && fieldsOf(status).some(({ number, value }) => number === 3 && value === 2n),
  }
}
