/** The examples of receivers, each run by its own language against the vectors, and shown as the files they are. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { receiversPage } from '../../src/http/receivers.ts'
import { vectors, vectorsPath } from '../domain/webhooks/vectors.ts'

const root = resolve(import.meta.dir, '../..')
const examples = join(root, 'src/http/receivers')
const main = (name: string) => join(import.meta.dir, name)

let goFolder: string
/** Go compiles folders: the example and what runs it become a module of their own. */
beforeAll(() => {
  goFolder = mkdtempSync(join(tmpdir(), 'receiver-go-'))
  cpSync(main('go/main.go'), join(goFolder, 'main.go'))
  cpSync(join(examples, 'verify_webhook.go'), join(goFolder, 'receiver/verify_webhook.go'))
  writeFileSync(join(goFolder, 'go.mod'), 'module example\n\ngo 1.21\n')
})
afterAll(() => rmSync(goFolder, { recursive: true }))

/** Node runs TypeScript as it is from 22.18 on. */
const node = (): string | null => {
  const program = Bun.which('node')
  if (program === null) return null
  const [major = 0, minor = 0] = Bun.spawnSync([program, '--version']).stdout.toString().slice(1).split('.').map(Number)
  return major > 22 || (major === 22 && minor >= 18) ? program : null
}

const languages: [name: string, file: string, program: string | null, args: string[]][] = [
  ['TypeScript, by Bun', 'verify-webhook.ts', process.execPath, [main('typescript/main.ts')]],
  ['TypeScript, by Node', 'verify-webhook.ts', node(), [main('typescript/main.ts')]],
  ['Python', 'verify_webhook.py', Bun.which('python3'), [main('python/main.py')]],
  ['PHP', 'verify_webhook.php', Bun.which('php'), [main('php/main.php')]],
  ['Go', 'verify_webhook.go', Bun.which('go'), ['run', '.']],
  ['Ruby', 'verify_webhook.rb', Bun.which('ruby'), [main('ruby/main.rb')]],
]

describe('the example in', () => {
  for (const [name, file, program, args] of languages) {
    test.skipIf(program === null)(`${name} gives every vector its verdict`, async () => {
      const running = Bun.spawn([program!, ...args, vectorsPath], {
        cwd: file.endsWith('.go') ? goFolder : root,
        env: { ...process.env, GOPROXY: 'off', GOTOOLCHAIN: 'local', GOFLAGS: '' },
        stderr: 'pipe',
      })
      const [output, errors] = await Promise.all([
        new Response(running.stdout).text(),
        new Response(running.stderr).text(),
      ])
      expect(await running.exited, errors).toBe(0)
      const verdicts: boolean[] = JSON.parse(output)
      const verdictByName = (of: (index: number) => boolean | undefined) =>
        Object.fromEntries(vectors.map((vector, index) => [vector.name, of(index)]))
      expect(verdictByName(index => verdicts[index])).toEqual(verdictByName(index => vectors[index]!.valid))
    })

    test(`${name} is shown on the page as it is`, () => {
      const shown = [...receiversPage.matchAll(/<pre><code>([\s\S]*?)<\/code><\/pre>/g)].map(([, code]) =>
        unescaped(code!),
      )
      expect(shown).toContain(readFileSync(join(examples, file), 'utf8').trimEnd())
    })
  }
})

const unescaped = (html: string): string =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

test('the README shows the TypeScript example as it is and names the others and the vectors', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!)
  expect(blocks).toContain(readFileSync(join(examples, 'verify-webhook.ts'), 'utf8'))
  for (const [, file] of languages) expect(readme).toContain(`src/http/receivers/${file}`)
  expect(readme).toContain('tests/vectors/signatures.json')
})

test('the page loads nothing, from anywhere', () => {
  const loaded = [...receiversPage.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url!)
  for (const url of loaded) expect(url.startsWith('/docs') || url.startsWith('data:'), url).toBe(true)
  expect(receiversPage).not.toContain('<script')
})
