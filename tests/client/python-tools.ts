/** Tools that are packages of Python: looked for where `GENERATORS_VENV` says, or on the path. */
import { join } from 'node:path'

/** The one version of each that the tests were written against. */
export const versions = { 'openapi-python-client': '0.29.1', schemathesis: '4.32.5' }

/** Where a tool is; null where it is not installed, or is of another version. */
export const toolOf = (name: keyof typeof versions): string | null => {
  const venv = process.env.GENERATORS_VENV
  const found = venv ? join(venv, 'bin', name) : Bun.which(name)
  if (found === null) return null
  try {
    const { stdout } = Bun.spawnSync([found, '--version'], { stderr: 'ignore' })
    return stdout.toString().includes(versions[name]) ? found : null
  } catch {
    return null
  }
}

/** Said in the name of a test that is skipped. */
export const missing = (name: keyof typeof versions): string =>
  toolOf(name) === null ? ` (skipped: ${name} ${versions[name]} is not installed)` : ''
