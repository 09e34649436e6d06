/** Mails to the holder of an account about changes to its sign-in settings. */

import type { Sql } from '../../db/client.ts'
import { clock } from '../../platform/clock.ts'
import type { RequestRef } from '../context.ts'
import { type AccountChange, sendMailSoon } from '../tasks.ts'

/** Enqueues a mail to the holder in the caller's transaction. `request` is null for the operator. */
export const notifyHolder = (
  tx: Sql,
  { userId, change, request }: { userId: string; change: AccountChange; request: RequestRef | null },
): Promise<void> =>
  sendMailSoon(tx, {
    kind: 'account',
    userId,
    change,
    at: new Date(clock.now()).toISOString(),
    address: request?.address ?? null,
  })
