/** Short texts for the steps and edges of a definition. */
import { useCallback } from 'react'
import { useTexts } from '../../texts/index.tsx'
import { conditionText } from '../../ui/condition/words.ts'
import { useDuration } from '../../ui/Time.tsx'
import type { Definition, Step } from './definition/types.ts'
import { msOf } from './duration.ts'

const shortest = 28
const cut = (text: string, length: number) => (text.length > length ? `${text.slice(0, length)}…` : text)

/** Returns functions for the text on a step and on the edges that leave it. */
export const useWords = (templateName: (id: string) => string | undefined = () => undefined) => {
  const say = useTexts()
  const duration = useDuration()
  const long = useCallback(
    (text: unknown): string => {
      const ms = typeof text === 'string' ? msOf(text) : null
      return ms === null ? String(text ?? '') : duration(ms)
    },
    [duration],
  )
  const summary = (step: Step): string => {
    switch (step.type) {
      case 'delay':
        if (step.until === undefined) return long(step.for)
        return say('workflows.sum.until', {
          time: step.until.time,
          days: step.until.weekdays ? step.until.weekdays.map(day => say(`workflows.day.${day}`)).join(', ') : '',
        })
      case 'condition':
        return conditionText(step.if, say)
      case 'send_message':
        return step.text
      case 'send_template':
        return templateName(step.templateId) ?? ''
      case 'wait_for':
        return say('workflows.sum.waitFor', { time: long(step.timeout) })
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
  const edge = (step: Step | null, name: string): string => {
    if (step?.type === 'condition') return say(name === 'then' ? 'workflows.edge.then' : 'workflows.edge.else')
    if (step?.type !== 'wait_for') return ''
    if (name === 'onTimeout') return say('workflows.edge.timeout', { time: long(step.timeout) })
    const exit = step.any[Number(name.slice('any.'.length))]
    if (!exit) return ''
    if ('event' in exit) return cut(exit.event, shortest)
    const words = exit.reply?.in
    return words?.length
      ? cut(say('workflows.edge.reply', { words: words.join(', ') }), shortest)
      : say('workflows.edge.anyReply')
  }
  /** Returns the text of the trigger. */
  const beginning = ({ trigger: { eventType, where } }: Definition): string =>
    where ? say('workflows.sum.where', { type: eventType, where: conditionText(where, say) }) : eventType
  /** Returns the text of the exit rules. Empty if there are none. */
  const early = ({ exitOn = [] }: Definition): string =>
    exitOn.length === 0
      ? ''
      : say('workflows.sum.early', {
          what: exitOn.map(exit => ('event' in exit ? exit.event : say('workflows.sum.optOut'))).join(', '),
        })
  return { say, summary, edge, long, beginning, early }
}
