/** What a part of the code takes of the time of a process, by a profile that Bun wrote (`--cpu-prof`). */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

interface Frame {
  functionName: string
  url: string
}

interface Profile {
  nodes: { id: number; callFrame: Frame; children?: number[] }[]
  samples: number[]
  /** Microseconds before each of the samples. */
  timeDeltas: number[]
}

/** The part (0 to 1) of the time with a frame on the stack that is one of those asked for. `folder` holds one profile. */
export const shareOfTime = async (folder: string, isWanted: (frame: Frame) => boolean): Promise<number> => {
  const [name] = await readdir(folder)
  if (name === undefined) throw new Error('The process wrote no profile.')
  const { nodes, samples, timeDeltas }: Profile = await Bun.file(join(folder, name)).json()
  const wanted = new Set<number>()
  // A node comes before those that were called from it.
  for (const { id, callFrame, children } of nodes) {
    if (isWanted(callFrame)) wanted.add(id)
    if (wanted.has(id)) for (const child of children ?? []) wanted.add(child)
  }
  const timeOf = (counts: (id: number) => boolean): number =>
    samples.reduce((sum, id, index) => (counts(id) ? sum + timeDeltas[index]! : sum), 0)
  return timeOf(id => wanted.has(id)) / timeOf(() => true)
}
