import { Anchor, Button, Skeleton } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../../api/client.ts'
import { cursorPagination, listParams, pageReader, toRows, useIsUnused } from '../../../api/pages.ts'
import { useLiveRefresh } from '../../../api/useLive.ts'
import { useIsOwner } from '../../../shell/session.tsx'
import { useTranslate } from '../../../texts/index.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { FilteredEmpty } from '../../../ui/list/FilteredEmpty.tsx'
import { Filters, SelectFilter } from '../../../ui/list/Filters.tsx'
import { type Column, List } from '../../../ui/list/List.tsx'
import { hasFilters } from '../../../ui/list/sort.ts'
import { Body } from '../../../ui/Page.tsx'
import { PlayIcon } from '../../../ui/page-icons.ts'
import { Status } from '../../../ui/Status.tsx'
import { Time } from '../../../ui/Time.tsx'
import { TimeRangeFilter } from '../../../ui/time-range/TimeRangeFilter.tsx'
import { type Preset, replaceTimeRange, toTimeQuery, withDefaultRange } from '../../../ui/time-range/time-range.ts'
import { tones } from '../../../ui/tones.ts'
import ui from '../../../ui/ui.module.css'
import { CustomerCell } from '../../customers/CustomerCell.tsx'
import { CustomerSelect } from '../../customers/CustomerSelect.tsx'
import type { Definition, DrawnWorkflow } from '../definition/types.ts'
import { useVersion } from '../queries.ts'
import { type RunFilters, runFilters, runStatuses } from '../search.ts'
import { StepIcon } from '../steps/StepIcon.tsx'
import { useOutcomeTexts } from '../trials/StepList.tsx'
import type { ViewProps } from '../view-props.ts'
import styles from '../workflows.module.css'
import { Funnel } from './Funnel.tsx'
import { RunsPerDay } from './RunsPerDay.tsx'
import { useStop } from './useStop.ts'

type Row = Schemas['Run']

/** Period of the steps, the chart and the list without a filter. */
const defaultRange: Preset = '30d'

/** Runs of a workflow in a period: the funnel on the steps, the runs per day, and the list. */
export const RunsView = ({ workflow, search, publish, readOnly }: ViewProps) => {
  const t = useTranslate()
  const navigate = useNavigate()
  const isOwner = useIsOwner()
  const { id } = workflow
  const filters = runFilters(search)
  const { status, version, customerId, sort } = filters
  const period = withDefaultRange(filters, defaultRange)
  const listed = {
    ...toTimeQuery(period),
    ...(sort && { sort }),
    ...(status && { status }),
    ...(version && { version }),
    ...(customerId && { customerId }),
  }
  const params = { params: { path: { id }, ...listParams(listed).params } }
  const query = hooks.useInfiniteQuery('get', '/v1/workflows/{id}/runs', params, {
    ...cursorPagination,
    placeholderData: keepPreviousData,
  })
  useLiveRefresh(['run'], ['/v1/workflows/{id}/stats'])
  const shown = useVersion(id, version ?? workflow.publishedVersion)
  const definition = shown.data?.definition ?? workflow.draft
  const filter = (change: { [Name in keyof RunFilters]: RunFilters[Name] | undefined }) =>
    void navigate({
      to: '/workflows/$id',
      params: { id },
      search: { view: 'runs', ...runFilters({ ...filters, ...change }) },
    })
  const clear = () => void navigate({ to: '/workflows/$id', params: { id }, search: { view: 'runs' } })
  const isFiltered = hasFilters(filters)
  const isEmpty = useIsUnused('/v1/workflows/{id}/runs', query, isFiltered, { id })
  const columns = useColumns(definition)
  const stop = useStop(definition)
  if (isEmpty)
    return (
      <Body>
        <Empty
          icon={PlayIcon}
          title={t('workflows.run.emptyTitle')}
          text={t(`workflows.run.emptyText.${emptyReason(workflow)}`, { type: workflow.triggerType })}
          docs="/docs/workflows"
        >
          {workflow.publishedVersion === null && !readOnly && publish && (
            <Button onClick={publish}>{t('workflows.publish')}</Button>
          )}
          <Anchor
            size="sm"
            renderRoot={(props: object) => (
              <Link {...props} to="/workflows/$id" params={{ id }} search={{ view: 'try' }} />
            )}
          >
            {t('workflows.run.emptyTry')}
          </Anchor>
        </Empty>
      </Body>
    )
  return (
    <div className={styles.runsView}>
      <Filters views={{ list: 'runs', path: `/workflows/${id}` }} clear={isFiltered ? clear : undefined}>
        <TimeRangeFilter
          value={filters}
          defaultRange={defaultRange}
          onChange={range => filter(replaceTimeRange(range))}
        />
        <SelectFilter
          label={t('workflows.state')}
          value={status}
          options={runStatuses.map(value => ({ value, label: t(`workflows.run.${value}`) }))}
          onChange={next => filter({ status: next })}
        />
        {(workflow.publishedVersion ?? 0) > 1 && (
          <SelectFilter
            label={t('workflows.version')}
            value={version ? String(version) : undefined}
            searchable
            options={Array.from({ length: workflow.publishedVersion ?? 0 }, (_, index) => {
              const value = String((workflow.publishedVersion ?? 0) - index)
              return { value, label: t('workflows.version.published', { version: value }) }
            })}
            onChange={next => filter({ version: next ? Number(next) : undefined })}
          />
        )}
        <CustomerSelect
          chip
          label={t('workflows.run.customer')}
          value={customerId ?? null}
          onChange={next => filter({ customerId: next ?? undefined })}
        />
      </Filters>
      <div className={styles.diagramAndList}>
        {shown.isLoading ? (
          <Skeleton className={styles.diagramShape!} />
        ) : (
          <Funnel id={id} definition={definition} period={period} version={version} />
        )}
        <div className={styles.chartAndList}>
          <RunsPerDay
            id={id}
            period={period}
            version={version}
            isNarrowed={status !== undefined || customerId !== undefined}
            onSelect={filter}
          />
          <List
            title={t('workflows.view.runs')}
            exportName="runs"
            readPage={pageReader('/v1/workflows/{id}/runs', params)}
            order={{ column: 'when', sort, onChange: sort => filter({ sort }) }}
            columns={columns}
            rows={toRows(query)}
            selection={isOwner ? runs => [stop(runs)] : undefined}
            getId={row => row.id}
            live={{ kinds: ['run'], refresh: () => void query.refetch() }}
            open={row => void navigate({ to: '/runs/$id', params: { id: row.id } })}
            empty={
              <FilteredEmpty
                icon={PlayIcon}
                title={t('workflows.run.noneTitle')}
                text={t('workflows.run.noneText')}
                action={isFiltered ? undefined : t('time.all')}
                clear={isFiltered ? clear : () => filter({ range: 'all' })}
                query={query}
              />
            }
          />
        </div>
      </div>
    </div>
  )
}

/** Returns why a workflow has no runs yet. */
const emptyReason = ({ publishedVersion, enabled }: DrawnWorkflow) =>
  publishedVersion === null ? 'unpublished' : enabled ? 'on' : 'off'

const useColumns = (definition: Definition): Column<Row>[] => {
  const t = useTranslate()
  const { end } = useOutcomeTexts()
  return [
    {
      key: 'when',
      title: t('workflows.run.started'),
      width: '104px',
      phone: 'title',
      value: row => row.createdAt,
      cell: row => (
        <Link className={ui.rowLink} to="/runs/$id" params={{ id: row.id }}>
          <Time at={row.createdAt} />
        </Link>
      ),
    },
    {
      key: 'status',
      title: t('workflows.state'),
      width: '96px',
      phone: 'aside',
      value: row => t(`workflows.run.${row.status}`),
      cell: row => <Status tone={tones.run[row.status]}>{t(`workflows.run.${row.status}`)}</Status>,
    },
    {
      key: 'where',
      title: t('workflows.run.position'),
      width: 'minmax(140px, 1.4fr)',
      phone: 'below',
      value: row => (row.endReason ? end(row.endReason, row.endDetail) : row.stepId),
      cell: row =>
        row.endReason ? (
          <bdi>{end(row.endReason, row.endDetail)}</bdi>
        ) : (
          <CurrentStep id={row.stepId} definition={definition} />
        ),
    },
    {
      key: 'customer',
      title: t('workflows.run.customer'),
      width: 'minmax(110px, 1fr)',
      phone: 'end',
      exportValue: row => row.customerId,
      customerId: row => row.customerId,
      cell: row => (
        <Anchor
          size="sm"
          renderRoot={(props: object) => <Link {...props} to="/customers/$id" params={{ id: row.customerId }} />}
        >
          <CustomerCell id={row.customerId} />
        </Anchor>
      ),
    },
    {
      key: 'version',
      title: t('workflows.version'),
      width: '64px',
      align: 'right',
      value: row => row.version,
      cell: row => <span className={styles.quiet}>{row.version}</span>,
    },
  ]
}

/** Current step of a run: its icon and its type. */
const CurrentStep = ({ id, definition }: { id: string | null; definition: Definition }) => {
  const t = useTranslate()
  const type = id === null ? undefined : definition.steps[id]?.type
  return (
    <span className={styles.stepTitle}>
      {type && <StepIcon type={type} small />}
      {type ? t(`workflows.step.${type}`) : id}
    </span>
  )
}
