/** A mail server on loopback that keeps the mails it accepts, or answers as a test requires. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { eventually } from './world.ts'

interface TakenMail {
  to: string[]
  subject: string
  from: string
  text: string
}

interface MailServer {
  /** Value for SMTP_URL. */
  url: string
  taken: TakenMail[]
  /** Number of attempts to deliver a mail. */
  readonly tries: number
  /** Answer to the next mails. Null accepts them. */
  refusal: { code: number; times: number } | null
  /** The server receives the mail but does not answer until this promise resolves. */
  hang: Promise<void> | null
  /** Address whose mails get no answer. Null applies to every address. */
  hangFor: string | null
  /** Waits for a mail to this address, returns the newest one and removes it. */
  mailTo(address: string): Promise<TakenMail>
  stop(): Promise<void>
}

/** Returns the token of the only link in a mail. */
export const tokenIn = ({ text }: TakenMail): string => /#token=([\w-]+)/.exec(text)![1]!

export const startMailServer = async (): Promise<MailServer> => {
  const taken: TakenMail[] = []
  let tries = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onData: async (stream, session, done) => {
      const mail = read((await buffer(stream)).toString('utf8'))
      if (isAboutFirstKey(mail)) return done()
      tries += 1
      const to = session.envelope.rcptTo.map(({ address }) => address)
      if (mailServer.hangFor === null || to.includes(mailServer.hangFor)) await mailServer.hang
      const { refusal } = mailServer
      if (refusal && refusal.times > 0) {
        refusal.times -= 1
        return done(Object.assign(new Error('not now'), { responseCode: refusal.code }))
      }
      taken.push({ to, ...mail })
      done()
    },
  })
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const mailServer: MailServer = {
    url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    taken,
    get tries() {
      return tries
    },
    refusal: null,
    hang: null,
    hangFor: null,
    mailTo: address =>
      eventually(`a mail to ${address}`, () => {
        const place = taken.findLastIndex(({ to }) => to.includes(address))
        return place < 0 ? null : taken.splice(place, 1)[0]
      }),
    stop: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
  return mailServer
}

/** Each world starts with a key. Its mail can arrive at any time, so tests do not see it. */
const isAboutFirstKey = ({ subject, text }: Omit<TakenMail, 'to'>): boolean =>
  subject === 'An API key was created' && text.includes('shop system')

/** Parses mails in the service's format: one part, folded lines, and quoted-printable for long or non-ASCII lines. */
const read = (raw: string): Omit<TakenMail, 'to'> => {
  const end = raw.indexOf('\r\n\r\n')
  const head = raw.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' ')
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim() ?? ''
  const body = raw.slice(end + 4)
  const text = field('Content-Transfer-Encoding') === 'quoted-printable' ? plain(body) : body
  return { subject: field('Subject'), from: field('From'), text }
}

const plain = (quoted: string): string =>
  Buffer.from(
    quoted
      .replaceAll('=\r\n', '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')
