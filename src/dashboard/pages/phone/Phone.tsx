import { Autocomplete, CloseButton, Group, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { useInvalidate } from '../../api/useInvalidate.ts'
import { useLiveRefresh, usePollInterval } from '../../api/useLive.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { useInvalidateCustomer } from '../inbox/queries.ts'
import styles from './phone.module.css'
import { Bubble, EmptyScreen, MessageInput, Screen } from './Screen.tsx'

/** Phone number that is not in use. */
const exampleNumber = '+12025550123'
const numberPattern = /^\+[1-9]\d{6,14}$/
const maxConversations = 20
const maxMessages = 30
/** Statuses of messages that appear on the phone. Others have not reached the customer. */
const visibleStatuses: ReadonlySet<Schemas['Message']['status']> = new Set(['received', 'sent', 'delivered', 'read'])

/**
 * Simulated customer phone on a sandbox channel. It shows the received messages and sends replies. `number` is the
 * initial phone number, and another can be chosen on the phone.
 */
export const Phone = ({
  channelId,
  number: initialNumber,
  onClose,
}: {
  channelId: string
  number?: string | undefined
  onClose: () => void
}) => {
  const t = useTranslate()
  const pollInterval = usePollInterval()
  const latest = hooks.useQuery('get', '/v1/conversations', {
    params: { query: { channelId, limit: maxConversations } },
  })
  const numbers = [...new Set((latest.data?.data ?? []).flatMap(({ handle }) => (handle === null ? [] : [handle])))]
  const { form, submit, submitWith, busy, failure } = useApiForm({
    draft: 'phone',
    initial: { number: '', text: '' },
    isKept: true,
    onSubmit: ({ text }) => sendMessage(text),
  })
  const phone = useRef<HTMLElement>(null)
  // The phone itself has the focus, not its field, so that the keys of the inbox work.
  useEffect(() => phone.current?.focus({ preventScroll: true }), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a number that the person enters later is kept.
  useEffect(() => {
    if (initialNumber) form.setFieldValue('number', initialNumber)
  }, [initialNumber])
  const number = form.values.number || numbers[0] || exampleNumber
  const [debouncedNumber] = useDebouncedValue(number.trim(), 250)
  const isNumber = numberPattern.test(debouncedNumber)
  const isSettled = debouncedNumber === number.trim()
  const customers = hooks.useQuery(
    'get',
    '/v1/customers',
    { params: { query: { phone: debouncedNumber, limit: 1 } } },
    { enabled: isNumber, refetchInterval: pollInterval },
  )
  const customerId = isNumber ? customers.data?.data[0]?.id : undefined
  useLiveRefresh(
    ['message', 'conversation'],
    ['/v1/customers', '/v1/conversations', '/v1/conversations/{id}/messages'],
    ({ fields }) => fields.channelId === undefined || fields.channelId === channelId,
  )
  const invalidate = useInvalidate()
  const invalidateCustomer = useInvalidateCustomer()
  const sendMessage = async (text: string) => {
    await api.POST('/v1/channels/{id}/sandbox/messages', {
      params: { path: { id: channelId } },
      body: { from: number.trim(), type: 'text', text },
    })
    if (customerId) void invalidateCustomer(customerId)
    if (text === form.getValues().text) form.setFieldValue('text', '')
    await invalidate('/v1/customers', '/v1/conversations', '/v1/conversations/{id}', '/v1/conversations/{id}/messages')
  }
  return (
    <section
      ref={phone}
      tabIndex={-1}
      className={styles.phone}
      data-docked
      role="dialog"
      aria-label={t('phone.title')}
      onKeyDown={event => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.stopPropagation()
        onClose()
      }}
    >
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Text size="sm" fw={600}>
            {t('phone.title')}
          </Text>
          <Text size="xs" c="dimmed">
            {t('phone.text')}
          </Text>
        </div>
        <CloseButton aria-label={t('phone.close')} onClick={onClose} />
      </Group>
      <Autocomplete
        size="xs"
        label={t('phone.number')}
        comboboxProps={{ withinPortal: false }}
        data={numbers}
        filter={({ options }) => options}
        value={number}
        error={!numberPattern.test(number.trim()) && t('phone.numberForm')}
        onChange={chosen => form.setFieldValue('number', chosen)}
      />
      <Screen>
        {isSettled && customerId !== undefined && <ReceivedMessages channelId={channelId} customerId={customerId} />}
        {isSettled && customerId === undefined && !customers.isPending && <EmptyScreen>{t('phone.empty')}</EmptyScreen>}
      </Screen>
      {failure !== null && <Failure error={failure} />}
      <MessageInput
        text={form.values.text}
        error={form.errors.text}
        busy={busy}
        disabled={!isNumber}
        change={text => form.setFieldValue('text', text)}
        send={submit}
        stop={() => submitWith(() => sendMessage('STOP'))}
      />
    </section>
  )
}

const ReceivedMessages = ({ channelId, customerId }: { channelId: string; customerId: string }) => {
  const t = useTranslate()
  const pollInterval = usePollInterval()
  const conversations = hooks.useQuery(
    'get',
    '/v1/conversations',
    { params: { query: { channelId, customerId, limit: 1 } } },
    { refetchInterval: pollInterval },
  )
  const id = conversations.data?.data[0]?.id
  const messages = hooks.useQuery(
    'get',
    '/v1/conversations/{id}/messages',
    { params: { path: { id: id ?? '' }, query: { limit: maxMessages } } },
    { enabled: id !== undefined, refetchInterval: pollInterval },
  )
  const visibleMessages = messages.data?.data.filter(({ status }) => visibleStatuses.has(status)).toReversed()
  if (conversations.data && (id === undefined || visibleMessages?.length === 0))
    return <EmptyScreen>{t('phone.empty')}</EmptyScreen>
  return visibleMessages?.map(({ id, text, direction, type, createdAt }) => (
    <Bubble
      key={id}
      from={direction === 'inbound' ? 'customer' : 'us'}
      at={createdAt}
      text={text ?? t(`inbox.type.${type}`)}
    />
  ))
}
