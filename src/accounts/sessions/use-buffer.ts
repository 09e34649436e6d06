/** Maximum number of hashes per statement. */
const pageSize = 1000

/**
 * Collects the sessions or access tokens in use and writes them in batches, so that no request waits for the write.
 * Most requests write nothing.
 */
export class UseBuffer {
  readonly #pending = new Set<string>()

  /** `touch` writes the current time as the time of last use of these credentials. */
  constructor(private readonly touch: (tokenHashes: string[]) => PromiseLike<unknown>) {}

  /** Called for every credential used by a request, with the hash of its token. */
  record(tokenHash: string, { isTouchDue }: { isTouchDue: boolean }): void {
    if (isTouchDue) this.#pending.add(tokenHash)
  }

  /** Writes the collected credentials. Called twice a minute and once at shutdown. */
  async flush(): Promise<void> {
    const tokenHashes = [...this.#pending]
    for (let from = 0; from < tokenHashes.length; from += pageSize) {
      const page = tokenHashes.slice(from, from + pageSize)
      await this.touch(page)
      for (const one of page) this.#pending.delete(one)
    }
  }
}
