/** Tests of reads from a standby with simulated positions: a primary that does not answer, and one after a failover. */
import { afterEach, expect, test } from 'bun:test'
import type { Database } from '../../../src/platform/postgres/client.ts'
import type { LimitedPool } from '../../../src/platform/postgres/limited-pool.ts'
import { ReplicaReads } from '../../../src/platform/postgres/replica-reads.ts'

/** Answers each statement with one row. */
const answering = (row: () => Promise<object>) => (async () => [await row()]) as unknown as Database

const pool = (name: string): LimitedPool => ({
  run: async <T>() => name as T,
  waiting: 0,
  held: 0,
})

const identity = { databaseOid: 1, systemIdentifier: null, execute: false }
const opened: ReplicaReads[] = []
afterEach(() => {
  for (const reads of opened.splice(0)) reads.stop()
})

const open = (position: () => Promise<string>, replayed: () => Promise<string>) => {
  const changes: (string | null)[] = []
  const reads = new ReplicaReads({
    replica: pool('standby'),
    replicaPosition: answering(async () => ({ ...identity, position: await replayed() })),
    primary: pool('primary'),
    primaryPosition: answering(async () => ({ ...identity, position: await position() })),
    onChange: reason => changes.push(reason),
  })
  opened.push(reads)
  return { changes, read: () => reads.run('workspace', new AbortController().signal, async () => 'unused') }
}

test('a read uses the primary if its position does not arrive or fails, and the standby stays usable', async () => {
  let answer = (): Promise<string> => new Promise(() => {})
  const hanging = open(
    () => answer(),
    async () => '5',
  )
  expect(await hanging.read()).toBe('primary')
  expect(hanging.changes).toEqual([])

  answer = () => Promise.reject(new Error('the connection was closed'))
  const failing = open(
    () => answer(),
    async () => '5',
  )
  expect(await failing.read()).toBe('primary')
  answer = async () => '5'
  expect(await failing.read()).toBe('standby')
  expect(failing.changes).toEqual([])
})

test('after a failover to an earlier position, the standby is read again', async () => {
  let [written, replayed] = ['9', '9']
  const { changes, read } = open(
    async () => written,
    async () => replayed,
  )
  expect(await read()).toBe('standby')
  ;[written, replayed] = ['7', '3']
  expect(await read()).toBe('primary')
  expect(changes).toEqual(['it is 4 bytes behind'])
})

test('the position of a standby is read again on an idle primary, so that a standby that hangs is noticed', async () => {
  let answer = async () => '5'
  const { changes, read } = open(
    async () => '5',
    () => answer(),
  )
  expect(await read()).toBe('standby')
  answer = () => new Promise(() => {})
  let used = await read()
  while (used === 'standby') used = await read()
  expect(used).toBe('primary')
  expect(changes).toEqual(['it does not answer'])
})
