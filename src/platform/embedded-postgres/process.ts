import { spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'

/**
 * Returns a token for one run of a process, `<pid>-<boot>-<start>`. Undefined if the process does not exist. A pid
 * alone is not sufficient, because after a crash or a reboot it may belong to another process. Without /proc, the token
 * contains only the pid.
 */
export const processToken = (pid: number): string | undefined => {
  if (!Number.isInteger(pid) || pid <= 0 || !exists(pid)) return undefined
  if (!hasProc) return `${pid}-0-0`
  const start = readStart(pid)
  return start && `${pid}-${bootId}-${start}`
}

/** Returns the token of this process. */
export const ownToken = (): string => processToken(process.pid)!

/** Returns whether the process with this token of {@link processToken} is still running. */
export const isRunning = (token: string): boolean => processToken(Number.parseInt(token, 10)) === token

/**
 * Returns whether the process is the PostgreSQL server of the data folder (a real path). The working folder identifies
 * a server whose data was moved. The command line identifies it where a container prevents root from reading the /proc
 * links of other users.
 */
export const isServerOf = (pid: number, data: string): boolean =>
  ` ${commandLine(pid)} `.includes(` -D ${data} `) ||
  (procText(pid, 'comm').trim() === 'postgres' && workingFolder(pid) === data)

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process exists, but we are not allowed to signal it.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * Returns the start of the process in clock ticks since boot. A zombie counts as gone: in a container whose first
 * process does not reap children, an orphaned server stays a zombie forever.
 */
const readStart = (pid: number): string | undefined => {
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

const procText = (pid: number | 'self', file: string): string => readText(`/proc/${pid}/${file}`)

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const hasProc = procText('self', 'stat') !== ''
const bootId = readText('/proc/sys/kernel/random/boot_id').slice(0, 8)
