/**
 * Texts of mails: plain text, short sentences, and one link. If people act on a page, the mail also names the API
 * operation.
 */
import type { Role } from '../context.ts'
import type { AccountChange } from '../tasks.ts'

export interface Written {
  subject: string
  text: string
}

export const invitationText = (p: {
  workspace: string
  role: Role
  invitedBy: string | null
  link: string
  expiresAt: Date
}): Written => ({
  subject: 'An invitation to join a team',
  text: paragraphs(
    `${p.invitedBy === null ? 'The operator of this service' : quoted(p.invitedBy)} invites you to join the workspace ${quoted(p.workspace)} as ${p.role}.`,
    p.link,
    `The link is good once, until ${p.expiresAt.toISOString().slice(0, 10)}. If you have an account already, you join with that one.`,
    'If you expected no invitation, leave this mail unanswered: nothing happens without you.',
  ),
})

export const resetText = (p: { link: string }): Written => ({
  subject: 'Choose another password',
  text: paragraphs(
    'Somebody, most likely you, asked for another password for the account of this address. Choose it here:',
    p.link,
    'The link is good once, for an hour. Everybody who is signed in to the account is signed out.',
    'If it was not you, leave this mail unanswered: the password stays as it is.',
  ),
})

export const confirmationText = (p: { link: string }): Written => ({
  subject: 'Confirm your e-mail address',
  text: paragraphs(
    'An account was made with this address. If it is yours, confirm the address:',
    p.link,
    'The link is good once, for a week.',
    'If you know of no account, do not follow the link. By "forgotten password" you can take over what others made in your name.',
  ),
})

const changed: Record<AccountChange, { subject: string; what: string }> = {
  'password changed': { subject: 'The password of your account was changed', what: 'The password was changed' },
  'second factor set up': {
    subject: 'A second factor was set up for your account',
    what: 'A second factor was set up',
  },
  'second factor removed': {
    subject: 'The second factor of your account was removed',
    what: 'The second factor was removed',
  },
  'recovery codes replaced': {
    subject: 'The recovery codes of your account were replaced',
    what: 'The recovery codes were replaced by new ones',
  },
  'recovery code used': { subject: 'A recovery code of your account was used', what: 'A recovery code was used' },
}

/** Mail to the holder of an account after a change. `codesLeft` is the number of unused recovery codes. */
export const accountChangedText = (p: {
  email: string
  change: AccountChange
  at: string
  address: string | null
  codesLeft: number
  link: string
}): Written => {
  const { subject, what } = changed[p.change]
  const from = p.address === null ? 'by the operator of this service' : `from the network address ${p.address}`
  const left = p.codesLeft === 1 ? '1 recovery code is left.' : `${p.codesLeft} recovery codes are left.`
  const renew = p.codesLeft < 3 ? ' You can create new ones on the page of your account.' : ''
  return {
    subject,
    text: paragraphs(
      `${what} at ${timeOf(new Date(p.at))}, ${from}. The account is ${p.email}.`,
      ...(p.change === 'recovery code used' ? [`${left}${renew}`] : []),
      'If this was you, no action is needed. If it was not you, choose another password immediately, and contact the operator of this service:',
      p.link,
    ),
  }
}

/** Links to one record: the page for people and the API URL for programs. */
interface Place {
  page: string
  record: string
}

/** The text omits the URL of the endpoint, because its path can contain a secret. */
export const endpointHeldText = (p: {
  workspace: string
  name: string | null
  host: string
  failingSince: Date | null
  heldAt: Date
  link: Place
}): Written => ({
  subject: 'Webhooks to an endpoint are held',
  text: paragraphs(
    `Every attempt to deliver webhooks of the workspace ${quoted(p.workspace)} to ${p.name === null ? 'the endpoint' : quoted(p.name)} at ${p.host} has failed since ${timeOf(p.failingSince ?? p.heldAt)}. Since ${timeOf(p.heldAt)} they are held: nothing is attempted and nothing is lost.`,
    'See what the endpoint answered, and mend it. Then release it, and what waits is delivered, the oldest first:',
    p.link.page,
    `A program releases it by POST ${p.link.record}/release.`,
    'You get this mail once, as an owner of the workspace.',
  ),
})

export const channelFailingText = (p: { workspace: string; name: string; since: string; link: Place }): Written => ({
  subject: 'A channel cannot send messages',
  text: paragraphs(
    `The provider of the channel ${quoted(p.name)} in the workspace ${quoted(p.workspace)} has refused us since ${timeOf(new Date(p.since))}. Messages over it wait, and none is lost.`,
    'See what the provider says, give the channel other credentials, and test it. Once that goes well, what waits goes out:',
    p.link.page,
    `Programs read the statusDetail of ${p.link.record}, PATCH the credentials there, and POST to it with /test behind it.`,
    'You get this mail as an owner of the workspace, at most once in six hours for each channel.',
  ),
})

export const monthlyEventsText = (p: {
  workspace: string
  used: number
  limit: number
  since: string
  resetsAt: Date
  link: Place
}): Written => {
  const isFull = p.used >= p.limit
  return {
    subject: isFull ? 'All events of the month are used' : 'Most events of the month are used',
    text: paragraphs(
      `The plan of the workspace ${quoted(p.workspace)} allows ${p.limit} events a month, and ${p.used} of them are recorded; that it comes to its end was seen at ${timeOf(new Date(p.since))}.`,
      isFull
        ? 'Further events are refused and recorded nowhere; whoever sends them is told 409 plan_limit_reached.'
        : 'Once all of them are recorded, further events are refused.',
      `The month ends at ${timeOf(p.resetsAt)}. Whoever runs the service can put the workspace on a larger plan; what the plan allows and what is used stands at:`,
      p.link.page,
      `Programs read it at ${p.link.record}.`,
      'You get this mail as an owner of the workspace, once a month when the allowance is nearly full and once when it is full.',
    ),
  }
}

const timeOf = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

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
