import { Button, Group, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { api, type Schemas } from '../../../api/client.ts'
import { useTexts } from '../../../texts/index.tsx'
import { useDraft } from '../../../ui/draft.ts'
import { Failure } from '../../../ui/Failure.tsx'
import { Section } from '../../../ui/Panel.tsx'
import styles from './body.module.css'
import { Judgement } from './Judgement.tsx'
import { exampleOf, type Fields, parsed, written } from './text.ts'

/**
 * Form for an event body as JSON. It validates the event without recording it and, with `onRecorded`, can also record
 * it as the signed-in person. `name` identifies the draft. A component that shows different drafts must set a `key`.
 */
export const BodyForm = ({
  name,
  start,
  onRecorded,
}: {
  name: string
  start: Fields
  onRecorded?: (event: Schemas['Event']) => void
}) => {
  const say = useTexts()
  const [text, write, clear] = useDraft(`event-body/${name}`, written(start))
  const [checked, setChecked] = useState<{ text: string; answer: Schemas['CheckedEvent'] } | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [busy, setBusy] = useState<'check' | 'record' | null>(null)
  const body = parsed(text)
  const fault = 'fault' in body ? faultOf(body, say) : null

  const ask = async (what: 'check' | 'record', work: (fields: Fields) => Promise<void>) => {
    if ('fault' in body) return
    setBusy(what)
    setFailure(null)
    try {
      await work(body.fields)
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(null)
    }
  }
  const check = () =>
    ask('check', async fields => {
      const { data } = await api.POST('/v1/events/check', { body: fields })
      if (data) setChecked({ text, answer: data })
    })
  const record = () =>
    ask('record', async fields => {
      // The API validates each field, and the errors are shown below.
      const { data } = await api.POST('/v1/events', { body: fields as Schemas['RecordEvent'] })
      clear()
      if (data) onRecorded?.(data.event)
    })

  return (
    <Stack gap="sm" pt="md">
      <Textarea
        label={say('eventBody.body')}
        classNames={{ input: styles.text! }}
        autosize
        minRows={8}
        maxRows={24}
        spellCheck={false}
        autoComplete="off"
        value={text}
        error={fault}
        onChange={event => write(event.currentTarget.value)}
      />
      <Group gap="sm">
        <Button
          variant={onRecorded ? 'default' : 'filled'}
          disabled={fault !== null}
          loading={busy === 'check'}
          onClick={() => void check()}
        >
          {say('eventBody.check')}
        </Button>
        {onRecorded && (
          <Button disabled={fault !== null} loading={busy === 'record'} onClick={() => void record()}>
            {say('eventBody.record')}
          </Button>
        )}
        <Button variant="subtle" onClick={() => write(written(exampleOf()))}>
          {say('eventBody.fill')}
        </Button>
      </Group>
      {failure !== null && <Failure of={failure} />}
      {checked && failure === null && (
        <Section title={say('eventBody.verdict')}>
          <Judgement of={checked.answer} stale={checked.text !== text} />
        </Section>
      )}
    </Stack>
  )
}

const faultOf = (
  body: Exclude<ReturnType<typeof parsed>, { fields: Fields }>,
  say: ReturnType<typeof useTexts>,
): string => (body.fault === 'noJson' ? say('eventBody.noJson', { reason: body.reason }) : say('eventBody.noObject'))
