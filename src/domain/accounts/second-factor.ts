/** Set-up, use and removal of a person's second factor. */
import { type Sql, transaction } from '../../db/client.ts'
import { type FailedSignIns, writeAccountEntries } from '../audit/index.ts'
import type { RequestRef } from '../context.ts'
import { DomainError } from '../errors.ts'
import { joinByInvitation } from '../members/index.ts'
import type { Seals } from '../sealing.ts'
import {
  codeIsRight,
  deleteSecondFactor,
  findSecondFactor,
  insertSecondFactor,
  markInUse,
  newRecoveryCodes,
  newTotp,
  recoveryHashOf,
  replaceRecoveryCodes,
  sealTotp,
  spendCode,
} from '../second-factors/index.ts'
import { hashSecret } from '../secrets.ts'
import {
  deleteOtherSessions,
  deleteTicket,
  findTicket,
  type NewSession,
  openSession,
  openToldSession,
  type SessionRow,
  type SignInWithCode,
  type Visitor,
} from '../sessions/index.ts'
import { notifyHolder } from './notify.ts'
import { type AdmitTry, requirePassword } from './password.ts'
import type { BeginTotp, ConfirmTotp, NewTotp, RecoveryCodes, RemoveTotp, RenewRecoveryCodes, Totp } from './schema.ts'

/** Returns whether sign-in requires a code. */
export const readTotp = async (sql: Sql, { userId }: SessionRow): Promise<Totp> => {
  const row = await findSecondFactor(sql, userId)
  return row?.confirmedAt
    ? { enabled: true, since: row.confirmedAt.toISOString(), recoveryCodesLeft: row.recoveryCodesLeft }
    : { enabled: false, since: null, recoveryCodesLeft: 0 }
}

/**
 * Creates a new secret, which replaces one that was never confirmed. Requires the password: otherwise a stolen session
 * could lock the holder out with a new second factor.
 */
export const beginTotp = async (
  sql: Sql,
  seals: Seals | null,
  session: SessionRow,
  { password }: BeginTotp,
  visitor: Visitor,
  admitTry: AdmitTry,
): Promise<NewTotp> => {
  const { userId, email } = session
  await requirePassword(sql, session, password, visitor, admitTry, 'password')
  const made = newTotp(email)
  if (await insertSecondFactor(sql, userId, sealTotp(seals, made.secret, userId))) return made
  throw new DomainError('unprocessable', 'A second factor is set up already. Remove it before you set up another.')
}

/** Enables the second factor and ends all other sessions, which were started without it. */
export const confirmTotp = async (
  sql: Sql,
  seals: Seals | null,
  { id, userId }: SessionRow,
  { code }: ConfirmTotp,
  request: RequestRef,
): Promise<RecoveryCodes> => {
  const row = await findSecondFactor(sql, userId)
  if (!row || row.confirmedAt) throw nothingToConfirm()
  if (!(await codeIsRight(sql, seals, userId, code))) throw wrongFirstCode()
  const recoveryCodes = newRecoveryCodes()
  await transaction(sql, async tx => {
    if (!(await markInUse(tx, userId, hashesOf(recoveryCodes)))) throw nothingToConfirm()
    await deleteOtherSessions(tx, userId, id)
    await writeAccountEntries(tx, [{ userId, byThem: true, action: 'confirmTotp', request }])
    await notifyHolder(tx, { userId, change: 'second factor set up', request })
  })
  return { recoveryCodes }
}

/** Replaces the recovery codes. Requires the password and a code, as removing the second factor does. */
export const renewRecoveryCodes = async (
  sql: Sql,
  seals: Seals | null,
  session: SessionRow,
  { password, code }: RenewRecoveryCodes,
  visitor: Visitor,
  admitTry: AdmitTry,
): Promise<RecoveryCodes> => {
  const { userId } = session
  await requirePasswordAndCode(sql, seals, session, { password, code }, visitor, admitTry)
  const recoveryCodes = newRecoveryCodes()
  await transaction(sql, async tx => {
    if (!(await replaceRecoveryCodes(tx, userId, hashesOf(recoveryCodes)))) throw notSetUp()
    await writeAccountEntries(tx, [{ userId, byThem: true, action: 'renewRecoveryCodes', request: visitor }])
    await notifyHolder(tx, { userId, change: 'recovery codes replaced', request: visitor })
  })
  return { recoveryCodes }
}

const hashesOf = (recoveryCodes: string[]): string[] => recoveryCodes.map(one => recoveryHashOf(one)!)

/** Removes the second factor. Requires the password and a code. Fails if a workspace requires one of its members. */
export const removeTotp = async (
  sql: Sql,
  seals: Seals | null,
  session: SessionRow,
  { password, code }: RemoveTotp,
  visitor: Visitor,
  admitTry: AdmitTry,
): Promise<void> => {
  const { userId, memberships } = session
  const asking = memberships.find(({ requiresSecondFactor }) => requiresSecondFactor)
  if (asking)
    throw new DomainError(
      'unprocessable',
      `The workspace ${asking.workspaceName} asks its members for a second factor. Ask an owner to do without, or leave it.`,
    )
  await requirePasswordAndCode(sql, seals, session, { password, code }, visitor, admitTry)
  await transaction(sql, async tx => {
    await deleteSecondFactor(tx, userId)
    await writeAccountEntries(tx, [{ userId, byThem: true, action: 'removeTotp', request: visitor }])
    await notifyHolder(tx, { userId, change: 'second factor removed', request: visitor })
  })
}

/** Verifies the password and spends a code. Fails with 422 if either is wrong or no second factor is in use. */
const requirePasswordAndCode = async (
  sql: Sql,
  seals: Seals | null,
  session: SessionRow,
  { password, code }: { password: string; code: string },
  visitor: Visitor,
  admitTry: AdmitTry,
): Promise<void> => {
  await requirePassword(sql, session, password, visitor, admitTry, 'password')
  if (!(await findSecondFactor(sql, session.userId))?.confirmedAt) throw notSetUp()
  if (!(await spendCode(sql, seals, session.userId, code))) throw wrongCode()
}

/**
 * Completes a sign-in with a code, after the password was verified. Codes have the same rate limit as passwords,
 * counted separately.
 */
export const signInWithCode = async (
  sql: Sql,
  seals: Seals | null,
  { ticket, code }: SignInWithCode,
  visitor: Visitor,
  admitTry: AdmitTry,
  failed: FailedSignIns,
): Promise<NewSession> => {
  const tokenHash = hashSecret(ticket)
  const row = await findTicket(sql, tokenHash)
  if (!row) {
    await admitTry(null)
    throw ticketOver()
  }
  const { userId, email, passwordHash, invitationHash } = row
  await admitTry(email, 'second-factor')
  const source = await spendCode(sql, seals, userId, code)
  if (source === null) {
    failed.note({ userId, email, request: visitor })
    throw codeRefused()
  }
  // Sent before the session is opened, because the code is already spent even if the next step fails.
  if (source === 'recovery') await notifyHolder(sql, { userId, change: 'recovery code used', request: visitor })
  return transaction(sql, async tx => {
    if (!(await deleteTicket(tx, tokenHash))) throw ticketOver()
    const account = { id: userId, passwordHash }
    if (invitationHash === null) return openToldSession(tx, account, visitor, 'signInWithCode')
    return openSession(tx, account, visitor, await joinByInvitation(tx, invitationHash, userId, visitor))
  })
}

const details = (field: string, reason: string) =>
  new DomainError('unprocessable', `${field}: ${reason}`, { [field]: reason })

const wrongCode = () =>
  details('code', 'Is not the code of this moment. Look at the app again, or use a recovery code.')

/** Does not suggest recovery codes: they are only created after the first correct code. */
const wrongFirstCode = () =>
  details(
    'code',
    'Is not the code of this moment. Look at the app again, and whether the clock of its device is right.',
  )

const notSetUp = () => new DomainError('unprocessable', 'No second factor is set up.')

const nothingToConfirm = () =>
  new DomainError(
    'unprocessable',
    'There is nothing to confirm. Begin at POST /v1/auth/totp, which makes a new secret.',
  )

const codeRefused = () =>
  new DomainError('unauthorized', 'This code is not right. Wait for the next one of the app, or use a recovery code.')

const ticketOver = () =>
  new DomainError(
    'unauthorized',
    'This sign-in is not valid any more: it was completed or took too long. Sign in again.',
  )
