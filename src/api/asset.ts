/**
 * Serves static text with an ETag and compression. Each encoding is computed on first use and cached, so at most three
 * forms per text are kept.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

type Encoding = 'br' | 'gzip' | 'identity'

export interface AssetOptions {
  contentType: string
  headers?: Record<string, string>
}

/** A page that answers GET and HEAD. */
export type Page = (request: Request) => Response | Promise<Response>

/** Serves existing text or bytes. Pass a function if the text is expensive to create. */
export const textAsset = (text: string | Uint8Array | (() => string), options: AssetOptions): Page => {
  const bytes = memoize(async () => Buffer.from(typeof text === 'function' ? text() : text))
  return serve(
    { identity: bytes, br: memoize(async () => compressBrotli(await bytes())), gzip: compressGzip(bytes) },
    options,
  )
}

type Forms = Record<Encoding, () => Promise<Buffer>>

const serve = (forms: Forms, { contentType, headers = {} }: AssetOptions): Page => {
  const hash = memoize(async () =>
    createHash('sha256')
      .update(await forms.br())
      .digest('base64url')
      .slice(0, 22),
  )
  return async request => {
    const encoding = encodingFor(request.headers.get('accept-encoding'))
    const etag = `"${await hash()}${encoding === 'identity' ? '' : `-${encoding}`}"`
    const responseHeaders = { 'Cache-Control': 'no-cache', ...headers, ETag: etag, Vary: 'Accept-Encoding' }
    if (matchesEtag(request.headers.get('if-none-match'), etag))
      return new Response(null, { status: 304, headers: responseHeaders })
    const body = new Uint8Array(await forms[encoding]())
    return new Response(body, {
      headers: {
        ...responseHeaders,
        'Content-Type': contentType,
        ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
      },
    })
  }
}

/** Returns the smallest accepted encoding. An encoding with weight zero (`br;q=0`) is not accepted. */
const encodingFor = (acceptEncoding: string | null): Encoding => {
  const weights = new Map(
    (acceptEncoding ?? '').split(',').map(entry => {
      const [name, ...parameters] = entry.trim().toLowerCase().split(';')
      const weight = parameters.map(parameter => /^\s*q\s*=\s*([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean)
      return [name!.trim(), Number(weight ?? 1)]
    }),
  )
  const accepts = (name: string) => (weights.get(name) ?? weights.get('*') ?? 0) > 0
  return accepts('br') ? 'br' : accepts('gzip') ? 'gzip' : 'identity'
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
