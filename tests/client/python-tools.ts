/** Finds tools that are Python packages, in `GENERATORS_VENV` or on the path. */
import { join } from 'node:path'

/** The version of each tool that the tests were written for. */
export const versions = { 'openapi-python-client': '0.29.1', schemathesis: '4.32.5' }

/** Returns the path of a tool, or null if it is missing or has another version. */
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

/** Suffix for the name of a skipped test. */
export const missing = (name: keyof typeof versions): string =>
  toolOf(name) === null ? ` (skipped: ${name} ${versions[name]} is not installed)` : ''
