/** Shows generated credentials to the person at the terminal, and keeps them out of every log. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../../package.json' with { type: 'json' }

/** The parts of standard output that are needed here. */
export interface Screen {
  isTTY?: boolean
  write(text: string): unknown
}

/** The owner that the first start created. */
export interface ShownOwner {
  email: string
  password: string
  /** Access token for the first commands. */
  token: string
  /** Address of the service. */
  url: string
}

/**
 * Prints the owner with the password and the access token once. If the output is not a terminal, it may be stored. In
 * that case both are written to files that only this user can read, and the paths are printed.
 */
export const showOwner = (
  owner: ShownOwner,
  { dataDir, screen = process.stdout }: { dataDir: string; screen?: Screen },
): void => {
  const write = (name: string, secret: string) => writeSecretFile(join(dataDir, name), secret, dataDir)
  const password = screen.isTTY
    ? owner.password
    : `in the file ${write('owner-password', owner.password)}; read and delete it`
  const token = screen.isTTY ? owner.token : `"$(cat ${write('owner-token', owner.token)})"`
  screen.write(`
  An owner was created. The password and the access token are shown only once.
  e-mail:   ${owner.email}
  password: ${password}

  To see your first webhook, run these commands in this folder, in two more terminals:
  ${clientCommand('listen', owner.url, token)}
  ${clientCommand('trigger message.received', owner.url, token)}

`)
}

/** Command that runs Bun, in the version of this project, without an installation. */
export const bunCommand = `npx -y bun@${manifest.engines.bun.replace('>=', '')}`

/** Returns a command line for this service. */
export const clientCommand = (command: string, url: string, token: string): string =>
  `${bunCommand} src/main.ts ${command} --url ${url} --token ${token}`

const writeSecretFile = (path: string, secret: string, dataDir: string): string => {
  mkdirSync(dataDir, { recursive: true })
  // Created again, because an existing file might be readable by others.
  rmSync(path, { force: true })
  writeFileSync(path, `${secret}\n`, { mode: 0o600, flag: 'wx' })
  return path
}
