import type { Schemas } from '../../../api/client.ts'
import { useNumbers, useTranslate } from '../../../texts/index.tsx'
import charts from '../../../ui/charts/chart-table.module.css'
import { sortDefinition } from '../definition/order.ts'
import type { Definition } from '../definition/types.ts'
import { endedAt, isSending, messageCounts, type StepStats } from './step-stats.ts'

/** The runs and the messages of each step, as a table for screen readers and for copying. */
export const FunnelTable = ({
  definition,
  steps,
  edges,
}: {
  definition: Definition
  steps: readonly StepStats[]
  edges: readonly Schemas['WorkflowStepEdge'][]
}) => {
  const t = useTranslate()
  const numbers = useNumbers()
  const stepName = (id: string): string => {
    const step = Object.hasOwn(definition.steps, id) ? definition.steps[id] : undefined
    return step ? `${t(`workflows.step.${step.type}`)} (${id})` : id
  }
  const next = ({ stepId, entered }: StepStats): string[] =>
    edges
      .filter(({ from, runs }) => from === stepId && runs > 0)
      .map(({ to, runs }) => {
        const share = numbers(runs / Math.max(entered, 1), { style: 'percent' })
        return `${to === null ? t('workflows.run.ended') : stepName(to)}: ${numbers(runs)} · ${share}`
      })
  const title = t('workflows.run.diagram')
  const order = Object.keys(sortDefinition(definition).steps)
  /** Position in the flow. The steps of other versions come last. */
  const positionOf = ({ stepId }: StepStats) => (order.includes(stepId) ? order.indexOf(stepId) : order.length)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by the keyboard.
    <section className={charts.table} aria-label={t('chart.table', { title })} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('workflows.run.step')}</th>
            <th scope="col">{t('workflows.run.entered')}</th>
            <th scope="col">{t('workflows.run.waiting')}</th>
            <th scope="col">{t('workflows.run.left')}</th>
            <th scope="col">{t('workflows.run.dropped')}</th>
            {messageCounts.map(name => (
              <th key={name} scope="col">
                {t(`workflows.run.messages.${name}`)}
              </th>
            ))}
            <th scope="col">{t('workflows.run.next')}</th>
          </tr>
        </thead>
        <tbody>
          {steps
            .toSorted((one, other) => positionOf(one) - positionOf(other))
            .map(step => (
              <tr key={step.stepId}>
                <th scope="row">{stepName(step.stepId)}</th>
                <td>{numbers(step.entered)}</td>
                <td>{numbers(step.waiting)}</td>
                <td>{numbers(step.left)}</td>
                <td>{numbers(endedAt(step))}</td>
                {messageCounts.map(name => {
                  const count = isSending(definition, step) ? step[name] : null
                  return <td key={name}>{count === null ? '–' : numbers(count)}</td>
                })}
                <td>
                  {next(step).map(text => (
                    <div key={text}>{text}</div>
                  ))}
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  )
}
