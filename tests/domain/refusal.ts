/** What a refusal of something given must be like, whoever refuses it. */
import { expect } from 'bun:test'
import { DomainError } from '../../src/domain/errors.ts'

/** What is refused, by field; null where it is taken. Any other exception is a fault. */
export const refusalOf = (validate: () => unknown): Record<string, string> | null => {
  try {
    validate()
    return null
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    expect(error.code).toBe('invalid_request')
    return error.details!
  }
}

/** At most twenty fields, each with a sentence a person can act on. */
export const expectSentences = (details: Record<string, string>): void => {
  const fields = Object.keys(details)
  expect(fields.length).toBeGreaterThan(0)
  expect(fields.length).toBeLessThanOrEqual(20)
  for (const field of fields) {
    expect(field.length).toBeLessThanOrEqual(201)
    expect(details[field]).toMatch(/^(Must|Is|Holds) .*[^ ][.?]$/)
  }
}
