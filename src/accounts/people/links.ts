/** Single-use links to an account, sent or given to its holder, with a short lifetime. Only their hash is stored. */

import { DomainError } from '../../core/errors.ts'
import { hashSecret, newSecret } from '../../core/secrets.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { AdmitAttempt } from './password.ts'
import { consumeLink, countRecentLinks, insertLink, type LinkKind } from './sql.ts'

const lifetimes = { reset: 60, confirmation: 7 * 24 * 60, sign_in: 10 } as const
const prefixes = { reset: 'rst_', confirmation: 'cnf_', sign_in: 'sgn_' } as const
/** Maximum number of links of one kind per account and hour. Prevents strangers from flooding a known mailbox. */
const maxRecent = 5

/**
 * Creates a link and returns its token. `mailed` marks a link that is only sent by mail: its use proves access to the
 * mailbox.
 */
export const createLink = async (sql: Sql, userId: string, kind: LinkKind, { mailed }: { mailed: boolean }) => {
  const token = newSecret(prefixes[kind])
  await insertLink(sql, { tokenHash: hashSecret(token), userId, kind, mailed, lifetimeMinutes: lifetimes[kind] })
  return token
}

/** Returns whether the account reached the limit of links of this kind within the last hour. */
export const isLinkLimitReached = async (sql: Sql, userId: string, kind: LinkKind): Promise<boolean> =>
  (await countRecentLinks(sql, userId, kind)) >= maxRecent

/** Invalidates a link that was created but could not be delivered. */
export const revokeLink = async (sql: Sql, token: string, kind: LinkKind): Promise<void> => {
  await consumeLink(sql, hashSecret(token), kind)
}

/** Counts a bad link as a try from the network address and returns the error. Valid links are not counted. */
export const rejectLink = async (admitAttempt: AdmitAttempt): Promise<DomainError> => {
  await admitAttempt(null)
  return invalidLink()
}

/** Returns the 422 error for a link that is not valid. It does not reveal the reason. */
export const invalidLink = (): DomainError =>
  new DomainError(
    'unprocessable',
    'This link is not valid: it was used or replaced, or it has expired. Request a new one.',
  )
