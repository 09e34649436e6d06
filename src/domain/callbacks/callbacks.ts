/** Admission of provider callbacks: channel lookup, concurrency limits per channel, and rate limits per workspace. */
import { Batcher } from '../../db/batch.ts'
import type { Sql } from '../../db/client.ts'
import { Line, type LineOptions } from '../../db/line.ts'
import { type CalledChannel, findCalledChannels, isCalledAt } from '../channels/index.ts'
import { overloaded } from '../errors.ts'
import { isId } from '../ids.ts'
import { networkOf } from '../network.ts'
import { Allowance, type AllowanceLimit } from './allowance.ts'

/**
 * Concurrency limits in total and per channel. A callback that gets no permit in time is told to retry,
 * which providers do. So no callback is lost, and one flooded channel cannot block the others.
 */
const usualLine: LineOptions & { places: number } = {
  places: 256,
  maxHeldEach: 96,
  maxWaiting: 2048,
  maxWaitingEach: 512,
  maxWaitMs: 5000,
}

/** Bytes allowed for each message or status of the rate limit. */
const bytesOfItem = 2048

/** Limit of callbacks with an invalid signature, per channel and network address. */
const unsignedLimit = { perSecond: 10, burst: 20 }

export class Callbacks {
  readonly #line: Line<null>
  readonly #bytes: Allowance | null
  readonly #items: Allowance | null
  readonly #unsigned = new Allowance(unsignedLimit)
  readonly #channels: Batcher<string, CalledChannel | null>

  /** `rate` limits messages, statuses and preferences of one workspace in this process; null disables the limit. */
  constructor(
    sql: Sql,
    rate: AllowanceLimit | null,
    { places, ...line }: LineOptions & { places: number } = usualLine,
  ) {
    this.#items = rate && new Allowance(rate)
    this.#bytes = rate && new Allowance({ perSecond: rate.perSecond * bytesOfItem, burst: rate.burst * bytesOfItem })
    this.#line = new Line(new Array<null>(places).fill(null), line)
    this.#channels = new Batcher({
      maxSize: 256,
      lanes: 2,
      work: async ids => {
        const found = new Map((await findCalledChannels(sql, [...new Set(ids)])).map(one => [one.id, one]))
        return ids.map(id => found.get(id) ?? null)
      },
    })
  }

  /**
   * Returns the connected channel of a callback URL if its kind uses that name, or null. Reads the database on every
   * call.
   */
  async channelAt(name: string, id: string): Promise<CalledChannel | null> {
    const channel = isId(id) ? await this.#channels.add(id.toLowerCase()) : null
    return channel && isCalledAt(channel.kind, name) ? channel : null
  }

  /**
   * Rejects a callback before its body is read, with 503 (TryLaterError). Applies the limits of the workspace, and the
   * limit of invalid signatures for the channel and network address. That limit is per address, so forged callbacks
   * from elsewhere do not block the provider.
   */
  requireAllowance(channel: CalledChannel, address: string): void {
    this.#requireRates(channel)
    refuseFor(this.#unsigned.secondsUntilFree(sourceOf(channel, address)))
  }

  /** Counts a callback with an invalid signature. */
  countUnsigned(channel: CalledChannel, address: string): void {
    this.#unsigned.spend(sourceOf(channel, address), 1)
  }

  /**
   * Counts the bytes of a signed callback for its workspace. 503 (TryLaterError) if concurrent callbacks used up the
   * rate.
   */
  countBytes(channel: CalledChannel, bytes: number): void {
    this.#requireRates(channel)
    this.#bytes?.spend(channel.workspaceId, bytes)
  }

  /** Counts the items of a callback before any is recorded. 503 (TryLaterError) if the rate is used up. */
  countItems(channel: CalledChannel, items: number): void {
    refuseFor(this.#items?.secondsUntilFree(channel.workspaceId))
    this.#items?.spend(channel.workspaceId, items)
  }

  #requireRates({ workspaceId }: CalledChannel): void {
    refuseFor(this.#bytes?.secondsUntilFree(workspaceId))
    refuseFor(this.#items?.secondsUntilFree(workspaceId))
  }

  /** Runs the work while holding a permit of the channel. Rejects with LineFull if none was available. */
  async inPlace<T>({ id }: CalledChannel, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#line.enter(id, signal)
    try {
      return await work()
    } finally {
      this.#line.leave(id, null)
    }
  }
}

const sourceOf = ({ id }: CalledChannel, address: string): string => `${id} ${networkOf(address)}`

const refuseFor = (seconds = 0): void => {
  if (seconds > 0) throw overloaded('Too many callbacks for this workspace or channel.', seconds)
}
