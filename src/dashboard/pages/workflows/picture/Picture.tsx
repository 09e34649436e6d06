import { ActionIcon, Menu } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import {
  BaseEdge,
  type Edge,
  EdgeLabelRenderer,
  type EdgeProps,
  Handle,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
} from '@xyflow/react'
import { createContext, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { useNumbers, useTexts } from '../../../texts/index.tsx'
import { Status, type Tone } from '../../../ui/Status.tsx'
import type { Gap } from '../definition/edit.ts'
import { type Definition, type Fault, type StepType, stepOfPlace, stepTypes } from '../definition/types.ts'
import { useTemplateName } from '../known.ts'
import { useWords } from '../words.ts'
import { type DrawnEdge, type DrawnNode, draw, pathThrough, startNode } from './graph.ts'
import styles from './picture.module.css'

/** Note shown on a step. */
export interface Mark {
  text: string
  tone: Tone
}

interface Shown {
  definition: Definition
  /** Step whose form is open, or `start`. */
  selected?: string | undefined
  open?: ((id: string) => void) | undefined
  faults?: Fault[]
  marks?: Record<string, Mark>
  /** Number of runs per edge. */
  counts?: Record<string, number>
  /** Executed steps and edges. All others are dimmed. */
  way?: { steps: ReadonlySet<string>; edges: ReadonlySet<string> } | undefined
  insert?: ((gap: Gap, type: StepType) => void) | undefined
  label: string
}

const Current = createContext<Shown | null>(null)
const useShown = () => useContext(Current)!

type StepNode = Node<{ drawn: DrawnNode }>
type GapEdge = Edge<{ drawn: DrawnEdge }>

const letterWidth = 7.2

/** Graph of the steps of a definition. Each step is a button that opens it. */
export const Picture = (shown: Shown) => (
  <Current.Provider value={shown}>
    <Canvas />
  </Current.Provider>
)

const margin = 16
/** Space at the left for the zoom buttons, so that they cover no step. */
const gutter = 48
/** Smallest automatic zoom at which the text is readable. A larger graph scrolls. */
const smallest = 0.7
/** Smallest zoom that the user can choose, to see the whole graph. */
const least = 0.3
const largest = 1.5

/**
 * Canvas of the graph's full size within a scroll container. It scrolls like a page, and a step that gets keyboard
 * focus scrolls into view.
 */
const Canvas = () => {
  const { definition, label, selected } = useShown()
  const say = useTexts()
  const words = useWords()
  const { ref, width } = useElementSize()
  const [chosen, choose] = useState<number | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts change only with the definition.
  const drawing = useMemo(
    () => draw(definition, (step, name) => words.edge(step, name).length * letterWidth + 16),
    [definition],
  )
  const nodes = useMemo(() => drawing.nodes.map(nodeOf), [drawing])
  const edges = useMemo(() => drawing.edges.map(edgeOf), [drawing])
  const whole = (width - gutter - margin) / drawing.width
  const fitting = Math.min(1, Math.max(smallest, whole))
  const zoom = chosen ?? fitting
  const isWider = drawing.width * zoom + gutter + margin > width
  // If the graph does not fit, the zoom buttons are below it.
  const edge = isWider ? margin : gutter
  const space = Math.max(width, drawing.width * zoom + edge + margin)
  const left = Math.max(edge, (space - drawing.width * zoom) / 2)
  const frame = useRef<HTMLElement | null>(null)
  const boxOf = (id: string | undefined) => {
    const node = drawing.nodes.find(node => node.id === id)
    return node && { x: left + node.x * zoom, y: margin + node.y * zoom, w: node.width * zoom, h: node.height * zoom }
  }
  const focus = boxOf(selected) ?? boxOf(startNode)
  // Scrolls to the open step, otherwise to the start.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the position depends only on these.
  useEffect(() => {
    if (isWider && frame.current && focus) frame.current.scrollLeft = focus.x + focus.w / 2 - width / 2
  }, [isWider, zoom, width, selected])
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  useEffect(() => {
    const shown = frame.current
    const box = boxOf(selected)
    if (!shown || !box || width === 0) return
    const isOut = box.y < shown.scrollTop || box.y + box.h > shown.scrollTop + shown.clientHeight
    if (isOut) shown.scrollTop = box.y + box.h / 2 - shown.clientHeight / 2
  }, [zoom, width, selected])
  const sizes = [
    { text: '+', label: say('workflows.picture.zoomIn'), to: Math.min(largest, zoom * 1.2) },
    { text: '−', label: say('workflows.picture.zoomOut'), to: Math.max(least, zoom / 1.2) },
    { text: '⤢', label: say('workflows.picture.all'), to: whole < smallest ? Math.max(least, whole) : null },
  ]
  return (
    <div className={styles.canvas} data-wider={isWider || undefined}>
      <section
        className={styles.scroll}
        aria-label={label}
        tabIndex={0}
        ref={element => {
          ref(element)
          frame.current = element
        }}
      >
        <div style={{ width: space, height: drawing.height * zoom + 3 * margin }}>
          {width > 0 && (
            <ReactFlow
              nodes={nodes}
              edges={edges}
              nodeTypes={nodeTypes}
              edgeTypes={edgeTypes}
              viewport={{ x: left, y: margin, zoom }}
              nodesDraggable={false}
              nodesConnectable={false}
              nodesFocusable={false}
              edgesFocusable={false}
              elementsSelectable={false}
              disableKeyboardA11y
              panOnDrag={false}
              panOnScroll={false}
              zoomOnScroll={false}
              zoomOnPinch={false}
              zoomOnDoubleClick={false}
              preventScrolling={false}
              minZoom={0.1}
              maxZoom={largest}
              proOptions={{ hideAttribution: true }}
            />
          )}
        </div>
      </section>
      <div className={styles.sizes} role="group" aria-label={say('workflows.picture.controls')}>
        {sizes.map(size => (
          <ActionIcon
            key={size.text}
            size={28}
            variant="default"
            aria-label={size.label}
            onClick={() => choose(size.to)}
          >
            {size.text}
          </ActionIcon>
        ))}
      </div>
    </div>
  )
}

const nodeOf = (drawn: DrawnNode): StepNode => ({
  id: drawn.id,
  type: drawn.kind,
  position: { x: drawn.x, y: drawn.y },
  width: drawn.width,
  height: drawn.height,
  measured: { width: drawn.width, height: drawn.height },
  handles: [
    { type: 'target', position: Position.Top, x: drawn.width / 2, y: 0, width: 1, height: 1 },
    { type: 'source', position: Position.Bottom, x: drawn.width / 2, y: drawn.height, width: 1, height: 1 },
  ],
  data: { drawn },
})

const edgeOf = (drawn: DrawnEdge): GapEdge => ({
  id: drawn.id,
  type: 'gap',
  source: drawn.source,
  target: drawn.target,
  data: { drawn },
})

const Ends = () => (
  <>
    <Handle type="target" position={Position.Top} className={styles.handle} />
    <Handle type="source" position={Position.Bottom} className={styles.handle} />
  </>
)

const Step = ({ id, data: { drawn } }: NodeProps<StepNode>) => {
  const { definition, selected, open, faults = [], marks = {}, way } = useShown()
  const templateName = useTemplateName()
  const { say, summary, beginning, early } = useWords(templateName)
  const isStart = drawn.kind === 'start'
  const name = isStart ? 'start' : id
  const step = definition.steps[id]
  if (!isStart && !step) return null
  const wrong = faults.find(({ place }) => stepOfPlace(place) === name)
  const mark = marks[name]
  const type = isStart ? say('workflows.step.start') : say(`workflows.step.${step!.type}`)
  const Box = open ? 'button' : 'div'
  const text = isStart ? beginning(definition) : summary(step!)
  const ends = isStart ? early(definition) : ''
  return (
    <>
      <Ends />
      <Box
        className={`${styles.step} nopan`}
        data-selected={selected === name || undefined}
        data-wrong={wrong !== undefined || undefined}
        data-way={way ? (isStart || way.steps.has(id) ? 'taken' : 'not') : undefined}
        title={wrong?.reason ?? [text, ends].filter(Boolean).join('\n')}
        style={{ height: drawn.height }}
        {...(open && { type: 'button', 'aria-pressed': selected === name, onClick: () => open(name) })}
      >
        <span className={styles.stepHead}>
          <span className={styles.stepType}>{type}</span>
          {!isStart && <code className={styles.stepId}>{id}</code>}
        </span>
        <bdi className={styles.stepText}>{text}</bdi>
        {ends && <bdi className={styles.stepText}>{ends}</bdi>}
        {(wrong || mark) && (
          <span className={styles.stepMark}>
            {wrong ? (
              <Status tone="failed">{wrong.reason}</Status>
            ) : (
              mark && <Status tone={mark.tone}>{mark.text}</Status>
            )}
          </span>
        )}
      </Box>
    </>
  )
}

const End = () => {
  const say = useTexts()
  return (
    <>
      <Ends />
      <span className={styles.end}>{say('workflows.picture.end')}</span>
    </>
  )
}

const Missing = ({ id }: NodeProps<StepNode>) => {
  const say = useTexts()
  return (
    <>
      <Ends />
      <span className={styles.missing} data-tone="failed">
        {say('workflows.fault.unknownStep', { id })}
      </span>
    </>
  )
}

const GapLine = ({ data, source }: EdgeProps<GapEdge>) => {
  const { definition, way, counts, insert } = useShown()
  const { say, edge } = useWords()
  const numbers = useNumbers()
  const { id, gap, points, label } = data!.drawn
  const text = edge(definition.steps[source] ?? null, gap.name)
  const count = counts?.[id]
  const taken = way?.edges.has(id)
  return (
    <>
      <BaseEdge path={pathThrough(points)} className={taken ? styles.edgeTaken! : styles.edge!} interactionWidth={0} />
      <EdgeLabelRenderer>
        <div
          className={`${styles.gap} nopan nodrag`}
          style={{ transform: `translate(-50%, -50%) translate(${label.x}px, ${label.y}px)` }}
        >
          {text && <bdi className={styles.edgeText}>{text}</bdi>}
          {count !== undefined && <span className={`tabular ${styles.edgeCount}`}>{numbers(count)}</span>}
          {insert && <Plus gap={gap} insert={insert} what={text || say('workflows.edge.next')} />}
        </div>
      </EdgeLabelRenderer>
    </>
  )
}

const Plus = ({ gap, insert, what }: { gap: Gap; insert: (gap: Gap, type: StepType) => void; what: string }) => {
  const say = useTexts()
  return (
    <Menu position="right-start" width={220}>
      <Menu.Target>
        <ActionIcon
          size={24}
          radius="xl"
          variant="default"
          aria-label={
            gap.from === null
              ? say('workflows.picture.addFirst')
              : say('workflows.picture.add', { step: gap.from, what })
          }
        >
          +
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {stepTypes.map(type => (
          <Menu.Item key={type} onClick={() => insert(gap, type)}>
            {say(`workflows.step.${type}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

const nodeTypes = { start: Step, step: Step, end: End, missing: Missing }
const edgeTypes = { gap: GapLine }
