import { ActionIcon } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, Outlet, useMatch, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { cursorPagination, listParams, pageReader, pageSize, toRows } from '../../api/pages.ts'
import { usePollInterval } from '../../api/useLive.ts'
import { useTranslate } from '../../texts/index.tsx'
import { List } from '../../ui/list/List.tsx'
import { Page } from '../../ui/Page.tsx'
import { DevicePhoneMobileIcon, QuestionMarkCircleIcon } from '../../ui/page-icons.ts'
import { Phone } from '../phone/Phone.tsx'
import { bulkActions, ConversationBulkDialog, isUnaffected } from './ConversationBulkDialog.tsx'
import { useColumns } from './columns.tsx'
import { EmptyInbox } from './EmptyInbox.tsx'
import { type InboxSearch, toQuery } from './filters.ts'
import styles from './inbox.module.css'
import { InboxContext } from './inbox-context.ts'
import { ListFilters } from './ListFilters.tsx'
import { NotificationSettings } from './NotificationSettings.tsx'
import { useChannels } from './queries.ts'
import { Shortcuts } from './Shortcuts.tsx'
import { TodaySummary } from './statistics/TodaySummary.tsx'

type Row = Schemas['Conversation']
/** Maximum number of pages fetched automatically. With a rare filter, pages can be short. */
const maxAutoPages = 10

const route = getRouteApi('/signed/inbox')

/** Inbox page: the list of conversations, the open conversation and its customer. */
export const Inbox = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const search = route.useSearch()
  const filter = search.filter ?? 'waiting'
  const id = useMatch({ from: '/signed/inbox/$id', shouldThrow: false })?.params.id
  const isStatisticsOpen = useMatch({ from: '/signed/inbox/statistics', shouldThrow: false }) !== undefined
  const sandboxes = useChannels()?.filter(({ kind, status }) => kind === 'sandbox' && status !== 'disconnected')
  const pollInterval = usePollInterval()
  const params = listParams(toQuery(search))
  const query = hooks.useInfiniteQuery('get', '/v1/conversations', params, {
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

  const current = id === undefined ? { to: '/inbox' as const } : { to: '/inbox/$id' as const, params: { id } }
  const change = (next: InboxSearch) => void navigate({ ...current, search: next, replace: true })
  const { phone: _, ...withoutPhone } = search
  const setPhoneChannel = (value: string | undefined) =>
    change(value === undefined ? withoutPhone : { ...withoutPhone, phone: value })
  const { keys: isShortcutsOpen = false, ...withoutKeys } = search
  const showShortcuts = () => change({ ...search, keys: true })
  useHotkeys([
    ['shift+?', showShortcuts],
    ['?', showShortcuts],
  ])
  const openRow = (row: Row) => void navigate({ to: '/inbox/$id', params: { id: row.id }, search })
  /** Opens the conversation after `from`, which was closed, or the one before it at the end of the list. */
  const openNext = (from: string) => {
    const at = rows.rows?.findIndex(row => row.id === from) ?? -1
    const next = at === -1 ? undefined : (rows.rows?.[at + 1] ?? rows.rows?.[at - 1])
    if (next) openRow(next)
  }
  const columns = useColumns(search)

  return (
    <InboxContext.Provider
      value={{
        openNext,
        isEmpty: count === 0,
        showShortcuts,
      }}
    >
      <div
        className={styles.inbox}
        data-open={id !== undefined || isStatisticsOpen || undefined}
        data-phone={phone ? true : undefined}
      >
        <div className={styles.list}>
          <Page
            title={t('inbox.title')}
            actions={
              <>
                {sandbox && (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={30}
                    aria-label={t('inbox.phone')}
                    aria-expanded={Boolean(phone)}
                    onClick={() => setPhoneChannel(phone ? undefined : sandbox.id)}
                  >
                    <DevicePhoneMobileIcon width={18} />
                  </ActionIcon>
                )}
                <NotificationSettings />
                <ActionIcon
                  className={styles.help!}
                  variant="subtle"
                  color="gray"
                  size={30}
                  aria-label={t('inbox.keys')}
                  onClick={showShortcuts}
                >
                  <QuestionMarkCircleIcon width={18} />
                </ActionIcon>
              </>
            }
          >
            {/* `error` is null during another attempt. */}
            {(query.data || query.errorUpdateCount === 0) && <TodaySummary search={search} />}
            <ListFilters search={search} current={current} change={change} />
            <List
              key={filter}
              narrow
              title={t('inbox.list')}
              columns={columns}
              rows={rows}
              getId={row => row.id}
              exportName="conversations"
              readPage={pageReader('/v1/conversations', params)}
              // Nothing is open, so j opens the first row.
              selected={id ?? ''}
              open={openRow}
              selection={conversations =>
                bulkActions.map(action => ({
                  key: action,
                  label: t(`inbox.${action}`),
                  reason: conversations.every(row => isUnaffected(action, row)) ? t(`inbox.bulk.${action}None`) : null,
                  dialog: onClose => <ConversationBulkDialog {...{ action, conversations, onClose }} />,
                }))
              }
              live={{
                kinds: ['conversation', 'message'],
                refresh: () => void query.refetch(),
              }}
              empty={
                <EmptyInbox search={search} openPhone={sandbox && !phone ? () => setPhoneChannel(sandbox.id) : null} />
              }
            />
          </Page>
        </div>
        <Outlet />
        {phone && (
          <Phone
            channelId={phone.id}
            number={conversationPhone(openConversation, phone)}
            onClose={() => setPhoneChannel(undefined)}
          />
        )}
        <Shortcuts opened={isShortcutsOpen} onClose={() => change(withoutKeys)} />
      </div>
    </InboxContext.Provider>
  )
}

/** Returns the phone number of the open conversation's customer on this sandbox channel. */
const conversationPhone = (conversation: Row | undefined, sandbox: Schemas['Channel']): string | undefined =>
  conversation?.channelId === sandbox.id ? (conversation.handle ?? undefined) : undefined
