/** Account commands of the operator. */
import { type Sql, transaction } from '../../db/client.ts'
import { writeOperatorsDeed } from '../audit/index.ts'
import { countMemberships } from '../members/index.ts'
import { deleteSecondFactor, findThoseWithSecondFactor } from '../second-factors/index.ts'
import { deleteOtherSessions } from '../sessions/index.ts'
import { sendMailSoon } from '../tasks.ts'
import { type AccountRow, findUserForSignIn, selectUsers, updateDisabled } from '../users/index.ts'
import { newLink } from './links.ts'
import { notifyHolder } from './notify.ts'
import { deleteLinksOf } from './sql.ts'

/** Thrown when a command cannot be carried out. The message is one sentence for the operator. */
export class AccountError extends Error {
  override readonly name = 'AccountError'
}

export interface Account extends Pick<AccountRow, 'id' | 'email' | 'createdAt' | 'confirmedAt' | 'disabledAt'> {
  workspaces: number
  hasSecondFactor: boolean
}

const pageSize = 500

/** Yields all accounts in pages, oldest first. */
export async function* listAccounts(sql: Sql): AsyncGenerator<Account[]> {
  for (let after: string | null = null; ; ) {
    const users: AccountRow[] = await selectUsers(sql, after, pageSize)
    if (users.length === 0) return
    const ids = users.map(({ id }) => id)
    const memberships = await countMemberships(sql, ids)
    const withSecondFactor = await findThoseWithSecondFactor(sql, ids)
    yield users.map(user => ({
      ...user,
      workspaces: memberships.get(user.id) ?? 0,
      hasSecondFactor: withSecondFactor.has(user.id),
    }))
    after = users.at(-1)!.id
  }
}

/**
 * Creates a password reset link and voids earlier ones. Returns its token, or null if the link is sent by mail. With
 * `dropSecondFactor` the account's second factor is removed as well; `secondFactorRemoved` says whether there was one.
 */
export const makeResetLink = (
  sql: Sql,
  email: string,
  { byMail, dropSecondFactor }: { byMail: boolean; dropSecondFactor: boolean },
): Promise<{ token: string | null; secondFactorRemoved: boolean }> =>
  transaction(sql, async tx => {
    const { id } = await admitted(tx, email)
    const secondFactorRemoved = dropSecondFactor && (await deleteSecondFactor(tx, id))
    await deleteLinksOf(tx, id, 'reset')
    const detail = { mailed: byMail, secondFactorRemoved }
    await writeOperatorsDeed(tx, { userId: id, action: 'makeResetLink', detail })
    if (secondFactorRemoved) await notifyHolder(tx, { userId: id, change: 'second factor removed', request: null })
    if (!byMail) return { token: await newLink(tx, id, 'reset', { mailed: false }), secondFactorRemoved }
    await sendMailSoon(tx, { kind: 'reset', email })
    return { token: null, secondFactorRemoved }
  })

/** Creates a link that signs the holder in, voids earlier ones, and returns the token. */
export const makeSignInLink = (sql: Sql, email: string): Promise<string> =>
  transaction(sql, async tx => {
    const { id } = await admitted(tx, email)
    await deleteLinksOf(tx, id, 'sign_in')
    await writeOperatorsDeed(tx, { userId: id, action: 'makeSignInLink' })
    return newLink(tx, id, 'sign_in', { mailed: false })
  })

/** Disables an account and ends its sessions, effective from the next request. Its data stays. */
export const disableAccount = (sql: Sql, email: string): Promise<void> =>
  transaction(sql, async tx => {
    const { id } = await known(tx, email)
    const isChanged = await updateDisabled(tx, id, true)
    await deleteLinksOf(tx, id, 'reset', 'sign_in')
    await deleteOtherSessions(tx, id, null)
    if (isChanged) await writeOperatorsDeed(tx, { userId: id, action: 'disableUser' })
  })

/** Enables an account again. The password stays the same. */
export const enableAccount = (sql: Sql, email: string): Promise<void> =>
  transaction(sql, async tx => {
    const { id } = await known(tx, email)
    if (await updateDisabled(tx, id, false)) await writeOperatorsDeed(tx, { userId: id, action: 'enableUser' })
  })

const admitted = async (sql: Sql, email: string) => {
  const user = await known(sql, email)
  if (user.isDisabled) throw new AccountError(`${email} is disabled; "user enable" lets them in again.`)
  return user
}

const known = async (sql: Sql, email: string) => {
  const user = await findUserForSignIn(sql, email)
  if (user) return user
  throw new AccountError(`Nobody has an account with the address "${email}"; "user list" shows those there are.`)
}
