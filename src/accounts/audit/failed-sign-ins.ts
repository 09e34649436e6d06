/**
 * Records sign-ins with a wrong password, or with a wrong code after the correct password. Written after the response,
 * so that its duration does not reveal whether an account exists.
 */
import { Batcher } from '../../platform/micro-batch.ts'
import { neverReachedServer, type Sql, withRetry } from '../../platform/postgres/client.ts'
import { type AccountActionRecord, hashEmail, writeAccountEntries } from './write.ts'

/** A failed sign-in to an existing account. */
export type FailedSignIn = Pick<AccountActionRecord, 'userId' | 'request'> & { email: string }

/**
 * Batches audit entries of failed sign-ins. The queue is bounded by the password hashing queue and by the rate limit on
 * codes.
 */
export class FailedSignIns {
  readonly #batcher: Batcher<AccountActionRecord, undefined>

  /** `onLost` is called with the error and the number of entries that could not be written. */
  constructor(sql: Sql, onLost: (error: unknown, count: number) => void) {
    this.#batcher = new Batcher({
      maxSize: 64,
      concurrency: 1,
      work: async records => {
        try {
          await withRetry(() => writeAccountEntries(sql, records), { when: neverReachedServer })
        } catch (error) {
          onLost(error, records.length)
        }
        return records.map(() => undefined)
      },
    })
  }

  /** Enqueues an entry. Returns immediately and never throws. */
  record({ userId, email, request: { requestId, address } }: FailedSignIn): void {
    const detail = { emailHash: hashEmail(email) }
    void this.#batcher.add({
      userId,
      isByHolder: false,
      action: 'signInFailed',
      detail,
      request: { requestId, address },
    })
  }

  /** Resolves when all enqueued entries are written or lost. Never rejects. */
  idle(): Promise<void> {
    return this.#batcher.idle()
  }
}
