/** Admission of callbacks: the channel that is meant, how many of one channel at once, and the rates of a workspace. */
import { Batcher } from '../../db/batch.ts'
import type { Sql } from '../../db/client.ts'
import { Line, type LineOptions } from '../../db/line.ts'
import { type CalledChannel, findCalledChannels, isCalledAt } from '../channels/index.ts'
import { overloaded } from '../errors.ts'
import { isId } from '../ids.ts'
import { networkOf } from '../network.ts'
import { Allowance, type AllowanceLimit } from './allowance.ts'

/**
 * In hand at once, and of one channel. Whoever finds no place in time is told to come again, which providers do: what
 * they send is never dropped, and one channel that is flooded keeps nobody else out.
 */
const usualLine: LineOptions & { places: number } = {
  places: 256,
  maxHeldEach: 96,
  maxWaiting: 2048,
  maxWaitingEach: 512,
  maxWaitMs: 5000,
}

/** Bytes that a workspace may be sent for each message or status that it may be told. */
const bytesOfItem = 2048

/** Callbacks of one channel from one network address whose signature does not hold. */
const unsignedLimit = { perSecond: 10, burst: 20 }

export class Callbacks {
  readonly #line: Line<null>
  readonly #bytes: Allowance | null
  readonly #items: Allowance | null
  readonly #unsigned = new Allowance(unsignedLimit)
  readonly #channels: Batcher<string, CalledChannel | null>

  /** `rate`: messages, statuses and preferences of one workspace in this process; null switches it off. */
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

  /** The living channel that an address names, of the kind that is called there. Looked up anew each time. */
  async channelAt(name: string, id: string): Promise<CalledChannel | null> {
    const channel = isId(id) ? await this.#channels.add(id.toLowerCase()) : null
    return channel && isCalledAt(channel.kind, name) ? channel : null
  }

  /**
   * Refuses a callback before its body is read: 503 (TryLaterError) where its workspace was told too much, or the network
   * address sent this channel too many callbacks whose signature did not hold. An address of its own keeps the provider
   * out of what others send in its name.
   */
  requireAllowance(channel: CalledChannel, address: string): void {
    this.#requireRates(channel)
    refuseFor(this.#unsigned.secondsUntilFree(sourceOf(channel, address)))
  }

  /** Counts a callback whose signature does not hold. */
  countUnsigned(channel: CalledChannel, address: string): void {
    this.#unsigned.spend(sourceOf(channel, address), 1)
  }

  /** Counts the bytes of a signed callback for its workspace. 503 (TryLaterError) where others used the rate up meanwhile. */
  countBytes(channel: CalledChannel, bytes: number): void {
    this.#requireRates(channel)
    this.#bytes?.spend(channel.workspaceId, bytes)
  }

  /** Counts what a callback tells, before any of it is recorded. 503 (TryLaterError) as for its bytes. */
  countItems(channel: CalledChannel, items: number): void {
    refuseFor(this.#items?.secondsUntilFree(channel.workspaceId))
    this.#items?.spend(channel.workspaceId, items)
  }

  #requireRates({ workspaceId }: CalledChannel): void {
    refuseFor(this.#bytes?.secondsUntilFree(workspaceId))
    refuseFor(this.#items?.secondsUntilFree(workspaceId))
  }

  /** Does the work in a place of the channel's. Rejects with LineFull where there was none. */
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
