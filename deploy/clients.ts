/**
 * Builds the client packages: `bun deploy/clients.ts [folder [typescript|python]]`. Writes a tarball for npm into the
 * folder, which defaults to `dist`.
 */
import { chmod, cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dir, '..')
const clients = join(root, 'openapi/clients')

/** Packages inside the tarball, so that it installs without a registry. The second has only types. */
const bundled = ['openapi-fetch', 'openapi-typescript-helpers']

/** Files of a bundled package that its users need. */
const isNeeded = (path: string): boolean => !/\.map$|\/src$|\/(CHANGELOG|CONTRIBUTING)\.md$/.test(path)

/** Builds the package for npm and returns the path of its tarball. */
const buildTypeScript = async (stage: string, target: string): Promise<string> => {
  const source = join(clients, 'typescript')
  for (const name of ['package.json', 'README.md', 'tsconfig.json', 'src'])
    await cp(join(source, name), join(stage, name), { recursive: true })
  await cp(join(root, 'LICENSE'), join(stage, 'LICENSE'))
  await cp(join(root, 'src/dashboard/api/generated.ts'), join(stage, 'src/schema.ts'))
  for (const name of bundled)
    await cp(join(root, 'node_modules', name), join(stage, 'node_modules', name), { recursive: true, filter: isNeeded })
  await run(stage, process.execPath, join(root, 'node_modules/typescript-native/bin/tsc'), '--outDir', 'dist')
  await bundleCommandLine(join(stage, 'dist'))
  const [packed] = JSON.parse(await run(stage, 'npm', 'pack', '--json', '--pack-destination', target))
  return join(target, packed.filename)
}

/** Bundles the commands for integrators, which use only modules of Node. */
const bundleCommandLine = async (outdir: string): Promise<void> => {
  await Bun.build({
    entrypoints: [join(root, 'src/app/cli/client/main.ts')],
    outdir,
    naming: 'cli.js',
    target: 'node',
    banner: '#!/usr/bin/env node',
  })
  await chmod(join(outdir, 'cli.js'), 0o755)
}

const run = async (cwd: string, ...command: string[]): Promise<string> => {
  const child = Bun.spawn(command, { cwd, stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')} failed:\n${out}${err}`)
  return out
}

const target = resolve(process.argv[2] ?? join(root, 'dist'))
await mkdir(target, { recursive: true })
await mkdir(join(root, '.data'), { recursive: true })
// Inside the checkout, so that the compiler finds the types of Node.
const stage = await mkdtemp(join(root, '.data/clients-'))
try {
  await mkdir(join(stage, 'typescript'))
  console.log(await buildTypeScript(join(stage, 'typescript'), target))
} finally {
  await rm(stage, { recursive: true, force: true })
}
