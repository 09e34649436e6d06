/** How many files this process may have open at once, its connections among them. */
import { readFileSync } from 'node:fs'

const limit = 'Max open files'

/** Null where the system does not say, or sets no limit. Both runtimes raise it as they start, as far as they may. */
export const maxOpenFiles = (limitsFile = '/proc/self/limits'): number | null => {
  try {
    const line = readFileSync(limitsFile, 'utf8')
      .split('\n')
      .find(one => one.startsWith(limit))
    return Number.parseInt(line!.slice(limit.length), 10) || null
  } catch {
    return null
  }
}
