/** Validates amounts of money as decimal strings, because a double would round them. Pure. */
import * as currencies from 'dinero.js/currencies'
import type { Details } from '../errors.ts'

/** Maximum digits before the decimal point, and maximum decimals in any currency. */
const maxWholeDigits = 12
const maxDecimals = 3

/** Maximum length of a number, including an exponent. Longer input is rejected without parsing. */
const maxWritten = 100
const maxExponent = 100

export const amountWanted = 'Must be a number from 0 to 999999999999.999, such as 129.90, and no text.'
export const currencyWanted = 'Must be the three capital letters of a currency that ISO 4217 lists today, such as EUR.'

/** Currencies that the library still lists. Bulgaria has used the euro since 2026. */
const withdrawn = new Set(['BGN'])

/**
 * Decimals of each currency by its code. The ariary and the ouguiya have subunits of one fifth, but two decimals in ISO
 * 4217.
 */
const decimalsByCode = new Map<string, number>(
  Object.values(currencies)
    .filter(({ code }) => !withdrawn.has(code))
    .map(({ code, base, exponent }) => [code, base === 10 ? exponent : 2]),
)

export type JudgedAmount = { amount: string } | { faults: Details }

/**
 * Validates an amount given as a JSON number, and its currency. Returns faults by field name, or the amount with the
 * same digits, including trailing zeros, without an exponent.
 */
export const judgeAmount = (written: string, currency: string): JudgedAmount => {
  const decimals = decimalsByCode.get(currency)
  const amount = writtenOut(written)
  const fault = amount === null ? amountWanted : faultOfDecimals(amount, currency, decimals)
  const faults = {
    ...(fault !== null && { amount: fault }),
    ...(decimals === undefined && { currency: currencyWanted }),
  }
  return amount === null || Object.keys(faults).length > 0 ? { faults } : { amount }
}

const faultOfDecimals = (amount: string, currency: string, decimals: number = maxDecimals): string | null => {
  const given = amount.split('.')[1]?.length ?? 0
  const allowed = Math.min(decimals, maxDecimals)
  if (given <= allowed) return null
  if (allowed === 0) return `Has decimals, and an amount in ${currency} has none: leave them out.`
  return `Has ${given > maxWritten ? 'too many' : given} decimals; an amount ${decimalsByCode.has(currency) ? `in ${currency} ` : ''}has ${allowed} at most.`
}

const numeral = /^(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Returns the number without an exponent; null if it is not a number, is negative (also `-0`), or is too large. */
const writtenOut = (written: string): string | null => {
  const [, whole, fraction = '', power = '0'] = (written.length <= maxWritten && numeral.exec(written)) || []
  const exponent = Number(power)
  if (whole === undefined || Math.abs(exponent) > maxExponent) return null
  const digits = whole + fraction
  const point = whole.length + exponent
  const before = BigInt(digits.slice(0, Math.max(point, 0)).padEnd(point, '0')).toString()
  const after = point < 0 ? '0'.repeat(-point) + digits : digits.slice(point)
  if (before.length > maxWholeDigits) return null
  return after === '' ? before : `${before}.${after}`
}
