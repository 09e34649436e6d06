/**
 * Detects whether another process on this machine has ended. On Linux the kernel reports it reliably; elsewhere no
 * process counts as ended.
 */
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Unique identity of a process. */
export interface ProcessIdentity {
  /** Scope in which the pid is valid: this boot of this machine, and the container. */
  pidScope: string
  pid: number
  /** Start time by the clock of the kernel. A later process can have the same pid. */
  startTicks: string
}

/** Returns the identity of this process, or null if the kernel does not provide it. */
export const ownProcess = (): ProcessIdentity | null => {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const pidScope = `${hostname()} ${boot} ${readlinkSync('/proc/self/ns/pid')}`
    return { pidScope, pid: process.pid, startTicks: readStatus(process.pid).startTicks }
  } catch {
    return null
  }
}

/** Returns true only if the process has certainly ended. Call it only for processes of the same `pidScope`. */
export const hasEnded = ({ pid, startTicks }: Pick<ProcessIdentity, 'pid' | 'startTicks'>): boolean => {
  try {
    const status = readStatus(pid)
    return status.startTicks !== startTicks || endedStates.has(status.state)
  } catch {
    return hasNoProcess(pid)
  }
}

/** Process states in which no code runs any more, such as a zombie that its parent has not reaped. */
const endedStates = new Set(['Z', 'X'])

const readStatus = (pid: number): { state: string; startTicks: string } => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  // After the process name, which can contain any character, the state is the first field and the start time the 20th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, startTicks] = [fields[0], fields[19]]
  if (!state || !startTicks) throw new Error('the state or the start time is missing')
  return { state, startTicks }
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
