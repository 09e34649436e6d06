/**
 * Texts of mails: plain text, short sentences, and one link. If people act on a page, the mail also names the API
 * operation.
 */
import type { Role } from '../../core/context.ts'
import type { AccountChange } from '../../queue/tasks.ts'

export interface MailText {
  subject: string
  text: string
}

export const invitationText = (p: {
  workspace: string
  role: Role
  invitedBy: string | null
  link: string
  expiresAt: Date
}): MailText => ({
  subject: 'You are invited to join a team',
  text: paragraphs(
    `${p.invitedBy === null ? 'The operator of this service' : quoted(p.invitedBy)} invited you to join the workspace ${quoted(p.workspace)} as ${p.role}. To accept, open this link:`,
    p.link,
    `The link works once and expires on ${p.expiresAt.toISOString().slice(0, 10)}. If you already have an account, you join with it.`,
    'If you did not expect this invitation, ignore this email.',
  ),
})

export const resetText = (p: { link: string }): MailText => ({
  subject: 'Reset your password',
  text: paragraphs(
    'You requested a password reset for the account with this email address. Choose a new password:',
    p.link,
    'The link works once and expires after one hour. A new password ends all sessions of the account.',
    'If you did not request this, ignore this email. Your password does not change.',
  ),
})

export const confirmationText = (p: { link: string }): MailText => ({
  subject: 'Confirm your email address',
  text: paragraphs(
    'An account was created with this email address. If the account is yours, confirm the address:',
    p.link,
    'The link works once and expires after one week.',
    'If you did not create this account, do not open the link. To take over the account, reset its password on the sign-in page.',
  ),
})

export const identityText = (p: { link: string; provider: string }): MailText => ({
  subject: 'Link single sign-on to your account',
  text: paragraphs(
    `Somebody signed in at ${quoted(p.provider)} with this email address and wants to link that sign-in to your account. If this was you, open this link:`,
    p.link,
    'The link works once and expires after one hour. Afterwards, single sign-on opens your account.',
    'If this was not you, do not open the link. Your account does not change.',
  ),
})

const changeTexts: Record<AccountChange, { subject: string; sentence: string }> = {
  'password changed': { subject: 'Your password was changed', sentence: 'The password was changed' },
  'second factor set up': {
    subject: 'Two-factor authentication was turned on',
    sentence: 'Two-factor authentication was turned on',
  },
  'second factor removed': {
    subject: 'Two-factor authentication was turned off',
    sentence: 'Two-factor authentication was turned off',
  },
  'recovery codes replaced': {
    subject: 'Your recovery codes were replaced',
    sentence: 'The recovery codes were replaced',
  },
  'recovery code used': { subject: 'A recovery code was used for your account', sentence: 'A recovery code was used' },
  'sign-in link created': {
    subject: 'A sign-in link was created for your account',
    sentence: 'A link that signs in to your account was created',
  },
  'sign-in link used': {
    subject: 'A sign-in link was used for your account',
    sentence: 'A link that signs in to your account was used',
  },
  'account disabled': { subject: 'Your account was disabled', sentence: 'The account was disabled' },
  'single sign-on linked': {
    subject: 'Single sign-on was linked to your account',
    sentence: 'Single sign-on was linked to the account',
  },
  'single sign-on removed': {
    subject: 'Single sign-on was removed from your account',
    sentence: 'Single sign-on was removed from the account',
  },
  'account enabled': { subject: 'Your account was enabled', sentence: 'The account was enabled' },
}

/** Mail to the holder of an account after a change. `codesLeft` is the number of unused recovery codes. */
export const accountChangedText = (p: {
  email: string
  change: AccountChange
  at: string
  address: string | null
  codesLeft: number
  link: string
}): MailText => {
  const { subject, sentence } = changeTexts[p.change]
  const from = p.address === null ? 'by the operator of this service' : `from the network address ${p.address}`
  const codesText = p.codesLeft === 1 ? '1 recovery code is left.' : `${p.codesLeft} recovery codes are left.`
  const renewText = p.codesLeft < 3 ? ' Create new codes on your account page.' : ''
  return {
    subject,
    text: paragraphs(
      `${sentence} at ${formatTime(new Date(p.at))}, ${from}. The account is ${p.email}.`,
      ...(p.change === 'recovery code used' ? [`${codesText}${renewText}`] : []),
      ...(p.change === 'account disabled'
        ? ['You cannot sign in. If you did not expect this, contact the operator of this service.']
        : [
            'If this was you, no action is needed. If it was not you, change your password immediately and contact the operator of this service:',
            p.link,
          ]),
    ),
  }
}

/** Links to one record: the page for people and the API URL for programs. */
interface RecordLinks {
  page: string
  record: string
}

/** Mails about an endpoint omit its URL, because its path can contain a secret. `error` is text of the service. */
export const endpointFailingText = (p: {
  workspace: string
  name: string | null
  host: string
  failingSince: Date
  statusCode: number | null
  error: string | null
  link: RecordLinks
}): MailText => ({
  subject: 'A webhook endpoint is failing',
  text: paragraphs(
    `In the workspace ${quoted(p.workspace)}, all delivery attempts to ${p.name === null ? 'the endpoint' : quoted(p.name)} at ${p.host} have failed since ${formatTime(p.failingSince)}. ${p.statusCode === null ? `The last attempt ended without a response: ${p.error}` : `The last response had the status ${p.statusCode}`}. Deliveries are retried at growing intervals, and fail after the last attempt.`,
    'Check the responses and fix the endpoint. To send waiting and failed deliveries immediately, retry them on its page:',
    p.link.page,
    `Through the API, read ${p.link.record}/health`,
    'You receive this email as an owner of the workspace, at most once an hour for each endpoint. You can turn it off in the settings.',
  ),
})

export const endpointHeldText = (p: {
  workspace: string
  name: string | null
  host: string
  failingSince: Date | null
  heldAt: Date
  link: RecordLinks
}): MailText => ({
  subject: 'A webhook endpoint was paused',
  text: paragraphs(
    `In the workspace ${quoted(p.workspace)}, all delivery attempts to ${p.name === null ? 'the endpoint' : quoted(p.name)} at ${p.host} have failed since ${formatTime(p.failingSince ?? p.heldAt)}. The endpoint was paused at ${formatTime(p.heldAt)}. Deliveries are queued and nothing is lost.`,
    'Check the responses and fix the endpoint. Then resume it. Queued deliveries are sent oldest first:',
    p.link.page,
    `To resume it through the API, call POST ${p.link.record}/release`,
    'You receive this email once, as an owner of the workspace.',
  ),
})

export const channelFailingText = (p: {
  workspace: string
  name: string
  since: string
  link: RecordLinks
}): MailText => ({
  subject: 'A channel cannot send messages',
  text: paragraphs(
    `In the workspace ${quoted(p.workspace)}, the provider of the channel ${quoted(p.name)} has rejected requests since ${formatTime(new Date(p.since))}. Messages are queued and none is lost.`,
    'Check the last provider response, replace the credentials and test the channel. After a successful test, queued messages are sent:',
    p.link.page,
    `Through the API, read statusDetail from ${p.link.record} and PATCH the credentials. Then call POST ${p.link.record}/test`,
    'You receive this email as an owner of the workspace, at most once every six hours for each channel.',
  ),
})

export const monthlyEventsText = (p: {
  workspace: string
  used: number
  limit: number
  since: string
  resetsAt: Date
  link: RecordLinks
}): MailText => {
  const isFull = p.used >= p.limit
  return {
    subject: isFull ? 'Monthly event limit reached' : 'Monthly event limit nearly reached',
    text: paragraphs(
      `The workspace ${quoted(p.workspace)} has used ${p.used} of the ${p.limit} events that its plan allows per month. This was detected at ${formatTime(new Date(p.since))}.`,
      isFull
        ? 'Further events are rejected with 409 plan_limit_reached and are not recorded.'
        : 'At the limit, further events are rejected and are not recorded.',
      `The limit resets at ${formatTime(p.resetsAt)}. The operator of this service can change the plan. See the plan and its usage:`,
      p.link.page,
      `Through the API, read ${p.link.record}`,
      'You receive this email as an owner of the workspace, once a month near the limit and once at the limit.',
    ),
  }
}

/** Mail to the owners about a key that was created or revoked. A created key can have been revoked since. */
export const apiKeyText = (p: {
  workspace: string
  name: string
  prefix: string
  createdAt: Date
  revokedAt: Date | null
  change: 'created' | 'revoked'
  link: RecordLinks
}): MailText => {
  const { change } = p
  const at = change === 'revoked' ? (p.revokedAt ?? p.createdAt) : p.createdAt
  return {
    subject: `An API key was ${change}`,
    text: paragraphs(
      `The API key ${quoted(p.name)} of the workspace ${quoted(p.workspace)} was ${change} at ${formatTime(at)}. It begins with ${p.prefix}.`,
      ...(change === 'created'
        ? [
            'A key can record events, and read and change customers. If you did not expect it, revoke it:',
            p.link.page,
            `Through the API, call DELETE ${p.link.record}`,
          ]
        : ['All requests with this key are rejected. If you did not expect this, create another key:', p.link.page]),
      'You receive this email as an owner of the workspace. If several keys changed at the same time, it is about the last one. The audit log lists all changes, with the person.',
    ),
  }
}

const formatTime = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

/**
 * Puts a name in quotation marks for the text of a mail. The name is user input and may try to mislead the reader. The
 * result is one line without quotation marks, and without URLs or domains that a mail program would show as a link.
 * Subjects contain no names.
 */
export const quoted = (name: string): string => {
  const plain = name
    .normalize('NFKC')
    .replaceAll(/[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, ' ')
    .replaceAll(/["\u201C\u201D\u201E\u00AB\u00BB]/g, "'")
    .replaceAll(/[:/\\@](?=\S)|(?<=\S)[.\u3002](?=\S)/gu, ' ')
  return `"${plain.replaceAll(/\s+/g, ' ').trim()}"`
}

const paragraphs = (...texts: string[]): string => `${texts.join('\n\n')}\n`
