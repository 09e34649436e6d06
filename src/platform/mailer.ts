/** Sends mail by SMTP. Returns whether the server accepted a mail, and whether a retry makes sense. */
import { createTransport } from 'nodemailer'

export interface Mail {
  to: string
  subject: string
  text: string
}

/** Result of sending. `detail` is a message for the operator and contains no recipient. */
export type SendResult = { accepted: true } | { accepted: false; retryable: boolean; detail: string }

/** Sends one mail to the server. Never rejects. */
export type Mailer = (mail: Mail) => Promise<SendResult>

export interface MailSettings {
  /** `smtp://` or `smtps://`, with user and password if the server requires them. */
  url: string
  from: string
}

/** Timeouts in milliseconds, for an unreachable server and for one that stops responding. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 }

const openTransport = (url: string) =>
  createTransport({
    url,
    ...timeouts,
    // Send a password only over an encrypted connection, except to this machine.
    requireTLS: new URL(url).password !== '' && !isLoopback(new URL(url).hostname),
    disableFileAccess: true,
    disableUrlAccess: true,
  })

/** Connects and signs in without a mail. Returns null, or a sentence that says why it failed. Never rejects. */
export const verifyMailServer = async ({ url }: MailSettings): Promise<string | null> => {
  const transport = openTransport(url)
  try {
    await transport.verify()
    return null
  } catch (error) {
    const { code = 'unknown' } = error as { code?: string }
    return code === 'EAUTH'
      ? 'The mail server refuses the user or the password.'
      : `The connection to the mail server failed (${code}).`
  } finally {
    transport.close()
  }
}

export const createMailer = ({ url, from }: MailSettings): Mailer => {
  const transport = openTransport(url)
  return async ({ to, subject, text }) => {
    try {
      // As an object, because a text would be parsed as a list of addresses.
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text, headers })
      return { accepted: true }
    } catch (error) {
      return { accepted: false, ...describeError(error) }
    }
  }
}

/** Suppresses automatic replies such as absence notices. */
const headers = { 'Auto-Submitted': 'auto-generated' }

const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || /^127\./.test(host)

/**
 * Describes an error. A 5xx for this mail is permanent. Everything else can be retried, including a wrong password,
 * which the operator can correct.
 *
 * Only the response code of the server is reported, because its text can contain the address.
 */
const describeError = (error: unknown): { retryable: boolean; detail: string } => {
  const { responseCode, code = 'unknown' } = error as { responseCode?: number; code?: string }
  const isMailFault = code === 'EENVELOPE' || code === 'EMESSAGE'
  const number = responseCode === undefined ? '' : ` (${responseCode})`
  return { retryable: !isMailFault || (responseCode ?? 500) < 500, detail: `the mail server: ${code}${number}` }
}
