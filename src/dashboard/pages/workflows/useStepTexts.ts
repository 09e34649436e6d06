/** Short texts for the steps and edges of a definition. */
import { useCallback } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { conditionText } from '../../ui/condition/condition-text.ts'
import { useDuration } from '../../ui/Time.tsx'
import type { Definition, Step } from './definition/types.ts'
import { parseDuration } from './duration.ts'
import { useTemplateName } from './references.ts'

const maxEdgeTextLength = 28
const maxNameLength = 40
const truncate = (text: string, length: number) => (text.length > length ? `${text.slice(0, length)}…` : text)

/** Returns functions for the text on a step and on the edges that leave it. */
export const useStepTexts = (templateName: (id: string) => string | undefined = () => undefined) => {
  const t = useTranslate()
  const duration = useDuration()
  const durationText = useCallback(
    (text: unknown): string => {
      const ms = typeof text === 'string' ? parseDuration(text) : null
      return ms === null ? String(text ?? '') : duration(ms)
    },
    [duration],
  )
  const stepText = (step: Step): string => {
    switch (step.type) {
      case 'delay':
        if (step.until === undefined) return durationText(step.for)
        return t('workflows.summary.until', {
          time: step.until.time,
          days: step.until.weekdays ? step.until.weekdays.map(day => t(`workflows.day.${day}`)).join(', ') : '',
        })
      case 'condition':
        return conditionText(step.if, t)
      case 'send_message':
        return step.text
      case 'send_template':
        return templateName(step.templateId) ?? ''
      case 'wait_for':
        return t('workflows.summary.waitFor', { time: durationText(step.timeout) || '…' })
      case 'mark_sale':
        return `${step.amount} ${step.currency}`
      case 'set_attribute':
        return Object.keys(step.set ?? {}).join(', ')
      case 'exit':
        return step.reason
      default:
        return ''
    }
  }
  const edgeText = (step: Step | null, name: string): string => {
    if (step?.type === 'condition') return t(name === 'then' ? 'workflows.edge.then' : 'workflows.edge.else')
    if (step?.type !== 'wait_for') return ''
    if (name === 'onTimeout') return t('workflows.edge.timeout', { time: durationText(step.timeout) || '…' })
    const exit = step.any[Number(name.slice('any.'.length))]
    if (!exit) return ''
    if ('event' in exit) return truncate(exit.event, maxEdgeTextLength)
    const words = exit.reply?.in
    return words?.length
      ? truncate(t('workflows.edge.reply', { words: words.join(', ') }), maxEdgeTextLength)
      : t('workflows.edge.anyReply')
  }
  /** Returns the text of the trigger. */
  const triggerText = ({ trigger: { eventType, where } }: Definition): string =>
    where ? t('workflows.summary.where', { type: eventType, where: conditionText(where, t) }) : eventType
  /** Returns the text of the exit rules. Empty if there are none. */
  const exitText = ({ exitOn = [] }: Definition): string =>
    exitOn.length === 0
      ? ''
      : t('workflows.summary.early', {
          what: exitOn.map(exit => ('event' in exit ? exit.event : t('workflows.summary.optOut'))).join(', '),
        })
  return {
    t,
    stepText,
    edgeText,
    durationText,
    triggerText,
    exitText,
  }
}

/** Returns a function that names a step by its type and content, such as "Send template: Cart reminder". */
export const useStepName = (definition: Definition): ((id: string) => string) => {
  const templateName = useTemplateName()
  const { t, stepText } = useStepTexts(templateName)
  return id => {
    if (id === 'start') return t('workflows.step.start')
    const step = definition.steps[id]
    if (!step) return id
    const text = truncate(stepText(step), maxNameLength)
    return text ? `${t(`workflows.step.${step.type}`)} · ${text}` : t(`workflows.step.${step.type}`)
  }
}
