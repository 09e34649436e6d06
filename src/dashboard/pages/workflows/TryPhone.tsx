import { Text } from '@mantine/core'
import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { Section } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import phone from '../phone/phone.module.css'
import { Bubble, Nothing, Screen, Writing } from '../phone/Screen.tsx'
import { msOf } from './duration.ts'
import { useOutcomes } from './Trace.tsx'

type Tried = Schemas['TriedWorkflow']
type Answer = NonNullable<Schemas['TryWorkflow']['answers']>[number]

interface Line {
  from: 'us' | 'customer'
  at: string
  text: string
  skipped: string | null
}

/** Simulated customer phone up to the clock's time: messages, replies and sales. */
export const TryPhone = ({
  tried,
  answers,
  until,
  next,
  steps,
  busy,
  onReply,
}: {
  tried: Tried
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
  const say = useTexts()
  const { reason } = useOutcomes()
  const [text, setText] = useState('')
  const by = <Row extends { at: string; stepId: string }>(rows: Row[]) =>
    rows.filter(row => (until === null || row.at <= until) && steps.includes(row.stepId))
  const began = Date.parse(tried.steps[0]?.at ?? '')
  // Our immediate answer has the same time as the customer's reply and must follow it.
  const lines: Line[] = [
    ...answers.flatMap(answer => {
      const at = new Date(began + (msOf(answer.after) ?? 0)).toISOString()
      return 'reply' in answer && (next === null || at <= next)
        ? [{ from: 'customer' as const, at, text: answer.reply, skipped: null }]
        : []
    }),
    ...by(tried.messages).map(({ at, text, skipped }) => ({ from: 'us' as const, at, text, skipped })),
  ].sort((one, other) => one.at.localeCompare(other.at))
  return (
    <Section title={say('workflows.try.reads')}>
      <section className={phone.phone} aria-label={say('phone.title')}>
        <Screen>
          {lines.length === 0 && <Nothing>{say('workflows.try.nothingRead')}</Nothing>}
          {lines.map(({ from, at, text, skipped }, index) => (
            <Bubble
              // biome-ignore lint/suspicious/noArrayIndexKey: a message is identified by its position.
              key={index}
              from={from}
              at={at}
              clock
              text={text}
              note={skipped && <Status tone="off">{say('workflows.try.notSent', { reason: reason(skipped) })}</Status>}
            />
          ))}
        </Screen>
        <Writing
          text={text}
          busy={busy}
          disabled={until === null}
          change={setText}
          send={written => {
            setText('')
            onReply(written)
          }}
        />
      </section>
      {by(tried.sales).map((sale, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a sale is identified by its position.
        <Text size="sm" key={index}>
          {say('workflows.try.sale', { amount: sale.amount, currency: sale.currency })}
        </Text>
      ))}
    </Section>
  )
}
