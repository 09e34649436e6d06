/**
 * Whether another process of this machine is still there: the kernel knows it at once and for sure, where it is Linux.
 * Elsewhere nothing is known, and nobody is taken for gone.
 */
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** What tells one process from every other that ever was or will be. */
export interface Birth {
  /** Where its pid means something: this boot of this machine, and in it this container. */
  place: string
  pid: number
  /** By the clock of the kernel: another process may have the same pid later. */
  born: string
}

/** null where the kernel does not tell. */
export const ownBirth = (): Birth | null => {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const place = `${hostname()} ${boot} ${readlinkSync('/proc/self/ns/pid')}`
    return { place, pid: process.pid, born: statusOf(process.pid).born }
  } catch {
    return null
  }
}

/** True only for one that has certainly ended. Ask it of none but those of the same place. */
export const isGone = ({ pid, born }: Pick<Birth, 'pid' | 'born'>): boolean => {
  try {
    const status = statusOf(pid)
    return status.born !== born || ended.has(status.state)
  } catch {
    return hasNoProcess(pid)
  }
}

/** Waits for its parent to ask what became of it; nothing of it runs any more. */
const ended = new Set(['Z', 'X'])

const statusOf = (pid: number): { state: string; born: string } => {
  const line = readFileSync(`/proc/${pid}/stat`, 'latin1')
  // Behind the name, which may hold anything, the state comes first and the time of birth twentieth.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  const [state, born] = [fields[0], fields[19]]
  if (!state || !born) throw new Error('the kernel says it otherwise')
  return { state, born }
}

/** Some machines show nobody the processes of others: then it is there, but may not be asked. */
const hasNoProcess = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}
