import { Button, Checkbox, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Failure as ApiFailure } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { ConditionField, toCondition } from '../../../ui/condition/ConditionField.tsx'
import type { ConditionOptions } from '../../../ui/condition/condition.ts'
import { Failure } from '../../../ui/Failure.tsx'
import { ConflictNotice } from '../../../ui/form/ConflictNotice.tsx'
import formUi from '../../../ui/form/form.module.css'
import { type EditedRecord, useApiForm } from '../../../ui/form/useApiForm.ts'
import ui from '../../../ui/ui.module.css'
import styles from '../webhooks.module.css'
import { EventPicker } from './EventPicker.tsx'
import formStyles from './form.module.css'
import { missingInPairs, PairsField } from './PairsField.tsx'
import type { EndpointValues, Headers } from './values.ts'

const conditionOptions: ConditionOptions = { initial: { path: 'data.', op: 'eq', value: '' }, infersType: () => true }
const isHttpUrl = (url: string): boolean => /^https?:\/\/\S+$/.test(url.trim())

/** Form of a new or an existing endpoint. Values are kept as a draft until they are sent, except headers. */
export const EndpointForm = ({
  draft,
  initial,
  record,
  headerNames,
  action,
  back,
  onSubmit,
}: {
  /** Name of the draft. */
  draft: string
  initial: EndpointValues
  /** Endpoint that the form changes. */
  record?: EditedRecord
  headerNames: string[]
  action: string
  /** Page that the button returns to. */
  back: { to: '/webhooks' } | { to: '/webhooks/$id/settings'; params: { id: string } }
  onSubmit: (values: EndpointValues, headers: Headers) => Promise<unknown>
}) => {
  const t = useTranslate()
  const [headers, setHeaders] = useState<Headers>(null)
  const [headersError, setHeadersError] = useState<string>()
  const pairsError = (missing: 'name' | 'value' | null) =>
    missing === null ? undefined : t(`webhooks.pairMissing.${missing}`)
  const { form, submit, reset, busy, failure, conflict } = useApiForm<EndpointValues>({
    draft,
    initial,
    record,
    validate: {
      url: url => (isHttpUrl(url) ? null : t('webhooks.urlMissing')),
      events: events => (events.length > 0 ? null : t('webhooks.eventsMissing')),
      only: only => (isConditionReadable(only) ? null : t('webhooks.filterNotJson')),
      metadata: pairs => pairsError(missingInPairs(pairs, false)) ?? null,
    },
    onSubmit: async values => {
      try {
        await onSubmit(values, headers)
      } catch (error) {
        const text = error instanceof ApiFailure ? error.details.headers : undefined
        setHeadersError(text)
        throw error
      }
    },
  })
  const discard = () => {
    reset()
    setHeaders(null)
    setHeadersError(undefined)
  }
  const onFormSubmit = (event: FormEvent<HTMLFormElement>) => {
    const error = pairsError(missingInPairs(headers, true))
    setHeadersError(error)
    if (error === undefined) return submit(event)
    event.preventDefault()
    form.validate()
  }
  const isNew = initial.url === ''
  const optional = (label: string) => `${label} (${t('team.optional')})`
  const { events, only, metadata } = form.values
  const errorOf = (field: keyof EndpointValues): string | undefined => {
    const error = form.errors[field]
    return typeof error === 'string' ? error : undefined
  }
  return (
    <form className={`${styles.form} ${ui.card}`} onSubmit={onFormSubmit} noValidate>
      <Stack gap="lg">
        <TextInput
          className={styles.mono}
          label={t('webhooks.url')}
          description={t('webhooks.urlHint')}
          placeholder="https://shop.example.com/webhooks"
          type="url"
          maxLength={2048}
          autoFocus={isNew}
          {...form.getInputProps('url')}
        />
        <TextInput
          label={optional(t('webhooks.name'))}
          description={t('webhooks.nameHint')}
          maxLength={100}
          {...form.getInputProps('name')}
        />
        <TextInput label={optional(t('webhooks.description'))} maxLength={500} {...form.getInputProps('description')} />
        <EventPicker
          value={events}
          error={errorOf('events')}
          onChange={types => {
            form.setFieldValue('events', types)
            form.clearFieldError('events')
          }}
        />
        <div className={formStyles.columns}>
          <NumberInput
            label={t('webhooks.rate')}
            description={t('webhooks.rateHint')}
            placeholder={t('webhooks.rateNone')}
            min={1}
            max={1000}
            allowDecimal={false}
            {...form.getInputProps('ratePerSecond')}
          />
          <NumberInput
            label={t('webhooks.concurrency')}
            description={t('webhooks.concurrencyHint')}
            placeholder={t('webhooks.concurrencyAutomatic')}
            min={1}
            max={500}
            allowDecimal={false}
            {...form.getInputProps('maxConcurrency')}
          />
        </div>
        <div>
          <ConditionField
            label={t('webhooks.filter')}
            hint={t('webhooks.filterHint')}
            options={conditionOptions}
            optional
            value={only}
            onChange={value => form.setFieldValue('only', value)}
          />
          {errorOf('only') !== undefined && (
            <Text size="xs" className={formStyles.fieldError!} data-tone="failed" role="alert">
              {errorOf('only')}
            </Text>
          )}
        </div>
        <PairsField
          legend={t('webhooks.headers')}
          hint={t('webhooks.headersHint')}
          secret
          pairs={headers ?? (headerNames.length > 0 ? null : [])}
          names={headerNames}
          error={headersError}
          onChange={setHeaders}
        />
        <PairsField
          legend={t('webhooks.metadata')}
          hint={t('webhooks.metadataHint')}
          pairs={metadata}
          error={errorOf('metadata')}
          onChange={pairs => form.setFieldValue('metadata', pairs ?? [])}
        />
        {isNew && (
          <Checkbox
            label={t('webhooks.createDisabled')}
            description={t('webhooks.createDisabledHint')}
            {...form.getInputProps('disabled', { type: 'checkbox' })}
          />
        )}
        {conflict !== undefined && <ConflictNotice key={conflict} onDiscard={discard} />}
        {failure !== null && <Failure error={failure} />}
        <Group gap="sm" className={formUi.formActions}>
          <Button type="submit" loading={busy}>
            {action}
          </Button>
          <Button variant="default" renderRoot={(props: object) => <Link {...props} {...back} onClick={reset} />}>
            {t('confirm.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const isConditionReadable = (only: EndpointValues['only']): boolean => {
  try {
    toCondition(only)
    return true
  } catch {
    return false
  }
}
