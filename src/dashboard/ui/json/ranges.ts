/** Positions of paths such as `steps.vip.text`, and of a syntax error, in a JSON text. */
import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser'

/** Range in the text, in characters. */
export interface TextRange {
  from: number
  to: number
}

/** Returns the range of each path. For a missing path it returns the first line of the nearest parent. */
export const findRanges = (text: string, paths: string[]): TextRange[] => {
  const root = parseTree(text)
  return paths.map(path => (root ? toRange(text, findNode(root, path.split('.'))) : { from: 0, to: 0 }))
}

/** Returns the range of the first syntax error. Null without one. */
export const findSyntaxError = (text: string): TextRange | null => {
  const errors: ParseError[] = []
  parseTree(text, errors)
  const first = errors[0]
  return first ? { from: first.offset, to: first.offset + first.length } : null
}

/** Returns the line of a position, counted from 1. */
export const lineOf = (text: string, position: number): number => text.slice(0, position).split('\n').length

const findNode = (root: Node, path: string[]): Node => {
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length).map(toSegment))
    // A field starts at its name, not at its value.
    if (node) return node.parent?.type === 'property' ? node.parent : node
  }
  return root
}

const toSegment = (name: string): string | number => (/^\d+$/.test(name) ? Number(name) : name)

const toRange = (text: string, { offset, length }: Node): TextRange => {
  const lineEnd = text.indexOf('\n', offset)
  return { from: offset, to: Math.min(offset + length, lineEnd === -1 ? text.length : lineEnd) }
}
