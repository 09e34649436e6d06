/**
 * Builds the client packages: `bun deploy/clients.ts [folder [typescript|python]]`. Writes a tarball for npm and a wheel
 * for Python into the folder, which defaults to `dist`. The wheel needs a virtual environment of `.ci/clients`, in
 * `GENERATORS_VENV` or `.venv`. Fails if a generator has warnings about the document.
 */
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dir, '..')
const clients = join(root, 'openapi/clients')
const document = join(root, 'openapi/openapi.json')

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

/** Builds the package for Python and returns the path of its wheel. */
const buildPython = async (stage: string, target: string): Promise<string> => {
  const venv = resolve(root, process.env.GENERATORS_VENV ?? '.venv')
  const generator = join(venv, 'bin/openapi-python-client')
  if (!existsSync(generator)) throw new Error(`${generator} is missing. Run .ci/clients, which installs it.`)
  await cp(join(clients, 'python'), stage, { recursive: true })
  await cp(join(root, 'LICENSE'), join(stage, 'LICENSE'))
  const own = join(stage, 'src/customer_engagement')
  const config = join(stage, 'config.yaml')
  // The formatter changes only the code. Literals accept later values in comparisons, and need no import.
  await Bun.write(config, 'post_hooks: []\nliteral_enums: true\n')
  const options = ['--path', document, '--output-path', join(own, 'api_client'), '--meta', 'none', '--config', config]
  const said = await run(stage, generator, 'generate', ...options)
  const warnings = said.split('\n').filter(line => line !== '' && !line.startsWith('Generating '))
  if (warnings.length > 0) throw new Error(`openapi-python-client has warnings:\n${warnings.join('\n')}`)
  await Bun.write(join(own, 'webhook_events.py'), await writeEventTypes())
  const wheel = ['wheel', '--quiet', '--no-deps', '--no-build-isolation', '--wheel-dir', target, stage]
  await run(stage, join(venv, 'bin/python'), '-m', 'pip', ...wheel)
  const { version } = await Bun.file(join(root, 'package.json')).json()
  return join(target, `customer_engagement_client-${version}-py3-none-any.whl`)
}

/** Returns the union of the event classes and their types, which the generator omits. */
const writeEventTypes = async (): Promise<string> => {
  const { mapping } = (await Bun.file(document).json()).components.schemas.WebhookEvent.discriminator
  const classes = Object.entries<string>(mapping).map(([type, $ref]) => [type, $ref.split('/').at(-1)!] as const)
  const names = classes.map(([, name]) => name)
  return `"""Types of outbound events, written from the published document."""

from __future__ import annotations

from typing import TypeAlias

from .api_client.models import (
${names.map(name => `    ${name},\n`).join('')})

WebhookEvent: TypeAlias = ${names.join(' | ')}

EVENT_CLASSES: dict[str, type[WebhookEvent]] = {
${classes.map(([type, name]) => `    "${type}": ${name},\n`).join('')}}
`
}

const run = async (cwd: string, ...command: string[]): Promise<string> => {
  // A narrow terminal breaks the lines of warnings.
  const env = { ...process.env, COLUMNS: '1000' }
  const child = Bun.spawn(command, { cwd, env, stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')} failed:\n${out}${err}`)
  return out
}

const builders = { typescript: buildTypeScript, python: buildPython }

const [folder = join(root, 'dist'), ...names] = process.argv.slice(2)
const target = resolve(folder)
await mkdir(target, { recursive: true })
await mkdir(join(root, '.data'), { recursive: true })
// Inside the checkout, so that the compiler finds the types of Node.
const stage = await mkdtemp(join(root, '.data/clients-'))
try {
  for (const [name, build] of Object.entries(builders))
    if (names.length === 0 || names.includes(name)) {
      await mkdir(join(stage, name))
      console.log(await build(join(stage, name), target))
    }
} finally {
  await rm(stage, { recursive: true, force: true })
}
