import { Anchor, Button, Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Fragment, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useIntl } from 'react-intl'
import { api, type Schemas } from '../../api/client.ts'
import { recordPath } from '../../shell/paths.ts'
import { useSession } from '../../shell/session.tsx'
import { type TextId, useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { tones } from '../../ui/tones.ts'
import { useZone } from '../../ui/zone.ts'
import styles from './inbox.module.css'
import { useInvalidate, useTeam } from './queries.ts'

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
  newestFirst,
  loadEarlier,
  isLoadingEarlier,
}: {
  newestFirst: Message[] | undefined
  loadEarlier: (() => void) | null
  isLoadingEarlier: boolean
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
            <MessageBubble message={message} isNewest={message.id === newest} />
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
  return { scroller, unseenCount: unseenCount, atEnd, scrollToEnd: scrollToEnd, onScroll }
}

const resendableStatuses: ReadonlySet<Message['status']> = new Set(['failed', 'skipped', 'unknown'])

const MessageBubble = ({ message, isNewest }: { message: Message; isNewest: boolean }) => {
  const t = useTranslate()
  const { direction, status, text, type, detail, id } = message
  return (
    <article
      className={styles.message}
      data-message={id}
      data-direction={direction}
      aria-label={t(direction === 'inbound' ? 'inbox.fromCustomer' : 'inbox.fromUs')}
    >
      <div className={styles.bubble}>
        {type !== 'text' && <em>{t(`inbox.type.${type}`)} </em>}
        {text !== null ? <bdi dir="auto">{text}</bdi> : type === 'text' && <em>{t('inbox.erased')}</em>}
      </div>
      <div className={styles.details}>
        {direction === 'outbound' && (
          <>
            <Author author={message.sentBy} /> ·{' '}
          </>
        )}
        <Anchor
          size="xs"
          c="dimmed"
          renderRoot={(props: object) => <Link {...props} to={recordPath('message', id)!} />}
        >
          <Time at={message.createdAt} />
        </Anchor>
        {direction === 'outbound' && (
          <>
            {' · '}
            <Status tone={tones.message[status]}>{t(`inbox.status.${status}` as TextId)}</Status>
          </>
        )}
      </div>
      {detail && <div className={styles.detail}>{detail}</div>}
      {direction === 'outbound' && resendableStatuses.has(status) && <Resend message={message} isNewest={isNewest} />}
    </article>
  )
}

const Author = ({ author }: { author: Message['sentBy'] }) => {
  const t = useTranslate()
  const { user } = useSession()
  const team = useTeam()
  if (!author) return null
  if (author.type === 'user')
    return author.id === user.id
      ? t('inbox.you')
      : (team.find(one => one.userId === author.id)?.name ?? t('inbox.formerMember'))
  return (
    <Anchor
      size="xs"
      c="dimmed"
      renderRoot={(props: object) => <Link {...props} to={recordPath(author.type, author.id)!} />}
    >
      {t(`inbox.by.${author.type}`)}
    </Anchor>
  )
}

/** Sends the message again. If its status is unknown, a warning says that the customer may get it twice. */
const Resend = ({ message, isNewest }: { message: Message; isNewest: boolean }) => {
  const t = useTranslate()
  const invalidate = useInvalidate()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const resend = async () => {
    setBusy(true)
    setFailure(null)
    try {
      await api.POST('/v1/messages/{id}/resend', { params: { path: { id: message.id } } })
      await invalidate('/v1/conversations', '/v1/conversations/{id}', '/v1/conversations/{id}/messages')
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={styles.resend}>
      {message.status === 'unknown' && <span className={styles.detail}>{t('inbox.duplicateWarning')}</span>}
      <Button variant={isNewest ? 'light' : 'subtle'} loading={busy} onClick={() => void resend()}>
        {t('inbox.resend')}
      </Button>
      {failure !== null && <Failure error={failure} />}
    </div>
  )
}
