/** What only Bun has. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ofetch } from 'ofetch'
import type {
  DirectOptions,
  NamedRequest,
  PageFile,
  PinnedPost,
  Runtime,
  ServeOptions,
  Server,
} from './runtime-interface.ts'

/** Far above the service's own limit of 1 MiB, so that it is always the service that answers, with its envelope. */
const maxBodyBytes = 2 ** 40
/** Seconds without traffic; the default of 10 would also end slow handlers. */
const idleSeconds = 30

const serve = ({ host, port, fetch }: ServeOptions): Server => {
  const server = Bun.serve({
    hostname: host,
    port,
    fetch,
    maxRequestBodySize: maxBodyBytes,
    idleTimeout: idleSeconds,
    development: false,
    // Bun would else let two services share a port, each answering some of the requests.
    reusePort: false,
    error: () => new Response(null, { status: 500 }),
  })
  return {
    port: server.port ?? port,
    addressOf: request => server.requestIP(request)?.address ?? 'unknown',
    get pending() {
      return server.pendingRequests
    },
    stop: now => server.stop(now),
  }
}

const brokeOff = (request: Request, error: unknown): boolean =>
  request.signal.aborted && error instanceof Error && error.name === 'AbortError'

/**
 * `native` is ofetch's way to the plain `fetch`. Its `raw` would do only with retries, parsing and throwing each
 * switched off, and still copies the headers into an object of its own for every request; what it returns is then
 * the very same Response.
 */
const post = ({ url, serverName, headers, body, signal }: PinnedPost): Promise<Response> => {
  const options: BunFetchRequestInit = {
    method: 'POST',
    redirect: 'manual',
    proxy: false,
    decompress: false,
    headers,
    body,
    signal,
  }
  if (serverName !== undefined) options.tls = { serverName }
  return ofetch.native(url, options)
}

/** Through a proxy of the environment, where there is one. */
const ask = ({ url, ...request }: NamedRequest): Promise<Response> => {
  const options: BunFetchRequestInit = { ...request, keepalive: false, redirect: 'manual', decompress: false }
  return ofetch.native(url, options)
}

const fetchDirectly = (url: string, options: DirectOptions = {}): Promise<Response> => {
  const direct: BunFetchRequestInit = { ...options, proxy: false }
  return fetch(url, direct)
}

/** Where all files of a page but itself lie; their names carry a hash of what is in them. */
const assets = 'assets'

const bundle = async (source: URL): Promise<PageFile[]> => {
  const fonts = new Set<string>()
  const { outputs } = await Bun.build({
    entrypoints: [fileURLToPath(source)],
    target: 'browser',
    minify: true,
    splitting: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    publicPath: '/',
    naming: {
      entry: '[name].[ext]',
      chunk: `${assets}/[name]-[hash].[ext]`,
      asset: `${assets}/[name]-[hash].[ext]`,
    },
    plugins: [
      {
        // The bundler would put each font into the style sheet: a browser loads those alone that a text needs.
        name: 'fonts',
        setup: build => {
          build.onResolve({ filter: /\.woff2$/ }, ({ path, importer }) => {
            const file = Bun.resolveSync(path, dirname(importer))
            fonts.add(file)
            return { path: `/${assets}/${fontName(file)}`, external: true }
          })
        },
      },
    ],
  })
  const files = await Promise.all([
    ...outputs.map(async output => ({
      path: posix.normalize(output.path),
      bytes: new Uint8Array(await output.arrayBuffer()),
    })),
    ...[...fonts].map(async file => ({
      path: `${assets}/${fontName(file)}`,
      bytes: new Uint8Array(await readFile(file)),
    })),
  ])
  return files.map(file => (file.path === 'index.html' ? withAllStyles(file, files) : file))
}

/** A font has no version in its name; its package has. */
const fontName = (file: string): string => {
  const { version } = createRequire(file)('../package.json')
  return `${basename(file, '.woff2')}-${version}.woff2`
}

/** Parts that are loaded later bring styles that nothing else would load. */
const withAllStyles = (page: PageFile, files: PageFile[]): PageFile => {
  const html = new TextDecoder().decode(page.bytes)
  const links = files
    .filter(({ path }) => path.endsWith('.css') && !html.includes(path))
    .map(({ path }) => `<link rel="stylesheet" href="/${path}">`)
  return { ...page, bytes: new TextEncoder().encode(html.replace('</head>', () => `${links.join('')}</head>`)) }
}

const pageFiles = async (name: string, source: URL): Promise<PageFile[] | null> => {
  const embedded = Bun.embeddedFiles.find(file => 'name' in file && file.name === name)
  if (!embedded) return bundle(source)
  const files = await new Bun.Archive(await embedded.arrayBuffer()).files()
  return Promise.all(
    [...files].map(async ([path, file]) => ({ path, bytes: new Uint8Array(await file.arrayBuffer()) })),
  )
}

const packPage = async (source: URL): Promise<Uint8Array> => {
  const files = await bundle(source)
  return new Bun.Archive(Object.fromEntries(files.map(({ path, bytes }) => [path, bytes]))).bytes()
}

export const bun: Runtime = { serve, brokeOff, post, ask, fetchDirectly, pageFiles, packPage }
