/** What all files of a process share and nobody of them ends: ended after the last test, by `preload.ts`. */
const ends: (() => Promise<unknown>)[] = []

export const atEnd = (end: () => Promise<unknown>): void => void ends.push(end)

export const endAll = async (): Promise<void> => {
  for (const end of ends.splice(0)) await end()
}
