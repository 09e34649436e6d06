/** Sign-ins with a wrong password, or a wrong code after the right one. They are told of after their answer, which must take as long where there is no account. */
import { Batcher } from '../../db/batch.ts'
import { neverReachedServer, retrying, type Sql } from '../../db/client.ts'
import { type AccountDeed, emailHash, writeAccountEntries } from './write.ts'

/** A failed try, at an account that there is. */
export type FailedSignIn = Pick<AccountDeed, 'userId' | 'request'> & { email: string }

/** What is waiting is bounded by the line in which passwords are judged, and by how often codes may be tried. */
export class FailedSignIns {
  readonly #writes: Batcher<AccountDeed, undefined>

  /** `onLost` is told why, and how many could not be written. */
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

  /** Returns at once and never throws. */
  note({ userId, email, request: { requestId, address } }: FailedSignIn): void {
    const detail = { emailHash: emailHash(email) }
    void this.#writes.add({ userId, byThem: false, action: 'signInFailed', detail, request: { requestId, address } })
  }

  /** Resolves, never rejects, once all that was noted so far is written, or is lost. */
  idle(): Promise<void> {
    return this.#writes.idle()
  }
}
