import { ActionIcon } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { ReactFlow } from '@xyflow/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslate } from '../../../texts/index.tsx'
import { ArrowsPointingInIcon, MinusIcon, PlusIcon } from '../../../ui/page-icons.ts'
import { useStepTexts } from '../useStepTexts.ts'
import { DiagramContext, type DiagramProps, useDiagram } from './context.ts'
import styles from './diagram.module.css'
import { edgeTypes, toEdge } from './edges.tsx'
import { compactStepWidth, countedStepWidths, layOut, startNode, startWidth, stepWidth } from './graph.ts'
import { nodeTypes, toNode } from './nodes.tsx'

const characterWidth = 7.2

/** Graph of the steps of a definition. Each step is a button that opens it. */
export const Diagram = (props: DiagramProps) => (
  <DiagramContext.Provider value={props}>
    <Canvas />
  </DiagramContext.Provider>
)

const margin = 16
/** Space at the left for the zoom buttons, so that they cover no step. */
const gutter = 48
/** Smallest automatic zoom. A larger graph scrolls. */
const minFittingZoom = 0.6
/** Smallest automatic zoom of a graph with numbers: their text has 11 pixels. Narrow steps have smaller text. */
const readableZoom = { wide: 11 / 12, narrow: 1 }
/** Zoom of a graph that scrolls, because a smaller one would not show all of it either. */
const scrollingZoom = 0.9
/** Width in pixels of a phone. The steps are narrow, so that branches fit beside each other. */
const phoneBelow = 560
/** Smallest zoom that the user can choose, to see the whole graph. */
const minZoom = 0.3
const maxZoom = 1.5

/**
 * Canvas of the graph's full size within a scroll container. It scrolls like a page, and a step that gets keyboard
 * focus scrolls into view.
 */
const Canvas = () => {
  const { definition, label, selected, insert, counts } = useDiagram()
  const isBare = !insert && !counts
  const t = useTranslate()
  const texts = useStepTexts()
  const { ref, width, height } = useElementSize()
  const [selectedZoom, setSelectedZoom] = useState<number | null>(null)
  const isPhone = width > 0 && width < phoneBelow
  // On a phone the zoom buttons are below the graph.
  const space = width - (isPhone ? 0 : gutter) - margin
  // A graph with numbers also gets narrower steps if it does not fit otherwise.
  const counted = counts !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts change only with the definition.
  const { drawing, isNarrow } = useMemo(() => {
    const draw = (widthOfStep: number) =>
      layOut(
        definition,
        (step, name) => texts.edgeText(step, name).length * characterWidth + 16,
        widthOfStep,
        !isBare,
        isPhone ? stepWidth : startWidth,
      )
    if (!counted || isPhone) return { drawing: draw(isPhone ? compactStepWidth : stepWidth), isNarrow: isPhone }
    for (const widthOfStep of countedStepWidths) {
      const drawing = draw(widthOfStep)
      const isNarrow = widthOfStep < stepWidth
      const fits = width === 0 || space / drawing.width >= readableZoom[isNarrow ? 'narrow' : 'wide']
      if (fits || widthOfStep === compactStepWidth) return { drawing, isNarrow }
    }
    throw new Error('No width of a step is left.')
  }, [definition, isPhone, isBare, counted, counted && space])
  const nodes = useMemo(() => drawing.nodes.map(node => toNode(node, drawing.edges)), [drawing])
  const edges = useMemo(() => drawing.edges.map(toEdge), [drawing])
  const widthZoom = space / drawing.width
  const smallestZoom = counted ? readableZoom[isNarrow ? 'narrow' : 'wide'] : minFittingZoom
  // The numbers of the last branches are the results, so a graph with numbers also fits into the height.
  const heightZoom = counted ? Math.max((height - 3 * margin) / drawing.height, smallestZoom) : 1
  const scrolls = widthZoom < smallestZoom
  const fittingZoom = scrolls ? Math.max(scrollingZoom, smallestZoom) : Math.min(1, widthZoom, heightZoom)
  const zoom = selectedZoom ?? fittingZoom
  const isOverflowing = isPhone || drawing.width * zoom + gutter + margin > width
  // If the graph does not fit, the zoom buttons are below it.
  const edge = isPhone ? margin / 2 : isOverflowing ? margin : gutter
  const canvasWidth = Math.max(width, drawing.width * zoom + edge + (isPhone ? edge : margin))
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
    { icon: PlusIcon, label: t('workflows.diagram.zoomIn'), to: Math.min(maxZoom, zoom * 1.2) },
    { icon: MinusIcon, label: t('workflows.diagram.zoomOut'), to: Math.max(minZoom, zoom / 1.2) },
    {
      icon: ArrowsPointingInIcon,
      label: t('workflows.diagram.all'),
      to: scrolls ? Math.max(minZoom, widthZoom) : null,
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
        {sizes.map(({ icon: Icon, label, to }) => (
          <ActionIcon key={label} size={28} variant="default" aria-label={label} onClick={() => setSelectedZoom(to)}>
            <Icon width={14} />
          </ActionIcon>
        ))}
      </div>
    </div>
  )
}
