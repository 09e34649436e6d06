/** Mail by SMTP. What the server says is a value: whether it took a mail, and whether it might another time. */
import { createTransport } from 'nodemailer'

export interface Mail {
  to: string
  subject: string
  text: string
}

/** `said` is for the operator, and names nobody who is written to. */
export type Posted = { taken: true } | { taken: false; again: boolean; said: string }

/** Hands one mail to the server. Never rejects. */
export type Mailer = (mail: Mail) => Promise<Posted>

export interface MailSettings {
  /** `smtp://` or `smtps://`, with user and password where the server wants them. */
  url: string
  from: string
}

/** Milliseconds: for a server that is away, and for one that has fallen silent. */
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 }

export const createMailer = ({ url, from }: MailSettings): Mailer => {
  const transport = createTransport({
    url,
    ...patience,
    // A password goes over the network encrypted or not at all.
    requireTLS: new URL(url).password !== '' && !isLoopback(new URL(url).hostname),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async ({ to, subject, text }) => {
    try {
      // As an object: a text would be read as a list of addresses.
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text, headers })
      return { taken: true }
    } catch (error) {
      return { taken: false, ...wordsFor(error) }
    }
  }
}

/** Nobody's absence is to answer. */
const headers = { 'Auto-Submitted': 'auto-generated' }

const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || /^127\./.test(host)

/**
 * What is said of this one mail by 5xx is for good. Anything else passes, as does a password that the operator has to put
 * right. Of what the server says only its number is told: it may repeat the address.
 */
const wordsFor = (error: unknown): { again: boolean; said: string } => {
  const { responseCode, code = 'unknown' } = error as { responseCode?: number; code?: string }
  const isOfThisMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  const number = responseCode === undefined ? '' : ` (${responseCode})`
  return { again: !isOfThisMail || (responseCode ?? 500) < 500, said: `the mail server: ${code}${number}` }
}
