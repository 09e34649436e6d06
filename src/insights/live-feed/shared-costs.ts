/**
 * Divides one processor among all feeds. For each feed, returns the total cost of all feeds if none cost more than this
 * one. A cheap feed therefore waits only as long as if all feeds were cheap, and the most expensive feed waits for all.
 * `costs` and the result have the same unit and order.
 */
export const sharedCosts = (costs: readonly number[]): number[] => {
  const shared = new Array<number>(costs.length)
  const ascending = costs.map((cost, index) => ({ cost, index })).sort((one, other) => one.cost - other.cost)
  let smaller = 0
  for (const [rank, { cost, index }] of ascending.entries()) {
    shared[index] = smaller + cost * (ascending.length - rank)
    smaller += cost
  }
  return shared
}
