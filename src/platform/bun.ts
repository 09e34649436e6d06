/** Runtime functions for Bun. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, posix, resolve } from 'node:path'
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

/**
 * Far above the service's own limit of 1 MiB, so that the service always rejects large bodies with its own error
 * format.
 */
const maxBodyBytes = 2 ** 40
/** Bun's timer has a step of 4 seconds and fires up to one step early; 255 is the maximum of `idleTimeout`. */
const idleSeconds = (ms: number): number => Math.min(255, Math.ceil(ms / 1000) + 4)

const serve = ({ host, port, keepAliveMs, fetch }: ServeOptions): Server => {
  const server = Bun.serve({
    hostname: host,
    port,
    fetch,
    maxRequestBodySize: maxBodyBytes,
    idleTimeout: idleSeconds(keepAliveMs),
    development: false,
    // By default, Bun lets two services share a port, each receiving some of the requests.
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

const isDisconnect = (request: Request, error: unknown): boolean =>
  request.signal.aborted && error instanceof Error && error.name === 'AbortError'

/**
 * Sends a pinned POST. `native` is the plain `fetch` of ofetch.
 *
 * Its `raw` would need retries, parsing and throwing switched off, and copies the headers for every request. It would
 * then return the same Response.
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

/** Sends a request, through the proxy of the environment if one is set. */
const fetchOnce = ({ url, ...request }: NamedRequest): Promise<Response> => {
  const options: BunFetchRequestInit = { ...request, keepalive: false, redirect: 'manual', decompress: false }
  return ofetch.native(url, options)
}

const fetchDirectly = (url: string, options: DirectOptions = {}): Promise<Response> => {
  const direct: BunFetchRequestInit = { ...options, proxy: false }
  return fetch(url, direct)
}

/** Folder of all files of a page except the page itself. Their names contain a content hash. */
const assets = 'assets'

const bundle = async (source: URL): Promise<PageFile[]> => {
  const { outputs, metafile } = await Bun.build({
    entrypoints: [fileURLToPath(source)],
    target: 'browser',
    minify: true,
    splitting: true,
    metafile: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    publicPath: '/',
    naming: {
      entry: '[name].[ext]',
      chunk: `${assets}/[name]-[hash].[ext]`,
      asset: `${assets}/[name]-[hash].[ext]`,
    },
    plugins: [collectFonts(new Set()), withoutMessageParser],
  })
  const scripts = await Promise.all(outputs.filter(({ path }) => !path.endsWith('.css')).map(fileOf))
  const { first, later } = stylesIn(metafile!)
  const [styles, ...fonts] = await bundleStyles(source, 'first-styles', first)
  const [laterStyles] = await bundleStyles(source, 'later-styles', later)
  const page = (file: PageFile) => withStyles(file, styles!, laterStyles!)
  return [...scripts.map(file => (file.path === 'index.html' ? page(file) : file)), styles!, laterStyles!, ...fonts]
}

const fileOf = async (output: Bun.BuildArtifact): Promise<PageFile> => ({
  path: posix.normalize(output.path),
  bytes: new Uint8Array(await output.arrayBuffer()),
})

/**
 * Keeps fonts as separate files. The bundler would embed them in the style sheet, but a browser loads only the fonts
 * that a text needs.
 */
const collectFonts = (fonts: Set<string>): Bun.BunPlugin => ({
  name: 'fonts',
  setup: build => {
    build.onResolve({ filter: /\.woff2$/ }, ({ path, importer }) => {
      const file = Bun.resolveSync(path, dirname(importer))
      fonts.add(file)
      return { path: `/${assets}/${fontName(file)}`, external: true }
    })
  },
})

/**
 * Removes the message parser from the bundle. Messages are compiled at build time, and the parser would be a tenth of
 * the download.
 */
const withoutMessageParser: Bun.BunPlugin = {
  name: 'without message parser',
  setup: build => {
    build.onResolve({ filter: /^@formatjs\/icu-messageformat-parser$/ }, ({ path, importer }) =>
      importer.includes('node_modules')
        ? { path: Bun.resolveSync(`${path}/no-parser.js`, dirname(importer)) }
        : undefined,
    )
  },
}

/** Returns a file name with the version of the package, because the name of a font file contains none. */
const fontName = (file: string): string => {
  const { version } = createRequire(file)('../package.json')
  return `${basename(file, '.woff2')}-${version}.woff2`
}

/**
 * Returns the imported style sheets, each once, in the execution order of their modules: those of the first view, and
 * those of lazy modules.
 */
const stylesIn = ({ inputs }: Bun.BuildMetafile): { first: string[]; later: string[] } => {
  const styles: string[] = []
  const visited = new Set<string>()
  const deferred = Object.keys(inputs).filter(path => path.endsWith('.html'))
  const visit = (path: string) => {
    if (visited.has(path)) return
    visited.add(path)
    if (path.endsWith('.css')) {
      styles.push(path)
      return
    }
    const imports = inputs[path]?.imports ?? []
    for (const { path, kind } of imports) if (kind !== 'dynamic-import') visit(path)
    for (const one of imports)
      if (one.kind === 'dynamic-import' && 'entryPoint' in one) deferred.push(String(one.entryPoint))
  }
  const entries = deferred.splice(0)
  for (const path of entries) visit(path)
  const firstCount = styles.length
  for (let path = deferred.shift(); path !== undefined; path = deferred.shift()) visit(path)
  const paths = styles.map(path => resolve(path))
  return { first: paths.slice(0, firstCount), later: paths.slice(firstCount) }
}

/**
 * Bundles one sheet, followed by the fonts that it references.
 *
 * The bundler would create a separate sheet for each lazy part, repeat the shared styles in it, and nothing would load
 * it.
 */
const bundleStyles = async (source: URL, name: string, styles: string[]): Promise<PageFile[]> => {
  const fonts = new Set<string>()
  const entry = fileURLToPath(new URL(`${name}.css`, source))
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    files: { [entry]: styles.map(path => `@import ${JSON.stringify(path)};`).join('\n') },
    // With 'browser', each rule that depends on the text direction would be repeated for every right-to-left language.
    target: 'bun',
    minify: true,
    naming: { entry: `${assets}/[name]-[hash].[ext]` },
    plugins: [collectFonts(fonts)],
  })
  return Promise.all([
    fileOf(outputs[0]!),
    ...[...fonts].map(async file => ({
      path: `${assets}/${fontName(file)}`,
      bytes: new Uint8Array(await readFile(file)),
    })),
  ])
}

/** Returns the page with the sheet of the first view. The page loads the other one itself (`loadLater`). */
const withStyles = (page: PageFile, first: PageFile, later: PageFile): PageFile => {
  const html = new TextDecoder().decode(page.bytes).replace(/<link rel="stylesheet"[^>]*>/g, '')
  const link = `<link rel="stylesheet" href="/${first.path}"><meta name="later-styles" content="/${later.path}">`
  return { ...page, bytes: new TextEncoder().encode(html.replace('</head>', () => `${link}</head>`)) }
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

/** Takes half as long as `createHmac`, which creates a stream for each digest. */
const hmacSha256: Runtime['hmacSha256'] = (key, text, encoding) =>
  new Bun.CryptoHasher('sha256', key).update(text).digest(encoding)

export const bun: Runtime = { hmacSha256, serve, isDisconnect, post, fetchOnce, fetchDirectly, pageFiles, packPage }
