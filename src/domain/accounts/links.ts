/** Single-use links to an account, sent or given to its holder, with a short lifetime. Only their hash is stored. */
import type { Sql } from '../../db/client.ts'
import { DomainError } from '../errors.ts'
import { hashSecret, newSecret } from '../secrets.ts'
import type { AdmitTry } from './password.ts'
import { countRecentLinks, insertLink, type LinkKind, spendLink } from './sql.ts'

const minutes = { reset: 60, confirmation: 7 * 24 * 60, sign_in: 10 } as const
const prefixes = { reset: 'rst_', confirmation: 'cnf_', sign_in: 'sgn_' } as const
/** Maximum number of links of one kind per account and hour. Prevents strangers from flooding a known mailbox. */
const maxRecent = 5

/**
 * Creates a link and returns its token. `mailed` marks a link that is only sent by mail: its use proves access to the
 * mailbox.
 */
export const newLink = async (sql: Sql, userId: string, kind: LinkKind, { mailed }: { mailed: boolean }) => {
  const token = newSecret(prefixes[kind])
  await insertLink(sql, { tokenHash: hashSecret(token), userId, kind, mailed, lifetimeMinutes: minutes[kind] })
  return token
}

/** Returns whether the account reached the limit of links of this kind within the last hour. */
export const hasHadEnough = async (sql: Sql, userId: string, kind: LinkKind): Promise<boolean> =>
  (await countRecentLinks(sql, userId, kind)) >= maxRecent

/** Invalidates a link that was created but could not be delivered. */
export const takeBackLink = async (sql: Sql, token: string, kind: LinkKind): Promise<void> => {
  await spendLink(sql, hashSecret(token), kind)
}

/** Counts a bad link as a try from the network address and returns the error. Valid links are not counted. */
export const badLink = async (admitTry: AdmitTry): Promise<DomainError> => {
  await admitTry(null)
  return linkOver()
}

/** Returns the 422 error for a link that is not valid. It does not reveal the reason. */
export const linkOver = (): DomainError =>
  new DomainError('unprocessable', 'This link is not valid: it was used, replaced or has expired. Ask for a new one.')
