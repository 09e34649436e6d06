/** Returns the id range of a time span: ids begin with their creation time in milliseconds. */
export const idRange = ({ since, until }: { since: Date; until: Date }): { after: string; last: string } => ({
  after: firstIdOf(since),
  last: `${idPrefix(until)}-ffff-ffff-ffffffffffff`,
})

/** Returns an id before all ids of a time. */
export const firstIdOf = (time: Date): string => `${idPrefix(time)}-0000-0000-000000000000`

const idPrefix = (time: Date): string => {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}
