/** Test of a process with few file descriptors. Its own lack of resources is not counted against the receiver. */
import { expect, test } from 'bun:test'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hang, startReceiver } from '../support/receiver.ts'

const program = join(import.meta.dir, 'open-files.ts')

test('does not count an attempt without a free connection as a failure of the receiver', async () => {
  const receiver = await startReceiver({ behaviour: hang() })
  try {
    const script = `ulimit -n 200 && exec ${process.execPath} ${program} ${receiver.url} ${receiver.target} 300`
    const env = { PATH: '', BUN_CONFIG_MAX_HTTP_REQUESTS: '4096' }
    const { stdout } = await promisify(execFile)('sh', ['-c', script], { env })
    const ends = JSON.parse(stdout) as Record<string, number>
    expect(Object.keys(ends).toSorted()).toEqual(['ours: EMFILE', 'receiver: timed out'])
    expect(ends['ours: EMFILE']).toBeGreaterThan(100)
  } finally {
    await receiver.stop()
  }
})
