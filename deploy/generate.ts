/**
 * Writes the generated files, which are not checked in: the browser scripts, fonts and icon of the documentation in
 * `src/api/docs/made/`, the types of the published document in `src/dashboard/api/generated.ts`, and the bundled
 * dashboard in `dist/dashboard.tar`. `bun run setup` and `tests/run.ts` call this. It returns immediately when nothing
 * has changed.
 */
import { mkdir, rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { bundlePage } from './page.ts'

const source = resolve(import.meta.dir, '../src/api/docs')
const target = join(source, 'made')
const stamp = join(target, 'stamp.txt')
const document = resolve(import.meta.dir, '../openapi/openapi.json')
const types = resolve(import.meta.dir, '../src/dashboard/api/generated.ts')
const dashboard = resolve(import.meta.dir, '../dist/dashboard.tar')
const icon = resolve(import.meta.dir, '../src/dashboard/favicon.svg')

/** Returns a script of the documentation pages with all its imports. */
const bundleClient = async (name: string): Promise<string> => {
  const { outputs } = await Bun.build({
    entrypoints: [join(source, 'client', `${name}.ts`)],
    target: 'browser',
    format: 'esm',
    minify: true,
  })
  return await outputs[0]!.text()
}

/** Returns a font of the dashboard as base64, because every runtime can import text. */
const readFont = async (name: 'inter' | 'jetbrains-mono'): Promise<string> => {
  const file = Bun.resolveSync(`@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`, import.meta.dir)
  return Buffer.from(await Bun.file(file).bytes()).toString('base64')
}

interface Route {
  url: string
  handler(request: object, reply: { header(): unknown; send(text: string): void }): void
}

/**
 * Returns the API reference as one script. Only the plugin for Fastify contains it without two hundred other packages.
 * The plugin serves the script from one of its routes.
 */
const bundleReference = async (): Promise<string> => {
  const { default: plugin } = await import('@scalar/fastify-api-reference')
  const routes: Route[] = []
  const fastify = { hasPlugin: () => false, route: (route: Route) => routes.push(route), initialConfig: {} }
  const register = plugin as unknown as (to: object, options: object, done: () => void) => void
  await new Promise<void>(done => register(fastify, { configuration: { url: '/openapi.json' } }, done))
  let script = ''
  const reply = {
    header: () => reply,
    send: (text: string) => {
      script = text
    },
  }
  routes.find(({ url }) => url.endsWith('/js/scalar.js'))!.handler({}, reply)
  return script.replace(/\n\/\/# sourceMappingURL=.*$/, '')
}

/**
 * Returns the bundled dashboard as an archive, with one file for each file of the page. The archive also has the files of
 * the first view compressed with Brotli at its highest quality. This takes two seconds of processor time. The service
 * compresses the other files itself, which is fast, but a tenth larger.
 */
const packDashboard = async (): Promise<Uint8Array> => {
  const files = await bundlePage(new URL('../src/dashboard/index.html', import.meta.url))
  const page = new TextDecoder().decode(files.find(({ path }) => path === 'index.html')!.bytes)
  const named = files.filter(({ path }) => /\.(js|css)$/.test(path) && page.includes(path))
  const compressed = await Promise.all(
    named.map(async ({ path, bytes }) => [`${path}.br`, await promisify(brotliCompress)(bytes)] as const),
  )
  const all = [...files.map(({ path, bytes }) => [path, bytes] as const), ...compressed]
  return new Bun.Archive(Object.fromEntries(all)).bytes()
}

/** Returns a hash of all inputs. */
const fingerprint = async (): Promise<string> => {
  const hash = new Bun.CryptoHasher('sha256')
  const root = resolve(import.meta.dir, '..')
  const sources = [...new Bun.Glob('{src,deploy}/**/*.{ts,tsx,css,html,svg}').scanSync(root)].sort()
  const files = [
    ...sources.map(path => join(root, path)).filter(path => path !== types),
    document,
    join(root, 'bun.lock'),
  ]
  for (const path of files) hash.update(path).update(await Bun.file(path).bytes())
  return hash.update(Bun.version).digest('hex')
}

/** Writes a file atomically. Two setups may run at the same time, and a reader must never see a partial file. */
const write = async (path: string, content: string | Uint8Array): Promise<void> => {
  const temporary = `${path}.${process.pid}`
  await Bun.write(temporary, content)
  await rename(temporary, path)
}

const names = ['docs.js.txt', 'reference.js.txt', 'scalar.js.txt', 'favicon.svg.txt', 'inter.txt', 'jetbrains-mono.txt']
const outputs = [...names.map(name => join(target, name)), types, dashboard]

const isCurrent = async (wanted: string): Promise<boolean> => {
  const present = await Promise.all(outputs.map(path => Bun.file(path).exists()))
  return present.every(Boolean) && (await Bun.file(stamp).exists()) && (await Bun.file(stamp).text()) === wanted
}

const current = await fingerprint()
if (!(await isCurrent(current))) {
  await mkdir(target, { recursive: true })
  const packed = packDashboard()
  await write(join(target, 'docs.js.txt'), await bundleClient('docs'))
  await write(join(target, 'reference.js.txt'), await bundleClient('reference'))
  await write(join(target, 'scalar.js.txt'), await bundleReference())
  await write(join(target, 'favicon.svg.txt'), await Bun.file(icon).text())
  for (const name of ['inter', 'jetbrains-mono'] as const)
    await write(join(target, `${name}.txt`), await readFont(name))
  // The import takes longer than the check whether anything has changed.
  const { default: openapiTypes, astToString } = await import('openapi-typescript')
  await write(types, astToString(await openapiTypes(await Bun.file(document).text())))
  await write(dashboard, await packed)
  await write(stamp, current)
}
