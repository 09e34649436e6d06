/**
 * Runs the receiver examples in their own languages against the vectors, and checks that the page shows them unchanged.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { receiversChapter } from '../../../src/api/receivers-page.ts'
import { vectors, vectorsPath } from '../../webhooks/signatures/vectors.ts'

const root = resolve(import.meta.dir, '../../..')
const examples = join(root, 'src/api/receivers')
const main = (name: string) => join(import.meta.dir, name)

const folder = mkdtempSync(join(tmpdir(), 'receivers-'))
const goFolder = join(folder, 'go')
const nodeScript = join(folder, 'main.js')
beforeAll(async () => {
  // Go compiles folders, so the example and its runner become a separate module.
  cpSync(main('go/main.go'), join(goFolder, 'main.go'))
  cpSync(join(examples, 'verify_webhook.go'), join(goFolder, 'receiver/verify_webhook.go'))
  writeFileSync(join(goFolder, 'go.mod'), 'module example\n\ngo 1.21\n')
  // Some Node versions do not run TypeScript, so the build removes the types and changes nothing else.
  const built = await Bun.build({ entrypoints: [main('typescript/main.ts')], target: 'node', format: 'esm' })
  writeFileSync(nodeScript, await built.outputs[0]!.text())
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
})
afterAll(() => rmSync(folder, { recursive: true }))

const languages: [name: string, file: string, program: string | null, args: string[]][] = [
  ['TypeScript, by Bun', 'verify-webhook.ts', process.execPath, [main('typescript/main.ts')]],
  ['TypeScript, by Node', 'verify-webhook.ts', Bun.which('node'), [nodeScript]],
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

    test(`${name} is shown unchanged on the page`, () => {
      const shown = [...receiversChapter.matchAll(/^```\w+\n([\s\S]*?)\n```$/gm)].map(([, code]) => code!)
      expect(shown).toContain(readFileSync(join(examples, file), 'utf8').trimEnd())
    })
  }
})

test('docs/webhooks.md contains the first example unchanged and links to all of them and to the vectors', () => {
  const guide = readFileSync(join(root, 'docs/webhooks.md'), 'utf8')
  const blocks = [...guide.matchAll(/```\w+\n([\s\S]*?)```/g)].map(([, code]) => code!)
  expect(blocks).toContain(readFileSync(join(examples, languages[0]![1]), 'utf8'))
  for (const [, file] of languages.slice(2)) expect(guide).toContain(`](../src/api/receivers/${file})`)
  expect(guide).toContain('tests/vectors/signatures.json')
})
