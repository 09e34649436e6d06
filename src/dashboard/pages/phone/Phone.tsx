import { Autocomplete, CloseButton, Group, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { useFresh, useUnheard } from '../../api/useLive.ts'
import { useTexts } from '../../texts/index.tsx'
import { useFieldsDraft } from '../../ui/draft.ts'
import { Failure } from '../../ui/Failure.tsx'
import { useAnew, useAnewOf } from '../inbox/queries.ts'
import styles from './phone.module.css'
import { Bubble, Nothing, Screen, Writing } from './Screen.tsx'

/** Phone number that is not in use. */
const someNumber = '+12025550123'
const numberForm = /^\+[1-9]\d{6,14}$/
const known = 20
const shown = 30
/** Statuses of messages that appear on the phone. Others have not reached the customer. */
const arrived: ReadonlySet<Schemas['Message']['status']> = new Set(['received', 'sent', 'delivered', 'read'])

/**
 * Simulated customer phone on a sandbox channel. It shows the received messages and sends replies. `corner` places it
 * over the page at the lower right. `number` is the initial phone number, and another can be chosen on the phone.
 */
export const Phone = ({
  channelId,
  number: first,
  corner = false,
  onClose,
}: {
  channelId: string
  number?: string | undefined
  corner?: boolean
  onClose?: () => void
}) => {
  const say = useTexts()
  const unheard = useUnheard()
  const latest = hooks.useQuery('get', '/v1/conversations', { params: { query: { channelId, limit: known } } })
  const numbers = [...new Set((latest.data?.data ?? []).flatMap(({ handle }) => (handle === null ? [] : [handle])))]
  const draft = useFieldsDraft('phone', { number: '', text: '' })
  const { change } = draft
  useEffect(() => {
    if (first) change({ number: first })
  }, [first, change])
  const number = draft.value.number || numbers[0] || someNumber
  const [settled] = useDebouncedValue(number.trim(), 250)
  const isNumber = numberForm.test(settled)
  const isSettled = settled === number.trim()
  const customers = hooks.useQuery(
    'get',
    '/v1/customers',
    { params: { query: { phone: settled, limit: 1 } } },
    { enabled: isNumber, refetchInterval: unheard },
  )
  const customerId = isNumber ? customers.data?.data[0]?.id : undefined
  useFresh(
    ['message', 'conversation'],
    ['/v1/customers', '/v1/conversations', '/v1/conversations/{id}/messages'],
    ({ fields }) => fields.channelId === undefined || fields.channelId === channelId,
  )
  const anew = useAnew()
  const anewOf = useAnewOf()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const write = async (text: string) => {
    setBusy(true)
    setFailure(null)
    try {
      await api.POST('/v1/channels/{id}/sandbox/messages', {
        params: { path: { id: channelId } },
        body: { from: number.trim(), type: 'text', text },
      })
      if (customerId) void anewOf(customerId)
      if (text === draft.value.text) draft.change({ text: '' })
      await anew('/v1/customers', '/v1/conversations', '/v1/conversations/{id}', '/v1/conversations/{id}/messages')
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <section
      className={styles.phone}
      data-corner={corner || undefined}
      role={corner ? 'dialog' : undefined}
      aria-label={say('phone.title')}
      onKeyDown={event => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.stopPropagation()
        onClose?.()
      }}
    >
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Text size="sm" fw={600}>
            {say('phone.title')}
          </Text>
          <Text size="xs" c="dimmed">
            {say('phone.text')}
          </Text>
        </div>
        {onClose && <CloseButton aria-label={say('phone.close')} onClick={onClose} />}
      </Group>
      <Autocomplete
        size="xs"
        aria-label={say('phone.number')}
        comboboxProps={{ withinPortal: false }}
        data={numbers}
        filter={({ options }) => options}
        value={number}
        error={!numberForm.test(number.trim()) && say('phone.numberForm')}
        onChange={chosen => draft.change({ number: chosen })}
      />
      <Screen>
        {isSettled && customerId !== undefined && <Arrived channelId={channelId} customerId={customerId} />}
        {isSettled && customerId === undefined && !customers.isPending && <Nothing>{say('phone.nothing')}</Nothing>}
      </Screen>
      {failure !== null && <Failure of={failure} />}
      <Writing
        text={draft.value.text}
        busy={busy}
        disabled={!isNumber}
        change={text => draft.change({ text })}
        send={text => void write(text)}
      />
    </section>
  )
}

const Arrived = ({ channelId, customerId }: { channelId: string; customerId: string }) => {
  const say = useTexts()
  const unheard = useUnheard()
  const conversations = hooks.useQuery(
    'get',
    '/v1/conversations',
    { params: { query: { channelId, customerId, limit: 1 } } },
    { refetchInterval: unheard },
  )
  const id = conversations.data?.data[0]?.id
  const messages = hooks.useQuery(
    'get',
    '/v1/conversations/{id}/messages',
    { params: { path: { id: id ?? '' }, query: { limit: shown } } },
    { enabled: id !== undefined, refetchInterval: unheard },
  )
  const here = messages.data?.data.filter(({ status }) => arrived.has(status)).toReversed()
  if (conversations.data && (id === undefined || here?.length === 0)) return <Nothing>{say('phone.nothing')}</Nothing>
  return here?.map(({ id, text, direction, type, createdAt }) => (
    <Bubble
      key={id}
      from={direction === 'inbound' ? 'customer' : 'us'}
      at={createdAt}
      text={text ?? say(`inbox.type.${type}`)}
    />
  ))
}
