/** A password that was made up here, shown to whoever sits in front of it and kept out of every log. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What of standard output matters here. */
export interface Screen {
  isTTY?: boolean
  write(text: string): unknown
}

const fileName = 'owner-password'

/**
 * On a terminal the owner is shown, once. What is no terminal is kept somewhere by somebody: there it is said in which
 * file, readable to this user alone, the password stands.
 */
export const showOwner = (
  owner: { email: string; password: string },
  { dataDir, screen = process.stdout }: { dataDir: string; screen?: Screen },
): void => {
  const password = screen.isTTY ? owner.password : `in the file ${keep(owner.password, dataDir)}; read it and remove it`
  screen.write(
    `\n  A demo owner was made; this is shown once.\n  e-mail:   ${owner.email}\n  password: ${password}\n\n`,
  )
}

const keep = (password: string, dataDir: string): string => {
  mkdirSync(dataDir, { recursive: true })
  const path = join(dataDir, fileName)
  // Made anew: one that lay there might be for others to read.
  rmSync(path, { force: true })
  writeFileSync(path, `${password}\n`, { mode: 0o600, flag: 'wx' })
  return path
}
