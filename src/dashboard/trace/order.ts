/** Order of the spans of a trace. */

interface Timed {
  at?: string | null
}

/**
 * Sorts the groups by the time of their first span. The spans of a group stay together. A group without a time comes
 * last: it is a wait that has no end.
 */
export const sortByTime = <Span extends Timed>(groups: Span[][]): Span[] => inTimeOrder(groups).flat()

/** Returns the groups that are not empty, in the same order. */
export const inTimeOrder = <Span extends Timed>(groups: readonly Span[][]): Span[][] =>
  groups.filter(group => group.length > 0).toSorted(([one], [other]) => startTime(one) - startTime(other))

const startTime = (span?: Timed): number => (span?.at ? Date.parse(span.at) : Number.MAX_SAFE_INTEGER)
