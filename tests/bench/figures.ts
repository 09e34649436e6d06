/** Benchmark figures: several rounds of a measurement, its reference and its goal. Pure functions. */

/** Statistics over the rounds of one quantity. */
export interface Spread {
  median: number
  min: number
  max: number
}

/** One line of the result. */
export interface Figure {
  measurement: string
  name: string
  unit: string
  ours: Spread
  /** Reference measured in the same run. Null if the goal is an absolute number. */
  beside: { name: string; spread: Spread } | null
  /** Median over the rounds of the measured value divided by the reference. */
  ratio: number | null
  /** Goal, or null if the figure is only reported. */
  goal: { text: string; met: boolean } | null
}

/** The compared value: `ratio` if the figure has a reference, otherwise the median. */
export interface Goal {
  of: 'ratio' | 'median'
  atLeast?: number
  atMost?: number
}

const goalsOf = (of: Goal['of']) => ({
  atLeast: (limit: number): Goal => ({ of, atLeast: limit }),
  atMost: (limit: number): Goal => ({ of, atMost: limit }),
})

/** Goals for the ratio to the reference, and for the median. */
export const [ratio, median] = [goalsOf('ratio'), goalsOf('median')]

/** Returns one quantity of every round. */
export const each = <Round, Name extends keyof Round>(rounds: readonly Round[], name: Name): Round[Name][] =>
  rounds.map(round => round[name])

export const spreadOf = (values: number[]): Spread => ({
  median: percentile(values, 0.5),
  min: Math.min(...values),
  max: Math.max(...values),
})

/** Returns the percentile of the values for a part from 0 to 1, by the nearest-rank method. */
export const percentile = (values: readonly number[], part: number): number => {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(part * sorted.length) - 1))] ?? Number.NaN
}

/**
 * Builds a figure. Rounds are in order, and each is compared with the reference round next to it. A machine that slows
 * down during a run therefore slows both.
 */
export const figure = (
  measurement: string,
  name: string,
  unit: string,
  rounds: number[],
  beside: { name: string; rounds: number[] } | null = null,
  goal: Goal | null = null,
): Figure => {
  const ours = spreadOf(rounds)
  const ratios = beside && rounds.map((value, round) => value / beside.rounds[round]!)
  const ratio = ratios && percentile(ratios, 0.5)
  return {
    measurement,
    name,
    unit,
    ours,
    beside: beside && { name: beside.name, spread: spreadOf(beside.rounds) },
    ratio,
    goal: goal && judge(goal, goal.of === 'ratio' ? (ratio ?? Number.NaN) : ours.median, unit),
  }
}

const judge = ({ of, atLeast, atMost }: Goal, value: number, unit: string): Figure['goal'] => {
  const [sign, limit] = atLeast === undefined ? ['≤', atMost ?? Number.NaN] : ['≥', atLeast]
  const met = atLeast === undefined ? value <= limit : value >= limit
  return {
    text:
      of === 'ratio' ? `${sign} ${Number.isInteger(limit) ? limit.toFixed(1) : limit} ×` : `${sign} ${limit} ${unit}`,
    met,
  }
}

/** Formats the figures as a table. */
export const tableOf = (figures: readonly Figure[]): string => {
  const head = ['measurement', 'ours: median (min–max)', 'beside it: median (min–max)', 'ratio', 'goal', '']
  const rows = figures.map(({ measurement, name, unit, ours, beside, ratio, goal }) => [
    `${measurement}: ${name}`,
    `${shown(ours)} ${unit}`,
    beside ? `${beside.name} ${shown(beside.spread)}` : '',
    ratio === null ? '' : `${ratio.toFixed(2)} ×`,
    goal?.text ?? '',
    goal ? (goal.met ? 'met' : 'MISSED') : '',
  ])
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map(row => row[column]!.length)))
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd()
  return [line(head), line(widths.map(width => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

const shown = ({ median, min, max }: Spread): string =>
  min === max ? number(median) : `${number(median)} (${number(min)}–${number(max)})`

const number = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(1)
