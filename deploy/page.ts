/** Bundles a page with everything that it loads, as a browser loads it. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, posix, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PageFile } from '../src/platform/runtime-interface.ts'

/** Folder of all files of a page except the page itself. Their names contain a content hash. */
const assets = 'assets'

/** Returns the files of the page with this source. */
export const bundlePage = async (source: URL): Promise<PageFile[]> => {
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
