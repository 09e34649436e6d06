/** Edges of a diagram, and their labels: the text, the number of runs and the button that adds a step. */
import { ActionIcon, Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { BaseEdge, type Edge, type EdgeProps } from '@xyflow/react'
import { useTranslate } from '../../../texts/index.tsx'
import { PlusIcon } from '../../../ui/page-icons.ts'
import type { InsertPosition } from '../definition/edit.ts'
import { type StepType, stepTypes } from '../definition/types.ts'
import { StepIcon } from '../steps/StepIcon.tsx'
import { useStepName, useStepTexts } from '../useStepTexts.ts'
import { useDiagram } from './context.ts'
import styles from './diagram.module.css'
import { type DrawnEdge, type DrawnNode, toSvgPath } from './graph.ts'

export type StepEdge = Edge<{ drawn: DrawnEdge }>

export const toEdge = (drawn: DrawnEdge): StepEdge => ({
  id: drawn.id,
  type: 'gap',
  source: drawn.source,
  target: drawn.target,
  data: { drawn },
})

/** Width of the line of an edge in pixels, by its share of the runs. */
const [thinnest, thickest] = [2, 14]

const EdgeLine = ({ data }: EdgeProps<StepEdge>) => {
  const { path, shares } = useDiagram()
  const { id, points } = data!.drawn
  const isTaken = path?.edges.has(id)
  const share = shares?.[id]
  return (
    <BaseEdge
      path={toSvgPath(points)}
      className={share ? styles.edgeShare! : isTaken ? styles.edgeTaken! : styles.edge!}
      {...(share && { style: { strokeWidth: thinnest + share * (thickest - thinnest) } })}
      interactionWidth={0}
    />
  )
}

/** Label of an edge. It is inside of the node that the edge leaves, so that Tab follows the drawing. */
export const EdgeLabel = ({ edge: { id, gap, label }, from }: { edge: DrawnEdge; from: DrawnNode }) => {
  const { definition, counts, insert } = useDiagram()
  const { t, edgeText } = useStepTexts()
  const text = edgeText(definition.steps[from.id] ?? null, gap.name)
  const count = counts?.[id]
  return (
    <div
      className={`${styles.insertPoint} nopan nodrag`}
      style={{ transform: `translate(-50%, -50%) translate(${label.x - from.x}px, ${label.y - from.y}px)` }}
    >
      {text && <bdi className={styles.edgeText}>{text}</bdi>}
      {count !== undefined && <span className={`tabular ${styles.edgeCount}`}>{count}</span>}
      {insert && <InsertButton gap={gap} insert={insert} what={text || t('workflows.edge.next')} />}
    </div>
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
  const stepName = useStepName(useDiagram().definition)
  // On a phone the menu has no room to the right of the button.
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  return (
    <Menu position={isNarrow ? 'bottom' : 'right-start'} width={300}>
      <Menu.Target>
        <ActionIcon
          size={24}
          radius="xl"
          variant="default"
          aria-label={
            gap.from === null
              ? t('workflows.diagram.addFirst')
              : t('workflows.diagram.add', { step: stepName(gap.from), what })
          }
        >
          <PlusIcon width={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {stepTypes.map(type => (
          <Menu.Item
            key={type}
            classNames={{ itemSection: styles.pickerIcon! }}
            leftSection={<StepIcon type={type} small />}
            onClick={() => insert(gap, type)}
          >
            {t(`workflows.step.${type}`)}
            <span className={styles.pickerText}>{t(`workflows.stepText.${type}`)}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

export const edgeTypes = { gap: EdgeLine }
