import { Button } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { hooks } from '../../api/client.ts'
import { cursorPagination, isUnused, pageReader, toRows } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { usePhone } from '../../ui/hooks/usePhone.ts'
import { MegaphoneIcon } from '../../ui/icons.ts'
import { FilteredEmpty } from '../../ui/list/FilteredEmpty.tsx'
import { Filters, SelectFilter, TextFilter } from '../../ui/list/Filters.tsx'
import { type Column, List } from '../../ui/list/List.tsx'
import { hasFilters } from '../../ui/list/sort.ts'
import { Page } from '../../ui/Page.tsx'
import { PlusIcon } from '../../ui/page-icons.ts'
import { Time } from '../../ui/Time.tsx'
import { TimeRangeFilter } from '../../ui/time-range/TimeRangeFilter.tsx'
import { replaceTimeRange } from '../../ui/time-range/time-range.ts'
import ui from '../../ui/ui.module.css'
import { CampaignStatus } from './CampaignStatus.tsx'
import styles from './campaigns.module.css'
import { useChoices } from './choices.ts'
import { campaignParams, parseCampaignFilters, statuses } from './filters.ts'
import { FailedCount, NotStarted, PhoneResults, Share } from './ListResults.tsx'
import { readResults, resultColumns, useResultsById } from './results.ts'
import { type Campaign, hasStarted } from './status.ts'
import { useCampaignBulkActions } from './useCampaignBulkActions.ts'

const route = getRouteApi('/signed/campaigns')

/** Campaigns page: drafts, scheduled, running and finished campaigns with their results. */
export const Campaigns = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const isOwner = useIsOwner()
  const isPhone = usePhone()
  const number = useNumbers()
  const filters = parseCampaignFilters(route.useSearch())
  const params = campaignParams(filters)
  const query = hooks.useInfiniteQuery('get', '/v1/campaigns', params, {
    ...cursorPagination,
    placeholderData: keepPreviousData,
  })
  const filter = (search: Record<string, unknown>) =>
    void navigate({ to: '/campaigns', search: parseCampaignFilters(search) })
  const isFiltered = hasFilters(filters)
  const rows = toRows<Campaign>(query)
  const resultsById = useResultsById(rows.rows ?? [])
  const bulkActions = useCampaignBulkActions()
  const { channels, templates } = useChoices()
  const templateName = (row: Campaign) => templates?.find(({ id }) => id === row.templateId)?.name
  const columns: Column<Campaign>[] = [
    {
      key: 'name',
      title: t('campaigns.name'),
      width: 'minmax(180px, 1.1fr)',
      phone: 'title',
      value: row => row.name,
      cell: row => (
        <Link className={ui.rowLink} to="/campaigns/$id" params={{ id: row.id }}>
          <bdi>{row.name}</bdi>
        </Link>
      ),
    },
    {
      key: 'status',
      title: t('campaigns.status'),
      width: 'minmax(92px, 1fr)',
      phone: 'aside',
      value: row => t(`campaigns.status.${row.status}`),
      cell: row => (
        <CampaignStatus status={row.status}>{statusTime(row) && <Time at={statusTime(row)!} />}</CampaignStatus>
      ),
      phoneCell: row => <CampaignStatus status={row.status} />,
    },
    {
      key: 'template',
      title: t('campaigns.template'),
      width: 'minmax(104px, 0.7fr)',
      wide: true,
      value: templateName,
      cell: row => <bdi className={styles.quiet}>{templateName(row)}</bdi>,
    },
    {
      key: 'channel',
      title: t('campaigns.channel'),
      exportOnly: true,
      value: row => channels?.find(({ id }) => id === row.channelId)?.name,
      cell: () => null,
    },
    {
      key: 'sent',
      title: t('campaigns.sent'),
      width: 'minmax(68px, 0.25fr)',
      align: 'right',
      phone: 'below',
      value: row => (hasStarted(row) ? row.progress.sent : null),
      cell: row =>
        hasStarted(row) ? (
          <span className="tabular">
            {t('campaigns.countOf', { count: row.progress.sent, all: row.progress.audience })}
          </span>
        ) : (
          <NotStarted />
        ),
      phoneCell: row =>
        hasStarted(row) ? (
          <PhoneResults campaign={row} results={resultsById.get(row.id)} />
        ) : (
          <CampaignTime campaign={row} />
        ),
    },
    {
      key: 'skipped',
      title: t('campaigns.skipped'),
      width: 'minmax(72px, 0.25fr)',
      align: 'right',
      wide: true,
      value: row => (hasStarted(row) ? row.progress.skipped : null),
      cell: row => (hasStarted(row) ? <span className="tabular">{number(row.progress.skipped)}</span> : <NotStarted />),
    },
    ...resultColumns.map(([key, count, width]): Column<Campaign> => {
      const countOf = (row: Campaign) => {
        const results = resultsById.get(row.id)
        return results && count(results)
      }
      return {
        key,
        title: t(`campaigns.result.${key}`),
        align: 'right',
        ...width,
        // Results are read only for loaded rows, so only a complete list sorts by them.
        ...(rows.loadMore === null && { value: countOf }),
        cell: row => {
          const value = countOf(row)
          if (!hasStarted(row)) return <NotStarted />
          if (value == null) return null
          return key === 'failed' ? (
            <FailedCount value={value} />
          ) : (
            <Share value={value} total={row.progress.audience} />
          )
        },
      }
    }),
    ...(['scheduledAt', 'startedAt', 'finishedAt'] as const).map(
      (key): Column<Campaign> => ({
        key,
        title: t(`campaigns.${key}`),
        exportOnly: true,
        value: row => row[key],
        cell: () => null,
      }),
    ),
    {
      key: 'created',
      title: t('campaigns.created'),
      width: '84px',
      value: row => row.createdAt,
      cell: row => (
        <span className={styles.quiet}>
          <Time at={row.createdAt} />
        </span>
      ),
    },
  ]
  const isEmpty = isUnused(query, isFiltered)
  const createButton = isOwner && (
    <Button
      leftSection={<PlusIcon width={14} />}
      renderRoot={(props: object) => <Link {...props} to="/campaigns/new" />}
    >
      {t('campaigns.new')}
    </Button>
  )
  return (
    <Page
      title={t('campaigns.title')}
      text={t(!isPhone && rows.rows?.some(hasStarted) ? 'campaigns.textWithShares' : 'campaigns.text')}
      readOnly={!isOwner}
      actions={isEmpty ? undefined : createButton}
    >
      {!isEmpty && (
        <Filters views={{ list: 'campaigns', path: '/campaigns' }} clear={isFiltered ? () => filter({}) : undefined}>
          <TextFilter label={t('campaigns.search')} value={filters.q} onChange={q => filter({ ...filters, q })} />
          <SelectFilter
            label={t('campaigns.status')}
            value={filters.status}
            options={statuses.map(value => ({ value, label: t(`campaigns.status.${value}`) }))}
            onChange={status => filter({ ...filters, status })}
          />
          <TimeRangeFilter
            value={filters}
            describe={range => t('campaigns.createdIn', { range })}
            onChange={range => filter({ ...filters, ...replaceTimeRange(range) })}
          />
        </Filters>
      )}
      <List
        title={t('campaigns.title')}
        columns={columns}
        rows={rows}
        getId={row => row.id}
        exportName="campaigns"
        readPage={pageReader('/v1/campaigns', params)}
        readValues={readResults}
        order={{ column: 'created', sort: filters.sort, onChange: sort => filter({ ...filters, sort }) }}
        selection={isOwner ? bulkActions : undefined}
        live={{ kinds: ['campaign'], refresh: () => void query.refetch() }}
        open={row => void navigate({ to: '/campaigns/$id', params: { id: row.id } })}
        empty={
          isEmpty ? (
            <Empty
              title={t('campaigns.emptyTitle')}
              text={t('campaigns.emptyText')}
              icon={MegaphoneIcon}
              docs="/docs/campaigns"
              example={<Example />}
            >
              {createButton}
            </Empty>
          ) : (
            <FilteredEmpty
              icon={MegaphoneIcon}
              title={t('campaigns.emptyFiltered')}
              clear={() => filter({})}
              query={query}
            />
          )
        }
      />
    </Page>
  )
}

const timeOf = (campaign: Campaign) =>
  campaign.finishedAt
    ? (['campaigns.finishedAt', campaign.finishedAt] as const)
    : campaign.startedAt
      ? (['campaigns.startedAt', campaign.startedAt] as const)
      : campaign.scheduledAt && campaign.status === 'scheduled'
        ? (['campaigns.scheduledAt', campaign.scheduledAt] as const)
        : (['campaigns.created', campaign.createdAt] as const)

/** Time that belongs to the status: the end, or the start of a scheduled campaign. */
const statusTime = ({ status, finishedAt, scheduledAt }: Campaign) =>
  status === 'scheduled' ? scheduledAt : finishedAt

const CampaignTime = ({ campaign }: { campaign: Campaign }) => {
  const t = useTranslate()
  const [kind, at] = timeOf(campaign)
  return (
    <span className={styles.quiet}>
      {t(kind)} <Time at={at} />
    </span>
  )
}

/** Example of the results of a campaign. */
const Example = () => {
  const t = useTranslate()
  return (
    <div className={styles.example}>
      <strong>{t('campaigns.example')}</strong>
      {[['delivered', 471] as const, ['read', 402] as const, ['sale', 19] as const].map(([key, value]) => (
        <span key={key} className={styles.exampleRow}>
          {t(`campaigns.result.${key}`)} <Share value={value} total={480} />
        </span>
      ))}
    </div>
  )
}
