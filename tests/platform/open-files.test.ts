import { describe, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { maxOpenFiles } from '../../src/platform/open-files.ts'

describe.skipIf(process.platform !== 'linux')('with process information of the kernel', () => {
  test('the limit of open files is that of the process', () => {
    expect(maxOpenFiles()).toBe(Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' })))
  })
})

test('without a limit, or without information, the result is unknown', () => {
  const folder = mkdtempSync(join(tmpdir(), 'limits-'))
  const file = join(folder, 'limits')
  expect(maxOpenFiles(file)).toBeNull()
  for (const text of ['Max open files            unlimited            unlimited            files\n', 'Limit\n']) {
    writeFileSync(file, text)
    expect(maxOpenFiles(file)).toBeNull()
  }
  rmSync(folder, { recursive: true })
})
