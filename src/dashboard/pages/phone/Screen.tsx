/** Parts of the simulated phone: the screen, the messages and the input of the customer. */
import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { Time } from '../../ui/Time.tsx'
import styles from './phone.module.css'

/** Scrollable screen that stays at its end, where the newest message is. */
export const Screen = ({ children }: { children: ReactNode }) => {
  const t = useTranslate()
  const screen = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const el = screen.current
    if (!el) return
    el.scrollTop = el.scrollHeight
    const observer = new MutationObserver(() => {
      el.scrollTop = el.scrollHeight
    })
    observer.observe(el, { childList: true, subtree: true })
    return () => observer.disconnect()
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
  busy,
  disabled,
  change,
  send,
}: {
  text: string
  busy: boolean
  disabled: boolean
  change: (text: string) => void
  send: (text: string) => void
}) => {
  const t = useTranslate()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() && !disabled && !busy) send(text)
  }
  return (
    <>
      <form onSubmit={submit} className={styles.writing} noValidate>
        <TextInput
          size="xs"
          className={styles.field}
          aria-label={t('phone.writeAsCustomer')}
          placeholder={t('phone.writeAsCustomer')}
          maxLength={4096}
          autoComplete="off"
          value={text}
          onChange={event => change(event.currentTarget.value)}
        />
        <Button type="submit" loading={busy} disabled={disabled || !text.trim()}>
          {t('phone.send')}
        </Button>
      </form>
      <Group gap="xs">
        <Button variant="default" disabled={disabled || busy} onClick={() => send('STOP')}>
          {t('phone.stop')}
        </Button>
      </Group>
    </>
  )
}
