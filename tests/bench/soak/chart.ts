/** Chart of a soak as SVG, and the slopes of its values. Pure functions. */
import { line } from 'd3-shape'

/** Values at one time. Null = could not be read. */
export interface Sample {
  seconds: number
  'resident memory, MiB': number | null
  'heap, MiB': number | null
  'call p50, ms': number | null
  'call p99, ms': number | null
  'event to first attempt p50, ms': number | null
  'event to first attempt p99, ms': number | null
  'oldest due row, s': number | null
  'write-ahead log, MiB': number | null
  'database, MiB': number | null
  'recorded events': number | null
}

/** Something that happened during the soak. */
export interface Mark {
  seconds: number
  name: string
}

/**
 * Returns the change per hour of a value by least squares, over the second half of the time between two restarts. The
 * first half is warm-up.
 */
export const slopePerHour = (
  samples: readonly Sample[],
  name: keyof Sample,
  from: number,
  to = samples.at(-1)?.seconds ?? 0,
): number => {
  const middle = (from + to) / 2
  const points = samples.flatMap(one =>
    one.seconds > middle && one.seconds < to && one[name] !== null ? [{ x: one.seconds / 3600, y: one[name] }] : [],
  )
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(points.map(one => one.x)), mean(points.map(one => one.y))]
  const spread = points.reduce((sum, one) => sum + (one.x - x) ** 2, 0)
  return spread === 0 ? 0 : points.reduce((sum, one) => sum + (one.x - x) * (one.y - y), 0) / spread
}

const panels: (keyof Sample)[][] = [
  ['resident memory, MiB', 'heap, MiB'],
  ['call p99, ms', 'call p50, ms'],
  ['event to first attempt p99, ms', 'event to first attempt p50, ms'],
  ['oldest due row, s'],
  ['write-ahead log, MiB', 'database, MiB'],
]

const [width, height, left, top] = [760, 110, 70, 34]
const colors = ['#4263eb', '#12b886']

/** Draws one panel below the other. Vertical lines are restarts and the failover. */
export const chartOf = (samples: readonly Sample[], marks: readonly Mark[]): string => {
  const end = Math.max(1, samples.at(-1)?.seconds ?? 1)
  const x = (seconds: number) => left + (seconds / end) * (width - left - 10)
  const drawn = panels.map((names, index) => panelOf(samples, marks, names, x, top + index * (height + top)))
  const total = top + panels.length * (height + top)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${total}" font-family="sans-serif" font-size="11">
<rect width="${width}" height="${total}" fill="#fff"/>
${drawn.join('\n')}
</svg>
`
}

const panelOf = (
  samples: readonly Sample[],
  marks: readonly Mark[],
  names: (keyof Sample)[],
  x: (seconds: number) => number,
  at: number,
): string => {
  const max = Math.max(1e-9, ...samples.flatMap(one => names.map(name => one[name] ?? 0)))
  const y = (value: number) => at + height - (value / max) * height
  const lines = names.map((name, index) => {
    const path = line<Sample>()
      .defined(one => one[name] !== null)
      .x(one => Math.round(x(one.seconds)))
      .y(one => Number(y(one[name] ?? 0).toFixed(1)))(samples)
    return `<path d="${path ?? ''}" fill="none" stroke="${colors[index]}" stroke-width="1.5"/>
<text x="${left + index * 230}" y="${at - 6}" fill="${colors[index]}">${name}</text>`
  })
  const ends = marks.map(mark => {
    const place = Math.round(x(mark.seconds))
    const title = `<title>${mark.name}, ${Math.round(mark.seconds)} s</title>`
    return `<path d="M${place} ${at}V${at + height}" stroke="#adb5bd" stroke-dasharray="3 3">${title}</path>`
  })
  return `<path d="M${left} ${at}V${at + height}H${width - 10}" fill="none" stroke="#868e96"/>
<text x="${left - 6}" y="${at + 9}" text-anchor="end">${shown(max)}</text>
<text x="${left - 6}" y="${at + height}" text-anchor="end">0</text>
${[...ends, ...lines].join('\n')}`
}

const shown = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(1))
