/**
 * For whom each has to rest, where all share one processor: what all of them would cost together if none cost more than
 * it does. Who is told little waits for others of its size and not for a big one; the biggest waits for all. `costs` and
 * the answer are in the same unit and order.
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
