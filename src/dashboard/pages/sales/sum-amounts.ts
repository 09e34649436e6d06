/** Sum of amounts of money. */

/** Units of an amount, which has at most three decimals. */
const unitsPerAmount = 1000

/** Returns the sum of amounts. Adds whole units, because sums of decimals are not exact. */
export const sumAmounts = (amounts: readonly number[]): number =>
  amounts.reduce((sum, amount) => sum + Math.round(amount * unitsPerAmount), 0) / unitsPerAmount
