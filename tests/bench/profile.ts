/** Computes the share of a process's time that a part of the code takes, from a Bun profile (`--cpu-prof`). */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

interface Frame {
  functionName: string
  url: string
}

interface Profile {
  nodes: { id: number; callFrame: Frame; children?: number[] }[]
  samples: number[]
  /** Microseconds before each sample. */
  timeDeltas: number[]
}

/** Returns the share of the time (0 to 1) with a wanted frame on the stack. `folder` holds one profile. */
export const shareOfTime = async (folder: string, isWanted: (frame: Frame) => boolean): Promise<number> => {
  const [name] = await readdir(folder)
  if (name === undefined) throw new Error('The process wrote no profile.')
  const { nodes, samples, timeDeltas }: Profile = await Bun.file(join(folder, name)).json()
  const wanted = new Set<number>()
  // A caller comes before the nodes that it called.
  for (const { id, callFrame, children } of nodes) {
    if (isWanted(callFrame)) wanted.add(id)
    if (wanted.has(id)) for (const child of children ?? []) wanted.add(child)
  }
  const timeOf = (counts: (id: number) => boolean): number =>
    samples.reduce((sum, id, index) => (counts(id) ? sum + timeDeltas[index]! : sum), 0)
  return timeOf(id => wanted.has(id)) / timeOf(() => true)
}
