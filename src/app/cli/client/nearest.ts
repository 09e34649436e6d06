/** Suggests a name for a misspelled one. Pure. */

/** Returns the name with the smallest edit distance, or null if more than a third of the name differs. */
export const nearest = (given: string, names: readonly string[]): string | null => {
  const word = given.slice(0, 100)
  const [best] = names.map(name => ({ name, far: distance(word, name) })).sort((a, b) => a.far - b.far)
  return best && best.far <= best.name.length / 3 ? best.name : null
}

/** Number of inserted, removed and replaced characters (Levenshtein). */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, left] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, right] of [...b].entries())
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (left === right ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}
