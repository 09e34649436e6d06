import { describe, expect, test } from 'bun:test'
import { validateWebhookUrl } from '../../../src/webhooks/endpoints/url.ts'
import { accepted, international, refused, words } from './urls.ts'

const none: ReadonlySet<string> = new Set()

describe('a URL is refused for', () => {
  for (const [cause, { says, urls }] of Object.entries(refused)) {
    test.each(urls.map(url => [JSON.stringify(url).slice(0, 90), url]))(`${cause}: %s`, (_, url) => {
      expect(validateWebhookUrl(url, none)).toEqual({ ok: false, reason: expect.stringMatching(says) })
    })
  }
})

describe('a URL is accepted without changes', () => {
  test.each(accepted.map(url => [url.slice(0, 90), url]))('%s', (_, url) => {
    expect(validateWebhookUrl(url, none)).toEqual({ ok: true, url })
  })
})

describe('characters beyond ASCII', () => {
  test.each(international)('%s is stored in ASCII, which is accepted unchanged', (url, stored) => {
    expect(validateWebhookUrl(url, none)).toEqual({ ok: true, url: stored })
    expect(validateWebhookUrl(stored, none)).toEqual({ ok: true, url: stored })
  })

  test('are checked in that form', () => {
    const longLabel = `${'ü'.repeat(60)}.example.com`
    for (const [host, says] of [
      ['bücher', /single word/],
      ['bücher.localhost', /never public/],
      ['bücher.internal:8443', /never public/],
      ['bücher.example.com:22', /^Port 22/],
      ['ü@example.com', /user name/],
      [longLabel, /at most 63|plain ASCII|not valid/],
    ] as const)
      expect(validateWebhookUrl(`https://${host}/`, none)).toEqual({ ok: false, reason: expect.stringMatching(says) })
    expect(validateWebhookUrl('http://bücher.de/', none).ok).toBe(false)
    const allowed = new Set(['xn--bcher-kva:8080'])
    expect(validateWebhookUrl('http://bücher:8080/', allowed)).toEqual({ ok: true, url: 'http://xn--bcher-kva:8080/' })
    // The stored URL can be longer than the given one.
    for (const short of ['https://bücher.de/', 'https://example.com/ä']) {
      const long = short.padEnd(2048, 'a')
      expect(validateWebhookUrl(long, none)).toEqual({ ok: false, reason: expect.stringMatching(/at most 2048/) })
    }
  })
})

describe('an allowed private target', () => {
  const allowed = new Set('127.0.0.1:8080 localhost:3000 [::1]:8080 receiver:80 receiver:443 db:5432'.split(' '))

  test('can use http, an IP address, a single-label host and any port', () => {
    for (const url of words(`http://127.0.0.1:8080/hook https://127.0.0.1:8080/hook http://localhost:3000/hook?x=1
      http://LocalHost:3000/hook http://[::1]:8080/hook http://receiver/hook http://receiver:80/hook
      https://receiver/hook https://receiver:443 http://db:5432/hook`))
      expect(validateWebhookUrl(url, allowed)).toEqual({ ok: true, url })
  })

  test('does not allow another port, spelling, user, path, scheme, subdomain or host', () => {
    for (const url of words(`http://127.0.0.1:8081/hook http://localhost/hook http://127.1:8080/hook
      http://2130706433:8080/hook http://0x7f000001:8080/hook http://[0:0:0:0:0:0:0:1]:8080/hook
      http://localhost.:3000/hook http://user@127.0.0.1:8080/hook http://127.0.0.1:8080@example.com/hook
      http://127.0.0.1:8080/a/../b ftp://127.0.0.1:8080/hook http://x.localhost:3000/hook
      http://127.0.0.1:08080/hook http://example.com/hook`))
      expect([url, validateWebhookUrl(url, allowed).ok]).toEqual([url, false])
    // A target in a notation that is not valid does not match a repaired URL.
    expect(validateWebhookUrl('http://127.1:8080/', new Set(['127.1:8080'])).ok).toBe(false)
  })
})

describe('a receiver on the same machine as the service', () => {
  test.each([
    ['http://localhost:8080/hook', 'localhost:8080'],
    ['https://localhost/hook', 'localhost:443'],
    ['http://127.0.0.1:9000/hook', '127.0.0.1:9000'],
    ['https://[::1]:8443/', '[::1]:8443'],
  ])('%s is refused with the setting that allows it', (url, target) => {
    const reason = expect.stringContaining(`WEBHOOK_ALLOWED_PRIVATE_TARGETS=${target}.`)
    expect(validateWebhookUrl(url, none)).toMatchObject({ ok: false, reason })
    expect(validateWebhookUrl(url, new Set([target]))).toEqual({ ok: true, url })
  })
})
