/** What mails say: plain text, in short sentences, with one link. */
import type { Role } from '../context.ts'

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
  subject: `You are invited to ${inOneLine(p.workspace)}`,
  text: paragraphs(
    `${inOneLine(p.invitedBy ?? 'Whoever runs the service')} invites you to join the workspace "${inOneLine(p.workspace)}" as ${p.role}.`,
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

/** Names are what somebody chose: they must not look like a part of the mail. */
const inOneLine = (name: string): string => name.replaceAll(/\s+/g, ' ').trim()

const paragraphs = (...texts: string[]): string => `${texts.join('\n\n')}\n`
