/** Nodes of a diagram: steps, ends, and references to missing steps. */
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { useTranslate } from '../../../texts/index.tsx'
import { Status } from '../../../ui/Status.tsx'
import { getStepId } from '../definition/types.ts'
import { useTemplateName } from '../references.ts'
import { StepIcon } from '../steps/StepIcon.tsx'
import { useStepTexts } from '../useStepTexts.ts'
import { type StepBadge, useDiagram } from './context.ts'
import styles from './diagram.module.css'
import { EdgeLabel } from './edges.tsx'
import { type DrawnEdge, type DrawnNode, stepWidth } from './graph.ts'

export type StepNode = Node<{ drawn: DrawnNode; leaving: DrawnEdge[] }>

export const toNode = (drawn: DrawnNode, edges: readonly DrawnEdge[]): StepNode => ({
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
  data: { drawn, leaving: edges.filter(({ source }) => source === drawn.id) },
})

const ArrowMarkers = () => (
  <>
    <Handle type="target" position={Position.Top} className={styles.handle} />
    <Handle type="source" position={Position.Bottom} className={styles.handle} />
  </>
)

const Step = ({ id, data: { drawn, leaving } }: NodeProps<StepNode>) => {
  const { definition, selected, open, faults = [], badges = {}, results = {}, path } = useDiagram()
  const templateName = useTemplateName()
  const { t, stepText, triggerText, exitText } = useStepTexts(templateName)
  const isStart = drawn.kind === 'start'
  const name = isStart ? 'start' : id
  const step = definition.steps[id]
  if (!isStart && !step) return null
  const type = isStart ? 'start' : step!.type
  const fault = faults.find(({ path: place }) => getStepId(place) === name)
  const badge: StepBadge | undefined = fault ? { tone: 'failed', text: fault.reason } : badges[name]
  const text = isStart ? triggerText(definition) : stepText(step!)
  const exits = isStart ? exitText(definition) : ''
  const result = results[name]
  const isCompact = drawn.width < stepWidth
  // A badge outside of the step would cover the edges.
  const isInText = badge !== undefined && fault === undefined && result === undefined
  const hasThreeLines = isInText && !badge.isLong && text !== ''
  const hasTextBesideType = (result !== undefined || (isInText && !hasThreeLines)) && !isStart
  const Box = open ? 'button' : 'div'
  return (
    <>
      <ArrowMarkers />
      <Box
        className={`${styles.step} nopan`}
        data-selected={selected === name || undefined}
        data-wrong={fault !== undefined || undefined}
        data-compact={isCompact || undefined}
        data-three-lines={hasThreeLines || undefined}
        data-way={path ? (isStart || path.steps.has(id) ? 'taken' : 'not') : undefined}
        title={fault?.reason ?? [text, exits, result, badge?.text, badge?.hint].filter(Boolean).join('\n')}
        style={{ height: drawn.height, width: drawn.width }}
        {...(open && { type: 'button', 'aria-pressed': selected === name, onClick: () => open(name) })}
      >
        <StepIcon type={type} small={isCompact} />
        <span className={styles.stepBody}>
          <span className={styles.stepType}>
            {hasTextBesideType && isCompact && text ? (
              // The icon says the type.
              <bdi>{text}</bdi>
            ) : (
              <>
                {t(`workflows.step.${type}`)}{' '}
                {hasTextBesideType && !isCompact && <bdi className={styles.stepHint}>{text}</bdi>}
              </>
            )}
          </span>
          {hasThreeLines && <bdi className={styles.stepText}>{text}</bdi>}
          {isInText ? (
            <span className={styles.stepCount}>
              <Status tone={badge.tone}>{badge.text}</Status>
            </span>
          ) : result === undefined ? (
            <bdi className={styles.stepText}>{text}</bdi>
          ) : (
            <span className={styles.stepResult}>{result}</span>
          )}
          {exits && <bdi className={styles.stepText}>{exits}</bdi>}
        </span>
        {badge && !isInText && (
          <span className={styles.stepBadge}>
            <Status tone={badge.tone}>{badge.text}</Status>
          </span>
        )}
      </Box>
      {leaving.map(edge => (
        <EdgeLabel key={edge.id} edge={edge} from={drawn} />
      ))}
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

export const nodeTypes = { start: Step, step: Step, end: End, missing: Missing }
