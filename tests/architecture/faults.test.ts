/** Keeps the table of faults in docs/performance.md complete. */
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { faults } from '../faults/faults.ts'

const root = resolve(import.meta.dir, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('a test injects each fault that docs/performance.md lists', () => {
  const [, section = ''] = read('docs/performance.md').split('## Faults\n')
  const rows = [...section.split('\n## ')[0]!.matchAll(/^\| ([^|]+) \|/gm)].map(([, name]) => name!.trim())
  expect(rows.slice(1)).toEqual([...faults])

  const tests = readdirSync(join(root, 'tests/faults')).filter(name => name.endsWith('.test.ts'))
  const source = tests.map(name => read(join('tests/faults', name))).join('\n')
  expect(faults.filter(fault => !source.includes(`'${fault}'`))).toEqual([])
})
