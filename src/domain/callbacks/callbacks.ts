/** Those who call back: which channel they mean, and how many may be here at once. */
import { Batcher } from '../../db/batch.ts'
import type { Sql } from '../../db/client.ts'
import { Line, type LineOptions } from '../../db/line.ts'
import { type CalledChannel, findCalledChannels, isCalledAt } from '../channels/index.ts'
import { isId } from '../ids.ts'

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

export class Callbacks {
  readonly #line: Line<null>
  readonly #channels: Batcher<string, CalledChannel | null>

  constructor(sql: Sql, { places, ...line }: LineOptions & { places: number } = usualLine) {
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
