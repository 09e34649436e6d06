import { spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'

/**
 * Names one run of a process, `<pid>-<boot>-<start>`, or undefined when no such process lives. A pid alone is not
 * enough: after a crash or a reboot it may belong to somebody else. Where there is no /proc it is all there is.
 */
export const processToken = (pid: number): string | undefined => {
  if (!Number.isInteger(pid) || pid <= 0 || !exists(pid)) return undefined
  if (!hasProc) return `${pid}-0-0`
  const start = startOf(pid)
  return start && `${pid}-${bootId}-${start}`
}

/** The token of this process. */
export const ownToken = (): string => processToken(process.pid)!

/** Whether the run of a process that {@link processToken} named is still going on. */
export const isLiving = (token: string): boolean => processToken(Number.parseInt(token, 10)) === token

/**
 * Whether the process is the PostgreSQL server of the data folder (a real path). The working folder finds a server
 * whose data was moved; the command line finds it where a container keeps root from reading others' /proc links.
 */
export const isServerOf = (pid: number, data: string): boolean =>
  ` ${commandLine(pid)} `.includes(` -D ${data} `) ||
  (procText(pid, 'comm').trim() === 'postgres' && workingFolder(pid) === data)

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it lives, but is not ours to signal
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * Clock ticks between boot and the start of the process. A zombie counts as gone: in a container whose first process
 * reaps nothing, an orphaned server stays one for ever.
 */
const startOf = (pid: number): string | undefined => {
  const stat = procText(pid, 'stat')
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state === 'Z' || state === 'X' ? undefined : fields[18]
}

const commandLine = (pid: number): string =>
  hasProc
    ? procText(pid, 'cmdline').replaceAll('\0', ' ')
    : spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout

const workingFolder = (pid: number): string | undefined => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

const procText = (pid: number | 'self', file: string): string => textOf(`/proc/${pid}/${file}`)

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const hasProc = procText('self', 'stat') !== ''
const bootId = textOf('/proc/sys/kernel/random/boot_id').slice(0, 8)
