import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { isText, useTexts } from '../../texts/index.tsx'
import { Status, type Tone } from '../../ui/Status.tsx'
import { Time, useDuration } from '../../ui/Time.tsx'
import type { Definition } from './definition/types.ts'
import type { Mark } from './picture/Picture.tsx'
import type { Taken } from './way.ts'
import styles from './workflows.module.css'

const tones: Partial<Record<string, Tone>> = { waiting: 'moving', skipped: 'off', failed: 'failed', timeout: 'off' }

/** Returns the texts of step outcomes. An outcome without a text, from a newer server, is shown by its API name. */
export const useOutcomes = () => {
  const say = useTexts()
  const known = (prefix: string, word: string): string => {
    const id = `workflows.${prefix}.${word}`
    return isText(id) ? say(id) : word
  }
  return {
    outcome: (word: string) => known('outcome', word),
    reason: (word: string) => known('reason', word),
    end: (word: string) => known('end', word),
  }
}

const reasonIn = (detail: unknown): string | null => {
  const reason: unknown = typeof detail === 'object' && detail !== null ? Reflect.get(detail, 'reason') : null
  return typeof reason === 'string' ? reason : null
}

/** Returns the marks on the steps of the graph: the last outcome of each. `current` is the step that the run is at. */
export const useMarks = () => {
  const { outcome, reason } = useOutcomes()
  return (trace: readonly Taken[], current: string | null): Record<string, Mark> =>
    Object.fromEntries(
      trace.map(entry => {
        const why = entry.outcome === 'skipped' ? reasonIn(entry.detail) : null
        const isOver = entry.outcome === 'waiting' && entry.stepId !== current
        return [
          entry.stepId,
          {
            text: isOver
              ? outcome('waited')
              : why
                ? `${outcome(entry.outcome)}: ${reason(why)}`
                : outcome(entry.outcome),
            tone: isOver ? 'done' : (tones[entry.outcome] ?? 'done'),
          },
        ]
      }),
    )
}

/** Executed steps with time, outcome and reason. */
export const Trace = ({
  trace,
  definition,
  current,
  children,
}: {
  trace: readonly Taken[]
  definition: Definition | undefined
  /** Step that the run is at. */
  current: string | null
  /** Shown below the last step. */
  children?: ReactNode
}) => {
  const say = useTexts()
  const duration = useDuration()
  const { outcome, reason } = useOutcomes()
  return (
    <ol className={styles.trace}>
      {trace.map((entry, index) => {
        const type = definition?.steps[entry.stepId]?.type
        const isLast = index === trace.length - 1
        const isOver = entry.outcome === 'waiting' && !(isLast && entry.stepId === current)
        const detail = (typeof entry.detail === 'object' && entry.detail) || {}
        const until: unknown = Reflect.get(detail, 'until')
        const why = reasonIn(entry.detail)
        const next = trace[index + 1]
        const more = Object.entries(detail).filter(([name]) => !['until', 'reason', 'exit', 'id'].includes(name))
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an entry is identified by its position.
          <li key={index}>
            <span className={styles.traceHead}>
              <strong>{type ? say(`workflows.step.${type}`) : entry.stepId}</strong>
              <code>{entry.stepId}</code>
              <span className={styles.traceTime}>
                <Time at={entry.at} exact />
              </span>
            </span>
            <span className={styles.traceWhat}>
              <Status tone={isOver ? 'done' : (tones[entry.outcome] ?? 'done')}>
                {isOver ? outcome('waited') : outcome(entry.outcome)}
              </Status>
              {why && <bdi>{entry.outcome === 'skipped' ? reason(why) : why}</bdi>}
              {isOver && next && <span>{duration(Date.parse(next.at) - Date.parse(entry.at))}</span>}
              {!isOver && typeof until === 'string' && (
                <span>
                  {say('workflows.trace.until')} <Time at={until} exact />
                </span>
              )}
            </span>
            {more.length > 0 && (
              <Text size="xs" c="dimmed" component="div">
                {more.map(([name, value]) => (
                  <div key={name}>
                    {name}: <bdi>{typeof value === 'string' ? value : JSON.stringify(value)}</bdi>
                  </div>
                ))}
              </Text>
            )}
          </li>
        )
      })}
      {children && <li>{children}</li>}
    </ol>
  )
}
