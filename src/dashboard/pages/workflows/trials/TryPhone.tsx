import { Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { Section } from '../../../ui/Panel.tsx'
import { Status } from '../../../ui/Status.tsx'
import phone from '../../phone/phone.module.css'
import { Bubble, EmptyScreen, MessageInput, Screen } from '../../phone/Screen.tsx'
import { parseDuration } from '../duration.ts'
import { useOutcomeTexts } from './StepList.tsx'

type DryRun = Schemas['TriedWorkflow']
type Answer = NonNullable<Schemas['TryWorkflow']['answers']>[number]

interface PhoneLine {
  from: 'us' | 'customer'
  at: string
  text: string
  skipped: string | null
}

/** Simulated customer phone up to the clock's time: messages, replies and sales. */
export const TryPhone = ({
  dryRun,
  answers,
  until,
  next,
  steps,
  busy,
  onReply,
}: {
  dryRun: DryRun
  answers: Answer[]
  /** Time of the clock. null at the end. */
  until: string | null
  /** Time of the next step. null at the end. */
  next: string | null
  /** Steps executed up to that time. */
  steps: string[]
  busy: boolean
  onReply: (text: string) => void
}) => {
  const t = useTranslate()
  const { reason } = useOutcomeTexts()
  const [text, setText] = useState('')
  const lastAnswer = answers.at(-1)
  // A reply stays in the field until the dry run has it, so that a failed request does not lose it.
  useEffect(() => {
    if (lastAnswer && 'reply' in lastAnswer) setText(before => (before === lastAnswer.reply ? '' : before))
  }, [lastAnswer])
  const bySteps = <Row extends { at: string; stepId: string }>(rows: Row[]) =>
    rows.filter(row => (until === null || row.at <= until) && steps.includes(row.stepId))
  const startedAt = Date.parse(dryRun.steps[0]?.at ?? '')
  // Our immediate answer has the same time as the customer's reply and must follow it.
  const lines: PhoneLine[] = [
    ...answers.flatMap(answer => {
      const at = new Date(startedAt + (parseDuration(answer.after) ?? 0)).toISOString()
      return 'reply' in answer && (next === null || at <= next)
        ? [{ from: 'customer' as const, at, text: answer.reply, skipped: null }]
        : []
    }),
    ...bySteps(dryRun.messages).map(({ at, text, skipped }) => ({ from: 'us' as const, at, text, skipped })),
  ].sort((one, other) => one.at.localeCompare(other.at))
  return (
    <Section title={t('workflows.try.customerView')}>
      <section className={phone.phone} aria-label={t('phone.title')}>
        <Screen>
          {lines.length === 0 && <EmptyScreen>{t('workflows.try.customerViewEmpty')}</EmptyScreen>}
          {lines.map(({ from, at, text, skipped }, index) => (
            <Bubble
              // biome-ignore lint/suspicious/noArrayIndexKey: a message is identified by its position.
              key={index}
              from={from}
              at={at}
              clock
              text={text}
              note={skipped && <Status tone="off">{t('workflows.try.skipped', { reason: reason(skipped) })}</Status>}
            />
          ))}
        </Screen>
        <MessageInput
          text={text}
          busy={busy}
          disabled={until === null}
          change={setText}
          send={() => onReply(text)}
          stop={() => onReply('STOP')}
        />
      </section>
      {bySteps(dryRun.sales).map((sale, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a sale is identified by its position.
        <Text size="sm" key={index}>
          {t('workflows.try.sale', { amount: sale.amount, currency: sale.currency })}
        </Text>
      ))}
    </Section>
  )
}
