import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type RecordLink, recordLink } from '../../../shell/paths.ts'
import { isText, useNumbers, useTranslate } from '../../../texts/index.tsx'
import { Status } from '../../../ui/Status.tsx'
import { Time, useDuration } from '../../../ui/Time.tsx'
import { Clamp } from '../../../ui/text/Clamp.tsx'
import { tones } from '../../../ui/tones.ts'
import type { Definition } from '../definition/types.ts'
import type { StepBadge } from '../diagram/context.ts'
import { useTemplateName } from '../references.ts'
import { StepIcon } from '../steps/StepIcon.tsx'
import { useStepTexts } from '../useStepTexts.ts'
import styles from '../workflows.module.css'
import type { TraceEntry } from './executed-path.ts'
import trials from './trials.module.css'

/** Returns the texts of step outcomes. An outcome without a text, from a newer server, is shown by its API name. */
export const useOutcomeTexts = () => {
  const t = useTranslate()
  const textOrWord = (prefix: string, word: string): string => {
    const id = `workflows.${prefix}.${word}`
    return isText(id) ? t(id) : word
  }
  return {
    outcome: (word: string) => textOrWord('outcome', word),
    reason: (word: string) => textOrWord('reason', word),
    end: (word: string, detail?: string) =>
      detail ? t('workflows.end.with', { reason: textOrWord('end', word), detail }) : textOrWord('end', word),
  }
}

const readReason = (detail: unknown): string | null => {
  const reason: unknown = typeof detail === 'object' && detail !== null ? Reflect.get(detail, 'reason') : null
  return typeof reason === 'string' ? reason : null
}

/** Returns the marks on the steps of the graph: the last outcome of each. `current` is the step that the run is at. */
export const useStepBadges = () => {
  const { outcome, reason } = useOutcomeTexts()
  return (trace: readonly TraceEntry[], current: string | null): Record<string, StepBadge> =>
    Object.fromEntries(
      trace.map(entry => {
        const skipReason = entry.outcome === 'skipped' ? readReason(entry.detail) : null
        const isFinished = entry.outcome === 'waiting' && entry.stepId !== current
        return [
          entry.stepId,
          {
            text: isFinished
              ? outcome('waited')
              : skipReason
                ? `${outcome(entry.outcome)}: ${reason(skipReason)}`
                : outcome(entry.outcome),
            tone: isFinished ? 'done' : (tones.step[entry.outcome] ?? 'done'),
            isLong: skipReason !== null,
          },
        ]
      }),
    )
}

/** Returns the amount of a recorded sale. Older steps do not contain it. */
const readSale = (detail: object): { amount: number; currency: string } | null => {
  const { amount, currency } = detail as { amount?: unknown; currency?: unknown }
  return amount !== undefined && typeof currency === 'string' ? { amount: Number(amount), currency } : null
}

/** Maximum number of lines of the text of a step, before a button shows the others. */
const maxTextLines = 3
/** Details that are shown in words. */
const knownDetails: ReadonlySet<string> = new Set(['until', 'reason', 'exit', 'id'])

/** Records that the arrival of a wait names. */
const arrivalRecords: Readonly<Record<string, 'message' | 'event'>> = { reply: 'message', event: 'event' }

/** Executed steps with their content, time, outcome and reason. The start and the end of a wait are one row. */
export const StepList = ({
  trace,
  definition,
  current,
  run,
  children,
}: {
  trace: readonly TraceEntry[]
  definition: Definition | undefined
  /** Step that the run is at. */
  current: string | null
  /**
   * Recorded run, with the messages in the order of the steps that created them, if known. Undefined for a simulated run,
   * of which no records exist.
   */
  run?: { createdAt: string; messageIds: readonly string[] | undefined }
  /** Shown below the last step. */
  children?: ReactNode
}) => {
  const t = useTranslate()
  const duration = useDuration()
  const numbers = useNumbers()
  const { outcome, reason } = useOutcomeTexts()
  const { stepText } = useStepTexts(useTemplateName())
  /** Returns the page of the record that a step created or waited for. */
  const recordOf = (entry: TraceEntry, index: number): RecordLink | null => {
    if (!run) return null
    if (entry.outcome === 'queued') {
      const id = run.messageIds?.[trace.slice(0, index).filter(one => one.outcome === 'queued').length]
      return id === undefined ? null : recordLink('message', id)
    }
    const id: unknown = typeof entry.detail === 'object' && entry.detail ? Reflect.get(entry.detail, 'id') : undefined
    const type = arrivalRecords[entry.outcome]
    return type && typeof id === 'string' ? recordLink(type, id) : null
  }
  return (
    <ol className={trials.trace}>
      {trace.map((entry, index) => {
        const step = definition?.steps[entry.stepId]
        const isLast = index === trace.length - 1
        const isFinished = entry.outcome === 'waiting' && !(isLast && entry.stepId === current)
        const detail = (typeof entry.detail === 'object' && entry.detail) || {}
        const until: unknown = Reflect.get(detail, 'until')
        const skipReason = readReason(entry.detail)
        const [before, next] = [trace[index - 1], trace[index + 1]]
        if (isFinished && next?.stepId === entry.stepId) return null
        const began = before?.outcome === 'waiting' && before.stepId === entry.stepId ? before : null
        const record = recordOf(entry, index)
        const status = (
          <Status tone={isFinished ? 'done' : (tones.step[entry.outcome] ?? 'done')}>
            {isFinished ? outcome('waited') : outcome(entry.outcome)}
          </Status>
        )
        const sale = entry.outcome === 'marked' ? readSale(detail) : null
        const otherDetails = Object.entries(detail).filter(([name]) => sale === null && !knownDetails.has(name))
        // The amount of a sale and the reason of an end are in the outcome.
        const text = step && sale === null ? stepText(step) : ''
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an entry is identified by its position.
          <li key={index}>
            <span className={trials.traceHead}>
              <span className={styles.stepTitle} title={entry.stepId}>
                <StepIcon type={step?.type ?? ''} small />
                <strong>{step ? t(`workflows.step.${step.type}`) : entry.stepId}</strong>
              </span>
              <span className={trials.traceTime}>
                <Time at={entry.at} clock after={run?.createdAt ?? (index > 0 ? trace[0]?.at : undefined)} />
              </span>
            </span>
            {text !== '' && text !== skipReason && (
              <div className={trials.traceText}>
                <Clamp lines={maxTextLines}>
                  <bdi>{text}</bdi>
                </Clamp>
              </div>
            )}
            <span className={trials.traceWhat}>
              {record === null ? status : <Link {...record}>{status}</Link>}
              {skipReason && <bdi>{entry.outcome === 'skipped' ? reason(skipReason) : skipReason}</bdi>}
              {sale && <span>{numbers(sale.amount, { style: 'currency', currency: sale.currency })}</span>}
              {isFinished && next && <span>{duration(Date.parse(next.at) - Date.parse(entry.at))}</span>}
              {began && (
                <span>
                  {t('workflows.trace.after', { time: duration(Date.parse(entry.at) - Date.parse(began.at)) })}
                </span>
              )}
              {!isFinished && typeof until === 'string' && (
                <span>
                  {t('workflows.trace.until')} <Time at={until} exact />
                </span>
              )}
            </span>
            {otherDetails.length > 0 && (
              <Text size="xs" c="dimmed" component="div">
                {otherDetails.map(([name, value]) => (
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
