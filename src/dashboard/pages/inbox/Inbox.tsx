import { ActionIcon, Button } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { byCursor, listOf, pageSize, rowsOf } from '../../api/pages.ts'
import { useUnheard } from '../../api/useLive.ts'
import { useIsOwner, useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { type Column, List } from '../../ui/List.tsx'
import { Page } from '../../ui/Page.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import ui from '../../ui/ui.module.css'
import { Phone } from '../phone/Phone.tsx'
import { Addressee } from './Addressee.tsx'
import { filters, type InboxFilter, type InboxSearch, inboxSearch, queryOf } from './filters.ts'
import styles from './inbox.module.css'
import { Keys } from './Keys.tsx'
import { Opener } from './opener.ts'
import { useChannels, useTeam } from './queries.ts'
import { Waits } from './Waits.tsx'

type Row = Schemas['Conversation']
/** Maximum number of pages fetched automatically. With a rare filter, pages can be short. */
const maxPagesAtOnce = 10

/** Inbox page: the list of conversations, the open conversation and its customer. */
export const Inbox = () => {
  const say = useTexts()
  const navigate = useNavigate()
  const search = inboxSearch(useSearch({ strict: false }))
  const filter = search.filter ?? 'waiting'
  const { id } = useParams({ strict: false }) as { id?: string }
  const [keys, keysHelp] = useDisclosure(false)
  const sandboxes = useChannels()?.filter(({ kind, status }) => kind === 'sandbox' && status !== 'disconnected')
  const unheard = useUnheard()
  const query = hooks.useInfiniteQuery('get', '/v1/conversations', listOf(queryOf[filter]), {
    ...byCursor,
    placeholderData: keepPreviousData,
    refetchInterval: unheard,
  })
  const rows = rowsOf<Row>(query)
  const opened = rows.rows?.find(row => row.id === id)
  // Sandbox channel of the open conversation.
  const itsSandbox = sandboxes?.find(channel => channel.id === opened?.channelId)
  const sandbox = itsSandbox ?? sandboxes?.[0]
  // The phone shows the channel of the open conversation, otherwise the channel in the address.
  const phone = search.phone && (itsSandbox ?? sandboxes?.find(channel => channel.id === search.phone))
  const count = rows.rows?.length ?? 0
  const pages = query.data?.pages.length ?? 0
  const { hasNextPage, isFetching, fetchNextPage } = query
  useEffect(() => {
    if (hasNextPage && !isFetching && count < pageSize / 2 && pages < maxPagesAtOnce) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage, count, pages])

  useHotkeys([
    ['shift+?', keysHelp.open],
    ['?', keysHelp.open],
  ])
  const here = id === undefined ? { to: '/inbox' } : { to: '/inbox/$id', params: { id } }
  const showPhone = (of: string | undefined) => {
    const { phone: _, ...rest } = search
    void navigate({ ...here, search: of === undefined ? rest : { ...rest, phone: of }, replace: true })
  }
  const open = (row: Row) => void navigate({ to: '/inbox/$id', params: { id: row.id }, search })
  /** Opens the conversation after `from` when that one leaves the list, or the one before it at the end of the list. */
  const goOn = (from: string) => {
    const at = rows.rows?.findIndex(row => row.id === from) ?? -1
    const next = at === -1 ? undefined : (rows.rows?.[at + 1] ?? rows.rows?.[at - 1])
    if (next) open(next)
  }

  const columns: Column<Row>[] = [
    { key: 'who', title: say('inbox.customer'), phone: 'title', cell: row => <Who row={row} search={search} /> },
    // The waiting time already shows when the customer wrote, so this column shows the assignee.
    filter === 'waiting'
      ? {
          key: 'assignee',
          title: say('inbox.assignee'),
          phone: 'aside',
          cell: row => row.assigneeId && <Assignee id={row.assigneeId} />,
        }
      : {
          key: 'when',
          title: say('inbox.when'),
          phone: 'aside',
          cell: row => (
            <span className={styles.when}>
              <Time at={row.lastMessage?.createdAt ?? row.createdAt} />
            </span>
          ),
        },
    { key: 'last', title: say('inbox.last'), phone: 'below', cell: row => <LastMessage of={row.lastMessage} /> },
    { key: 'state', title: say('inbox.state'), phone: 'end', cell: row => <State row={row} /> },
  ]

  return (
    <Opener.Provider
      value={{ goOn, isLeftOut: row => !isIn(filter, row), isEmpty: count === 0, showKeys: keysHelp.open }}
    >
      <div className={styles.inbox} data-open={id !== undefined || undefined}>
        <div className={styles.list}>
          <Page
            title={say('inbox.title')}
            actions={
              <>
                {sandbox && (
                  <Button
                    variant="default"
                    aria-expanded={Boolean(phone)}
                    onClick={() => showPhone(phone ? undefined : sandbox.id)}
                  >
                    {say('inbox.phone')}
                  </Button>
                )}
                <ActionIcon
                  className={styles.help!}
                  variant="default"
                  size={30}
                  aria-label={say('inbox.keys')}
                  onClick={keysHelp.open}
                >
                  ?
                </ActionIcon>
              </>
            }
          >
            <nav className={styles.filters} aria-label={say('inbox.filter')}>
              {filters.map(value => (
                <Link
                  key={value}
                  className={styles.filter}
                  activeOptions={{ exact: true, includeSearch: true }}
                  aria-current={value === filter ? 'page' : undefined}
                  {...here}
                  search={inboxSearch({ ...search, filter: value })}
                >
                  {say(`inbox.filter.${value}`)}
                </Link>
              ))}
            </nav>
            <List
              key={filter}
              narrow
              title={say('inbox.list')}
              columns={columns}
              rows={rows}
              idOf={row => row.id}
              // Nothing is open, so j opens the first row.
              selected={id ?? ''}
              open={open}
              live={{ kinds: ['conversation', 'message'], refresh: () => void query.refetch() }}
              empty={<Nothing filter={filter} openPhone={sandbox && !phone ? () => showPhone(sandbox.id) : null} />}
            />
          </Page>
        </div>
        <Outlet />
        {phone && (
          <Phone channelId={phone.id} number={numberOf(opened, phone)} corner onClose={() => showPhone(undefined)} />
        )}
        <Keys opened={keys} onClose={keysHelp.close} />
      </div>
    </Opener.Provider>
  )
}

/** Returns the phone number of the open conversation's customer on this sandbox channel. */
const numberOf = (conversation: Row | undefined, sandbox: Schemas['Channel']): string | undefined =>
  conversation?.channelId === sandbox.id ? (conversation.handle ?? undefined) : undefined

const isIn = (filter: InboxFilter, { status, waitingSince }: Row): boolean =>
  filter === 'all' ||
  (filter === 'closed' ? status === 'closed' : status === 'open' && (filter === 'mine' || waitingSince !== null))

const Who = ({ row, search }: { row: Row; search: InboxSearch }) => {
  const say = useTexts()
  return (
    <Link className={`${ui.rowLink} ${styles.who}`} to="/inbox/$id" params={{ id: row.id }} search={search}>
      <span className={`${styles.whoName} ${row.unread > 0 ? styles.unread : ''}`}>
        <Addressee of={row} />
      </span>
      {row.unread > 0 && (
        <span className={styles.count} role="img" aria-label={say('inbox.unread', { count: row.unread })}>
          {row.unread}
        </span>
      )}
    </Link>
  )
}

const LastMessage = ({ of }: { of: Row['lastMessage'] }) => {
  const say = useTexts()
  if (!of) return <span className={styles.preview}>{say('inbox.noMessage')}</span>
  const text = of.text ?? say(`inbox.type.${of.type}`)
  return (
    <span className={styles.preview}>
      {of.direction === 'outbound' && `${say('inbox.us')} `}
      <bdi>{text}</bdi>
    </span>
  )
}

const Assignee = ({ id }: { id: string }) => {
  const say = useTexts()
  const { user } = useSession()
  const name = useTeam().find(({ userId }) => userId === id)?.name
  return <bdi className={styles.when}>{id === user.id ? say('inbox.me') : name}</bdi>
}

const State = ({ row }: { row: Row }) => {
  const say = useTexts()
  if (row.looksLikeOptOut) return <Status tone="care">{say('inbox.looksLikeOptOut')}</Status>
  if (row.lastMessage?.status === 'failed') return <Status tone="failed">{say('inbox.status.failed')}</Status>
  if (row.status === 'closed') return <Status tone="off">{say('inbox.closed')}</Status>
  return row.waitingSince && <Waits since={row.waitingSince} />
}

const Nothing = ({ filter, openPhone }: { filter: InboxFilter; openPhone: (() => void) | null }) => {
  const say = useTexts()
  const owner = useIsOwner()
  if (filter !== 'all')
    return (
      <Empty title={say(`inbox.empty.${filter}`)} {...(filter === 'waiting' && { text: say('inbox.emptyText') })}>
        <Button
          variant="default"
          renderRoot={(props: object) => (
            <Link {...props} to="/inbox" search={(before: InboxSearch) => ({ ...before, filter: 'all' as const })} />
          )}
        >
          {say('inbox.showAll')}
        </Button>
      </Empty>
    )
  return (
    <Empty title={say('inbox.empty.all')} text={say(openPhone ? 'inbox.emptyPhone' : 'inbox.emptyText')}>
      {openPhone ? (
        <Button onClick={openPhone}>{say('inbox.writeAsCustomer')}</Button>
      ) : (
        owner && (
          <Button renderRoot={(props: object) => <Link {...props} to="/channels" />}>{say('inbox.connect')}</Button>
        )
      )}
    </Empty>
  )
}
