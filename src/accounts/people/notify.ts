/** Mails to the holder of an account about changes to its sign-in settings. */

import type { RequestRef } from '../../core/context.ts'
import { clock } from '../../platform/clock.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { type AccountChange, enqueueMail } from '../../queue/tasks.ts'

/** Enqueues a mail to the holder in the caller's transaction. `request` is null for the operator. */
export const notifyHolder = (
  tx: Sql,
  { userId, change, request }: { userId: string; change: AccountChange; request: RequestRef | null },
): Promise<void> =>
  enqueueMail(tx, {
    kind: 'account',
    userId,
    change,
    at: new Date(clock.now()).toISOString(),
    address: request?.address ?? null,
  })
