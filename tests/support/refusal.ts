/** Assertions about the validation errors of the domain. */
import { expect } from 'bun:test'
import { DomainError } from '../../src/core/errors.ts'

/** Returns the errors by field, or null if the value is accepted. Rethrows any other exception. */
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

/** Asserts that there are at most twenty fields, each with a sentence that a person can act on. */
export const expectSentences = (details: Record<string, string>): void => {
  const fields = Object.keys(details)
  expect(fields.length).toBeGreaterThan(0)
  expect(fields.length).toBeLessThanOrEqual(20)
  for (const field of fields) {
    expect(field.length).toBeLessThanOrEqual(201)
    expect(details[field]).toMatch(/^(Must|Is|Contains|Occurs) .*[^ ][.?]$/)
  }
}
