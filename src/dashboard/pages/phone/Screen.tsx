/** What every phone is made of: its screen, what stands on it, and where the customer writes. */
import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { useTexts } from '../../texts/index.tsx'
import { Time } from '../../ui/Time.tsx'
import styles from './phone.module.css'

/** Stays at its end, where the newest is. */
export const Screen = ({ children }: { children: ReactNode }) => {
  const say = useTexts()
  const screen = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const el = screen.current
    if (!el) return
    el.scrollTop = el.scrollHeight
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

export const Nothing = ({ children }: { children: ReactNode }) => <p className={styles.nothing}>{children}</p>

export const Bubble = ({
  from,
  at,
  clock = false,
  text,
  note,
}: {
  from: 'us' | 'customer'
  at: string
  /** The time of day, and not how long ago: of a clock that jumps. */
  clock?: boolean
  text: string
  /** Stands behind its time. */
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

/** Where the customer writes; an opt-out is one click away. */
export const Writing = ({
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
  const say = useTexts()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() && !disabled && !busy) send(text)
  }
  return (
    <>
      <form onSubmit={submit} className={styles.writing}>
        <TextInput
          size="xs"
          className={styles.field}
          aria-label={say('phone.write')}
          placeholder={say('phone.write')}
          maxLength={4096}
          autoComplete="off"
          value={text}
          onChange={event => change(event.currentTarget.value)}
        />
        <Button type="submit" loading={busy} disabled={disabled || !text.trim()}>
          {say('phone.send')}
        </Button>
      </form>
      <Group gap="xs">
        <Button variant="default" disabled={disabled || busy} onClick={() => send('STOP')}>
          {say('phone.stop')}
        </Button>
      </Group>
    </>
  )
}
