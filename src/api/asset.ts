/**
 * Serves static text with an ETag and compression. Each encoding is computed on first use and cached, so at most three
 * forms per text are kept.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { acceptedEncoding, type Encoding } from './compression.ts'

export interface AssetOptions {
  contentType: string
  /** The content compressed with Brotli, if that was done before. */
  brotli?: Uint8Array | undefined
  headers?: Record<string, string>
}

/** A page that answers GET and HEAD. */
export type Page = (request: Request) => Response | Promise<Response>

/** Serves existing text or bytes. Pass a function if the text is expensive to create. */
export const textAsset = (text: string | Uint8Array | (() => string), options: AssetOptions): Page => {
  const { brotli } = options
  const bytes = memoize(async () => Buffer.from(typeof text === 'function' ? text() : text))
  // A font is compressed already.
  if (options.contentType.startsWith('font/')) return serve({ identity: bytes }, options)
  return serve(
    { identity: bytes, br: memoize(async () => brotli ?? compressBrotli(await bytes())), gzip: compressGzip(bytes) },
    options,
  )
}

type Forms = Partial<Record<Encoding, () => Promise<Uint8Array>>> & { identity: () => Promise<Uint8Array> }

const serve = (forms: Forms, { contentType, headers = {} }: AssetOptions): Page => {
  const hash = memoize(async () =>
    createHash('sha256')
      .update(await (forms.br ?? forms.identity)())
      .digest('base64url')
      .slice(0, 22),
  )
  const encodings = (['br', 'gzip'] as const).filter(encoding => forms[encoding])
  return async request => {
    const encoding = acceptedEncoding(request.headers.get('accept-encoding'), encodings)
    const etag = `"${await hash()}${encoding === 'identity' ? '' : `-${encoding}`}"`
    const responseHeaders = { 'Cache-Control': 'no-cache', ...headers, ETag: etag, Vary: 'Accept-Encoding' }
    if (matchesEtag(request.headers.get('if-none-match'), etag))
      return new Response(null, { status: 304, headers: responseHeaders })
    const body = new Uint8Array(await forms[encoding]!())
    return new Response(body, {
      headers: {
        ...responseHeaders,
        'Content-Type': contentType,
        ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
      },
    })
  }
}

/** Uses weak comparison, as HTTP requires for `If-None-Match`. */
const matchesEtag = (ifNoneMatch: string | null, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some(entry => ['*', etag].includes(entry.trim().replace(/^W\//, '')))

const compressGzip = (bytes: () => Promise<Buffer>) => memoize(async () => promisify(gzip)(await bytes()))

/** Quality 5 gives nearly the smallest size in a fraction of the time. */
const compressBrotli = (bytes: Buffer): Promise<Buffer> =>
  promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })

/**
 * Memoizes an asynchronous function. Concurrent callers share one execution. A failure is not cached, so the next call
 * tries again.
 */
const memoize = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let result: Promise<T> | undefined
  return () =>
    (result ??= work().catch(error => {
      result = undefined
      throw error
    }))
}
