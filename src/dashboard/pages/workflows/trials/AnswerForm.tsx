import { Button, Group, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { Schemas } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { Failure } from '../../../ui/Failure.tsx'
import { useApiForm } from '../../../ui/form/useApiForm.ts'
import type { Definition } from '../definition/types.ts'
import { parseDuration } from '../duration.ts'
import { DurationField } from '../forms/fields.tsx'
import { FormContext } from '../forms/forms.ts'
import styles from '../workflows.module.css'
import { parseData } from './test-input.ts'

type Answer = NonNullable<Schemas['TryWorkflow']['answers']>[number]

interface AnswerValues extends Record<string, unknown> {
  kind: 'reply' | 'event'
  /** Text of the reply, or type of the event. */
  text: string
  /** Data of the event as JSON. */
  data: string
  wait: string
}
const emptyAnswer: AnswerValues = { kind: 'reply', text: '', data: '{}', wait: '1m' }

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
  const { form, submit, failure } = useApiForm({
    draft: null,
    initial: emptyAnswer,
    validate: {
      text: value => (value.trim() === '' ? t('form.missing') : null),
      data: (value, { kind }) => (kind === 'event' && parseData(value) === null ? t('workflows.try.dataBroken') : null),
    },
    onSubmit: async ({ kind, text, data, wait }) => {
      const after = `${Math.max(1, Math.ceil((since + (parseDuration(wait) ?? 0)) / 1000))}s`
      onAnswer(
        kind === 'reply'
          ? { after, reply: text }
          : { after, event: { type: text.trim(), data: parseData(data) ?? {} } },
      )
    },
  })
  const { kind } = form.values
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
      <form className={styles.answer} noValidate onSubmit={submit}>
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
            {...form.getInputProps('kind')}
          />
          <TextInput
            label={t(kind === 'reply' ? 'workflows.try.replyText' : 'workflows.form.eventType')}
            {...form.getInputProps('text')}
          />
          {kind === 'event' && (
            <Textarea
              label={t('workflows.try.data')}
              autosize
              minRows={2}
              spellCheck={false}
              classNames={{ input: styles.code! }}
              {...form.getInputProps('data')}
            />
          )}
          <DurationField
            name="after"
            label={t('workflows.try.answerAfter')}
            value={form.values.wait}
            onChange={wait => form.setFieldValue('wait', wait)}
          />
          {failure !== null && <Failure error={failure} />}
          <Group>
            <Button type="submit" variant="default" loading={busy}>
              {t('workflows.try.answerContinue')}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormContext.Provider>
  )
}
