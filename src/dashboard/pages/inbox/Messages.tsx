import { Anchor, Button, Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Fragment, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useIntl } from 'react-intl'
import { api, type Schemas } from '../../api/client.ts'
import { pathOf } from '../../shell/paths.ts'
import { useSession } from '../../shell/session.tsx'
import { type TextId, useTexts } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Status, type Tone } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { useZone } from '../../ui/zone.ts'
import styles from './inbox.module.css'
import { useAnew, useTeam } from './queries.ts'

type Message = Schemas['Message']

/** Distance from the end, in pixels, within which the thread keeps scrolling to the end. */
const nearPx = 48
/** Distance from the beginning, in pixels, at which earlier messages are fetched. */
const soonPx = 240

/**
 * Messages of a conversation, newest at the end. The scroll position stays stable when messages are added at either
 * end.
 */
export const Messages = ({
  newestFirst,
  earlier,
  loadingEarlier,
}: {
  newestFirst: Message[] | undefined
  earlier: (() => void) | null
  loadingEarlier: boolean
}) => {
  const say = useTexts()
  const zone = useZone()
  const { locale } = useIntl()
  const messages = newestFirst?.toReversed()
  const newest = newestFirst?.[0]?.id
  const { scroller, unseen, atEnd, toEnd, onScroll } = usePlace(newestFirst, () => !loadingEarlier && earlier?.())
  if (!messages)
    return (
      <div className={styles.messages} aria-busy>
        {[60, 40, 70, 30].map((width, index) => (
          <Skeleton key={width} height={44} width={`${width}%`} ml={index % 2 ? 'auto' : 0} mb="md" />
        ))}
      </div>
    )
  const day = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone: zone })
  const dayOf = (message: Message) => day.format(new Date(message.createdAt))
  return (
    <div className={styles.messagesFrame}>
      <div
        className={styles.messages}
        ref={scroller}
        onScroll={onScroll}
        tabIndex={0}
        role="log"
        aria-label={say('inbox.thread')}
      >
        {earlier && (
          <div className={styles.earlier}>
            <Button variant="subtle" loading={loadingEarlier} onClick={earlier}>
              {say('inbox.earlier')}
            </Button>
          </div>
        )}
        {messages.length === 0 && <p className={styles.day}>{say('inbox.noMessage')}</p>}
        {messages.map((message, index) => (
          <Fragment key={message.id}>
            {(index === 0 || dayOf(messages[index - 1]!) !== dayOf(message)) && (
              <p className={styles.day}>{dayOf(message)}</p>
            )}
            <One message={message} isNewest={message.id === newest} />
          </Fragment>
        ))}
      </div>
      {!atEnd && unseen > 0 && (
        <Button className={styles.toEnd} onClick={toEnd}>
          {say('list.new', { count: unseen })}
        </Button>
      )}
    </div>
  )
}

/** Keeps the reader's scroll position in the thread. */
const usePlace = (newestFirst: Message[] | undefined, nearBeginning: () => void) => {
  const scroller = useRef<HTMLDivElement>(null)
  const place = useRef<{ atEnd: boolean; id: string; offset: number } | null>(null)
  const newest = useRef<string | null>(null)
  const [unseen, setUnseen] = useState(0)
  const [atEnd, setAtEnd] = useState(true)
  const note = () => {
    const el = scroller.current
    if (!el) return
    const isAtEnd = el.scrollHeight - el.scrollTop - el.clientHeight < nearPx
    const first = [...el.querySelectorAll<HTMLElement>('[data-message]')].find(
      one => one.offsetTop + one.offsetHeight > el.scrollTop,
    )
    place.current = {
      atEnd: isAtEnd,
      id: first?.dataset.message ?? '',
      offset: (first?.offsetTop ?? 0) - el.scrollTop,
    }
    setAtEnd(isAtEnd)
    if (isAtEnd) setUnseen(0)
  }
  const toEnd = () => {
    const el = scroller.current
    if (el) el.scrollTop = el.scrollHeight
    note()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the shown messages change.
  useLayoutEffect(() => {
    const el = scroller.current
    if (!el || !newestFirst) return
    const was = place.current
    const added = newestFirst.findIndex(({ id }) => id === newest.current)
    const own = added > 0 && newestFirst.slice(0, added).some(({ sentBy }) => sentBy?.type === 'user')
    newest.current = newestFirst[0]?.id ?? null
    if (!was || was.atEnd || own) return toEnd()
    const anchor = el.querySelector<HTMLElement>(`[data-message="${CSS.escape(was.id)}"]`)
    if (anchor) el.scrollTop = anchor.offsetTop - was.offset
    if (added > 0) setUnseen(count => count + added)
    note()
  }, [newestFirst?.[0]?.id, newestFirst?.at(-1)?.id, newestFirst?.[0]?.status])
  const isDrawn = newestFirst !== undefined
  // Keeps the end of the thread in view when a growing composer makes the thread shorter.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the element exists only once the thread is rendered.
  useEffect(() => {
    const el = scroller.current
    if (!el) return
    const seen = new ResizeObserver(() => {
      if (place.current?.atEnd) el.scrollTop = el.scrollHeight
    })
    seen.observe(el)
    return () => seen.disconnect()
  }, [isDrawn])
  const onScroll = () => {
    note()
    if ((scroller.current?.scrollTop ?? soonPx) < soonPx) nearBeginning()
  }
  return { scroller, unseen, atEnd, toEnd, onScroll }
}

const toneOf: Record<Message['status'], Tone> = {
  queued: 'moving',
  sent: 'moving',
  delivered: 'done',
  read: 'done',
  failed: 'failed',
  skipped: 'off',
  unknown: 'care',
  received: 'done',
}
const mayBeSentAgain: ReadonlySet<Message['status']> = new Set(['failed', 'skipped', 'unknown'])

const One = ({ message, isNewest }: { message: Message; isNewest: boolean }) => {
  const say = useTexts()
  const { direction, status, text, type, detail, id } = message
  return (
    <article
      className={styles.message}
      data-message={id}
      data-direction={direction}
      aria-label={say(direction === 'inbound' ? 'inbox.fromCustomer' : 'inbox.fromUs')}
    >
      <div className={styles.bubble}>
        {type !== 'text' && <em>{say(`inbox.type.${type}`)} </em>}
        {text !== null ? <bdi dir="auto">{text}</bdi> : type === 'text' && <em>{say('inbox.erased')}</em>}
      </div>
      <div className={styles.about}>
        {direction === 'outbound' && (
          <>
            <Author of={message.sentBy} /> ·{' '}
          </>
        )}
        <Anchor size="xs" c="dimmed" renderRoot={(props: object) => <Link {...props} to={pathOf('message', id)!} />}>
          <Time at={message.createdAt} />
        </Anchor>
        {direction === 'outbound' && (
          <>
            {' · '}
            <Status tone={toneOf[status]}>{say(`inbox.status.${status}` as TextId)}</Status>
          </>
        )}
      </div>
      {detail && <div className={styles.detail}>{detail}</div>}
      {direction === 'outbound' && mayBeSentAgain.has(status) && <Resend message={message} isNewest={isNewest} />}
    </article>
  )
}

const Author = ({ of }: { of: Message['sentBy'] }) => {
  const say = useTexts()
  const { user } = useSession()
  const team = useTeam()
  if (!of) return null
  if (of.type === 'user')
    return of.id === user.id
      ? say('inbox.you')
      : (team.find(one => one.userId === of.id)?.name ?? say('inbox.formerMember'))
  return (
    <Anchor size="xs" c="dimmed" renderRoot={(props: object) => <Link {...props} to={pathOf(of.type, of.id)!} />}>
      {say(`inbox.by.${of.type}`)}
    </Anchor>
  )
}

/** Sends the message again. If its status is unknown, a warning says that the customer may get it twice. */
const Resend = ({ message, isNewest }: { message: Message; isNewest: boolean }) => {
  const say = useTexts()
  const anew = useAnew()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const resend = async () => {
    setBusy(true)
    setFailure(null)
    try {
      await api.POST('/v1/messages/{id}/resend', { params: { path: { id: message.id } } })
      await anew('/v1/conversations', '/v1/conversations/{id}', '/v1/conversations/{id}/messages')
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={styles.resend}>
      {message.status === 'unknown' && <span className={styles.detail}>{say('inbox.mayHaveBoth')}</span>}
      <Button variant={isNewest ? 'light' : 'subtle'} loading={busy} onClick={() => void resend()}>
        {say('inbox.resend')}
      </Button>
      {failure !== null && <Failure of={failure} />}
    </div>
  )
}
