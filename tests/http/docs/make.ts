/**
 * Makes what `src/http/docs/made/` holds, by `bun run docs`: the scripts of the pages in one file each, and the reference
 * page of Scalar, compressed as far as it goes. They are checked in, so that nothing is compiled where the service runs, and
 * the packages they are made of are needed by nobody but whoever makes them.
 */
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompressSync, constants } from 'node:zlib'

const source = resolve(import.meta.dir, '../../../src/http/docs')
export const made = (name: string): string => join(source, 'made', name)

/** One script of the pages, with all it imports. */
export const clientScript = async (name: string): Promise<string> => {
  const { outputs } = await Bun.build({
    entrypoints: [join(source, 'client', `${name}.ts`)],
    target: 'browser',
    format: 'esm',
    minify: true,
  })
  return await outputs[0]!.text()
}

interface Route {
  url: string
  handler(request: object, reply: { header(): unknown; send(text: string): void }): void
}

/**
 * The reference page as one script. Of all its packages the plugin for Fastify alone brings it without two hundred others,
 * and it gives it to whoever asks one of its routes.
 */
export const referenceScript = async (): Promise<string> => {
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

export const unpacked = (base64: string): string => brotliDecompressSync(Buffer.from(base64, 'base64')).toString()

const packed = async (text: string): Promise<string> => {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
  }
  return (await promisify(brotliCompress)(text, { params })).toString('base64')
}

if (import.meta.main) {
  for (const name of ['docs', 'reference']) await Bun.write(made(`${name}.js.txt`), await clientScript(name))
  const reference = Bun.file(made('scalar.js.br.txt'))
  const script = await referenceScript()
  // To compress it takes most of a minute.
  if (!(await reference.exists()) || unpacked(await reference.text()) !== script)
    await Bun.write(reference, await packed(script))
}
