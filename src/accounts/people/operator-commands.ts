/** Account commands of the operator. */
import { type Sql, transaction } from '../../platform/postgres/client.ts'
import { enqueueMail } from '../../queue/tasks.ts'
import { writeOperatorAccountEntries } from '../audit/index.ts'
import { countMemberships } from '../members/index.ts'
import { deleteSecondFactor, findUsersWithSecondFactor } from '../second-factors/index.ts'
import { deleteOtherSessions } from '../sessions/index.ts'
import { deleteTokensOf } from '../tokens/index.ts'
import { findUserForSignIn, type ListedAccount, selectUsers, updateDisabled } from '../users/index.ts'
import { createLink } from './links.ts'
import { notifyHolder } from './notify.ts'
import { deleteLinksOf } from './sql.ts'

/** Thrown when a command cannot be carried out. The message is one sentence for the operator. */
export class AccountError extends Error {
  override readonly name = 'AccountError'
}

export interface Account extends ListedAccount {
  workspaces: number
  hasSecondFactor: boolean
}

const pageSize = 500

/** Yields all accounts in pages, oldest first. */
export async function* listAccounts(sql: Sql): AsyncGenerator<Account[]> {
  for (let after: string | null = null; ; ) {
    const users: ListedAccount[] = await selectUsers(sql, after, pageSize)
    if (users.length === 0) return
    const ids = users.map(({ id }) => id)
    const memberships = await countMemberships(sql, ids)
    const withSecondFactor = await findUsersWithSecondFactor(sql, ids)
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
    const { id } = await findEnabledAccount(tx, email)
    const secondFactorRemoved = dropSecondFactor && (await deleteSecondFactor(tx, id))
    await deleteLinksOf(tx, id, 'reset')
    const detail = { mailed: byMail, secondFactorRemoved }
    await writeOperatorAccountEntries(tx, { userId: id, action: 'makeResetLink', detail })
    if (secondFactorRemoved) await notifyHolder(tx, { userId: id, change: 'second factor removed', request: null })
    if (!byMail) return { token: await createLink(tx, id, 'reset', { mailed: false }), secondFactorRemoved }
    await enqueueMail(tx, { kind: 'reset', email })
    return { token: null, secondFactorRemoved }
  })

/** Creates a link that signs the holder in, voids earlier ones, and returns the token. */
export const makeSignInLink = (sql: Sql, email: string): Promise<string> =>
  transaction(sql, async tx => {
    const { id } = await findEnabledAccount(tx, email)
    await deleteLinksOf(tx, id, 'sign_in')
    await writeOperatorAccountEntries(tx, { userId: id, action: 'makeSignInLink' })
    await notifyHolder(tx, { userId: id, change: 'sign-in link created', request: null })
    return createLink(tx, id, 'sign_in', { mailed: false })
  })

/** Disables an account and ends its sessions and access tokens, effective from the next request. Its data stays. */
export const disableAccount = (sql: Sql, email: string): Promise<void> =>
  transaction(sql, async tx => {
    const { id } = await requireAccount(tx, email)
    const isChanged = await updateDisabled(tx, id, true)
    await deleteLinksOf(tx, id, 'reset', 'sign_in')
    await deleteOtherSessions(tx, id, null)
    await deleteTokensOf(tx, { userId: id })
    if (!isChanged) return
    await writeOperatorAccountEntries(tx, { userId: id, action: 'disableUser' })
    await notifyHolder(tx, { userId: id, change: 'account disabled', request: null })
  })

/** Enables an account again. The password stays the same. */
export const enableAccount = (sql: Sql, email: string): Promise<void> =>
  transaction(sql, async tx => {
    const { id } = await requireAccount(tx, email)
    if (!(await updateDisabled(tx, id, false))) return
    await writeOperatorAccountEntries(tx, { userId: id, action: 'enableUser' })
    await notifyHolder(tx, { userId: id, change: 'account enabled', request: null })
  })

const findEnabledAccount = async (sql: Sql, email: string) => {
  const user = await requireAccount(sql, email)
  if (user.isDisabled) throw new AccountError(`${email} is disabled. Enable the account with "user enable".`)
  return user
}

const requireAccount = async (sql: Sql, email: string) => {
  const user = await findUserForSignIn(sql, email)
  if (user) return user
  throw new AccountError(`There is no account with the address "${email}". "user list" lists all accounts.`)
}
