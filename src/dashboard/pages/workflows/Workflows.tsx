import { Anchor, Button, Title } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { hooks } from '../../api/client.ts'
import { cursorPagination, isUnused, pageReader, toRows } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import segments from '../../ui/form/segments.module.css'
import { ShareIcon } from '../../ui/icons.ts'
import { FilteredEmpty } from '../../ui/list/FilteredEmpty.tsx'
import { Filters, SelectFilter, SuggestFilter, TextFilter } from '../../ui/list/Filters.tsx'
import { List } from '../../ui/list/List.tsx'
import { hasFilters } from '../../ui/list/sort.ts'
import { Page } from '../../ui/Page.tsx'
import { ArchiveBoxIcon, PlusIcon } from '../../ui/page-icons.ts'
import { TimeRangeFilter } from '../../ui/time-range/TimeRangeFilter.tsx'
import { replaceTimeRange, withDefaultRange } from '../../ui/time-range/time-range.ts'
import { useEventTypes } from '../events/useEventTypes.ts'
import { useColumns } from './columns.tsx'
import { Gallery } from './gallery/Gallery.tsx'
import {
  defaultRange,
  parseWorkflowFilters,
  statsPeriod,
  switches,
  type WorkflowFilters,
  workflowParams,
} from './list-filters.ts'
import { useWorkflowBulkActions } from './manage/useWorkflowBulkActions.tsx'
import { NewWorkflow } from './NewWorkflow.tsx'
import { statsReader, useLiveStats } from './queries.ts'

const route = getRouteApi('/signed/workflows')

const shows = ['current', 'archived'] as const

/** Workflows page: all workflows with their state, their changes and their statistics. */
export const Workflows = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const isOwner = useIsOwner()
  const search = route.useSearch()
  const filters = parseWorkflowFilters({ ...search })
  const { archived, sort, range, since, until, ...narrowing } = filters
  const period = statsPeriod(filters)
  const isByName = sort === 'name' || sort === 'name_descending'
  const params = workflowParams(filters)
  const query = hooks.useInfiniteQuery('get', '/v1/workflows', params, {
    ...cursorPagination,
    placeholderData: keepPreviousData,
  })
  const filter = (changed: Record<string, unknown>) =>
    void navigate({ to: '/workflows', search: parseWorkflowFilters({ ...filters, ...changed }) })
  const clear = () =>
    void navigate({ to: '/workflows', search: parseWorkflowFilters({ archived, range, since, until }) })
  const isNarrowed = hasFilters(narrowing)
  useLiveStats()
  const rows = toRows(query)
  const columns = useColumns(rows, period, withDefaultRange({ range, since, until }, defaultRange).range)
  const bulkActions = useWorkflowBulkActions(archived === 'true')
  const [isTypeFilterUsed, setIsTypeFilterUsed] = useState(false)
  const types = useEventTypes(isTypeFilterUsed)
  const isEmpty = isUnused(query, isNarrowed || archived !== undefined)
  const create = (eventType: string) => void navigate({ to: '/workflows', search: { new: eventType } })
  const createButton = isOwner && (
    <Button leftSection={<PlusIcon width={14} />} onClick={() => create('')}>
      {t('workflows.new')}
    </Button>
  )
  return (
    <>
      <Page
        title={t('workflows.title')}
        text={t('workflows.text')}
        readOnly={!isOwner}
        actions={isEmpty ? undefined : createButton}
      >
        {!isEmpty && (
          <Filters
            views={{ list: 'workflows', path: '/workflows', isFiltered: hasFilters(filters) }}
            clear={isNarrowed ? clear : undefined}
          >
            <TextFilter label={t('workflows.search')} value={filters.q} onChange={q => filter({ q })} />
            <ArchiveSwitch value={archived} filters={filters} />
            <SuggestFilter
              label={t('workflows.startsWith')}
              value={filters.triggerType}
              suggestions={types}
              onFocus={() => setIsTypeFilterUsed(true)}
              onChange={triggerType => filter({ triggerType })}
            />
            {!archived && (
              <SelectFilter
                label={t('workflows.state')}
                value={filters.enabled}
                options={switches.map(value => ({
                  value,
                  label: t(value === 'true' ? 'workflows.state.on' : 'workflows.state.off'),
                }))}
                onChange={enabled => filter({ enabled })}
              />
            )}
            <TimeRangeFilter
              always
              value={filters}
              defaultRange={defaultRange}
              describe={range => t('workflows.runsOf', { range })}
              onChange={value => filter(replaceTimeRange(value))}
            />
          </Filters>
        )}
        <List
          title={t('workflows.title')}
          columns={columns}
          rows={rows}
          getId={row => row.id}
          open={row => void navigate({ to: '/workflows/$id', params: { id: row.id } })}
          order={isByName ? undefined : { column: 'created', sort, onChange: sort => filter({ sort }) }}
          textOrder={{
            column: 'name',
            direction: isByName ? (sort === 'name' ? 'asc' : 'desc') : null,
            onChange: direction => filter({ sort: direction && (direction === 'asc' ? 'name' : 'name_descending') }),
          }}
          exportName="workflows"
          readPage={pageReader('/v1/workflows', params)}
          readValues={statsReader(period)}
          selection={isOwner ? bulkActions : undefined}
          empty={
            isEmpty ? (
              <Empty
                title={t('workflows.emptyTitle')}
                text={t('workflows.emptyText')}
                icon={ShareIcon}
                docs="/docs/workflows"
                below={
                  isOwner && (
                    <>
                      <Title order={3} mb="sm">
                        {t('workflows.gallery.title')}
                      </Title>
                      <Gallery onFromEvent={() => create('order.created')} />
                    </>
                  )
                }
              >
                {createButton}
              </Empty>
            ) : archived && !isNarrowed ? (
              <Empty
                title={t('workflows.archivedNoneTitle')}
                text={t('workflows.archivedNoneText')}
                icon={ArchiveBoxIcon}
              >
                <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to="/workflows" />}>
                  {t('workflows.showCurrent')}
                </Anchor>
              </Empty>
            ) : (
              <FilteredEmpty icon={ShareIcon} title={t('workflows.emptyFiltered')} clear={clear} query={query} />
            )
          }
        />
      </Page>
      {isOwner && search.new !== undefined && (
        <NewWorkflow
          key={search.new}
          eventType={search.new}
          onClose={() => void navigate({ to: '/workflows', search: {} })}
        />
      )}
    </>
  )
}

/** Switch between the current and the archived workflows. `value` makes it an active filter. */
const ArchiveSwitch = ({ value, filters }: { value: 'true' | undefined; filters: WorkflowFilters }) => {
  const t = useTranslate()
  return (
    <nav className={segments.segments} aria-label={t('workflows.show')}>
      {shows.map(show => (
        <Link
          key={show}
          to="/workflows"
          search={parseWorkflowFilters({ ...filters, archived: show === 'archived' })}
          // Otherwise the router marks the current workflows as current beside the archived ones.
          activeOptions={{ exact: true }}
          activeProps={{}}
          aria-current={(show === 'archived') === (value !== undefined) || undefined}
        >
          {t(`workflows.show.${show}`)}
        </Link>
      ))}
    </nav>
  )
}
