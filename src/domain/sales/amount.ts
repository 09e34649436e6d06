/** Amounts of money, digit by digit: a double would round them. Pure. */
import * as currencies from 'dinero.js/currencies'
import type { Details } from '../errors.ts'

/** Below ten to the power of this, with as many decimals at most as an amount may have in any currency. */
const maxWholeDigits = 12
const maxDecimals = 3

/** As many as any amount could need, and room for an exponent; what is longer is not looked at. */
const maxWritten = 100
const maxExponent = 100

export const amountWanted = 'Must be a number from 0 to 999999999999.999, such as 129.90, and no text.'
export const currencyWanted = 'Must be the three capital letters of a currency that ISO 4217 lists today, such as EUR.'

/** What the library still lists: Bulgaria has had the euro since 2026. */
const withdrawn = new Set(['BGN'])

/**
 * The decimals of each currency by its code. The ariary and the ouguiya, of which five parts make a whole, have two of
 * them in ISO 4217, as most have.
 */
const decimalsByCode = new Map<string, number>(
  Object.values(currencies)
    .filter(({ code }) => !withdrawn.has(code))
    .map(({ code, base, exponent }) => [code, base === 10 ? exponent : 2]),
)

export type JudgedAmount = { amount: string } | { faults: Details }

/**
 * An amount as a number of JSON is written, and what is wrong with it in this currency, by the names of the fields. The
 * answer has the same digits, trailing zeros included, without an exponent.
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

/** Without an exponent; null for what is no such number, below 0 (or a 0 with a sign), or too large. */
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
