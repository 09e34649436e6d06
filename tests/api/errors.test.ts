import { describe, expect, test } from 'bun:test'
import { domainErrorOf, envelopeOf, headersFor, statusFor } from '../../src/api/errors.ts'
import { LockConflict, OutcomeUnknown } from '../../src/core/errors.ts'
import { LimiterFull } from '../../src/platform/keyed-limiter.ts'
import { connect } from '../../src/platform/postgres/client.ts'
import { ReadTimeout } from '../../src/platform/postgres/limited-pool.ts'
import { useDatabase } from '../support/database.ts'

const database = useDatabase()

const lockTimeout = () =>
  database.sql.begin(async holder => {
    await holder`lock table users in access exclusive mode`
    return database.sql.begin(async tx => {
      await tx`set local lock_timeout = '5ms'`
      return tx`select 1 from users`
    })
  })

const statementTimeout = () =>
  database.sql.begin(async tx => {
    await tx`set local statement_timeout = '5ms'`
    return tx`select pg_sleep(5)`
  })

const refusedConnection = async () => {
  const sql = connect({ url: 'postgres://nobody@127.0.0.1:1/nothing', applicationName: 'test' })
  return sql`select 1`.finally(() => sql.end({ timeout: 1 }))
}

const unknown = (repeatable: boolean) => new OutcomeUnknown('Not known; send it again.', repeatable, {})

const readOnly = () =>
  database.sql.begin(async tx => {
    await tx`set transaction read only`
    return tx`create table never (id integer)`
  })

const unavailable = 'database_unavailable'
describe('503 with Retry-After, a reason and a specific message, for', () => {
  test.each<[string, () => Promise<unknown>, message: string, reason: string]>([
    ['an unreachable database', refusedConnection, 'database is unavailable', unavailable],
    ['a database that accepts no writes', readOnly, 'does not accept writes', unavailable],
    ['a lock that is not available', lockTimeout, 'record is locked', 'overloaded'],
    ['a statement that takes too long', statementTimeout, 'record is locked', 'overloaded'],
    ['an unknown outcome of a repeatable call', () => Promise.reject(unknown(true)), 'send it again', unavailable],
    ['a full limiter', () => Promise.reject(new LimiterFull('It is full.')), 'It is full.', 'overloaded'],
    ['a read that takes too long', () => Promise.reject(new ReadTimeout('late')), 'use filters', 'overloaded'],
    ['a locked row', () => Promise.reject(new LockConflict('It is held.')), 'It is held.', 'overloaded'],
  ])('%s', async (_, work, words, reason) => {
    const refusal = domainErrorOf(await work().catch(error => error))
    expect([refusal.code, statusFor(refusal)]).toEqual(['internal_error', 503])
    expect(headersFor(refusal)).toEqual({ 'Retry-After': '1' })
    expect(refusal.message).toContain(words)
    expect(envelopeOf(refusal, 'a').error.details).toEqual({ reason })
  })
})

test('500 without Retry-After for an internal error, whose text is not shown', async () => {
  for (const work of [() => database.sql`select nonsense`, () => Promise.reject(new TypeError('nonsense'))]) {
    const refusal = domainErrorOf(await Promise.try(work).catch(error => error))
    expect([refusal.code, statusFor(refusal), headersFor(refusal)]).toEqual(['internal_error', 500, undefined])
    expect(refusal.message).not.toContain('nonsense')
  }
})

test('500 without Retry-After for an unknown outcome where a retry could repeat the work', () => {
  const refusal = domainErrorOf(unknown(false))
  expect([refusal.code, statusFor(refusal), headersFor(refusal)]).toEqual(['internal_error', 500, undefined])
  expect(refusal.message).toBe('Not known; send it again.')
})
