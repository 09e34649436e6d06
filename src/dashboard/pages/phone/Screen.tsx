/** Parts of the simulated phone: the screen, the messages and the input of the customer. */
import { ActionIcon, Button, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { PaperAirplaneIcon } from '../../ui/icons.ts'
import { Time } from '../../ui/Time.tsx'
import styles from './phone.module.css'

/** Scrollable screen that stays at its end, where the newest message is. */
export const Screen = ({ children }: { children: ReactNode }) => {
  const t = useTranslate()
  const screen = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const el = screen.current
    if (!el) return
    const scrollToEnd = () => {
      el.scrollTop = el.scrollHeight
    }
    scrollToEnd()
    const messages = new MutationObserver(scrollToEnd)
    messages.observe(el, { childList: true, subtree: true })
    const size = new ResizeObserver(scrollToEnd)
    size.observe(el)
    return () => {
      messages.disconnect()
      size.disconnect()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by the keyboard.
    <div className={styles.screen} ref={screen} role="log" tabIndex={0} aria-label={t('phone.screen')}>
      {children}
    </div>
  )
}

export const EmptyScreen = ({ children }: { children: ReactNode }) => <p className={styles.nothing}>{children}</p>

export const Bubble = ({
  from,
  at,
  clock = false,
  text,
  note,
}: {
  from: 'us' | 'customer'
  at: string
  /** Shows the time of day instead of a relative time, because a simulated clock jumps. */
  clock?: boolean
  text: string
  /** Shown after the time. */
  note?: ReactNode
}) => (
  <div className={styles.message} data-from={from}>
    <div className={styles.bubble}>
      <bdi dir="auto">{text}</bdi>
    </div>
    <span className={styles.time}>
      <Time at={at} clock={clock} /> {note}
    </span>
  </div>
)

/** Input of the customer, with a button for an opt-out. */
export const MessageInput = ({
  text,
  error,
  busy,
  disabled,
  change,
  send,
  stop,
}: {
  text: string
  error?: ReactNode
  busy: boolean
  disabled: boolean
  change: (text: string) => void
  send: () => void
  /** Sends the word that opts out. */
  stop: () => void
}) => {
  const t = useTranslate()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() && !disabled && !busy) send()
  }
  return (
    <form onSubmit={submit} className={styles.writing} noValidate>
      <TextInput
        size="xs"
        className={styles.field}
        aria-label={t('phone.writeAsCustomer')}
        placeholder={t('phone.writeAsCustomer')}
        maxLength={4096}
        autoComplete="off"
        value={text}
        error={error}
        onChange={event => change(event.currentTarget.value)}
      />
      <ActionIcon
        type="submit"
        size={30}
        aria-label={t('phone.send')}
        loading={busy}
        disabled={disabled || !text.trim()}
      >
        <PaperAirplaneIcon width={16} />
      </ActionIcon>
      <Button variant="subtle" size="compact-xs" px={4} disabled={disabled || busy} onClick={stop}>
        {t('phone.stop')}
      </Button>
    </form>
  )
}
