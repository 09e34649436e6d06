import { afterEach, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { showOwner } from '../../../src/app/cli/show-owner.ts'

const folder = mkdtempSync(join(tmpdir(), 'shown-'))
const dataDir = join(folder, 'data')
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const owner = { email: 'owner@example.com', password: 'never-in-a-log' }
const file = join(dataDir, 'owner-password')

const shownOn = (isTTY: boolean): string => {
  let text = ''
  showOwner(owner, { dataDir, screen: { isTTY, write: (more: string) => (text += more) } })
  return text
}

test('on a terminal, shows the password of a demo owner and stores it nowhere', () => {
  expect(shownOn(true)).toContain(`password: ${owner.password}\n`)
  expect(existsSync(file)).toBe(false)
})

test('without a terminal, writes it into a file for this user alone and prints the path', () => {
  const text = shownOn(false)
  expect(text).not.toContain(owner.password)
  expect(text).toContain(`password: in the file ${file}; read and delete it\n`)
  expect(readFileSync(file, 'utf8')).toBe(`${owner.password}\n`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  writeFileSync(file, 'old')
  chmodSync(file, 0o644)
  shownOn(false)
  expect([statSync(file).mode & 0o777, readFileSync(file, 'utf8')]).toEqual([0o600, `${owner.password}\n`])
})
