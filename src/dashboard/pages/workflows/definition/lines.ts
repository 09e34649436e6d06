/** Where in the text of a definition a place such as `steps.vip.text` stands. */
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser'

/** The line of each place, counted from 1; of a place that is not there, that of what it would stand in. */
export const linesOf = (text: string, places: string[]): number[] => {
  const root = parseTree(text)
  return places.map(place => (root ? lineAt(text, nodeAt(root, place.split('.'))) : 1))
}

const nodeAt = (root: Node, path: string[]): Node => {
  for (let length = path.length; length > 0; length--) {
    const found = findNodeAtLocation(root, path.slice(0, length).map(segment))
    // A field stands where its name does.
    if (found) return found.parent?.type === 'property' ? found.parent : found
  }
  return root
}

const segment = (name: string): string | number => (/^\d+$/.test(name) ? Number(name) : name)

const lineAt = (text: string, { offset }: Node): number => text.slice(0, offset).split('\n').length
