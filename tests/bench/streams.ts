/**
 * Measures recording while people watch: the same load alternately without streams and with a thousand streams of the
 * same workspace.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashSecret, newSecret } from '../../src/core/secrets.ts'
import type { Sql } from '../../src/platform/postgres/client.ts'
import type { BenchService, Environment } from './environment.ts'
import { each, type Figure, figure, median, ratio } from './figures.ts'
import { rateOf, shopOf } from './ingest.ts'
import { shareOfTime } from './profile.ts'

export const aboutStreams =
  'the load of ingest at 64 connections, in turns with nobody and with 1,000 open streams of 50 people in the workspace that records; their readers are in the process that measures, on the same machine.'

const people = 50
const streamsEach = 20
const connections = 64

interface Measured {
  rate: number
  cpuUs: number
}

/** Measures the streams; `quick` is shorter and runs once. */
export const measureStreams = async (environment: Environment, quick: boolean): Promise<Figure[]> => {
  const shop = await shopOf(environment)
  const { service, sql } = environment
  const tokens = await signedIn(sql, shop.id)
  const seconds = quick ? 3 : 10
  const load = async () => {
    // Excludes the cost of opening and closing a thousand streams. Every load starts without data to flush.
    await sql`checkpoint`
    await Bun.sleep(2000)
    const before = await service.cpuMs()
    const result = await shop.load(service.port, connections, seconds)
    return { rate: rateOf(result), cpuUs: (1000 * ((await service.cpuMs()) - before)) / result.answeredInAll }
  }
  const besideReaders = async () => {
    const readers = await openAll(service, tokens)
    const beside = await load()
    readers.close()
    return { beside, heardMiB: readers.heard() / 2 ** 20 }
  }
  await load()
  const rounds: { without: Measured; beside: Measured; heardMiB: number }[] = []
  for (let round = 0; round < (quick ? 2 : 15); round++) {
    // Stored data grows and the machine warms up, so each variant goes first equally often.
    const first = round % 2 === 0 ? await load() : null
    const second = await besideReaders()
    rounds.push({ without: first ?? (await load()), ...second })
  }
  const memory = await service.residentMiB()
  const share = await shareOfStreams(environment, tokens, port => shop.load(port, connections, quick ? 10 : 60))
  await shop.assertAllStored()
  const [without, beside] = [each(rounds, 'without'), each(rounds, 'beside')]
  const none = (name: keyof Measured) => ({ name: 'with none:', rounds: each(without, name) })
  const name = `${people * streamsEach} streams open, ${connections} connections`
  return [
    figure('streams', name, 'events/s', each(beside, 'rate'), none('rate'), ratio.atLeast(0.98)),
    figure('streams', 'processor time of the service for an event', 'us', each(beside, 'cpuUs'), none('cpuUs')),
    figure('streams', "part of the service's time, by profile", '%', [100 * share], null, median.atMost(2)),
    figure('streams', 'told to all of them in a round', 'MiB', each(rounds, 'heardMiB')),
    figure('streams', 'memory of the service afterwards', 'MiB', [memory]),
  ]
}

/**
 * Speeds vary by more than the expected difference. A separate process therefore records with all streams open and
 * writes a profile. The share of the streams is the time with their code on the stack, including the writes to their
 * sockets.
 */
const shareOfStreams = async (
  environment: Environment,
  tokens: string[],
  load: (port: number) => Promise<unknown>,
): Promise<number> => {
  const folder = await mkdtemp(join(tmpdir(), 'profile-'))
  try {
    const profiled = await environment.serviceWith({ ROLES: 'http,worker' }, ['--cpu-prof', `--cpu-prof-dir=${folder}`])
    const readers = await openAll(profiled, tokens)
    await load(profiled.port)
    await profiled.stop()
    readers.close()
    return await shareOfTime(
      folder,
      ({ functionName, url }) =>
        url.includes('/src/insights/live-feed/') || functionName === 'onReadStreamIntoSinkChunk',
    )
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Creates `people` members of the workspace, each with a session. */
const signedIn = async (sql: Sql, workspaceId: string): Promise<string[]> => {
  const tokens = Array.from({ length: people }, () => newSecret('ses_'))
  await sql`
    with people as (
      insert into users (email, name, password_hash)
      select 'watcher-' || n || '-' || ${workspaceId} || '@shop.example', 'Watcher', 'none' from generate_series(1, ${people}::integer) n
      returning id
    ), joined as (
      insert into members (workspace_id, user_id, role, joined_at) select ${workspaceId}, id, 'agent', now() from people
    )
    insert into sessions (token_hash, user_id, expires_at)
    select decode(hash, 'hex'), id, now() + interval '1 day'
    from (select id, row_number() over () as n from people) numbered
    join unnest(${tokens.map(hashSecret)}::text[]) with ordinality as given(hash, n) using (n)`
  return tokens
}

/** Resolves when every stream was answered. */
const openAll = async ({ port }: BenchService, tokens: string[]) => {
  let bytes = 0
  const sockets: Socket[] = []
  const open = (token: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1' })
      sockets.push(socket)
      let isOpen = false
      socket.on('error', reject)
      socket.on('data', data => {
        bytes += data.byteLength
        if (isOpen) return
        isOpen = true
        if (data.subarray(0, 12).toString() === 'HTTP/1.1 200') resolve()
        else reject(new Error(`a stream was answered with ${data.toString()}`))
      })
      socket.write(`GET /v1/stream HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    })
  for (let round = 0; round < streamsEach; round++) await Promise.all(tokens.map(open))
  return {
    heard: () => bytes,
    close: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}
