import { Button, Checkbox, CloseButton, Fieldset, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Failure as ApiFailure } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { ConditionField } from '../../ui/condition/ConditionField.tsx'
import type { Asked } from '../../ui/condition/condition.ts'
import { useFieldsDraft } from '../../ui/draft.ts'
import { Failure } from '../../ui/Failure.tsx'
import { type Subscribable, subscribable } from './filters.ts'
import type { EndpointValues, Headers, Pair } from './values.ts'
import styles from './webhooks.module.css'

const maxPairs = 20
const asked: Asked = { begin: { path: 'data.', op: 'eq', value: '' }, guesses: () => true }

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
  const say = useTexts()
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
      setFailure(error instanceof SyntaxError ? notJson(say('webhooks.filterNotJson')) : error)
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
          label={say('webhooks.url')}
          description={say('webhooks.urlHint')}
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
          label={say('webhooks.events')}
          description={say('webhooks.eventsHint')}
          error={faults.events}
          value={values.events}
          onChange={events => change({ events: events as Subscribable[] })}
        >
          <Stack gap="xs" mt="sm">
            {subscribable.map(type => (
              <Checkbox key={type} value={type} label={type} description={say(`webhooks.tells.${type}`)} />
            ))}
          </Stack>
        </Checkbox.Group>
        <TextInput
          label={say('webhooks.name')}
          description={say('webhooks.nameHint')}
          maxLength={100}
          error={faults.name}
          value={values.name}
          onChange={event => change({ name: event.currentTarget.value })}
        />
        <TextInput
          label={say('webhooks.description')}
          maxLength={500}
          error={faults.description}
          value={values.description}
          onChange={event => change({ description: event.currentTarget.value })}
        />
        <NumberInput
          size="sm"
          label={say('webhooks.rate')}
          description={say('webhooks.rateHint')}
          placeholder={say('webhooks.rateNone')}
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
          label={say('webhooks.concurrency')}
          description={say('webhooks.concurrencyHint')}
          placeholder={say('webhooks.rateNone')}
          min={1}
          max={500}
          allowDecimal={false}
          maw={360}
          error={faults.maxConcurrency}
          value={values.maxConcurrency}
          onChange={most => change({ maxConcurrency: typeof most === 'number' ? most : '' })}
        />
        <ConditionField
          label={say('webhooks.filter')}
          hint={say('webhooks.filterHint')}
          of={asked}
          optional
          value={values.only}
          onChange={only => change({ only })}
        />
        <Pairs
          legend={say('webhooks.headers')}
          hint={say('webhooks.headersHint')}
          secret
          of={headers}
          known={headerNames}
          onChange={setHeaders}
        />
        <Pairs
          legend={say('webhooks.metadata')}
          hint={say('webhooks.metadataHint')}
          of={values.metadata}
          onChange={metadata => change({ metadata: metadata ?? [] })}
        />
        {failure !== null && <Failure of={failure} />}
        <Group gap="sm">
          <Button type="submit" loading={busy} disabled={values.events.length === 0}>
            {action}
          </Button>
          <Button variant="default" renderRoot={(props: object) => <Link {...props} to={back} onClick={clear} />}>
            {say('confirm.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const notJson = (message: string) => new ApiFailure(400, 'invalid_request', message)

/**
 * Fields for name and value pairs. The current values of `secret` pairs are never shown: they are kept, or all
 * replaced.
 */
const Pairs = ({
  legend,
  hint,
  of,
  known = [],
  secret = false,
  onChange,
}: {
  legend: string
  hint: string
  of: Pair[] | null
  known?: string[]
  secret?: boolean
  onChange: (pairs: Pair[] | null) => void
}) => {
  const say = useTexts()
  const change = (index: number, pair: Pair) => onChange((of ?? []).map((one, at) => (at === index ? pair : one)))
  return (
    <Fieldset className={styles.fields} variant="unstyled" legend={legend}>
      <Stack gap="sm">
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
        {of === null ? (
          <Group gap="sm">
            <Text size="sm">{say('webhooks.headersKept', { names: known.join(', ') })}</Text>
            <Button variant="default" onClick={() => onChange(known.map(name => [name, '']))}>
              {say('webhooks.headersReplace')}
            </Button>
          </Group>
        ) : (
          <>
            {of.map(([name, value], index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a pair has no other id.
              <div className={styles.pair} key={index}>
                <TextInput
                  aria-label={say('webhooks.pairName', { legend, number: index + 1 })}
                  placeholder={say('webhooks.pairNameShort')}
                  required
                  maxLength={secret ? 200 : 40}
                  value={name}
                  onChange={event => change(index, [event.currentTarget.value, value])}
                />
                <TextInput
                  aria-label={say('webhooks.pairValue', { legend, number: index + 1 })}
                  placeholder={say('webhooks.pairValueShort')}
                  required={secret}
                  autoComplete="off"
                  maxLength={secret ? 4096 : 500}
                  value={value}
                  onChange={event => change(index, [name, event.currentTarget.value])}
                />
                <CloseButton
                  aria-label={say('webhooks.pairRemove', { legend, number: index + 1 })}
                  onClick={() => onChange(of.filter((_, at) => at !== index))}
                />
              </div>
            ))}
            <Group gap="sm">
              <Button variant="default" disabled={of.length >= maxPairs} onClick={() => onChange([...of, ['', '']])}>
                {say(secret ? 'webhooks.addHeader' : 'webhooks.addNote')}
              </Button>
              {known.length > 0 && (
                <Button variant="subtle" onClick={() => onChange(null)}>
                  {say('webhooks.headersKeep')}
                </Button>
              )}
            </Group>
          </>
        )}
      </Stack>
    </Fieldset>
  )
}
