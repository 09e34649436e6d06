/** Graph layout of a definition: from top to bottom, branches side by side. Pure functions. */
import { Graph, layout } from '@dagrejs/dagre'
import { type InsertPosition, listPointers } from '../definition/edit.ts'
import { sortDefinition } from '../definition/order.ts'
import type { Definition, Step } from '../definition/types.ts'

export interface Point {
  x: number
  y: number
}

export interface DrawnNode extends Point {
  id: string
  kind: 'start' | 'step' | 'end' | 'missing'
  width: number
  height: number
}

export interface DrawnEdge {
  /** `from.pointer`, or `start` for the first edge. */
  id: string
  source: string
  target: string
  gap: InsertPosition
  points: Point[]
  label: Point
}

interface Drawing {
  nodes: DrawnNode[]
  edges: DrawnEdge[]
  width: number
  height: number
}

/** Id of the start node. No step can have this id. */
export const startNode = '*start'
export const makeEdgeId = (from: string | null, name: string): string => (from === null ? 'start' : `${from}.${name}`)

/** Width of a step in pixels. */
export const stepWidth = 248
/** Width of the start node, which shows the filter and the exit conditions. On a phone it has `stepWidth`. */
export const startWidth = 344
/** Width of a step on a phone. */
export const compactStepWidth = 160
/** Widths of a step in a graph with numbers, which takes the first that fits. */
export const countedStepWidths = [stepWidth, 220, 190, compactStepWidth] as const

const stepHeight = 62
const sizes: Record<'end' | 'missing', { width: number; height: number }> = {
  end: { width: 64, height: 24 },
  missing: { width: 150, height: 32 },
}

/** Distance in pixels between two edges from one step to the same next step, and the space for their curves. */
const parallel = { distance: 120, curve: 16 }

/** Height of an edge with a text above a button or a number, and with neither. */
const edgeHeight = { labeled: 52, bare: 28 }

interface EdgeLayout extends Point {
  points: Point[]
  isParallel: boolean
}

/** Lays out the graph. `labelWidth` returns the width of the label on an edge. `isLabeled` = edges have buttons or numbers. */
export const layOut = (
  definition: Definition,
  labelWidth: (step: Step | null, name: string) => number,
  width = stepWidth,
  isLabeled = true,
  widthOfStart = startWidth,
): Drawing => {
  const sizeOf = (kind: DrawnNode['kind']) => {
    // Exit rules need one more line on the start node.
    if (kind === 'start')
      return {
        width: widthOfStart,
        height: stepHeight + (definition.exitOn?.length ? 20 : 0),
      }
    return kind === 'step' ? { width, height: stepHeight } : sizes[kind]
  }
  const graph = new Graph({ multigraph: true })
  const edgesep = width < stepWidth ? 8 : 24
  const labelHeight = isLabeled ? edgeHeight.labeled : edgeHeight.bare
  graph.setGraph({
    rankdir: 'TB',
    nodesep: width < stepWidth ? 12 : 32,
    ranksep: 20,
    edgesep,
    marginx: 8,
    marginy: 8,
  })
  const kinds = new Map<string, DrawnNode['kind']>()
  const node = (id: string, kind: DrawnNode['kind']) => {
    if (kinds.has(id)) return
    kinds.set(id, kind)
    graph.setNode(id, { ...sizeOf(kind) })
  }
  const gaps = new Map<string, InsertPosition>()
  const edge = (gap: InsertPosition, target: string | null, step: Step | null) => {
    const id = makeEdgeId(gap.from, gap.name)
    const to = target === null || target === undefined ? `*end:${id}` : target
    if (!kinds.has(to)) node(to, to.startsWith('*end:') ? 'end' : 'missing')
    gaps.set(id, gap)
    const isParallel =
      step !== null && target != null && listPointers(step).filter(other => other.target === target).length > 1
    graph.setEdge(
      gap.from ?? startNode,
      to,
      {
        width: Math.max(isParallel ? parallel.distance - edgesep : 28, labelWidth(step, gap.name)),
        height: labelHeight + (isParallel ? 2 * parallel.curve : 0),
        isParallel,
        labelpos: 'c',
      },
      id,
    )
  }
  // The order of the nodes decides which branch is at the left.
  const { steps } = sortDefinition(definition)
  node(startNode, 'start')
  for (const id of Object.keys(steps)) node(id, 'step')
  edge({ from: null, name: 'start' }, definition.start, null)
  for (const [id, step] of Object.entries(steps))
    for (const { name, target } of listPointers(step)) edge({ from: id, name }, target, step)
  layout(graph)
  const size = graph.graph()
  const totalWidth = Number(size.width ?? 0)
  const toX = isMirrored(graph, steps) ? (x: number) => totalWidth - x : (x: number) => x
  return {
    width: totalWidth,
    height: Number(size.height ?? 0),
    nodes: [...kinds].map(([id, kind]) => {
      const { x, y, width, height } = graph.node(id) as Required<Point> & { width: number; height: number }
      return { id, kind, width, height, x: toX(x) - width / 2, y: y - height / 2 }
    }),
    edges: graph.edges().map(({ v, w, name }) => {
      const { points, x, y, isParallel } = graph.edge({ v, w, name: name! }) as EdgeLayout
      // Edges leave at the bottom of a node and enter at the top of the next one. The layout also uses the sides.
      const [from, to] = [graph.node(v), graph.node(w)] as Required<{ y: number; height: number }>[]
      const [first, last] = [points[0]!, points.at(-1)!]
      // Parallel edges are straight through their text and button.
      const half = labelHeight / 2
      const inner = isParallel ? [y - half, y + half].map(y => ({ x, y })) : points.slice(1, -1)
      return {
        id: name!,
        source: v,
        target: w,
        gap: gaps.get(name!)!,
        points: [{ ...first, y: from!.y + from!.height / 2 }, ...inner, { ...last, y: to!.y - to!.height / 2 }].map(
          point => ({ ...point, x: toX(point.x) }),
        ),
        label: { x: toX(x), y },
      }
    }),
  }
}

/** Returns true if more branches are drawn from right to left than from left to right. */
const isMirrored = (graph: Graph, steps: Definition['steps']): boolean => {
  const xs = new Map(graph.edges().map(({ v, w, name }) => [name, graph.edge({ v, w, name: name! }).x as number]))
  let balance = 0
  for (const [id, step] of Object.entries(steps)) {
    const pointers = listPointers(step)
    const [first, last] = [pointers[0], pointers.at(-1)]
    if (!first || !last || first === last) continue
    balance += Math.sign((xs.get(makeEdgeId(id, last.name)) ?? 0) - (xs.get(makeEdgeId(id, first.name)) ?? 0))
  }
  return balance < 0
}

/** Returns a smooth SVG path through the points, which is vertical at each of them. */
export const toSvgPath = ([first, ...rest]: Point[]): string => {
  if (!first) return ''
  let path = `M${first.x},${first.y}`
  let before = first
  for (const point of rest) {
    const middle = (before.y + point.y) / 2
    path += ` C${before.x},${middle} ${point.x},${middle} ${point.x},${point.y}`
    before = point
  }
  return path
}
