/** Links to an account: made for its holder, good once and not for long. A hash alone is kept. */
import type { Sql } from '../../db/client.ts'
import { DomainError } from '../errors.ts'
import { hashSecret, newSecret } from '../secrets.ts'
import type { AdmitTry } from './password.ts'
import { countRecentLinks, insertLink, type LinkKind, spendLink } from './sql.ts'

const minutes = { reset: 60, confirmation: 7 * 24 * 60, sign_in: 10 } as const
const prefixes = { reset: 'rst_', confirmation: 'cnf_', sign_in: 'sgn_' } as const
/** For one person within an hour: nobody's mailbox is filled by whoever knows the address. */
const maxRecent = 5

/** The token of a new link; `mailed` where it goes by mail alone, so that whoever uses it reads that mail. */
export const newLink = async (sql: Sql, userId: string, kind: LinkKind, { mailed }: { mailed: boolean }) => {
  const token = newSecret(prefixes[kind])
  await insertLink(sql, { tokenHash: hashSecret(token), userId, kind, mailed, lifetimeMinutes: minutes[kind] })
  return token
}

/** Whether they were sent as many of late as anybody is. */
export const hasHadEnough = async (sql: Sql, userId: string, kind: LinkKind): Promise<boolean> =>
  (await countRecentLinks(sql, userId, kind)) >= maxRecent

/** The link was made, and could not be handed over. */
export const takeBackLink = async (sql: Sql, token: string, kind: LinkKind): Promise<void> => {
  await spendLink(sql, hashSecret(token), kind)
}

/** The error for a bad link, once it is counted as a try from the network address. Good links count for nothing. */
export const badLink = async (admitTry: AdmitTry): Promise<DomainError> => {
  await admitTry(null)
  return linkOver()
}

/** What whoever uses a link hears that is not good, whatever the reason. */
export const linkOver = (): DomainError =>
  new DomainError('unprocessable', 'This link is not valid: it was used, replaced or has expired. Ask for a new one.')
