import { Anchor, Button } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { hooks } from '../../api/client.ts'
import { cursorPagination, isUnused, pageReader, toRows } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { Sentence, useTranslate } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { usePhone } from '../../ui/hooks/usePhone.ts'
import { MegaphoneIcon } from '../../ui/icons.ts'
import { FilteredEmpty } from '../../ui/list/FilteredEmpty.tsx'
import { Filters, SelectFilter, TextFilter } from '../../ui/list/Filters.tsx'
import { List } from '../../ui/list/List.tsx'
import { hasFilters } from '../../ui/list/sort.ts'
import { Page } from '../../ui/Page.tsx'
import { PlusIcon } from '../../ui/page-icons.ts'
import { TimeRangeFilter } from '../../ui/time-range/TimeRangeFilter.tsx'
import { replaceTimeRange } from '../../ui/time-range/time-range.ts'
import styles from './campaigns.module.css'
import { useColumns } from './columns.tsx'
import { campaignParams, parseCampaignFilters, statuses } from './filters.ts'
import { Share } from './ListResults.tsx'
import { readResults } from './results.ts'
import { type Campaign, hasStarted } from './status.ts'
import { useCampaignBulkActions } from './useCampaignBulkActions.ts'

const route = getRouteApi('/signed/campaigns')

/** Campaigns page: drafts, scheduled, running and finished campaigns with their results. */
export const Campaigns = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const isOwner = useIsOwner()
  const isPhone = usePhone()
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
  const bulkActions = useCampaignBulkActions()
  const { columns, foldedLayouts, failed } = useColumns(rows)
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
      {failed && (
        <div className={styles.failedResults}>
          <Failure error={failed.error} retry={failed.refetch} what={t('campaigns.results')} />
        </div>
      )}
      <List
        title={t('campaigns.title')}
        columns={columns}
        foldedLayouts={foldedLayouts}
        phoneRowHeight={80}
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
              text={<EmptyText />}
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

/** Requirements of a campaign, with links to the two that may be missing. */
const EmptyText = () => {
  const t = useTranslate()
  return (
    <Sentence
      id="campaigns.emptyText"
      values={{
        channel: (
          <Anchor inherit underline="always" renderRoot={(props: object) => <Link {...props} to="/channels" />}>
            {t('campaigns.emptyChannel')}
          </Anchor>
        ),
        template: (
          <Anchor inherit underline="always" renderRoot={(props: object) => <Link {...props} to="/templates" />}>
            {t('campaigns.emptyTemplate')}
          </Anchor>
        ),
      }}
    />
  )
}

const exampleAudience = 480

/** Example of the results of a campaign. */
const Example = () => {
  const t = useTranslate()
  return (
    <div className={styles.example}>
      <strong>{t('campaigns.example')}</strong>
      <span className={styles.exampleRow}>
        {t('campaigns.audience')} <Share value={exampleAudience} total={exampleAudience} />
      </span>
      {[['delivered', 471] as const, ['read', 402] as const, ['sale', 19] as const].map(([key, value]) => (
        <span key={key} className={styles.exampleRow}>
          {t(`campaigns.result.${key}`)} <Share value={value} total={exampleAudience} />
        </span>
      ))}
    </div>
  )
}
