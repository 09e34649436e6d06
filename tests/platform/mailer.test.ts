import { expect, test } from 'bun:test'
import { SMTPServer } from 'smtp-server'
import { createMailer } from '../../src/platform/mailer.ts'
import { startMailServer } from '../support/mail-server.ts'
import { use } from '../support/use.ts'

const post = use(startMailServer)

const mail = { to: 'ana@shop.example', subject: 'Hello', text: 'Hello Änne,\n\n.\nthis is it\n' }
const from = 'Shop <engage@shop.example>'

test('a mail arrives unchanged, at exactly one address', async () => {
  const send = createMailer({ url: post.url, from })
  expect(await send(mail)).toEqual({ accepted: true })
  const { text, ...head } = await post.mailTo(mail.to)
  expect(head).toEqual({ to: [mail.to], subject: 'Hello', from })
  expect(text.replaceAll('\r\n', '\n')).toContain('Hello Änne,')
})

test('an ambiguous address is used as one address or rejected', async () => {
  const send = createMailer({ url: post.url, from })
  for (const to of [
    'a@shop.example,b@shop.example',
    '"a@evil.example x"@shop.example',
    'a@shop.example>,<b@evil.example',
  ])
    await send({ ...mail, to })
  for (const { to } of post.taken.splice(0)) {
    expect(to).toHaveLength(1)
    expect(to[0]).not.toEndWith('@evil.example')
  }
})

test('sends a password unencrypted only to this machine', async () => {
  const passwords: unknown[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (auth, _, done) => {
      passwords.push(auth.password)
      done(null, { user: 'u' })
    },
  })
  const listening = server.listen(0, '0.0.0.0')
  await new Promise(resolve => listening.once('listening', resolve))
  const { port } = listening.address() as { port: number }
  try {
    // Reaches this machine, but not through a loopback address.
    const elsewhere = createMailer({ url: `smtp://user:secret@0.0.0.0:${port}`, from })
    expect(await elsewhere(mail)).toMatchObject({ accepted: false, retryable: true })
    expect(passwords).toEqual([])
    const here = createMailer({ url: `smtp://user:secret@127.0.0.1:${port}`, from })
    expect(await here(mail)).toEqual({ accepted: true })
    expect(passwords).toEqual(['secret'])
  } finally {
    await new Promise<void>(resolve => server.close(() => resolve()))
  }
})

test('allows a retry after a failed connection, a failed sign-in or code 451, and none after code 550', async () => {
  for (const url of ['smtp://127.0.0.1:1', post.url.replace('//', '//user:wrong@')])
    expect(await createMailer({ url, from })(mail)).toMatchObject({ accepted: false, retryable: true })
  const send = createMailer({ url: post.url, from })
  post.refusal = { code: 451, times: 1 }
  expect(await send(mail)).toEqual({ accepted: false, retryable: true, detail: 'the mail server: EMESSAGE (451)' })
  post.refusal = { code: 550, times: 1 }
  expect(await send(mail)).toEqual({ accepted: false, retryable: false, detail: 'the mail server: EMESSAGE (550)' })
})
