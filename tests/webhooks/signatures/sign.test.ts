import { expect, test } from 'bun:test'
import { signWebhook } from '../../../src/webhooks/signatures/sign.ts'
import { verifySignature } from '../../support/receiver.ts'

const t = 1_700_000_000
const secret = 'whsec_test'
const body = '{"type":"ping"}'
const digest = 'bc08c591847b765241711bcbe7067e3869a219e424d3fdd9d00b3b6f915baf97'

test('the header contains the time and the digest of time, dot and body', () => {
  expect(signWebhook([secret], t, body)).toBe(`t=1700000000,v1=${digest}`)
})

test('both secrets sign after a recent rotation, the new one first', () => {
  const header = signWebhook(['whsec_new', secret], t, body)
  expect(header).toMatch(/^t=1700000000,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)
  expect(header.endsWith(`,v1=${digest}`)).toBe(true)
  expect(verifySignature(header, body, 'whsec_new', t)).toBe(true)
  expect(verifySignature(header, body, secret, t)).toBe(true)
})

test('a body beyond ASCII is signed as the UTF-8 bytes that are sent', () => {
  const unicode = '{"text":"grüß dich 👋 \\u0001"}'
  expect(verifySignature(signWebhook([secret], t, unicode), unicode, secret, t)).toBe(true)
})

test('an empty body is also signed', () => {
  expect(verifySignature(signWebhook([secret], t, ''), '', secret, t)).toBe(true)
})

test('the prefix is part of the key', () => {
  expect(verifySignature(signWebhook(['test'], t, body), body, secret, t)).toBe(false)
})

test.each([
  ['another body', `${body} `, secret, t],
  ['another secret', body, 'whsec_other', t],
  ['301 seconds later', body, secret, t + 301],
  ['301 seconds earlier', body, secret, t - 301],
])('a receiver rejects %s', (_, received, key, now) => {
  expect(verifySignature(signWebhook([secret], t, body), received, key, now)).toBe(false)
})

test.each([t - 300, t + 300])('a receiver accepts a signature 300 seconds away', now => {
  expect(verifySignature(signWebhook([secret], t, body), body, secret, now)).toBe(true)
})

test.each(['', 't=1700000000', `v1=${digest}`, `t=,v1=${digest}`, 't=1700000000,v1=', `t=1700000001,v1=${digest}`])(
  'a receiver rejects the header "%s"',
  header => {
    expect(verifySignature(header, body, secret, t)).toBe(false)
  },
)
