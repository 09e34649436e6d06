/** Shows a generated password to the person at the terminal, and keeps it out of every log. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The parts of standard output that are needed here. */
export interface Screen {
  isTTY?: boolean
  write(text: string): unknown
}

const fileName = 'owner-password'

/**
 * Prints the owner with the password once. If the output is not a terminal, it may be stored. In that case the password
 * is written to a file that only this user can read, and the path is printed.
 */
export const showOwner = (
  owner: { email: string; password: string },
  { dataDir, screen = process.stdout }: { dataDir: string; screen?: Screen },
): void => {
  const password = screen.isTTY
    ? owner.password
    : `in the file ${writePasswordFile(owner.password, dataDir)}; read and delete it`
  screen.write(
    `\n  An owner was created. The password is shown only once.\n  e-mail:   ${owner.email}\n  password: ${password}\n\n`,
  )
}

const writePasswordFile = (password: string, dataDir: string): string => {
  mkdirSync(dataDir, { recursive: true })
  const path = join(dataDir, fileName)
  // Created again, because an existing file might be readable by others.
  rmSync(path, { force: true })
  writeFileSync(path, `${password}\n`, { mode: 0o600, flag: 'wx' })
  return path
}
