/**
 * Detects whether another process on this machine has ended. On Linux the kernel reports it reliably; elsewhere no
 * process counts as ended.
 */
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Unique identity of a process. */
export interface Birth {
  /** Scope in which the pid is valid: this boot of this machine, and the container. */
  place: string
  pid: number
  /** Start time by the clock of the kernel. A later process can have the same pid. */
  born: string
}

/** Returns the identity of this process, or null if the kernel does not provide it. */
export const ownBirth = (): Birth | null => {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const place = `${hostname()} ${boot} ${readlinkSync('/proc/self/ns/pid')}`
    return { place, pid: process.pid, born: statusOf(process.pid).born }
  } catch {
    return null
  }
}

/** Returns true only if the process has certainly ended. Call it only for processes of the same `place`. */
export const isGone = ({ pid, born }: Pick<Birth, 'pid' | 'born'>): boolean => {
  try {
    const status = statusOf(pid)
    return status.born !== born || ended.has(status.state)
  } catch {
    return hasNoProcess(pid)
  }
}

/** Process states in which no code runs any more, such as a zombie that its parent has not reaped. */
const ended = new Set(['Z', 'X'])

const statusOf = (pid: number): { state: string; born: string } => {
  const line = readFileSync(`/proc/${pid}/stat`, 'latin1')
  // After the process name, which can contain any character, the state is the first field and the start time the 20th.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  const [state, born] = [fields[0], fields[19]]
  if (!state || !born) throw new Error('the kernel says it otherwise')
  return { state, born }
}

/** Some systems hide the processes of other users. A hidden process exists, but cannot be signalled. */
const hasNoProcess = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}
