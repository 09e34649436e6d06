import { Button, Checkbox, CloseButton, Fieldset, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Failure as ApiFailure } from '../../api/client.ts'
import { type SubscribableType, subscribableTypes } from '../../api/event-types.ts'
import { useTranslate } from '../../texts/index.tsx'
import { ConditionField } from '../../ui/condition/ConditionField.tsx'
import type { ConditionOptions } from '../../ui/condition/condition.ts'
import { Failure } from '../../ui/Failure.tsx'
import { useFieldsDraft } from '../../ui/hooks/draft.ts'
import type { EndpointValues, Headers, Pair } from './values.ts'
import styles from './webhooks.module.css'

const maxPairs = 20
const conditionOptions: ConditionOptions = { initial: { path: 'data.', op: 'eq', value: '' }, infersType: () => true }

/** Form of a new or an existing endpoint. Values are kept as a draft until they are sent, except headers. */
export const EndpointForm = ({
  draft,
  initial,
  headerNames,
  action,
  back,
  onSubmit,
}: {
  /** Name of the draft. */
  draft: string
  initial: EndpointValues
  headerNames: string[]
  action: string
  back: string
  onSubmit: (values: EndpointValues, headers: Headers) => Promise<unknown>
}) => {
  const t = useTranslate()
  const { value: values, change, clear } = useFieldsDraft(draft, initial)
  const [headers, setHeaders] = useState<Headers>(headerNames.length > 0 ? null : [])
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFailure(null)
    try {
      await onSubmit(values, headers)
      clear()
    } catch (error) {
      setFailure(error instanceof SyntaxError ? makeJsonError(t('webhooks.filterNotJson')) : error)
    } finally {
      setBusy(false)
    }
  }
  const faults = failure instanceof ApiFailure ? failure.details : {}
  return (
    <form className={styles.form} onSubmit={event => void submit(event)}>
      <Stack gap="md">
        <TextInput
          className={styles.mono}
          label={t('webhooks.url')}
          description={t('webhooks.urlHint')}
          type="url"
          required
          withAsterisk={false}
          maxLength={2048}
          autoFocus={values.url === ''}
          error={faults.url}
          value={values.url}
          onChange={event => change({ url: event.currentTarget.value })}
        />
        <Checkbox.Group
          label={t('webhooks.events')}
          description={t('webhooks.eventsHint')}
          error={faults.events}
          value={values.events}
          onChange={events => change({ events: events as SubscribableType[] })}
        >
          <Stack gap="xs" mt="sm">
            {subscribableTypes.map(type => (
              <Checkbox key={type} value={type} label={type} description={t(`webhooks.eventHint.${type}`)} />
            ))}
          </Stack>
        </Checkbox.Group>
        <TextInput
          label={t('webhooks.name')}
          description={t('webhooks.nameHint')}
          maxLength={100}
          error={faults.name}
          value={values.name}
          onChange={event => change({ name: event.currentTarget.value })}
        />
        <TextInput
          label={t('webhooks.description')}
          maxLength={500}
          error={faults.description}
          value={values.description}
          onChange={event => change({ description: event.currentTarget.value })}
        />
        <NumberInput
          size="sm"
          label={t('webhooks.rate')}
          description={t('webhooks.rateHint')}
          placeholder={t('webhooks.rateNone')}
          min={1}
          max={1000}
          allowDecimal={false}
          maw={360}
          error={faults.ratePerSecond}
          value={values.ratePerSecond}
          onChange={rate => change({ ratePerSecond: typeof rate === 'number' ? rate : '' })}
        />
        <NumberInput
          size="sm"
          label={t('webhooks.concurrency')}
          description={t('webhooks.concurrencyHint')}
          placeholder={t('webhooks.concurrencyAutomatic')}
          min={1}
          max={500}
          allowDecimal={false}
          maw={360}
          error={faults.maxConcurrency}
          value={values.maxConcurrency}
          onChange={limit => change({ maxConcurrency: typeof limit === 'number' ? limit : '' })}
        />
        <ConditionField
          label={t('webhooks.filter')}
          hint={t('webhooks.filterHint')}
          options={conditionOptions}
          optional
          value={values.only}
          onChange={only => change({ only })}
        />
        <PairsField
          legend={t('webhooks.headers')}
          hint={t('webhooks.headersHint')}
          secret
          pairs={headers}
          names={headerNames}
          onChange={setHeaders}
        />
        <PairsField
          legend={t('webhooks.metadata')}
          hint={t('webhooks.metadataHint')}
          pairs={values.metadata}
          onChange={metadata => change({ metadata: metadata ?? [] })}
        />
        {failure !== null && <Failure error={failure} />}
        <Group gap="sm">
          <Button type="submit" loading={busy} disabled={values.events.length === 0}>
            {action}
          </Button>
          <Button variant="default" renderRoot={(props: object) => <Link {...props} to={back} onClick={clear} />}>
            {t('confirm.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const makeJsonError = (message: string) => new ApiFailure(400, 'invalid_request', message)

/**
 * Fields for name and value pairs. The current values of `secret` pairs are never shown: they are kept, or all
 * replaced.
 */
const PairsField = ({
  legend,
  hint,
  pairs,
  names = [],
  secret = false,
  onChange,
}: {
  legend: string
  hint: string
  pairs: Pair[] | null
  names?: string[]
  secret?: boolean
  onChange: (pairs: Pair[] | null) => void
}) => {
  const t = useTranslate()
  const change = (index: number, pair: Pair) =>
    onChange((pairs ?? []).map((one, pairIndex) => (pairIndex === index ? pair : one)))
  return (
    <Fieldset className={styles.fields} variant="unstyled" legend={legend}>
      <Stack gap="sm">
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
        {pairs === null ? (
          <Group gap="sm">
            <Text size="sm">{t('webhooks.headersKept', { names: names.join(', ') })}</Text>
            <Button variant="default" onClick={() => onChange(names.map(name => [name, '']))}>
              {t('webhooks.headersReplace')}
            </Button>
          </Group>
        ) : (
          <>
            {pairs.map(([name, value], index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a pair has no other id.
              <div className={styles.pair} key={index}>
                <TextInput
                  aria-label={t('webhooks.pairName', { legend, number: index + 1 })}
                  placeholder={t('webhooks.pairNameShort')}
                  required
                  maxLength={secret ? 200 : 40}
                  value={name}
                  onChange={event => change(index, [event.currentTarget.value, value])}
                />
                <TextInput
                  aria-label={t('webhooks.pairValue', { legend, number: index + 1 })}
                  placeholder={t('webhooks.pairValueShort')}
                  required={secret}
                  autoComplete="off"
                  maxLength={secret ? 4096 : 500}
                  value={value}
                  onChange={event => change(index, [name, event.currentTarget.value])}
                />
                <CloseButton
                  aria-label={t('webhooks.pairRemove', { legend, number: index + 1 })}
                  onClick={() => onChange(pairs.filter((_, pairIndex) => pairIndex !== index))}
                />
              </div>
            ))}
            <Group gap="sm">
              <Button
                variant="default"
                disabled={pairs.length >= maxPairs}
                onClick={() => onChange([...pairs, ['', '']])}
              >
                {t(secret ? 'webhooks.addHeader' : 'webhooks.addNote')}
              </Button>
              {names.length > 0 && (
                <Button variant="subtle" onClick={() => onChange(null)}>
                  {t('webhooks.headersKeep')}
                </Button>
              )}
            </Group>
          </>
        )}
      </Stack>
    </Fieldset>
  )
}
