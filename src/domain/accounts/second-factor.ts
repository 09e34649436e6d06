/** A person's second factor: set up, asked for, taken away. */
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
import { type AdmitTry, requirePassword } from './password.ts'
import type { ConfirmTotp, NewTotp, RecoveryCodes, RemoveTotp, Totp } from './schema.ts'

/** Whether signing in asks for a code. */
export const readTotp = async (sql: Sql, { userId }: SessionRow): Promise<Totp> => {
  const row = await findSecondFactor(sql, userId)
  return row?.confirmedAt
    ? { enabled: true, since: row.confirmedAt.toISOString(), recoveryCodesLeft: row.recoveryCodesLeft }
    : { enabled: false, since: null, recoveryCodesLeft: 0 }
}

/** A new secret, which nothing asks for before a code of it was shown. It replaces one that was never put to use. */
export const beginTotp = async (sql: Sql, seals: Seals | null, { userId, email }: SessionRow): Promise<NewTotp> => {
  const made = newTotp(email)
  if (await insertSecondFactor(sql, userId, sealTotp(seals, made.secret, userId))) return made
  throw new DomainError('unprocessable', 'A second factor is set up already. Remove it before you set up another.')
}

/** Puts the second factor to use. Other sessions were begun without it: they end. */
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
    if (
      !(await markInUse(
        tx,
        userId,
        recoveryCodes.map(one => recoveryHashOf(one)!),
      ))
    )
      throw nothingToConfirm()
    await deleteOtherSessions(tx, userId, id)
    await writeAccountEntries(tx, [{ userId, byThem: true, action: 'confirmTotp', request }])
  })
  return { recoveryCodes }
}

/** Takes it away, from whoever has the password and a code. What a workspace asks of its members stays. */
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
  await requirePassword(sql, session, password, visitor, admitTry, 'password')
  if (!(await findSecondFactor(sql, userId))?.confirmedAt) throw notSetUp()
  if (!(await spendCode(sql, seals, userId, code))) throw wrongCode()
  await transaction(sql, async tx => {
    await deleteSecondFactor(tx, userId)
    await writeAccountEntries(tx, [{ userId, byThem: true, action: 'removeTotp', request: visitor }])
  })
}

/**
 * The session, for whoever has shown the password before and shows a code now. Codes are tried no more often than passwords,
 * and counted apart from them.
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
  if (!row) throw ticketOver()
  const { userId, email, passwordHash, invitationHash } = row
  await admitTry(email, 'second-factor')
  if (!(await spendCode(sql, seals, userId, code))) {
    failed.note({ userId, email, request: visitor })
    throw codeRefused()
  }
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

/** Recovery codes are made by the right one. */
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
