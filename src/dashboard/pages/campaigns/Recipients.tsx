import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../api/client.ts'
import { cursorPagination, isUnused, pageReader, pageSize, toRows } from '../../api/pages.ts'
import { type RecordLink, recordLink } from '../../shell/paths.ts'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { MagnifyingGlassIcon, UsersIcon } from '../../ui/icons.ts'
import { Figures } from '../../ui/list/Figures.tsx'
import { FilteredEmpty } from '../../ui/list/FilteredEmpty.tsx'
import { Filters, SelectFilter } from '../../ui/list/Filters.tsx'
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
import { useResultsById } from './results.ts'
import {
  type Campaign,
  hasStarted,
  type Outcome,
  outcomes,
  parseRecipientFilters,
  type RecipientFilters,
  results,
  toRecipientQuery,
} from './status.ts'
import { useReasonText } from './useReason.ts'

type Row = Schemas['CampaignRecipient']

const route = getRouteApi('/signed/campaigns/$id/recipients')

/** Recipients of a campaign with their outcomes. */
export const Recipients = () => {
  const t = useTranslate()
  const reason = useReasonText()
  const navigate = useNavigate()
  const { id } = route.useParams()
  const filters = parseRecipientFilters({ ...route.useSearch() })
  const { outcome, customerId } = filters
  const campaign = hooks.useQuery('get', '/v1/campaigns/{id}', { params: { path: { id } } })
  const params = { params: { path: { id }, query: { limit: pageSize, ...toRecipientQuery(filters) } } }
  const query = hooks.useInfiniteQuery('get', '/v1/campaigns/{id}/recipients', params, {
    ...cursorPagination,
    placeholderData: keepPreviousData,
  })
  const filter = (next: RecipientFilters) =>
    void navigate({ to: '/campaigns/$id/recipients', params: { id }, search: parseRecipientFilters({ ...next }) })
  const change = (changed: { [Name in keyof RecipientFilters]: RecipientFilters[Name] | undefined }) =>
    filter(parseRecipientFilters({ ...filters, ...changed }))
  const isFiltered = hasFilters(filters)
  const rows = toRows(query)
  // Every row of a filtered list has this result, which is more than the status of the message.
  const result = query.isPlaceholderData ? undefined : results.find(one => one === outcome)
  const statusOf = (row: Row): Outcome => result ?? toStatus(row)
  const hasReasons = rows.rows?.some(row => row.reason !== null)
  const progress = campaign.data?.progress
  const countOf = (one: Outcome) =>
    one === 'sent' || one === 'skipped' || one === 'unknown' ? progress?.[one] : undefined
  const reasonColumn: Column<Row> = {
    key: 'why',
    title: t('campaigns.reasonLabel'),
    width: 'minmax(180px, 2fr)',
    phone: 'below',
    cell: row => (row.reason ? reason(row.reason) : <span className={ui.quietCell}>–</span>),
    phoneCell: row => row.reason && reason(row.reason),
    value: row => row.reason && reason(row.reason),
  }
  const columns: Column<Row>[] = [
    {
      key: 'customer',
      title: t('campaigns.recipient'),
      width: 'minmax(160px, 1fr)',
      phone: 'title',
      cell: row => (
        <Link className={ui.rowLink} {...linkOf(row)}>
          <CustomerCell id={row.customerId} />
        </Link>
      ),
    },
    {
      key: 'status',
      title: t('campaigns.status'),
      width: '164px',
      phone: 'aside',
      cell: row => {
        const shown = statusOf(row)
        return <Status tone={tones.recipient[shown]}>{t(`campaigns.outcome.${shown}`)}</Status>
      },
      value: row => t(`campaigns.outcome.${statusOf(row)}`),
    },
    {
      key: 'at',
      title: t('campaigns.updated'),
      width: '130px',
      phone: 'end',
      cell: row => (
        <span className={ui.quietCell}>
          <Time at={row.at} />
        </span>
      ),
      value: row => row.at,
    },
    ...(hasReasons ? [reasonColumn] : []),
    {
      key: 'customerId',
      title: t('campaigns.recipientId'),
      exportOnly: true,
      cell: row => row.customerId,
      exportValue: row => row.customerId,
      customerId: row => row.customerId,
    },
  ]
  return (
    <Page
      title={t('campaigns.recipients')}
      crumbs={[
        { label: t('campaigns.title'), link: { to: '/campaigns' } },
        { label: campaign.data?.name ?? t('campaigns.id'), link: { to: '/campaigns/$id', params: { id } } },
      ]}
    >
      <Filters
        views={{ list: 'recipients', path: `/campaigns/${id}/recipients` }}
        clear={isFiltered ? () => filter({}) : undefined}
      >
        <TimeRangeFilter value={filters} onChange={range => change(replaceTimeRange(range))} />
        <SelectFilter
          label={t('campaigns.status')}
          value={outcome}
          options={outcomes.map(value => {
            const label = t(`campaigns.outcome.${value}`)
            const count = countOf(value)
            return {
              value,
              label: count === undefined ? label : t('campaigns.outcomeCount', { outcome: label, count }),
            }
          })}
          onChange={next => change({ outcome: next })}
        />
        <CustomerSelect
          chip
          label={t('campaigns.recipient')}
          value={customerId ?? null}
          onChange={next => change({ customerId: next ?? undefined })}
        />
      </Filters>
      {/* Also while the campaign is loaded, so that the list does not move. */}
      {(!campaign.data || hasStarted(campaign.data)) && (
        <RecipientFigures id={id} campaign={campaign.data} outcome={outcome} />
      )}
      <List
        title={t('campaigns.recipients')}
        columns={columns}
        rows={rows}
        exportName="recipients"
        readPage={pageReader('/v1/campaigns/{id}/recipients', params)}
        getId={row => row.customerId}
        open={row => void navigate(linkOf(row))}
        live={{ kinds: ['campaign'], refresh: () => void query.refetch(), isRelevant: news => news.id === id }}
        empty={
          isUnused(query, isFiltered) ? (
            <Empty title={t('campaigns.recipientsEmpty')} text={t('campaigns.recipientsEmptyText')} icon={UsersIcon} />
          ) : (
            <FilteredEmpty
              title={
                outcome && Object.keys(filters).length === 1
                  ? t('campaigns.recipientsNone', { outcome: t(`campaigns.outcome.${outcome}`) })
                  : t('campaigns.recipientsFiltered')
              }
              icon={MagnifyingGlassIcon}
              clear={() => filter({})}
              query={query}
            />
          )
        }
      />
    </Page>
  )
}

/** Numbers of recipients by outcome, each a link to the list of them. */
const RecipientFigures = ({
  id,
  campaign,
  outcome,
}: {
  id: string
  campaign: Campaign | undefined
  outcome: Outcome | undefined
}) => {
  const t = useTranslate()
  const number = useNumbers()
  const progress = campaign?.progress
  const results = useResultsById(campaign ? [campaign] : []).resultsById.get(id)
  const failed = results?.failed.reduce((sum, { count }) => sum + count, 0)
  const counts: [Outcome, number | null | undefined][] = [
    ['sent', progress?.sent],
    ['delivered', results?.delivered],
    ['read', results?.read],
    ['replied', results?.replied],
    ['sale', results?.sales.customers],
    ['opted_out', results?.optedOut],
    ['failed', failed],
    ['skipped', progress?.skipped],
  ]
  const link = (search: RecipientFilters) => ({ to: '/campaigns/$id/recipients' as const, params: { id }, search })
  return (
    <Figures
      figures={[
        {
          label: t('campaigns.audience'),
          value: progress ? number(progress.audience) : null,
          link: link({}),
          isCurrent: outcome === undefined,
        },
        ...counts.map(([key, count]) => ({
          label: t(`campaigns.outcome.${key}`),
          value: count == null ? null : number(count),
          link: link({ outcome: key }),
          isCurrent: outcome === key,
        })),
      ]}
    />
  )
}

/** Returns the link to the message, or to the customer without one. */
const linkOf = ({ messageId, customerId }: Row): RecordLink =>
  messageId === null ? recordLink('customer', customerId) : recordLink('message', messageId)

/** Returns the status of the message, or the outcome of a recipient without one. */
const toStatus = ({ outcome, messageStatus }: Row): Outcome =>
  outcome === 'sent' && (messageStatus === 'delivered' || messageStatus === 'read' || messageStatus === 'failed')
    ? messageStatus
    : outcome
