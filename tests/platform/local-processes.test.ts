import { afterEach, describe, expect, test } from 'bun:test'
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { hasEnded, ownProcess } from '../../src/platform/local-processes.ts'
import { eventually } from '../support/world.ts'

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

const startTicksOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ')[19]!

/** Returns the process id that a shell script prints. */
const startedBy = async (script: string): Promise<number> => {
  const child = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  children.push(child)
  for await (const text of child.stdout!) return Number(String(text))
  throw new Error('the shell said nothing')
}

describe.skipIf(process.platform !== 'linux')('with process information of the kernel, a process', () => {
  test('is present while it runs, and absent after it was killed', async () => {
    const pid = await startedBy('echo $$; exec sleep 60')
    const identity = { pid, startTicks: startTicksOf(pid) }
    expect(hasEnded(identity)).toBe(false)
    process.kill(pid, 'SIGKILL')
    await eventually('it no longer exists', () => hasEnded(identity))
  })

  test('is absent although its parent has not read its exit status', async () => {
    const pid = await startedBy('sleep 60 & echo $!; exec sleep 60')
    const identity = { pid, startTicks: startTicksOf(pid) }
    // A shell would read the exit status. The program that replaces it does not.
    const parent = children[0]!.pid!
    await eventually('no shell is its parent', () => readFileSync(`/proc/${parent}/comm`, 'utf8') === 'sleep\n')
    process.kill(pid, 'SIGKILL')
    await eventually('it no longer exists', () => hasEnded(identity))
    expect(process.kill(pid, 0)).toBe(true)
  })

  test('is absent if another process has its pid', () => {
    const own = ownProcess()!
    expect(hasEnded(own)).toBe(false)
    expect(hasEnded({ ...own, startTicks: String(Number(own.startTicks) - 1) })).toBe(true)
  })

  test('distinguishes itself from processes of other machines and containers', () => {
    const { pidScope } = ownProcess()!
    expect(pidScope).toMatch(/^\S+ [0-9a-f-]{36} pid:\[\d+\]$/)
    expect(ownProcess()!.pidScope).toBe(pidScope)
  })
})
