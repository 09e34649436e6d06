import { Button, Group, Input, Select, Skeleton, Stack, Text } from '@mantine/core'
import { lazy, Suspense, useId, useState } from 'react'
import { api, type Schemas } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { Failure } from '../../../ui/Failure.tsx'
import { useApiForm } from '../../../ui/form/useApiForm.ts'
import { Section } from '../../../ui/Panel.tsx'
import { useEventTypes } from '../useEventTypes.ts'
import styles from './body.module.css'
import { CheckResult } from './CheckResult.tsx'
import { type Fields, formatBody, makeExample, parseBody } from './text.ts'

/** Loads the editor on first use, with its library. */
const BodyEditor = lazy(() => import('./BodyEditor.tsx').then(({ BodyEditor }) => ({ default: BodyEditor })))

const noFaults = {}

interface Values extends Record<string, unknown> {
  /** Body as JSON. */
  body: string
}

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
  const [lastCheck, setLastCheck] = useState<{ text: string; result: Schemas['CheckedEvent'] } | null>(null)
  const [action, setAction] = useState<'check' | 'record'>('check')
  const check = async ({ body: text }: Values) => {
    setAction('check')
    const { data } = await api.POST('/v1/events/check', { body: fieldsOf(text) })
    if (data) setLastCheck({ text, result: data })
  }
  const record = async ({ body: text }: Values) => {
    setAction('record')
    // The API validates each field, and the errors are shown below.
    const { data } = await api.POST('/v1/events', { body: fieldsOf(text) as Schemas['RecordEvent'] })
    reset()
    if (data) onRecorded?.(data.event)
  }
  const { form, submit, submitWith, reset, busy, failure } = useApiForm<Values>({
    draft: `event-body/${name}`,
    initial: { body: formatBody(initial) },
    isKept: true,
    validate: { body: text => findFault(text, t) },
    onSubmit: onRecorded ? record : check,
  })
  const text = form.values.body
  const fault = findFault(text, t)
  const fields = fault === null ? fieldsOf(text) : null
  const type = typeof fields?.type === 'string' ? fields.type : null
  const [isTypeUsed, setIsTypeUsed] = useState(false)
  const types = new Set([...useEventTypes(isTypeUsed), ...(type ? [type] : [])])
  const isOutdated = lastCheck?.text !== text
  const id = useId()
  const setBody = (body: Fields) => form.setFieldValue('body', formatBody(body))
  const setType = (type: string) => fields && setBody({ ...fields, type })

  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="sm" pt="md">
        <Select
          label={t('eventBody.type')}
          data={[...types]}
          value={type}
          searchable
          allowDeselect={false}
          disabled={fields === null}
          onFocus={() => setIsTypeUsed(true)}
          onChange={selected => selected !== null && setType(selected)}
        />
        <Input.Wrapper
          id={id}
          labelElement="div"
          label={t('eventBody.body')}
          description={t('eventBody.bodyHint')}
          error={fault ?? form.errors.body}
        >
          <div className={styles.editor}>
            <Suspense fallback={<Skeleton height={200} />}>
              <BodyEditor
                label={t('eventBody.body')}
                describedBy={`${id}-description ${id}-error`}
                value={text}
                syntaxError={fault}
                rejected={(isOutdated ? null : lastCheck?.result.error?.details) ?? noFaults}
                onChange={next => form.setFieldValue('body', next)}
              />
            </Suspense>
          </div>
        </Input.Wrapper>
        <Group gap="sm">
          <Button
            variant={onRecorded ? 'default' : 'filled'}
            loading={busy && action === 'check'}
            disabled={busy}
            onClick={() => submitWith(check)}
          >
            {t('eventBody.check')}
          </Button>
          {onRecorded && (
            <Button type="submit" loading={busy && action === 'record'} disabled={busy}>
              {t('eventBody.record')}
            </Button>
          )}
          <Button variant="subtle" onClick={() => setBody(makeExample())}>
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
    </form>
  )
}

const findFault = (text: string, t: ReturnType<typeof useTranslate>): string | null => {
  const body = parseBody(text)
  if ('fields' in body) return null
  return body.fault === 'noJson' ? t('eventBody.invalidJson', { reason: body.reason }) : t('eventBody.notAnObject')
}

/** Returns the fields of a valid body. */
const fieldsOf = (text: string): Fields => (parseBody(text) as { fields: Fields }).fields
