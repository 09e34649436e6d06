import { expect, test } from 'bun:test'
import { RetryLaterError } from '../../../src/core/errors.ts'
import { LiveFeeds } from '../../../src/insights/live-feed/live-feeds.ts'
import type { Database } from '../../../src/platform/postgres/client.ts'

/** A database that never answers, so that feeds stay in their first poll. */
const silent = (() => new Promise(() => {})) as unknown as Database

test('feeds are limited per user, per workspace and in total, and a rejected feed is not counted', async () => {
  const streams = new LiveFeeds({
    query: (_, work) => work(silent),
    findAlerts: async () => [],
    sql: silent,
    onFailure: () => {},
    limits: { maxPerUser: 2, maxPerWorkspace: 2, maxPerProcess: 3 },
  })
  const closing = new AbortController()
  const listen = (userId: string, workspaceId: string) => {
    const hasAccess = async () => true
    const opened = streams.subscribe({
      userId,
      workspaceId,
      after: null,
      credential: '',
      hasAccess,
      signal: closing.signal,
    })
    return Promise.race([opened, new Promise(resolve => setImmediate(resolve))]).catch(error => error)
  }
  const refusal = (code: string, message: string) => ({ code, message: expect.stringContaining(message) })

  await listen('a', 'x')
  await listen('a', 'x')
  expect(await listen('a', 'y')).toMatchObject(refusal('rate_limited', 'You have 2 open streams'))
  expect(await listen('b', 'x')).toMatchObject(refusal('rate_limited', 'The workspace has 2 open streams'))
  expect(streams.open).toBe(2)
  await listen('b', 'y')
  const overloaded = await listen('c', 'y')
  expect(overloaded).toBeInstanceOf(RetryLaterError)
  expect(overloaded).toMatchObject(refusal('internal_error', 'too many open streams'))
  closing.abort()
  expect(streams.open).toBe(0)
})
