/** Resources that all test files of a process share. `preload.ts` closes them after the last test. */
const ends: (() => Promise<unknown>)[] = []

export const atEnd = (end: () => Promise<unknown>): void => void ends.push(end)

export const endAll = async (): Promise<void> => {
  for (const end of ends.splice(0)) await end()
}
