import { Button, Skeleton } from '@mantine/core'
import { Fragment, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useIntl } from 'react-intl'
import type { Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { useZone } from '../../ui/zone.ts'
import { MessageBubble } from './MessageBubble.tsx'
import styles from './thread.module.css'

type Message = Schemas['Message']

/** Distance from the end, in pixels, within which the thread keeps scrolling to the end. */
const endThresholdPx = 48
/** Distance from the beginning, in pixels, at which earlier messages are fetched. */
const prefetchThresholdPx = 240

/**
 * Messages of a conversation, newest at the end. The scroll position stays stable when messages are added at either
 * end.
 */
export const Messages = ({
  customerName,
  newestFirst,
  loadEarlier,
  isLoadingEarlier,
  canResend,
}: {
  customerName: string | null
  newestFirst: Message[] | undefined
  loadEarlier: (() => void) | null
  isLoadingEarlier: boolean
  /** Whether the message can be sent to the customer now. */
  canResend: (message: Message) => boolean
}) => {
  const t = useTranslate()
  const zone = useZone()
  const { locale } = useIntl()
  const messages = newestFirst?.toReversed()
  const newest = newestFirst?.[0]?.id
  const { scroller, unseenCount, atEnd, scrollToEnd, onScroll } = useScrollPosition(
    newestFirst,
    () => !isLoadingEarlier && loadEarlier?.(),
  )
  if (!messages)
    return (
      <div className={styles.messages} aria-busy>
        <div className={styles.spacer} />
        {[60, 40, 70, 30].map((width, index) => (
          <Skeleton key={width} height={44} width={`${width}%`} ml={index % 2 ? 'auto' : 0} mb="md" />
        ))}
      </div>
    )
  const day = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone: zone })
  const formatDay = (message: Message) => day.format(new Date(message.createdAt))
  return (
    <div className={styles.messagesFrame}>
      <div
        className={styles.messages}
        ref={scroller}
        onScroll={onScroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by the keyboard.
        tabIndex={0}
        role="log"
        aria-label={t('inbox.thread')}
      >
        {/* Takes the space above a few messages, so that the newest is above the composer. */}
        <div className={styles.spacer} />
        {loadEarlier && (
          <div className={styles.earlier}>
            <Button variant="subtle" loading={isLoadingEarlier} onClick={loadEarlier}>
              {t('inbox.earlier')}
            </Button>
          </div>
        )}
        {messages.length === 0 && <p className={styles.day}>{t('inbox.noMessage')}</p>}
        {messages.map((message, index) => (
          <Fragment key={message.id}>
            {(index === 0 || formatDay(messages[index - 1]!) !== formatDay(message)) && (
              <p className={styles.day}>{formatDay(message)}</p>
            )}
            <MessageBubble
              message={message}
              customerName={customerName}
              canResend={message.direction === 'outbound' && canResend(message)}
              isNewest={message.id === newest}
              isLastOfAuthor={!isSameAuthor(message, messages[index + 1])}
            />
          </Fragment>
        ))}
      </div>
      {!atEnd && unseenCount > 0 && (
        <Button className={styles.toEnd} onClick={scrollToEnd}>
          {t('list.new', { count: unseenCount })}
        </Button>
      )}
    </div>
  )
}

const isSameAuthor = (one: Message, other: Message | undefined): boolean =>
  one.direction === other?.direction && one.sentBy?.id === other.sentBy?.id

/** Keeps the reader's scroll position in the thread. */
const useScrollPosition = (newestFirst: Message[] | undefined, onNearStart: () => void) => {
  const scroller = useRef<HTMLDivElement>(null)
  const position = useRef<{ atEnd: boolean; id: string; offset: number } | null>(null)
  const newest = useRef<string | null>(null)
  const [unseenCount, setUnseenCount] = useState(0)
  const [atEnd, setAtEnd] = useState(true)
  const savePosition = () => {
    const el = scroller.current
    if (!el) return
    const isAtEnd = el.scrollHeight - el.scrollTop - el.clientHeight < endThresholdPx
    const first = [...el.querySelectorAll<HTMLElement>('[data-message]')].find(
      one => one.offsetTop + one.offsetHeight > el.scrollTop,
    )
    position.current = {
      atEnd: isAtEnd,
      id: first?.dataset.message ?? '',
      offset: (first?.offsetTop ?? 0) - el.scrollTop,
    }
    setAtEnd(isAtEnd)
    if (isAtEnd) setUnseenCount(0)
  }
  const scrollToEnd = () => {
    const el = scroller.current
    if (el) el.scrollTop = el.scrollHeight
    savePosition()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the shown messages change.
  useLayoutEffect(() => {
    const el = scroller.current
    if (!el || !newestFirst) return
    const previousPosition = position.current
    const addedCount = newestFirst.findIndex(({ id }) => id === newest.current)
    const hasOwnMessage =
      addedCount > 0 && newestFirst.slice(0, addedCount).some(({ sentBy }) => sentBy?.type === 'user')
    newest.current = newestFirst[0]?.id ?? null
    if (!previousPosition || previousPosition.atEnd || hasOwnMessage) return scrollToEnd()
    const anchor = el.querySelector<HTMLElement>(`[data-message="${CSS.escape(previousPosition.id)}"]`)
    if (anchor) el.scrollTop = anchor.offsetTop - previousPosition.offset
    if (addedCount > 0) setUnseenCount(count => count + addedCount)
    savePosition()
  }, [newestFirst?.[0]?.id, newestFirst?.at(-1)?.id, newestFirst?.[0]?.status])
  const isRendered = newestFirst !== undefined
  // Keeps the end of the thread in view when a growing composer makes the thread shorter.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the element exists only once the thread is rendered.
  useEffect(() => {
    const el = scroller.current
    if (!el) return
    const observer = new ResizeObserver(() => {
      if (position.current?.atEnd) el.scrollTop = el.scrollHeight
    })
    observer.observe(el)
    return () => observer.disconnect()
  }, [isRendered])
  const onScroll = () => {
    savePosition()
    if ((scroller.current?.scrollTop ?? prefetchThresholdPx) < prefetchThresholdPx) onNearStart()
  }
  return { scroller, unseenCount, atEnd, scrollToEnd, onScroll }
}
