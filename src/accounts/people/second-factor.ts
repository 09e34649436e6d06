/** Set-up, use and removal of a person's second factor. */

import type { RequestRef } from '../../core/context.ts'
import { DomainError } from '../../core/errors.ts'
import { hashSecret } from '../../core/secrets.ts'
import type { Keyring } from '../../platform/encryption.ts'
import { CellUnavailable } from '../../platform/postgres/cells.ts'
import { type Sql, transaction } from '../../platform/postgres/client.ts'
import { type FailedSignIns, writeAccountEntries } from '../audit/index.ts'
import { joinByInvitation } from '../members/index.ts'
import {
  confirmSecondFactor,
  consumeAppCode,
  consumeCode,
  deleteSecondFactor,
  encryptTotp,
  findSecondFactor,
  hashRecoveryCode,
  insertSecondFactor,
  newRecoveryCodes,
  newTotp,
  replaceRecoveryCodes,
} from '../second-factors/index.ts'
import {
  createAuditedSession,
  createSession,
  deleteOtherSessions,
  deleteTicket,
  findTicket,
  type NewSession,
  readMemberships,
  type SessionRow,
  type SignInClient,
  type SignInWithCode,
} from '../sessions/index.ts'
import { notifyHolder } from './notify.ts'
import { type AdmitAttempt, requirePassword } from './password.ts'
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
  keyring: Keyring | null,
  session: SessionRow,
  { password }: BeginTotp,
  client: SignInClient,
  admitAttempt: AdmitAttempt,
): Promise<NewTotp> => {
  const { userId, email } = session
  await requirePassword(sql, session, password, client, admitAttempt, 'password')
  const totp = newTotp(email)
  if (await insertSecondFactor(sql, userId, encryptTotp(keyring, totp.secret, userId))) return totp
  throw new DomainError('unprocessable', 'A second factor is already set up. Remove it before you set up another.')
}

/** Enables the second factor and ends all other sessions, which were started without it. */
export const confirmTotp = async (
  sql: Sql,
  keyring: Keyring | null,
  { id, userId }: SessionRow,
  { code }: ConfirmTotp,
  request: RequestRef,
): Promise<RecoveryCodes> => {
  const row = await findSecondFactor(sql, userId)
  if (!row || row.confirmedAt) throw noPendingSetup()
  if (!(await consumeAppCode(sql, keyring, userId, code))) throw wrongFirstCode()
  const recoveryCodes = newRecoveryCodes()
  await transaction(sql, async tx => {
    if (!(await confirmSecondFactor(tx, userId, hashRecoveryCodes(recoveryCodes)))) throw noPendingSetup()
    await deleteOtherSessions(tx, userId, id)
    await writeAccountEntries(tx, [{ userId, isByHolder: true, action: 'confirmTotp', request }])
    await notifyHolder(tx, { userId, change: 'second factor set up', request })
  })
  return { recoveryCodes }
}

/** Replaces the recovery codes. Requires the password and a code, as removing the second factor does. */
export const renewRecoveryCodes = async (
  sql: Sql,
  keyring: Keyring | null,
  session: SessionRow,
  { password, code }: RenewRecoveryCodes,
  client: SignInClient,
  admitAttempt: AdmitAttempt,
): Promise<RecoveryCodes> => {
  const { userId } = session
  await requirePasswordAndCode(sql, keyring, session, { password, code }, client, admitAttempt)
  const recoveryCodes = newRecoveryCodes()
  await transaction(sql, async tx => {
    if (!(await replaceRecoveryCodes(tx, userId, hashRecoveryCodes(recoveryCodes)))) throw noSecondFactor()
    await writeAccountEntries(tx, [{ userId, isByHolder: true, action: 'renewRecoveryCodes', request: client }])
    await notifyHolder(tx, { userId, change: 'recovery codes replaced', request: client })
  })
  return { recoveryCodes }
}

const hashRecoveryCodes = (recoveryCodes: string[]): string[] => recoveryCodes.map(one => hashRecoveryCode(one)!)

/** Removes the second factor. Requires the password and a code. Fails if a workspace requires one of its members. */
export const removeTotp = async (
  sql: Sql,
  keyring: Keyring | null,
  session: SessionRow,
  { password, code }: RemoveTotp,
  client: SignInClient,
  admitAttempt: AdmitAttempt,
): Promise<void> => {
  const { userId } = session
  const { memberships, unreachable } = await readMemberships(sql, session)
  // Whether they require one is not known.
  if (unreachable.length > 0) throw new CellUnavailable()
  const requiredBy = memberships.find(({ requiresSecondFactor }) => requiresSecondFactor)
  if (requiredBy)
    throw new DomainError(
      'unprocessable',
      `The workspace ${requiredBy.workspaceName} requires a second factor. Ask an owner to remove the requirement, or leave the workspace.`,
    )
  await requirePasswordAndCode(sql, keyring, session, { password, code }, client, admitAttempt)
  await transaction(sql, async tx => {
    await deleteSecondFactor(tx, userId)
    await writeAccountEntries(tx, [{ userId, isByHolder: true, action: 'removeTotp', request: client }])
    await notifyHolder(tx, { userId, change: 'second factor removed', request: client })
  })
}

/** Verifies the password and spends a code. Fails with 422 if either is wrong or no second factor is in use. */
const requirePasswordAndCode = async (
  sql: Sql,
  keyring: Keyring | null,
  session: SessionRow,
  { password, code }: { password: string; code: string },
  client: SignInClient,
  admitAttempt: AdmitAttempt,
): Promise<void> => {
  await requirePassword(sql, session, password, client, admitAttempt, 'password')
  if (!(await findSecondFactor(sql, session.userId))?.confirmedAt) throw noSecondFactor()
  if (!(await consumeCode(sql, keyring, session.userId, code))) throw wrongCode()
}

/**
 * Completes a sign-in with a code, after the password was verified. Codes have the same rate limit as passwords,
 * counted separately.
 */
export const signInWithCode = async (
  sql: Sql,
  keyring: Keyring | null,
  { ticket, code }: SignInWithCode,
  client: SignInClient,
  admitAttempt: AdmitAttempt,
  failedSignIns: FailedSignIns,
): Promise<NewSession> => {
  const tokenHash = hashSecret(ticket)
  const row = await findTicket(sql, tokenHash)
  if (!row) {
    await admitAttempt(null)
    throw invalidTicket()
  }
  const { userId, email, passwordHash, invitationHash, identity } = row
  await admitAttempt(email, 'second-factor')
  const source = await consumeCode(sql, keyring, userId, code)
  if (source === null) {
    failedSignIns.record({ userId, email, request: client })
    throw codeRejected()
  }
  // Sent before the session is opened, because the code is already spent even if the next step fails.
  if (source === 'recovery') await notifyHolder(sql, { userId, change: 'recovery code used', request: client })
  return transaction(sql, async tx => {
    if (!(await deleteTicket(tx, tokenHash))) throw invalidTicket()
    const account = { id: userId, passwordHash, identity }
    if (invitationHash === null) return createAuditedSession(tx, account, client, 'signInWithCode')
    return createSession(tx, account, client, await joinByInvitation(tx, invitationHash, userId, client))
  })
}

const fieldError = (field: string, reason: string) =>
  new DomainError('unprocessable', `${field}: ${reason}`, { [field]: reason })

const wrongCode = () => fieldError('code', 'Is not the current code. Check the app again, or use a recovery code.')

/** Does not suggest recovery codes: they are only created after the first correct code. */
const wrongFirstCode = () =>
  fieldError('code', 'Is not the current code. Check the app again, and check the clock of its device.')

const noSecondFactor = () => new DomainError('unprocessable', 'No second factor is set up.')

const noPendingSetup = () =>
  new DomainError('unprocessable', 'There is no setup to confirm. Start one at POST /v1/auth/totp.')

const codeRejected = () =>
  new DomainError('unauthorized', 'The code is wrong. Wait for the next code of the app, or use a recovery code.')

export const invalidTicket = (): DomainError =>
  new DomainError('unauthorized', 'This sign-in is no longer valid: it was completed or took too long. Sign in again.')
