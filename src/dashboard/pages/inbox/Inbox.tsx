import { ActionIcon, Button } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { cursorPagination, listParams, pageSize, toRows } from '../../api/pages.ts'
import { usePollInterval } from '../../api/useLive.ts'
import { useIsOwner, useSession } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { type Column, List } from '../../ui/list/List.tsx'
import { Page } from '../../ui/Page.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import ui from '../../ui/ui.module.css'
import { Phone } from '../phone/Phone.tsx'
import { Addressee } from './Addressee.tsx'
import { filterQueries, filters, type InboxFilter, type InboxSearch, parseInboxSearch } from './filters.ts'
import styles from './inbox.module.css'
import { InboxContext } from './inbox-context.ts'
import { useChannels, useTeam } from './queries.ts'
import { Shortcuts } from './Shortcuts.tsx'
import { WaitingTime } from './WaitingTime.tsx'

type Row = Schemas['Conversation']
/** Maximum number of pages fetched automatically. With a rare filter, pages can be short. */
const maxAutoPages = 10

/** Inbox page: the list of conversations, the open conversation and its customer. */
export const Inbox = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const search = parseInboxSearch(useSearch({ strict: false }))
  const filter = search.filter ?? 'waiting'
  const { id } = useParams({ strict: false }) as { id?: string }
  const [isShortcutsOpen, shortcutsDialog] = useDisclosure(false)
  const sandboxes = useChannels()?.filter(({ kind, status }) => kind === 'sandbox' && status !== 'disconnected')
  const pollInterval = usePollInterval()
  const query = hooks.useInfiniteQuery('get', '/v1/conversations', listParams(filterQueries[filter]), {
    ...cursorPagination,
    placeholderData: keepPreviousData,
    refetchInterval: pollInterval,
  })
  const rows = toRows<Row>(query)
  const openConversation = rows.rows?.find(row => row.id === id)
  // Sandbox channel of the open conversation.
  const conversationSandbox = sandboxes?.find(channel => channel.id === openConversation?.channelId)
  const sandbox = conversationSandbox ?? sandboxes?.[0]
  // The phone shows the channel of the open conversation, otherwise the channel in the address.
  const phone = search.phone && (conversationSandbox ?? sandboxes?.find(channel => channel.id === search.phone))
  const count = rows.rows?.length ?? 0
  const pages = query.data?.pages.length ?? 0
  const { hasNextPage, isFetching, fetchNextPage } = query
  useEffect(() => {
    if (hasNextPage && !isFetching && count < pageSize / 2 && pages < maxAutoPages) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage, count, pages])

  useHotkeys([
    ['shift+?', shortcutsDialog.open],
    ['?', shortcutsDialog.open],
  ])
  const currentPath = id === undefined ? { to: '/inbox' } : { to: '/inbox/$id', params: { id } }
  const setPhoneChannel = (value: string | undefined) => {
    const { phone: _, ...rest } = search
    void navigate({ ...currentPath, search: value === undefined ? rest : { ...rest, phone: value }, replace: true })
  }
  const openRow = (row: Row) => void navigate({ to: '/inbox/$id', params: { id: row.id }, search })
  /** Opens the conversation after `from` when that one leaves the list, or the one before it at the end of the list. */
  const openNext = (from: string) => {
    const at = rows.rows?.findIndex(row => row.id === from) ?? -1
    const next = at === -1 ? undefined : (rows.rows?.[at + 1] ?? rows.rows?.[at - 1])
    if (next) openRow(next)
  }

  const columns: Column<Row>[] = [
    { key: 'who', title: t('inbox.customer'), phone: 'title', cell: row => <CustomerCell row={row} search={search} /> },
    // The waiting time already shows when the customer wrote, so this column shows the assignee.
    filter === 'waiting'
      ? {
          key: 'assignee',
          title: t('inbox.assignee'),
          phone: 'aside',
          cell: row => row.assigneeId && <Assignee id={row.assigneeId} />,
        }
      : {
          key: 'when',
          title: t('inbox.time'),
          phone: 'aside',
          cell: row => (
            <span className={styles.quiet}>
              <Time at={row.lastMessage?.createdAt ?? row.createdAt} />
            </span>
          ),
        },
    { key: 'last', title: t('inbox.last'), phone: 'below', cell: row => <LastMessage value={row.lastMessage} /> },
    { key: 'state', title: t('inbox.state'), phone: 'end', cell: row => <ConversationState row={row} /> },
  ]

  return (
    <InboxContext.Provider
      value={{
        openNext,
        isFilteredOut: row => !matchesFilter(filter, row),
        isEmpty: count === 0,
        showShortcuts: shortcutsDialog.open,
      }}
    >
      <div className={styles.inbox} data-open={id !== undefined || undefined}>
        <div className={styles.list}>
          <Page
            title={t('inbox.title')}
            actions={
              <>
                {sandbox && (
                  <Button
                    variant="default"
                    aria-expanded={Boolean(phone)}
                    onClick={() => setPhoneChannel(phone ? undefined : sandbox.id)}
                  >
                    {t('inbox.phone')}
                  </Button>
                )}
                <ActionIcon
                  className={styles.help!}
                  variant="default"
                  size={30}
                  aria-label={t('inbox.keys')}
                  onClick={shortcutsDialog.open}
                >
                  ?
                </ActionIcon>
              </>
            }
          >
            <nav className={styles.filters} aria-label={t('inbox.filter')}>
              {filters.map(value => (
                <Link
                  key={value}
                  className={styles.filter}
                  activeOptions={{ exact: true, includeSearch: true }}
                  aria-current={value === filter ? 'page' : undefined}
                  {...currentPath}
                  search={parseInboxSearch({ ...search, filter: value })}
                >
                  {t(`inbox.filter.${value}`)}
                </Link>
              ))}
            </nav>
            <List
              key={filter}
              narrow
              title={t('inbox.list')}
              columns={columns}
              rows={rows}
              getId={row => row.id}
              // Nothing is open, so j opens the first row.
              selected={id ?? ''}
              open={openRow}
              live={{ kinds: ['conversation', 'message'], refresh: () => void query.refetch() }}
              empty={
                <EmptyInbox filter={filter} openPhone={sandbox && !phone ? () => setPhoneChannel(sandbox.id) : null} />
              }
            />
          </Page>
        </div>
        <Outlet />
        {phone && (
          <Phone
            channelId={phone.id}
            number={conversationPhone(openConversation, phone)}
            corner
            onClose={() => setPhoneChannel(undefined)}
          />
        )}
        <Shortcuts opened={isShortcutsOpen} onClose={shortcutsDialog.close} />
      </div>
    </InboxContext.Provider>
  )
}

/** Returns the phone number of the open conversation's customer on this sandbox channel. */
const conversationPhone = (conversation: Row | undefined, sandbox: Schemas['Channel']): string | undefined =>
  conversation?.channelId === sandbox.id ? (conversation.handle ?? undefined) : undefined

const matchesFilter = (filter: InboxFilter, { status, waitingSince }: Row): boolean =>
  filter === 'all' ||
  (filter === 'closed' ? status === 'closed' : status === 'open' && (filter === 'mine' || waitingSince !== null))

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

const LastMessage = ({ value }: { value: Row['lastMessage'] }) => {
  const t = useTranslate()
  if (!value) return <span className={styles.preview}>{t('inbox.noMessage')}</span>
  const text = value.text ?? t(`inbox.type.${value.type}`)
  return (
    <span className={styles.preview}>
      {value.direction === 'outbound' && `${t('inbox.us')} `}
      <bdi>{text}</bdi>
    </span>
  )
}

const Assignee = ({ id }: { id: string }) => {
  const t = useTranslate()
  const { user } = useSession()
  const name = useTeam().find(({ userId }) => userId === id)?.name
  return <bdi className={styles.quiet}>{id === user.id ? t('inbox.me') : name}</bdi>
}

const ConversationState = ({ row }: { row: Row }) => {
  const t = useTranslate()
  if (row.looksLikeOptOut) return <Status tone="care">{t('inbox.looksLikeOptOut')}</Status>
  if (row.lastMessage?.status === 'failed') return <Status tone="failed">{t('inbox.status.failed')}</Status>
  if (row.status === 'closed') return <Status tone="off">{t('inbox.closed')}</Status>
  return row.waitingSince && <WaitingTime since={row.waitingSince} />
}

const EmptyInbox = ({ filter, openPhone }: { filter: InboxFilter; openPhone: (() => void) | null }) => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  if (filter !== 'all')
    return (
      <Empty title={t(`inbox.empty.${filter}`)} {...(filter === 'waiting' && { text: t('inbox.emptyText') })}>
        <Button
          variant="default"
          renderRoot={(props: object) => (
            <Link
              {...props}
              to="/inbox"
              search={(previous: InboxSearch) => ({ ...previous, filter: 'all' as const })}
            />
          )}
        >
          {t('inbox.showAll')}
        </Button>
      </Empty>
    )
  return (
    <Empty title={t('inbox.empty.all')} text={t(openPhone ? 'inbox.emptyPhone' : 'inbox.emptyText')}>
      {openPhone ? (
        <Button onClick={openPhone}>{t('inbox.writeAsCustomer')}</Button>
      ) : (
        isOwner && (
          <Button renderRoot={(props: object) => <Link {...props} to="/channels" />}>{t('inbox.connect')}</Button>
        )
      )}
    </Empty>
  )
}
