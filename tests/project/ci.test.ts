import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(resolve(root, path), 'utf8')

test('CI runs the test command of the README, then all tests', () => {
  const commands = read('.ci/run').trimEnd().split('\n').slice(-2)
  expect(commands).toEqual(['npx -y bun@1.4.5 run test', 'npx -y bun@1.4.5 run test:all'])
  expect(read('README.md')).toContain(`\n${commands[0]}\n`)
})

test.skipIf(!Bun.which('npm') || !Bun.which('timeout'))(
  'CI prints a bill of materials with every package of the service, also without a registry',
  async () => {
    const nowhere = 'http://127.0.0.1:1/'
    const child = Bun.spawn([resolve(root, '.ci/supply')], {
      env: { ...process.env, BUN: process.execPath, BUN_CONFIG_REGISTRY: nowhere, NPM_CONFIG_REGISTRY: nowhere },
      stdout: 'pipe',
      stderr: 'ignore',
    })
    const [text, status] = await Promise.all([new Response(child.stdout).text(), child.exited])
    expect(status).toBe(0)
    const [, bill, advisories] = text.split(/^--- .*\n/m)
    const { bomFormat, components } = JSON.parse(bill!) as { bomFormat: string; components: { name: string }[] }
    expect(bomFormat).toBe('CycloneDX')
    const names = components.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(Object.keys(JSON.parse(read('package.json')).dependencies)))
    expect(advisories).toContain('Where the registry could be asked')
  },
)
