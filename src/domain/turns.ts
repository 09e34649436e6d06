/** Long work in short turns, so that whoever else is to act in this process does. */

/** Asked between two pieces of work: something to wait for where the others should have a turn, else null. */
export type Rest = () => Promise<void> | null

/** Milliseconds for which one piece of work after another may keep everybody else waiting. */
const maxHeldMs = 10

/** Gives the others a turn after every ten milliseconds. */
export const inTurns = (): Rest => {
  let since = performance.now()
  return () => {
    if (performance.now() - since < maxHeldMs) return null
    return new Promise(resolve =>
      setImmediate(() => {
        since = performance.now()
        resolve()
      }),
    )
  }
}
