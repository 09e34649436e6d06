/** Line numbers of places such as `steps.vip.text` in the JSON text of a definition. */
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser'

/** Returns the line of each place, counted from 1. For a missing place it returns the line of the nearest parent. */
export const linesOf = (text: string, places: string[]): number[] => {
  const root = parseTree(text)
  return places.map(place => (root ? lineAt(text, nodeAt(root, place.split('.'))) : 1))
}

const nodeAt = (root: Node, path: string[]): Node => {
  for (let length = path.length; length > 0; length--) {
    const found = findNodeAtLocation(root, path.slice(0, length).map(segment))
    // A field starts at its name, not at its value.
    if (found) return found.parent?.type === 'property' ? found.parent : found
  }
  return root
}

const segment = (name: string): string | number => (/^\d+$/.test(name) ? Number(name) : name)

const lineAt = (text: string, { offset }: Node): number => text.slice(0, offset).split('\n').length
