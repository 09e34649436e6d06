/**
 * Gives the demo a past of 30 days, so that every chart has something to show. It is recorded through the interface by a
 * service of its own, and then moved into the past.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../../../config.ts'
import type { Log } from '../../../../platform/log.ts'
import type { Database } from '../../../../platform/postgres/client.ts'
import type { OpenDatabase } from '../../../database.ts'
import { startService } from '../../../index.ts'
import { Api, DemoError } from '../api.ts'
import type { Owner } from '../owner.ts'
import { HistoryReceiver } from './receivers.ts'
import { HistoryRecorder } from './record.ts'
import { momentsUntil, seededRandom } from './schedule.ts'
import { setUpHistory } from './setup.ts'
import { endMoment, holdRollUp, type RecordedMoment, readTime, shiftHistory, spreadCampaign } from './shift.ts'

const seed = 21
/** Maximum milliseconds for the whole history. */
const deadlineMs = 90_000
const pollMs = 1

export interface HistoryReceivers {
  crm: HistoryReceiver
  stock: HistoryReceiver
}

/** Starts the receivers of both endpoints. */
export const startHistoryReceivers = async (): Promise<HistoryReceivers> => {
  const random = seededRandom(seed)
  const receivers = {
    crm: new HistoryReceiver(() => random() * 4),
    stock: new HistoryReceiver(() => (random() < 0.01 ? 40 : random() * 8)),
  }
  await Promise.all([receivers.crm.start(), receivers.stock.start()])
  return receivers
}

export interface HistoryDeps {
  config: Config
  database: OpenDatabase
  log: Log
  owner: Owner
  receivers: HistoryReceivers
  /** Ends the recording. */
  signal?: AbortSignal
}

/** Records and moves the history. Returns the number of its events. */
export const makeHistory = async ({
  config,
  database,
  log,
  owner,
  receivers,
  signal: interrupted = new AbortController().signal,
}: HistoryDeps): Promise<number> => {
  const { sql } = database
  const service = await startService({ config: { ...config, port: 0 }, databaseUrl: database.url, log })
  const recorded: RecordedMoment[] = []
  try {
    const api = new Api(service.url, AbortSignal.any([interrupted, AbortSignal.timeout(deadlineMs)]))
    const urls = { crm: `http://${receivers.crm.target}/webhooks`, stock: `http://${receivers.stock.target}/webhooks` }
    const shop = await setUpHistory(api, owner, urls)
    await holdRollUp(sql)
    const random = seededRandom(seed)
    const recorder = new HistoryRecorder(shop, receivers.stock, random)
    for (const moment of momentsUntil(new Date(), random)) {
      interrupted.throwIfAborted()
      recorded.push({ recordedAt: await readTime(sql), at: moment.at })
      await recorder.record(moment)
      await waitUntilIdle(sql)
      if (moment.isCampaign) recorded.push(...(await spreadCampaign(sql, moment.at)))
    }
  } finally {
    await service.stop()
  }
  return shiftHistory(sql, recorded)
}

/** Waits until the service has nothing to do, except for retries. */
const waitUntilIdle = async (sql: Database): Promise<void> => {
  const until = performance.now() + deadlineMs
  while (!(await endMoment(sql))) {
    if (performance.now() > until) throw new DemoError('The history of the demo could not be recorded in time.')
    await sleep(pollMs)
  }
}
