import { Button, Group, Input, Select, Skeleton, Stack, Text } from '@mantine/core'
import { lazy, Suspense, useId, useState } from 'react'
import { api, type Schemas } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { Failure } from '../../../ui/Failure.tsx'
import { useDraft } from '../../../ui/hooks/draft.ts'
import { Section } from '../../../ui/Panel.tsx'
import { useEventTypes } from '../useEventTypes.ts'
import styles from './body.module.css'
import { CheckResult } from './CheckResult.tsx'
import { type Fields, formatBody, makeExample, parseBody } from './text.ts'

/** Loads the editor on first use, with its library. */
const BodyEditor = lazy(() => import('./BodyEditor.tsx').then(({ BodyEditor }) => ({ default: BodyEditor })))

const noFaults = {}

/**
 * Form for an event body as JSON, with a choice of its type. It validates the event without recording it and, with
 * `onRecorded`, can also record it as the signed-in person. `name` identifies the draft. A component that shows
 * different drafts must set a `key`.
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
  const type = 'fields' in body && typeof body.fields.type === 'string' ? body.fields.type : null
  const [isTypeUsed, setIsTypeUsed] = useState(false)
  const types = new Set([...useEventTypes(isTypeUsed), ...(type ? [type] : [])])
  const isOutdated = lastCheck?.text !== text
  const id = useId()

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
  const setType = (type: string) => {
    if ('fields' in body) setText(formatBody({ ...body.fields, type }))
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
      <Select
        label={t('eventBody.type')}
        data={[...types]}
        value={type}
        searchable
        allowDeselect={false}
        disabled={!('fields' in body)}
        onFocus={() => setIsTypeUsed(true)}
        onChange={selected => selected !== null && setType(selected)}
      />
      <Input.Wrapper
        id={id}
        labelElement="div"
        label={t('eventBody.body')}
        description={t('eventBody.bodyHint')}
        error={fault}
      >
        <div className={styles.editor}>
          <Suspense fallback={<Skeleton height={200} />}>
            <BodyEditor
              label={t('eventBody.body')}
              describedBy={`${id}-description ${id}-error`}
              value={text}
              syntaxError={fault}
              rejected={(isOutdated ? null : lastCheck?.result.error?.details) ?? noFaults}
              onChange={setText}
            />
          </Suspense>
        </div>
      </Input.Wrapper>
      <Group gap="sm">
        <Button
          variant={onRecorded ? 'default' : 'filled'}
          loading={busy === 'check'}
          disabled={busy !== null}
          onClick={() => void check()}
        >
          {t('eventBody.check')}
        </Button>
        {onRecorded && (
          <Button loading={busy === 'record'} disabled={busy !== null} onClick={() => void record()}>
            {t('eventBody.record')}
          </Button>
        )}
        <Button variant="subtle" onClick={() => setText(formatBody(makeExample()))}>
          {t('eventBody.example')}
        </Button>
      </Group>
      {failure !== null && <Failure error={failure} />}
      {failure === null && (
        <Section title={t('eventBody.verdict')}>
          <div className={styles.result}>
            {lastCheck ? (
              <CheckResult result={lastCheck.result} isOutdated={isOutdated} onSuggestion={setType} />
            ) : (
              <Text size="sm" c="dimmed">
                {t('eventBody.noResult')}
              </Text>
            )}
          </div>
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
