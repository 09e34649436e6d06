/** Columns of the list of conversations, and of its export. */

import { VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { useSession } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { withoutOverrides } from '../../texts/isolate.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { ExclamationTriangleIcon } from '../../ui/icons.ts'
import type { Column } from '../../ui/list/List.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import ui from '../../ui/ui.module.css'
import { Addressee } from './Addressee.tsx'
import { CustomerAvatar } from './CustomerAvatar.tsx'
import type { InboxSearch } from './filters.ts'
import styles from './inbox.module.css'
import { MessageStatus } from './MessageStatus.tsx'
import { useChannels, useTeam } from './queries.ts'
import { WaitingTime } from './WaitingTime.tsx'

type Row = Schemas['Conversation']
type Message = Schemas['Message']

export const useColumns = (search: InboxSearch): Column<Row>[] => {
  const t = useTranslate()
  const exported = useExportedColumns()
  return [
    { key: 'avatar', title: t('inbox.channel'), phone: 'lead', cell: row => <CustomerAvatar conversation={row} /> },
    {
      key: 'who',
      title: t('inbox.customer'),
      phone: 'title',
      value: row => row.customerName,
      cell: row => <CustomerCell row={row} search={search} />,
    },
    {
      key: 'state',
      title: t('inbox.state'),
      phone: 'aside',
      cell: row => <RowState row={row} filter={search.filter} />,
    },
    {
      key: 'last',
      title: t('inbox.last'),
      phone: 'below',
      value: row => row.lastMessage?.text,
      cell: row => <LastMessage row={row} />,
    },
    ...exported,
  ]
}

/** Columns that only the export has. */
const useExportedColumns = (): Column<Row>[] => {
  const t = useTranslate()
  const channels = useChannels()
  const team = useTeam()
  const values: [string, Column<Row>['value']][] = [
    [t('inbox.export.handle'), row => row.handle],
    [t('inbox.channel'), row => channels?.find(({ id }) => id === row.channelId)?.name ?? row.channelKind],
    [t('inbox.state'), row => t(row.status === 'open' ? 'inbox.open' : 'inbox.closed')],
    [t('inbox.assignee'), row => team.find(({ userId }) => userId === row.assigneeId)?.name ?? row.assigneeId],
    [t('inbox.export.unread'), row => row.unread],
    [t('inbox.export.waitingSince'), row => row.waitingSince],
    [t('inbox.export.lastAt'), row => row.lastMessage?.createdAt ?? row.createdAt],
  ]
  return values.map(([title, value]) => ({ key: `export ${title}`, title, value, exportOnly: true, cell: () => null }))
}

const CustomerCell = ({ row, search }: { row: Row; search: InboxSearch }) => {
  const t = useTranslate()
  return (
    <Link className={`${ui.rowLink} ${styles.customer}`} to="/inbox/$id" params={{ id: row.id }} search={search}>
      <span className={`${styles.customerName} ${row.unread > 0 ? styles.unread : ''}`}>
        <Addressee conversation={row} />
      </span>
      {row.unread > 0 && (
        <span className={styles.count} role="img" aria-label={t('inbox.unread', { count: row.unread })}>
          {row.unread}
        </span>
      )}
    </Link>
  )
}

const LastMessage = ({ row }: { row: Row }) => {
  const t = useTranslate()
  const { looksLikeOptOut, lastMessage, waitingMessage } = row
  const isWaiting = showsWaiting(row)
  const value = isWaiting ? waitingMessage : lastMessage
  if (!value) return <span className={styles.preview}>{t('inbox.noMessage')}</span>
  const text = value.text ?? t(`inbox.type.${value.type}`)
  return (
    <span className={styles.preview}>
      {looksLikeOptOut && (
        <span className={styles.optOut} data-tone="care">
          <ExclamationTriangleIcon width={14} aria-hidden="true" />
          {t('inbox.looksLikeOptOut')}
        </span>
      )}
      {!isWaiting && lastMessage && unsentStatuses.has(lastMessage.status) && (
        <span className={styles.unsent}>
          <MessageStatus status={lastMessage.status} />
        </span>
      )}
      {!isWaiting && lastMessage?.sentBy && <AuthorName author={lastMessage.sentBy} />}
      <bdi>{withoutOverrides(text)}</bdi>
    </span>
  )
}

/**
 * Returns true if the row shows the words of the customer who still waits, because a campaign or a workflow has written
 * since.
 */
const showsWaiting = ({ status, waitingMessage, lastMessage }: Row): boolean =>
  status === 'open' &&
  waitingMessage !== null &&
  lastMessage?.sentBy != null &&
  lastMessage.sentBy.type !== 'user' &&
  !unsentStatuses.has(lastMessage.status)

/** Statuses of a message that may not have reached the customer. */
const unsentStatuses: ReadonlySet<Message['status']> = new Set(['failed', 'skipped', 'unknown'])

/** Name of the member, workflow or campaign before the text, in the words of the open conversation. */
const AuthorName = ({ author: { type, id } }: { author: NonNullable<Message['sentBy']> }) => {
  const t = useTranslate()
  const { user } = useSession()
  const member = useTeam().find(({ userId }) => userId === id)?.name ?? t('inbox.formerMember')
  const name = type === 'user' ? (id === user.id ? t('inbox.you') : member) : t(`inbox.by.${type}`)
  return <>{t('inbox.author', { name })} </>
}

/** Avatar of the assignee. The name is in its label. */
const Assignee = ({ id }: { id: string }) => {
  const t = useTranslate()
  const { user } = useSession()
  const member = useTeam().find(({ userId }) => userId === id)?.name
  const name = id === user.id ? t('inbox.me') : member
  return (
    <span className={styles.assigned} title={name}>
      <Avatar name={id === user.id ? user.name || user.email : member} size={20} />
      <VisuallyHidden>{name}</VisuallyHidden>
    </span>
  )
}

/**
 * The assignee, and how long the customer has waited. A row without a waiting customer has the time of its last message,
 * and says if it is closed among open ones.
 */
const RowState = ({ row, filter }: { row: Row; filter: InboxSearch['filter'] }) => {
  const t = useTranslate()
  return (
    <span className={styles.rowState}>
      {row.assigneeId && <Assignee id={row.assigneeId} />}
      {row.status === 'closed' && filter !== 'closed' && <Status tone="off">{t('inbox.closed')}</Status>}
      {row.status !== 'closed' && row.waitingSince ? (
        <WaitingTime since={row.waitingSince} isShort />
      ) : (
        <span className={styles.quiet}>
          <Time at={row.lastMessage?.createdAt ?? row.createdAt} />
        </span>
      )}
    </span>
  )
}
