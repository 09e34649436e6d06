/** Line numbers of paths such as `steps.vip.text` in the JSON text of a definition. */
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser'

/** Returns the line of each path, counted from 1. For a missing path it returns the line of the nearest parent. */
export const findLines = (text: string, paths: string[]): number[] => {
  const root = parseTree(text)
  return paths.map(path => (root ? lineNumber(text, findNode(root, path.split('.'))) : 1))
}

const findNode = (root: Node, path: string[]): Node => {
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length).map(toSegment))
    // A field starts at its name, not at its value.
    if (node) return node.parent?.type === 'property' ? node.parent : node
  }
  return root
}

const toSegment = (name: string): string | number => (/^\d+$/.test(name) ? Number(name) : name)

const lineNumber = (text: string, { offset }: Node): number => text.slice(0, offset).split('\n').length
