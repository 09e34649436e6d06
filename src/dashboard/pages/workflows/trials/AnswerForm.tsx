import { Button, Group, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import type { Definition } from '../definition/types.ts'
import { parseDuration } from '../duration.ts'
import { DurationField } from '../forms/fields.tsx'
import { FormContext } from '../forms/forms.ts'
import styles from '../workflows.module.css'
import { parseData } from './test-input.ts'

type Answer = NonNullable<Schemas['TryWorkflow']['answers']>[number]

/** Form for what the customer does while the run waits. */
export const AnswerForm = ({
  definition,
  since,
  busy,
  onAnswer,
}: {
  definition: Definition
  /** Start of the wait, in milliseconds from the start of the run. */
  since: number
  busy: boolean
  onAnswer: (answer: Answer) => void
}) => {
  const t = useTranslate()
  const [kind, setKind] = useState<'reply' | 'event'>('reply')
  const [text, setText] = useState('')
  const [data, setData] = useState('{}')
  const [wait, setWait] = useState('1m')
  const parsed = parseData(data)
  const after = `${Math.max(1, Math.ceil((since + (parseDuration(wait) ?? 0)) / 1000))}s`
  return (
    <FormContext.Provider
      value={{
        definition,
        readOnly: false,
        channels: [],
        templates: [],
        paths: [],
        getFault: () => undefined,
        onLeave: () => {},
      }}
    >
      <form
        className={styles.answer}
        noValidate
        onSubmit={event => {
          event.preventDefault()
          onAnswer(
            kind === 'reply' ? { after, reply: text } : { after, event: { type: text.trim(), data: parsed ?? {} } },
          )
        }}
      >
        <Stack gap="sm">
          <Text size="sm" fw={600}>
            {t('workflows.try.answer')}
          </Text>
          <SegmentedControl
            aria-label={t('workflows.try.answer')}
            size="xs"
            data={[
              { value: 'reply', label: t('workflows.form.reply') },
              { value: 'event', label: t('workflows.form.event') },
            ]}
            value={kind}
            onChange={next => setKind(next === 'event' ? 'event' : 'reply')}
          />
          <TextInput
            label={t(kind === 'reply' ? 'workflows.try.replyText' : 'workflows.form.eventType')}
            value={text}
            onChange={event => setText(event.currentTarget.value)}
          />
          {kind === 'event' && (
            <Textarea
              label={t('workflows.try.data')}
              autosize
              minRows={2}
              spellCheck={false}
              classNames={{ input: styles.code! }}
              value={data}
              error={parsed === null ? t('workflows.try.dataBroken') : undefined}
              onChange={event => setData(event.currentTarget.value)}
            />
          )}
          <DurationField name="after" label={t('workflows.try.answerAfter')} value={wait} onChange={setWait} />
          <Group>
            <Button
              type="submit"
              variant="default"
              loading={busy}
              disabled={text.trim() === '' || (kind === 'event' && parsed === null)}
            >
              {t('workflows.try.answerContinue')}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormContext.Provider>
  )
}
