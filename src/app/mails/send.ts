/**
 * Runs mail tasks. Links are created when the mail is sent, so that no usable link is stored, and no link ages while
 * the mail server is unreachable.
 */

import { findApiKey } from '../../accounts/api-keys/index.ts'
import { readMonthlyUsage } from '../../accounts/entitlements/index.ts'
import { findOwners, renewInvitation } from '../../accounts/members/index.ts'
import { createLink, isLinkLimitReached, revokeLink } from '../../accounts/people/index.ts'
import { findSecondFactor } from '../../accounts/second-factors/index.ts'
import { createIdentityLink, revokeIdentityLink } from '../../accounts/single-sign-on/index.ts'
import { type AlertEmail, findAccount, findUserForSignIn } from '../../accounts/users/index.ts'
import { findWorkspaceName } from '../../accounts/workspaces/index.ts'
import { linkTo } from '../../core/links.ts'
import { hashSecret, newSecret } from '../../core/secrets.ts'
import { findChannel } from '../../messaging/channels/index.ts'
import type { Log } from '../../platform/log.ts'
import type { Mailer } from '../../platform/mailer.ts'
import { type Database, transaction } from '../../platform/postgres/client.ts'
import { type AccountNotice, enqueueMail, type MailTask, type Notice } from '../../queue/tasks.ts'
import { findFailingEndpoint, findHeldEndpoint } from '../../webhooks/endpoints/index.ts'
import {
  accountChangedText,
  apiKeyText,
  channelFailingText,
  confirmationText,
  endpointFailingText,
  endpointHeldText,
  identityText,
  invitationText,
  type MailText,
  monthlyEventsText,
  resetText,
} from './texts.ts'

/** Settings for sending mail to people. */
export interface MailDeps {
  /** Null if SMTP is not configured. */
  mailer: Mailer | null
  /** Returns the public base URL. */
  publicUrl: () => string
  /** Prints a line on the operator's terminal. Returns false if the process has no terminal. */
  print: (line: string) => boolean
  log: Log
}

/** The mail server did not accept the mail, but a retry may succeed. */
export class MailNotAccepted extends Error {
  override readonly name = 'MailNotAccepted'
}

interface AddressedMail extends MailText {
  to: string
  /** Revokes the link, because the mail with it was not delivered. */
  revokeLink?: () => Promise<void>
}

/** Sends one mail if it is still due. Throws `MailNotAccepted` to request a retry, except on the last attempt. */
export const sendMail = async (
  sql: Database,
  deps: MailDeps,
  task: MailTask,
  isLastAttempt: boolean,
): Promise<void> => {
  if (!deps.mailer) return handleWithoutSmtp(sql, deps, task)
  if (task.kind === 'notice' && task.to === null) return enqueueForOwners(sql, task)
  const mail = await createMail(sql, deps.publicUrl(), task)
  if (!mail) return
  const { revokeLink, ...parts } = mail
  const result = await deps.mailer(parts)
  if (result.accepted) return
  await revokeLink?.()
  if (result.retryable && !isLastAttempt) throw new MailNotAccepted(result.detail)
  deps.log.warn({ kind: task.kind, detail: result.detail }, 'a mail could not be sent and is dropped')
}

/** Returns null if the mail is no longer due. */
const createMail = (sql: Database, base: string, task: MailTask): Promise<AddressedMail | null> => {
  if (task.kind === 'invitation') return invitationMail(sql, base, task)
  if (task.kind === 'notice') return noticeMail(sql, base, task)
  if (task.kind === 'account') return accountMail(sql, base, task)
  if (task.kind === 'identity') return identityMail(sql, base, task)
  return task.kind === 'reset' ? resetMail(sql, base, task.email) : confirmationMail(sql, base, task.userId)
}

const invitationMail = async (
  sql: Database,
  base: string,
  { workspaceId, memberId, invitedBy }: Extract<MailTask, { kind: 'invitation' }>,
): Promise<AddressedMail | null> => {
  const workspace = await findWorkspaceName(sql, workspaceId)
  const token = newSecret('inv_')
  const invitation = await renewInvitation(sql, workspaceId, memberId, hashSecret(token))
  if (!invitation || workspace === null) return null
  const { email, role, expiresAt } = invitation
  const link = linkTo(base, 'invitation', token)
  return { to: email, ...invitationText({ workspace, role, invitedBy, link, expiresAt }) }
}

const resetMail = async (sql: Database, base: string, email: string): Promise<AddressedMail | null> => {
  const user = await findUserForSignIn(sql, email)
  if (!user || user.isDisabled || (await isLinkLimitReached(sql, user.id, 'reset'))) return null
  const token = await createLink(sql, user.id, 'reset', { mailed: true })
  const revoke = () => revokeLink(sql, token, 'reset')
  return { to: user.email, ...resetText({ link: linkTo(base, 'reset', token) }), revokeLink: revoke }
}

const confirmationMail = async (sql: Database, base: string, userId: string): Promise<AddressedMail | null> => {
  const user = await findAccount(sql, userId)
  if (!user || user.disabledAt || user.confirmedAt || (await isLinkLimitReached(sql, userId, 'confirmation')))
    return null
  const token = await createLink(sql, userId, 'confirmation', { mailed: true })
  const revoke = () => revokeLink(sql, token, 'confirmation')
  return { to: user.email, ...confirmationText({ link: linkTo(base, 'confirmation', token) }), revokeLink: revoke }
}

const identityMail = async (
  sql: Database,
  base: string,
  { userId, identity }: Extract<MailTask, { kind: 'identity' }>,
): Promise<AddressedMail | null> => {
  const user = await findAccount(sql, userId)
  if (!user || user.disabledAt) return null
  const token = await createIdentityLink(sql, userId, identity)
  if (token === null) return null
  const revoke = () => revokeIdentityLink(sql, token)
  const text = identityText({ link: linkTo(base, 'identity', token), provider: new URL(identity.issuer).host })
  return { to: user.email, ...text, revokeLink: revoke }
}

/** Returns null for an account that was deleted. A disabled account gets only the mail about being disabled. */
const accountMail = async (
  sql: Database,
  base: string,
  { userId, change, at, address }: AccountNotice,
): Promise<AddressedMail | null> => {
  const user = await findAccount(sql, userId)
  if (!user || (user.disabledAt && change !== 'account disabled')) return null
  const codesLeft = (await findSecondFactor(sql, userId))?.recoveryCodesLeft ?? 0
  const link = `${base}/forgot-password`
  return { to: user.email, ...accountChangedText({ email: user.email, change, at, address, codesLeft, link }) }
}

/** Enqueues a separate mail for each owner, so that a failed mail does not repeat the mails of the other owners. */
const enqueueForOwners = (sql: Database, notice: Notice): Promise<void> =>
  transaction(sql, async tx => {
    for (const to of await findOwners(tx, notice.workspaceId)) await enqueueMail(tx, { ...notice, to })
  })

/** Returns null if the condition has ended since, or if the recipient is no longer an owner. */
const noticeMail = async (sql: Database, base: string, notice: Notice): Promise<AddressedMail | null> => {
  const { workspaceId, to } = notice
  const workspace = await findWorkspaceName(sql, workspaceId)
  const user = to === null ? null : await findAccount(sql, to)
  if (workspace === null || !user || user.disabledAt || !(await findOwners(sql, workspaceId)).includes(user.id))
    return null
  if (isMuted(user.mutedEmails, notice)) return null
  const mailText = await noticeText(sql, base, workspace, notice)
  return mailText && { to: user.email, ...mailText }
}

/** Names under which a person can turn off notices. The others are about security. */
const mutableNotices: Partial<Record<Notice['of'], AlertEmail>> = {
  'endpoint failing': 'endpoint_failing',
  'endpoint held': 'endpoint_paused',
  'channel failing': 'channel_failing',
  'monthly events': 'monthly_events',
}

const isMuted = (mutedEmails: AlertEmail[], { of }: Notice): boolean => {
  const name = mutableNotices[of]
  return name !== undefined && mutedEmails.includes(name)
}

const noticeText = async (
  sql: Database,
  base: string,
  workspace: string,
  { of, workspaceId, id, since }: Notice,
): Promise<MailText | null> => {
  if (of === 'endpoint held') {
    const endpoint = await findHeldEndpoint(sql, workspaceId, id)
    return endpoint && endpointHeldText({ workspace, ...endpoint, link: recordLinks(base, `webhooks/${id}`) })
  }
  if (of === 'endpoint failing') {
    const endpoint = await findFailingEndpoint(sql, workspaceId, id)
    return endpoint && endpointFailingText({ workspace, ...endpoint, link: recordLinks(base, `webhooks/${id}`) })
  }
  if (of === 'monthly events') {
    const { used, limit, resetsAt } = await readMonthlyUsage(sql, workspaceId)
    if (limit === null) return null
    return monthlyEventsText({
      workspace,
      used,
      limit,
      since,
      resetsAt,
      link: { page: `${base}/settings/plan`, record: `${base}/v1/entitlements` },
    })
  }
  if (of === 'API key created' || of === 'API key revoked') {
    const key = await findApiKey(sql, workspaceId, id)
    const link = { page: `${base}/api-keys`, record: `${base}/v1/api-keys/${id}` }
    return key && apiKeyText({ workspace, ...key, change: of === 'API key created' ? 'created' : 'revoked', link })
  }
  const channel = await findChannel(sql, workspaceId, id)
  if (channel?.status !== 'failing') return null
  return channelFailingText({ workspace, name: channel.name, since, link: recordLinks(base, `channels/${id}`) })
}

/** The dashboard shows a record under the same path as the API. */
const recordLinks = (base: string, path: string) => ({ page: `${base}/${path}`, record: `${base}/v1/${path}` })

/**
 * Handles a mail task when SMTP is not configured. A password reset link is shown to the operator. Anyone who reads a
 * link can sign in with it, so it is printed on a terminal and kept out of logs.
 */
const handleWithoutSmtp = async (sql: Database, { publicUrl, print, log }: MailDeps, task: MailTask): Promise<void> => {
  // Owners see notices in the alerts. Members see account changes in the audit log.
  if (task.kind === 'notice' || task.kind === 'account') return
  if (task.kind !== 'reset') {
    log.warn({ kind: task.kind }, 'a mail is not sent: SMTP_URL and MAIL_FROM are not set in this process')
    return
  }
  const user = await findUserForSignIn(sql, task.email)
  if (!user || user.isDisabled || (await isLinkLimitReached(sql, user.id, 'reset'))) return
  const token = await createLink(sql, user.id, 'reset', { mailed: false })
  const link = linkTo(publicUrl(), 'reset', token)
  if (print(`\n  Password reset link for ${user.email}. It is valid once, for one hour.\n  ${link}\n\n`)) return
  await revokeLink(sql, token, 'reset')
  log.warn(
    { userId: user.id },
    'a password reset was requested, but no mail server is set: "user password reset" makes a link',
  )
}
