/**
 * Records sign-ins with a wrong password, or with a wrong code after the correct password. Written after the response,
 * so that its duration does not reveal whether an account exists.
 */
import { Batcher } from '../../db/batch.ts'
import { neverReachedServer, retrying, type Sql } from '../../db/client.ts'
import { type AccountDeed, emailHash, writeAccountEntries } from './write.ts'

/** A failed sign-in to an existing account. */
export type FailedSignIn = Pick<AccountDeed, 'userId' | 'request'> & { email: string }

/**
 * Batches audit entries of failed sign-ins. The queue is bounded by the password hashing queue and by the rate limit on
 * codes.
 */
export class FailedSignIns {
  readonly #writes: Batcher<AccountDeed, undefined>

  /** `onLost` is called with the error and the number of entries that could not be written. */
  constructor(sql: Sql, onLost: (error: unknown, count: number) => void) {
    this.#writes = new Batcher({
      maxSize: 64,
      lanes: 1,
      work: async deeds => {
        try {
          await retrying(() => writeAccountEntries(sql, deeds), { when: neverReachedServer })
        } catch (error) {
          onLost(error, deeds.length)
        }
        return deeds.map(() => undefined)
      },
    })
  }

  /** Enqueues an entry. Returns immediately and never throws. */
  note({ userId, email, request: { requestId, address } }: FailedSignIn): void {
    const detail = { emailHash: emailHash(email) }
    void this.#writes.add({ userId, byThem: false, action: 'signInFailed', detail, request: { requestId, address } })
  }

  /** Resolves when all enqueued entries are written or lost. Never rejects. */
  idle(): Promise<void> {
    return this.#writes.idle()
  }
}
