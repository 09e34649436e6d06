import { Button, Stack } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet, useMatch, useNavigate } from '@tanstack/react-router'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { cursorPagination, isUnused, listParams, pageReader, toRows } from '../../api/pages.ts'
import { useTranslate } from '../../texts/index.tsx'
import { withoutOverrides } from '../../texts/isolate.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Empty, ExampleRow } from '../../ui/Empty.tsx'
import { ChatBubbleLeftRightIcon } from '../../ui/icons.ts'
import type { BulkAction } from '../../ui/list/BulkActions.tsx'
import { FilteredEmpty } from '../../ui/list/FilteredEmpty.tsx'
import { Filters, SelectFilter, TextFilter } from '../../ui/list/Filters.tsx'
import { type Column, List } from '../../ui/list/List.tsx'
import { hasFilters } from '../../ui/list/sort.ts'
import { Page } from '../../ui/Page.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { TimeRangeFilter } from '../../ui/time-range/TimeRangeFilter.tsx'
import { replaceTimeRange } from '../../ui/time-range/time-range.ts'
import { tones } from '../../ui/tones.ts'
import ui from '../../ui/ui.module.css'
import { CustomerCell } from '../customers/CustomerCell.tsx'
import { CustomerSelect } from '../customers/CustomerSelect.tsx'
import { useChannels } from '../inbox/queries.ts'
import { Author, useReadAuthors } from './Author.tsx'
import { Direction } from './Direction.tsx'
import { withoutCode } from './detail.ts'
import { directions, filterStatuses, type MessageFilters, parseMessageFilters, toMessageQuery } from './filters.ts'
import styles from './messages.module.css'
import { isResendable } from './resend.ts'

type Row = Schemas['Message']

const route = getRouteApi('/signed/messages')

/** Messages page with one message in the side panel. */
export const Messages = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const filters = parseMessageFilters(route.useSearch())
  const id = useMatch({ from: '/signed/messages/$id', shouldThrow: false })?.params.id
  const params = listParams(toMessageQuery(filters))
  const query = hooks.useInfiniteQuery('get', '/v1/messages', params, {
    ...cursorPagination,
    placeholderData: keepPreviousData,
  })
  const filter = (search: MessageFilters) =>
    void navigate({ to: '/messages', search: parseMessageFilters({ ...search }) })
  const change = (changed: { [Name in keyof MessageFilters]: MessageFilters[Name] | undefined }) =>
    filter(parseMessageFilters({ ...filters, ...changed }))
  const channels = useChannels() ?? []
  const resend = useResend()
  const isFiltered = hasFilters(filters)
  const isEmpty = isUnused(query, isFiltered)
  return (
    <div className={ui.withPanel}>
      <Page title={t('messages.list')} text={t('messages.listText')}>
        {!isEmpty && (
          <Filters views={{ list: 'messages', path: '/messages' }} clear={isFiltered ? () => filter({}) : undefined}>
            <TextFilter label={t('messages.search')} value={filters.q} onChange={q => change({ q })} />
            <TimeRangeFilter value={filters} onChange={range => change(replaceTimeRange(range))} />
            <SelectFilter
              label={t('messages.status')}
              value={filters.status}
              options={filterStatuses.map(value => ({ value, label: t(`messages.status.${value}`) }))}
              onChange={status => change({ status })}
            />
            <SelectFilter
              label={t('messages.direction')}
              value={filters.direction}
              options={directions.map(value => ({ value, label: t(`messages.filter.${value}`) }))}
              onChange={direction => change({ direction })}
            />
            <SelectFilter
              label={t('messages.channel')}
              value={filters.channelId}
              options={channels.map(({ id, name }) => ({ value: id, label: name }))}
              searchable
              onChange={channelId => change({ channelId })}
            />
            <CustomerSelect
              chip
              label={t('messages.customer')}
              value={filters.customerId ?? null}
              onChange={customerId => change({ customerId: customerId ?? undefined })}
            />
          </Filters>
        )}
        <List
          title={t('messages.list')}
          columns={useColumns(filters)}
          rows={toRows(query)}
          getId={row => row.id}
          selected={id}
          exportName="messages"
          readPage={pageReader('/v1/messages', params)}
          readValues={useReadAuthors()}
          selection={rows => [resend(rows)]}
          order={{ column: 'when', sort: filters.sort, onChange: sort => change({ sort }) }}
          live={{ kinds: ['message'], refresh: () => void query.refetch() }}
          open={row => void navigate({ to: '/messages/$id', params: { id: row.id }, search: filters })}
          empty={
            isEmpty ? (
              <Empty
                icon={ChatBubbleLeftRightIcon}
                title={t('messages.emptyTitle')}
                text={t('messages.emptyText')}
                docs="/docs/conversations"
                example={
                  <ExampleRow
                    lead={<Avatar name={t('customers.example')} size={32} />}
                    title={t('customers.example')}
                    text={t('messages.example')}
                    aside={<Status tone={tones.message.delivered}>{t('messages.status.delivered')}</Status>}
                  />
                }
              >
                <Button renderRoot={(props: object) => <Link {...props} to="/inbox" />}>{t('messages.emptyDo')}</Button>
              </Empty>
            ) : (
              <FilteredEmpty
                icon={ChatBubbleLeftRightIcon}
                title={t('messages.emptyFiltered')}
                clear={() => filter({})}
                query={query}
              />
            )
          }
        />
      </Page>
      <Outlet />
    </div>
  )
}

/** Sends the selected messages again. Messages that did not fail are left out. */
const useResend = () => {
  const t = useTranslate()
  return (rows: Row[]): BulkAction => {
    const unknownCount = rows.filter(({ status }) => status === 'unknown').length
    return {
      key: 'resend',
      label: t('messages.resend'),
      reason: rows.some(isResendable) ? null : t('messages.resendNone'),
      title: t('messages.resendTitle'),
      text: (
        <Stack gap="xs">
          <span>{t('messages.resendText')}</span>
          {unknownCount > 0 && <span>{t('messages.resendUnknown', { count: unknownCount })}</span>}
        </Stack>
      ),
      confirm: count => t('messages.resendDo', { count }),
      items: rows.map(row => ({
        id: row.id,
        label: row.text ?? t('messages.noTextShort', { type: row.type }),
        skip: isResendable(row) ? undefined : t(`messages.status.${row.status}`),
      })),
      send: id => api.POST('/v1/messages/{id}/resend', { params: { path: { id } } }),
      changes: path => path === '/v1/messages',
    }
  }
}

const useColumns = (filters: MessageFilters): Column<Row>[] => {
  const t = useTranslate()
  const channels = useChannels()
  const channelName = (row: Row) => channels?.find(({ id }) => id === row.channelId)?.name
  return [
    {
      key: 'when',
      title: t('messages.time'),
      width: '104px',
      phone: 'aside',
      value: row => row.createdAt,
      cell: row => (
        <span className={ui.quietCell}>
          <Time at={row.createdAt} />
        </span>
      ),
    },
    {
      key: 'customer',
      title: t('messages.customer'),
      width: 'minmax(132px, 1.2fr)',
      phone: 'title',
      exportValue: row => row.customerId,
      customerId: row => row.customerId,
      cell: row => (
        <Link className={ui.rowLink} to="/messages/$id" params={{ id: row.id }} search={filters}>
          <CustomerCell id={row.customerId} />
        </Link>
      ),
    },
    {
      key: 'text',
      title: t('messages.text'),
      width: 'minmax(152px, 4fr)',
      phone: 'below',
      value: row => row.text,
      cell: row => (
        <span className={styles.excerpt}>
          <Direction direction={row.direction} />
          <bdi>{row.text === null ? t('messages.noTextShort', { type: row.type }) : withoutOverrides(row.text)}</bdi>
        </span>
      ),
    },
    {
      key: 'by',
      title: t('messages.by'),
      width: 'minmax(124px, 1fr)',
      value: row => t(`messages.by.${row.sentBy?.type ?? 'customer'}`),
      cell: row => <Author author={row.sentBy} />,
    },
    {
      key: 'channel',
      title: t('messages.channel'),
      width: 'minmax(120px, 0.8fr)',
      wide: true,
      value: channelName,
      cell: row => <bdi className={ui.quietCell}>{channelName(row)}</bdi>,
    },
    {
      key: 'status',
      title: t('messages.status'),
      width: 'minmax(92px, 1fr)',
      phone: 'end',
      value: row => [row.status, row.detail].filter(Boolean).join(': '),
      cell: row => (
        <span className={styles.outcome} title={row.detail === null ? undefined : withoutCode(row.detail)}>
          <Status tone={tones.message[row.status]}>{t(`messages.status.${row.status}`)}</Status>
          {row.detail && <bdi>{withoutCode(row.detail)}</bdi>}
        </span>
      ),
    },
  ]
}
