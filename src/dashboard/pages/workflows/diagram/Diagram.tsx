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
import { useNumbers, useTranslate } from '../../../texts/index.tsx'
import { Status, type Tone } from '../../../ui/Status.tsx'
import type { InsertPosition } from '../definition/edit.ts'
import { type Definition, type Fault, getStepId, type StepType, stepTypes } from '../definition/types.ts'
import { useTemplateName } from '../references.ts'
import { useStepTexts } from '../useStepTexts.ts'
import styles from './diagram.module.css'
import { type DrawnEdge, type DrawnNode, layOut, startNode, toSvgPath } from './graph.ts'

/** Note shown on a step. */
export interface StepBadge {
  text: string
  tone: Tone
}

interface DiagramProps {
  definition: Definition
  /** Step whose form is open, or `start`. */
  selected?: string | undefined
  open?: ((id: string) => void) | undefined
  faults?: Fault[]
  badges?: Record<string, StepBadge>
  /** Number of runs per edge. */
  counts?: Record<string, number>
  /** Executed steps and edges. All others are dimmed. */
  path?: { steps: ReadonlySet<string>; edges: ReadonlySet<string> } | undefined
  insert?: ((gap: InsertPosition, type: StepType) => void) | undefined
  label: string
}

const DiagramContext = createContext<DiagramProps | null>(null)
const useDiagram = () => useContext(DiagramContext)!

type StepNode = Node<{ drawn: DrawnNode }>
type StepEdge = Edge<{ drawn: DrawnEdge }>

const characterWidth = 7.2

/** Graph of the steps of a definition. Each step is a button that opens it. */
export const Diagram = (viewport: DiagramProps) => (
  <DiagramContext.Provider value={viewport}>
    <Canvas />
  </DiagramContext.Provider>
)

const margin = 16
/** Space at the left for the zoom buttons, so that they cover no step. */
const gutter = 48
/** Smallest automatic zoom at which the text is readable. A larger graph scrolls. */
const minFittingZoom = 0.7
/** Smallest zoom that the user can choose, to see the whole graph. */
const minZoom = 0.3
const maxZoom = 1.5

/**
 * Canvas of the graph's full size within a scroll container. It scrolls like a page, and a step that gets keyboard
 * focus scrolls into view.
 */
const Canvas = () => {
  const { definition, label, selected } = useDiagram()
  const t = useTranslate()
  const texts = useStepTexts()
  const { ref, width } = useElementSize()
  const [selectedZoom, setSelectedZoom] = useState<number | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts change only with the definition.
  const drawing = useMemo(
    () => layOut(definition, (step, name) => texts.edgeText(step, name).length * characterWidth + 16),
    [definition],
  )
  const nodes = useMemo(() => drawing.nodes.map(toNode), [drawing])
  const edges = useMemo(() => drawing.edges.map(toEdge), [drawing])
  const widthZoom = (width - gutter - margin) / drawing.width
  const fittingZoom = Math.min(1, Math.max(minFittingZoom, widthZoom))
  const zoom = selectedZoom ?? fittingZoom
  const isOverflowing = drawing.width * zoom + gutter + margin > width
  // If the graph does not fit, the zoom buttons are below it.
  const edge = isOverflowing ? margin : gutter
  const canvasWidth = Math.max(width, drawing.width * zoom + edge + margin)
  const left = Math.max(edge, (canvasWidth - drawing.width * zoom) / 2)
  const frame = useRef<HTMLElement | null>(null)
  const findBox = (id: string | undefined) => {
    const node = drawing.nodes.find(node => node.id === id)
    return node && { x: left + node.x * zoom, y: margin + node.y * zoom, w: node.width * zoom, h: node.height * zoom }
  }
  const focus = findBox(selected) ?? findBox(startNode)
  // Scrolls to the open step, otherwise to the start.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the position depends only on these.
  useEffect(() => {
    if (isOverflowing && frame.current && focus) frame.current.scrollLeft = focus.x + focus.w / 2 - width / 2
  }, [isOverflowing, zoom, width, selected])
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  useEffect(() => {
    const viewport = frame.current
    const box = findBox(selected)
    if (!viewport || !box || width === 0) return
    const isOutsideView = box.y < viewport.scrollTop || box.y + box.h > viewport.scrollTop + viewport.clientHeight
    if (isOutsideView) viewport.scrollTop = box.y + box.h / 2 - viewport.clientHeight / 2
  }, [zoom, width, selected])
  const sizes = [
    { text: '+', label: t('workflows.diagram.zoomIn'), to: Math.min(maxZoom, zoom * 1.2) },
    { text: '−', label: t('workflows.diagram.zoomOut'), to: Math.max(minZoom, zoom / 1.2) },
    {
      text: '⤢',
      label: t('workflows.diagram.all'),
      to: widthZoom < minFittingZoom ? Math.max(minZoom, widthZoom) : null,
    },
  ]
  return (
    <div className={styles.canvas} data-wider={isOverflowing || undefined}>
      <section
        className={styles.scroll}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by the keyboard.
        tabIndex={0}
        ref={element => {
          ref(element)
          frame.current = element
        }}
      >
        <div style={{ width: canvasWidth, height: drawing.height * zoom + 3 * margin }}>
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
              maxZoom={maxZoom}
              proOptions={{ hideAttribution: true }}
            />
          )}
        </div>
      </section>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has form semantics. */}
      <div className={styles.sizes} role="group" aria-label={t('workflows.diagram.controls')}>
        {sizes.map(size => (
          <ActionIcon
            key={size.text}
            size={28}
            variant="default"
            aria-label={size.label}
            onClick={() => setSelectedZoom(size.to)}
          >
            {size.text}
          </ActionIcon>
        ))}
      </div>
    </div>
  )
}

const toNode = (drawn: DrawnNode): StepNode => ({
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

const toEdge = (drawn: DrawnEdge): StepEdge => ({
  id: drawn.id,
  type: 'gap',
  source: drawn.source,
  target: drawn.target,
  data: { drawn },
})

const ArrowMarkers = () => (
  <>
    <Handle type="target" position={Position.Top} className={styles.handle} />
    <Handle type="source" position={Position.Bottom} className={styles.handle} />
  </>
)

const Step = ({ id, data: { drawn } }: NodeProps<StepNode>) => {
  const { definition, selected, open, faults = [], badges = {}, path } = useDiagram()
  const templateName = useTemplateName()
  const { t, stepText: summary, triggerText: beginning, exitText: early } = useStepTexts(templateName)
  const isStart = drawn.kind === 'start'
  const name = isStart ? 'start' : id
  const step = definition.steps[id]
  if (!isStart && !step) return null
  const fault = faults.find(({ path: place }) => getStepId(place) === name)
  const badge = badges[name]
  const type = isStart ? t('workflows.step.start') : t(`workflows.step.${step!.type}`)
  const Box = open ? 'button' : 'div'
  const text = isStart ? beginning(definition) : summary(step!)
  const exitText = isStart ? early(definition) : ''
  return (
    <>
      <ArrowMarkers />
      <Box
        className={`${styles.step} nopan`}
        data-selected={selected === name || undefined}
        data-wrong={fault !== undefined || undefined}
        data-way={path ? (isStart || path.steps.has(id) ? 'taken' : 'not') : undefined}
        title={fault?.reason ?? [text, exitText].filter(Boolean).join('\n')}
        style={{ height: drawn.height }}
        {...(open && { type: 'button', 'aria-pressed': selected === name, onClick: () => open(name) })}
      >
        <span className={styles.stepHead}>
          <span className={styles.stepType}>{type}</span>
          {!isStart && <code className={styles.stepId}>{id}</code>}
        </span>
        <bdi className={styles.stepText}>{text}</bdi>
        {exitText && <bdi className={styles.stepText}>{exitText}</bdi>}
        {(fault || badge) && (
          <span className={styles.stepBadge}>
            {fault ? (
              <Status tone="failed">{fault.reason}</Status>
            ) : (
              badge && <Status tone={badge.tone}>{badge.text}</Status>
            )}
          </span>
        )}
      </Box>
    </>
  )
}

const End = () => {
  const t = useTranslate()
  return (
    <>
      <ArrowMarkers />
      <span className={styles.end}>{t('workflows.diagram.end')}</span>
    </>
  )
}

const Missing = ({ id }: NodeProps<StepNode>) => {
  const t = useTranslate()
  return (
    <>
      <ArrowMarkers />
      <span className={styles.missing} data-tone="failed">
        {t('workflows.fault.unknownStep', { id })}
      </span>
    </>
  )
}

const EdgeLine = ({ data, source }: EdgeProps<StepEdge>) => {
  const { definition, path, counts, insert } = useDiagram()
  const { t, edgeText: edge } = useStepTexts()
  const numbers = useNumbers()
  const { id, gap, points, label } = data!.drawn
  const text = edge(definition.steps[source] ?? null, gap.name)
  const count = counts?.[id]
  const isTaken = path?.edges.has(id)
  return (
    <>
      <BaseEdge path={toSvgPath(points)} className={isTaken ? styles.edgeTaken! : styles.edge!} interactionWidth={0} />
      <EdgeLabelRenderer>
        <div
          className={`${styles.insertPoint} nopan nodrag`}
          style={{ transform: `translate(-50%, -50%) translate(${label.x}px, ${label.y}px)` }}
        >
          {text && <bdi className={styles.edgeText}>{text}</bdi>}
          {count !== undefined && <span className={`tabular ${styles.edgeCount}`}>{numbers(count)}</span>}
          {insert && <InsertButton gap={gap} insert={insert} what={text || t('workflows.edge.next')} />}
        </div>
      </EdgeLabelRenderer>
    </>
  )
}

const InsertButton = ({
  gap,
  insert,
  what,
}: {
  gap: InsertPosition
  insert: (gap: InsertPosition, type: StepType) => void
  what: string
}) => {
  const t = useTranslate()
  return (
    <Menu position="right-start" width={220}>
      <Menu.Target>
        <ActionIcon
          size={24}
          radius="xl"
          variant="default"
          aria-label={
            gap.from === null ? t('workflows.diagram.addFirst') : t('workflows.diagram.add', { step: gap.from, what })
          }
        >
          +
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {stepTypes.map(type => (
          <Menu.Item key={type} onClick={() => insert(gap, type)}>
            {t(`workflows.step.${type}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

const nodeTypes = { start: Step, step: Step, end: End, missing: Missing }
const edgeTypes = { gap: EdgeLine }
