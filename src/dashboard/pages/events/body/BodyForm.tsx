import { Button, Group, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { api, type Schemas } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { Failure } from '../../../ui/Failure.tsx'
import { useDraft } from '../../../ui/hooks/draft.ts'
import { Section } from '../../../ui/Panel.tsx'
import styles from './body.module.css'
import { CheckResult } from './CheckResult.tsx'
import { type Fields, formatBody, makeExample, parseBody } from './text.ts'

/**
 * Form for an event body as JSON. It validates the event without recording it and, with `onRecorded`, can also record
 * it as the signed-in person. `name` identifies the draft. A component that shows different drafts must set a `key`.
 */
export const BodyForm = ({
  name,
  initial,
  onRecorded,
}: {
  name: string
  initial: Fields
  onRecorded?: (event: Schemas['Event']) => void
}) => {
  const t = useTranslate()
  const [text, setText, clear] = useDraft(`event-body/${name}`, formatBody(initial))
  const [lastCheck, setLastCheck] = useState<{ text: string; result: Schemas['CheckedEvent'] } | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [busy, setBusy] = useState<'check' | 'record' | null>(null)
  const body = parseBody(text)
  const fault = 'fault' in body ? faultText(body, t) : null

  const submit = async (action: 'check' | 'record', send: (fields: Fields) => Promise<void>) => {
    if ('fault' in body) return
    setBusy(action)
    setFailure(null)
    try {
      await send(body.fields)
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(null)
    }
  }
  const check = () =>
    submit('check', async fields => {
      const { data } = await api.POST('/v1/events/check', { body: fields })
      if (data) setLastCheck({ text, result: data })
    })
  const record = () =>
    submit('record', async fields => {
      // The API validates each field, and the errors are shown below.
      const { data } = await api.POST('/v1/events', { body: fields as Schemas['RecordEvent'] })
      clear()
      if (data) onRecorded?.(data.event)
    })

  return (
    <Stack gap="sm" pt="md">
      <Textarea
        label={t('eventBody.body')}
        classNames={{ input: styles.text! }}
        autosize
        minRows={8}
        maxRows={24}
        spellCheck={false}
        autoComplete="off"
        value={text}
        error={fault}
        onChange={event => setText(event.currentTarget.value)}
      />
      <Group gap="sm">
        <Button variant={onRecorded ? 'default' : 'filled'} loading={busy === 'check'} onClick={() => void check()}>
          {t('eventBody.check')}
        </Button>
        {onRecorded && (
          <Button loading={busy === 'record'} onClick={() => void record()}>
            {t('eventBody.record')}
          </Button>
        )}
        <Button variant="subtle" onClick={() => setText(formatBody(makeExample()))}>
          {t('eventBody.example')}
        </Button>
      </Group>
      {failure !== null && <Failure error={failure} />}
      {lastCheck && failure === null && (
        <Section title={t('eventBody.verdict')}>
          <CheckResult
            result={lastCheck.result}
            isOutdated={lastCheck.text !== text}
            onSuggestion={type => {
              if (!('fault' in body)) setText(formatBody({ ...body.fields, type }))
            }}
          />
        </Section>
      )}
    </Stack>
  )
}

const faultText = (
  body: Exclude<ReturnType<typeof parseBody>, { fields: Fields }>,
  t: ReturnType<typeof useTranslate>,
): string =>
  body.fault === 'noJson' ? t('eventBody.invalidJson', { reason: body.reason }) : t('eventBody.notAnObject')
