/** Reads the limit of open files of this process, which includes its connections. */
import { readFileSync } from 'node:fs'

const label = 'Max open files'

/** Returns the limit, or null if the system reports none. Both runtimes raise it at the start as far as they may. */
export const maxOpenFiles = (limitsFile = '/proc/self/limits'): number | null => {
  try {
    const line = readFileSync(limitsFile, 'utf8')
      .split('\n')
      .find(one => one.startsWith(label))
    return Number.parseInt(line!.slice(label.length), 10) || null
  } catch {
    return null
  }
}
