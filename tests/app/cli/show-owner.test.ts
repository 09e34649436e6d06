import { afterEach, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { showOwner } from '../../../src/app/cli/show-owner.ts'

const folder = mkdtempSync(join(tmpdir(), 'shown-'))
const dataDir = join(folder, 'data')
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const owner = {
  email: 'owner@example.com',
  password: 'never-in-a-log',
  token: 'cest_never-in-a-log',
  url: 'http://127.0.0.1:3000',
}
const files = { 'owner-password': owner.password, 'owner-token': owner.token }

const shownOn = (isTTY: boolean): string => {
  let text = ''
  showOwner(owner, { dataDir, screen: { isTTY, write: (more: string) => (text += more) } })
  return text
}

test('on a terminal, shows the password and the token of a demo owner and stores them nowhere', () => {
  const text = shownOn(true)
  expect(text).toContain(`password: ${owner.password}\n`)
  for (const command of ['listen', 'trigger message.received'])
    expect(text).toContain(` src/main.ts ${command} --url ${owner.url} --token ${owner.token}\n`)
  expect(existsSync(dataDir)).toBe(false)
})

test('without a terminal, writes both into files for this user alone and prints the paths', () => {
  const text = shownOn(false)
  expect(text).not.toContain('never-in-a-log')
  expect(text).toContain(`password: in the file ${join(dataDir, 'owner-password')}; read and delete it\n`)
  expect(text).toContain(` --token "$(cat ${join(dataDir, 'owner-token')})"\n`)
  for (const [name, secret] of Object.entries(files)) {
    const file = join(dataDir, name)
    expect([statSync(file).mode & 0o777, readFileSync(file, 'utf8')]).toEqual([0o600, `${secret}\n`])
    writeFileSync(file, 'old')
    chmodSync(file, 0o644)
  }
  shownOn(false)
  for (const [name, secret] of Object.entries(files)) {
    const file = join(dataDir, name)
    expect([statSync(file).mode & 0o777, readFileSync(file, 'utf8')]).toEqual([0o600, `${secret}\n`])
  }
})
