/** Members of an imported workspace: finds or creates their accounts. */

import { findUserForSignIn, insertPortableAccount, type PortableAccount } from '../../accounts/users/index.ts'
import { hashSecret, newSecret } from '../../core/secrets.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { TransferError } from './transfer-error.ts'

/** A member as in the file: the columns of its row, and its account. */
export interface ExportedMember {
  user_id: string | null
  role: string
  account: PortableAccount | null
  [column: string]: unknown
}

/** A person who has to accept the membership. */
export interface Invitation {
  email: string
  memberId: string
  /** Token of the link. A mailed link has another one. */
  token: string
}

/** Days for which an invitation is valid. */
const invitationDays = 7

/** Joins members with accounts of this database, one after the other. */
export class MemberImport {
  /** Ids of accounts in the file that have another id here. */
  readonly accounts: Record<string, string> = {}
  readonly invitations: Invitation[] = []

  /** `passwordHash` is of an unknown password. People with a new account sign in after a reset of the password. */
  constructor(private readonly options: { workspaceId: string; passwordHash: string; now: Date }) {}

  /**
   * Returns the row to insert in the same transaction. A person is found by the address. Without an account, one is
   * created. A person with another account that has not confirmed the address is invited instead, because somebody else
   * can have created the account.
   */
  async toRow(tx: Sql, { account, ...row }: ExportedMember): Promise<object> {
    if (row.user_id === null) return row
    if (account === null) throw new TransferError('A member in the file has no account.')
    // A service account ends with the workspace, so it must never be the account of a person.
    if ((row.kind === 'service') !== (account.email === null))
      throw new TransferError('A member in the file has an account of another kind.')
    const existing = account.email === null ? null : await findUserForSignIn(tx, account.email)
    if (existing !== null && !existing.isConfirmed && existing.id !== row.user_id) return this.#invite(row, account)
    const id = existing?.id ?? (await this.#createAccount(tx, account))
    if (id !== row.user_id) this.accounts[row.user_id] = id
    return { ...row, user_id: id }
  }

  async #createAccount(tx: Sql, account: PortableAccount): Promise<string> {
    const { workspaceId, passwordHash } = this.options
    const hash = account.email === null ? null : passwordHash
    return insertPortableAccount(tx, { ...account, passwordHash: hash, workspaceId })
  }

  #invite(row: Omit<ExportedMember, 'account'>, { email, name }: PortableAccount): object {
    const { now } = this.options
    const token = newSecret('inv_')
    this.invitations.push({ email: email!, memberId: row.id as string, token })
    return {
      ...row,
      user_id: null,
      joined_at: null,
      email,
      name,
      invited_at: now.toISOString(),
      token_hash: `\\x${hashSecret(token)}`,
      expires_at: new Date(now.getTime() + invitationDays * 86_400_000).toISOString(),
      mailed: false,
    }
  }
}
