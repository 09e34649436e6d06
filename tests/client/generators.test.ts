/** Clients from generators that are Python packages, if they are installed. CONTRIBUTING describes the others. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { startWorld, type World } from '../support/world.ts'
import { missing, toolOf } from './python-tools.ts'

const root = resolve(import.meta.dir, '../..')
const tool = toolOf('openapi-python-client')

let world: World
let folder: string
beforeAll(async () => {
  if (tool === null) return
  world = await startWorld()
  folder = mkdtempSync(join(tmpdir(), 'generated-'))
})
afterAll(async () => {
  if (tool === null) return
  await world.stop()
  rmSync(folder, { recursive: true })
})

test.skipIf(tool === null)(
  `openapi-python-client reads the document without a warning, and its client works${missing('openapi-python-client')}`,
  async () => {
    const target = join(folder, 'engagement')
    const document = join(root, 'openapi/openapi.json')
    // Skips its formatter, whose messages concern code and not the document.
    const config = join(folder, 'config.yaml')
    await Bun.write(config, 'post_hooks: []\n')
    const made = await run([
      tool!,
      'generate',
      '--path',
      document,
      '--output-path',
      target,
      '--meta',
      'none',
      '--config',
      config,
    ])
    expect(made).toEqual({ code: 0, output: `Generating ${target}` })

    const { key } = await world.expect(201, 'POST', '/v1/api-keys', { body: { name: 'generated' } })
    const body = { url: 'https://hooks.example.com/in', events: ['message.status'] }
    const { id } = await world.expect(201, 'POST', '/v1/webhooks', { body })
    const { email, password } = world.owner
    const signedIn = await world.expect(200, 'POST', '/v1/auth/sign-in', { as: 'nobody', body: { email, password } })
    const python = join(dirname(tool!), 'python')
    const drive = join(import.meta.dir, 'drive.py')
    expect(await run([python, drive, folder, world.url, key, signedIn.token, id])).toEqual({
      code: 0,
      output: 'True True True',
    })
  },
)

const run = async (command: string[]): Promise<{ code: number; output: string }> => {
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe', env: { ...process.env, COLUMNS: '1000' } })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, output: `${out}${err}`.trim() }
}
