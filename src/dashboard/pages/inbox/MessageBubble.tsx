import { Anchor, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { useInvalidate } from '../../api/useInvalidate.ts'
import { recordLink } from '../../shell/paths.ts'
import { useSession } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { MegaphoneIcon, ShareIcon } from '../../ui/icons.ts'
import { Time } from '../../ui/Time.tsx'
import { Clamp } from '../../ui/text/Clamp.tsx'
import { withoutCode } from '../messages/detail.ts'
import { isResendable } from '../messages/resend.ts'
import { MessageStatus } from './MessageStatus.tsx'
import { useRefreshConversation, useTeam } from './queries.ts'
import styles from './thread.module.css'

type Message = Schemas['Message']

/** Lines of a message before “Show more”, about a screen of a phone. */
const maxLines = 20

/** Message of a conversation with its author, time and status. */
export const MessageBubble = ({
  message,
  customerName,
  isNewest,
  isLastOfAuthor,
  canResend,
}: {
  message: Message
  customerName: string | null
  isNewest: boolean
  /** The next message is by somebody else. */
  isLastOfAuthor: boolean
  canResend: boolean
}) => {
  const t = useTranslate()
  const { direction, status, text, type, detail, id } = message
  return (
    <article
      className={styles.message}
      data-message={id}
      data-direction={direction}
      aria-label={t(direction === 'inbound' ? 'inbox.fromCustomer' : 'inbox.fromUs')}
    >
      <span className={styles.author}>
        {isLastOfAuthor &&
          (direction === 'inbound' ? <Avatar name={customerName} /> : <AuthorAvatar author={message.sentBy} />)}
      </span>
      <div className={styles.content}>
        <div className={styles.bubble}>
          {type !== 'text' && <em>{t(`inbox.type.${type}`)} </em>}
          {text !== null ? (
            <Clamp lines={maxLines}>
              <bdi dir="auto">{text}</bdi>
            </Clamp>
          ) : (
            type === 'text' && <em>{t('inbox.erased')}</em>
          )}
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
            renderRoot={(props: object) => <Link {...props} {...recordLink('message', id)} />}
          >
            <Time at={message.createdAt} clock="minutes" />
          </Anchor>
          {direction === 'outbound' && (
            <>
              {' · '}
              <MessageStatus status={status} />
            </>
          )}
        </div>
        {detail && <div className={styles.detail}>{withoutCode(detail)}</div>}
        {canResend && isResendable(message) && <Resend message={message} isNewest={isNewest} />}
      </div>
    </article>
  )
}

const authorIcons = { workflow: ShareIcon, campaign: MegaphoneIcon }

const AuthorAvatar = ({ author }: { author: Message['sentBy'] }) => {
  const { user } = useSession()
  const team = useTeam()
  if (author?.type !== 'user') {
    const Icon = authorIcons[author?.type ?? 'workflow']
    return (
      <span className={styles.authorIcon}>
        <Icon width={14} aria-hidden="true" />
      </span>
    )
  }
  const name = author.id === user.id ? user.name || user.email : team.find(one => one.userId === author.id)?.name
  return <Avatar name={name} />
}

const Author = ({ author }: { author: Message['sentBy'] }) => {
  const t = useTranslate()
  const { user } = useSession()
  const team = useTeam()
  if (!author) return null
  const { type, id } = author
  if (type === 'user')
    return id === user.id ? t('inbox.you') : (team.find(one => one.userId === id)?.name ?? t('inbox.formerMember'))
  return (
    <Anchor size="xs" c="dimmed" renderRoot={(props: object) => <Link {...props} {...recordLink(type, id)} />}>
      {t(`inbox.by.${type}`)}
    </Anchor>
  )
}

/** Sends the message again. If its status is unknown, a warning says that the customer may get it twice. */
const Resend = ({ message, isNewest }: { message: Message; isNewest: boolean }) => {
  const t = useTranslate()
  const invalidate = useInvalidate()
  const refresh = useRefreshConversation()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const resend = async () => {
    setBusy(true)
    setFailure(null)
    try {
      await api.POST('/v1/messages/{id}/resend', { params: { path: { id: message.id } } })
      await Promise.all([refresh(), invalidate('/v1/conversations/{id}/messages')])
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
