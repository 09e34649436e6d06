/** Validates amounts of money as decimal strings, because a double would round them. Pure. */
import * as currencies from 'dinero.js/currencies'
import type { Details } from '../../core/errors.ts'

/** Maximum digits before the decimal point, and maximum decimals in any currency. */
const maxWholeDigits = 12
const maxDecimals = 3

/** Maximum length of a number, including an exponent. Longer input is rejected without parsing. */
const maxNumberLength = 100
const maxExponent = 100

export const amountMessage = 'Must be a number from 0 to 999999999999.999, such as 129.90, not a text.'
export const currencyMessage = 'Must be a current ISO 4217 currency code in capital letters, such as EUR.'

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

export type ValidatedAmount = { amount: string } | { faults: Details }

/**
 * Validates an amount given as a JSON number, and its currency. Returns faults by field name, or the amount with the
 * same digits, including trailing zeros, without an exponent.
 */
export const validateAmount = (text: string, currency: string): ValidatedAmount => {
  const decimals = decimalsByCode.get(currency)
  const amount = expandExponent(text)
  const fault = amount === null ? amountMessage : faultOfDecimals(amount, currency, decimals)
  const faults = {
    ...(fault !== null && { amount: fault }),
    ...(decimals === undefined && { currency: currencyMessage }),
  }
  return amount === null || Object.keys(faults).length > 0 ? { faults } : { amount }
}

const faultOfDecimals = (amount: string, currency: string, decimals: number = maxDecimals): string | null => {
  const count = amount.split('.')[1]?.length ?? 0
  const allowed = Math.min(decimals, maxDecimals)
  if (count <= allowed) return null
  if (allowed === 0) return `Has decimals. Amounts in ${currency} have none: remove them.`
  return `Has ${count > maxNumberLength ? 'too many' : count} decimals. Amounts ${decimalsByCode.has(currency) ? `in ${currency} ` : ''}can have at most ${allowed}.`
}

const numeral = /^(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Returns the number without an exponent; null if it is not a number, is negative (also `-0`), or is too large. */
const expandExponent = (text: string): string | null => {
  const [, integer, fraction = '', power = '0'] = (text.length <= maxNumberLength && numeral.exec(text)) || []
  const exponent = Number(power)
  if (integer === undefined || Math.abs(exponent) > maxExponent) return null
  const digits = integer + fraction
  const point = integer.length + exponent
  const integerDigits = BigInt(digits.slice(0, Math.max(point, 0)).padEnd(point, '0')).toString()
  const fractionDigits = point < 0 ? '0'.repeat(-point) + digits : digits.slice(point)
  if (integerDigits.length > maxWholeDigits) return null
  return fractionDigits === '' ? integerDigits : `${integerDigits}.${fractionDigits}`
}
