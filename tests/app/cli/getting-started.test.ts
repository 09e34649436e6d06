/** Follows the first part of docs/getting-started.md as a new user does: three commands. */
import { afterAll, expect, test } from 'bun:test'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { eventually } from '../../support/world.ts'

const root = resolve(import.meta.dir, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'getting-started-'))
const children: ChildProcess[] = []
afterAll(async () => {
  for (const child of children.reverse()) {
    const isRunning = child.exitCode === null && child.signalCode === null
    if (isRunning) await new Promise(ended => child.once('exit', ended) && child.kill('SIGTERM'))
  }
  rmSync(folder, { recursive: true, force: true })
})

/** Commands of the section, without the ways to get Bun and the packages. */
const commandsOf = (section: string): string[] => {
  const page = readFileSync(join(root, 'docs/getting-started.md'), 'utf8')
  const text = page.slice(page.indexOf(`## ${section}`)).split('\n## ')[0]!
  const scripts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts
  const start = scripts.start.replace('bun run setup && ', '')
  return [...text.matchAll(/```sh\n(.*)\n```/g)].map(([, command]) =>
    command!.replace('npx -y bun@1.4.5 run start', start).replace(/npx -y bun@1\.4\.5|\bbun\b/, process.execPath),
  )
}

/** Runs a command line in the folder of the project, and collects its output. */
const run = (line: string) => {
  const { PATH = '', HOME = '' } = process.env
  const settings = { DATA_DIR: join(folder, 'data'), PORT: '0' }
  // `exec`, so that a signal reaches the command and not the shell.
  const child = spawn('sh', ['-c', line.replace(/^((?:\w+=\S+ )*)/, '$1exec ')], {
    cwd: root,
    env: { PATH, HOME, ...settings },
  })
  children.push(child)
  let out = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (out += text))
  const until = (pattern: RegExp) =>
    eventually(`${pattern}`, () => pattern.exec(out), 60_000).catch(error => {
      throw new Error(`${error.message}\n${out}`)
    })
  return { until, ended: new Promise(ended => child.once('exit', ended)) }
}

test('three commands lead to a verified webhook on localhost', async () => {
  const [start = '', listen = '', trigger = '', ...more] = commandsOf('A webhook on localhost in one minute')
  expect(more).toEqual([])
  const service = run(start)
  const [, printed, url, token] = await service.until(
    /(src\/main\.ts listen) --url (\S+) --token (.*)\n[\s\S]*"started"/,
  )
  expect(listen).toContain(`${printed} --url http://127.0.0.1:3000 --token cest_…`)
  const filledIn = (line: string) => line.replace('http://127.0.0.1:3000', url!).replace('cest_…', token!)
  const listening = run(filledIn(listen))
  await listening.until(/Ready\./)
  expect(await run(filledIn(trigger)).ended).toBe(0)
  await listening.until(/ message\.received .* 200 .* verified\n/)
}, 120_000)
