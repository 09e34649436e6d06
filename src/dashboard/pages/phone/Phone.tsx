import { Autocomplete, Button, CloseButton, Group, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type FormEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { useFresh, useUnheard } from '../../api/useLive.ts'
import { useDraft } from '../../shell/draft.ts'
import { useTexts } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Time } from '../../ui/Time.tsx'
import { useAnew, useAnewOf } from '../inbox/queries.ts'
import styles from './phone.module.css'

/** A number that nobody has. */
const someNumber = '+12025550123'
const numberForm = /^\+[1-9]\d{6,14}$/
const known = 20
const shown = 30
/** What has not come to a customer is not on their phone. */
const arrived: ReadonlySet<Schemas['Message']['status']> = new Set(['received', 'sent', 'delivered', 'read'])

/**
 * A customer's phone on a sandbox channel: what came to it, and what they answer. `corner` puts it over the page at its lower
 * right; else it stands where it is put. `number` is whose phone it is, until another is chosen on it.
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
  const draft = useDraft('phone', { number: '', text: '' })
  const { change } = draft
  useEffect(() => {
    if (first) change({ number: first })
  }, [first, change])
  const number = draft.value.number || numbers[0] || someNumber
  const [settled] = useDebouncedValue(number.trim(), 250)
  const isNumber = numberForm.test(settled)
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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (draft.value.text.trim() && isNumber && !busy) void write(draft.value.text)
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
        {customerId !== undefined && <Arrived channelId={channelId} customerId={customerId} />}
        {customerId === undefined && !customers.isPending && <p className={styles.nothing}>{say('phone.nothing')}</p>}
      </Screen>
      {failure !== null && <Failure of={failure} />}
      <form onSubmit={submit} className={styles.writing}>
        <TextInput
          size="xs"
          className={styles.field}
          aria-label={say('phone.write')}
          placeholder={say('phone.write')}
          maxLength={4096}
          autoComplete="off"
          value={draft.value.text}
          onChange={event => draft.change({ text: event.currentTarget.value })}
        />
        <Button type="submit" loading={busy} disabled={!isNumber || !draft.value.text.trim()}>
          {say('phone.send')}
        </Button>
      </form>
      <Group gap="xs">
        <Button variant="default" disabled={!isNumber || busy} onClick={() => void write('STOP')}>
          {say('phone.stop')}
        </Button>
      </Group>
    </section>
  )
}

/** Stays at its end, where the newest is. */
const Screen = ({ children }: { children: ReactNode }) => {
  const say = useTexts()
  const screen = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const el = screen.current
    if (!el) return
    const seen = new MutationObserver(() => {
      el.scrollTop = el.scrollHeight
    })
    seen.observe(el, { childList: true, subtree: true })
    return () => seen.disconnect()
  }, [])
  return (
    <div className={styles.screen} ref={screen} role="log" tabIndex={0} aria-label={say('phone.screen')}>
      {children}
    </div>
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
  if (conversations.data && (id === undefined || here?.length === 0))
    return <p className={styles.nothing}>{say('phone.nothing')}</p>
  return here?.map(({ id, text, direction, type, createdAt }) => (
    <div key={id} className={styles.message} data-from={direction === 'inbound' ? 'customer' : 'us'}>
      <div className={styles.bubble}>
        <bdi dir="auto">{text ?? say(`inbox.type.${type}`)}</bdi>
      </div>
      <span className={styles.time}>
        <Time at={createdAt} />
      </span>
    </div>
  ))
}
