import { Anchor } from '@mantine/core'
import { getRouteApi, Link, Outlet, useMatch, useNavigate } from '@tanstack/react-router'
import { hooks } from '../../api/client.ts'
import { isUnused, pageReader, toRows } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { ClipboardDocumentListIcon, MagnifyingGlassIcon } from '../../ui/icons.ts'
import { FilteredEmpty } from '../../ui/list/FilteredEmpty.tsx'
import { Filters, SelectFilter, TextFilter } from '../../ui/list/Filters.tsx'
import { type Column, List } from '../../ui/list/List.tsx'
import { hasFilters } from '../../ui/list/sort.ts'
import { Page } from '../../ui/Page.tsx'
import { LockClosedIcon } from '../../ui/page-icons.ts'
import { Time } from '../../ui/Time.tsx'
import { TimeRangeFilter } from '../../ui/time-range/TimeRangeFilter.tsx'
import { replaceTimeRange } from '../../ui/time-range/time-range.ts'
import ui from '../../ui/ui.module.css'
import { ActionName, Actor } from './Actor.tsx'
import styles from './audit.module.css'
import { type Entry, targetLink, useActionText, useActorViaText, useEntries, useTargetName } from './entries.tsx'
import { actions, auditParams, parseAuditFilters } from './filters.ts'

const route = getRouteApi('/signed/audit')

/** Audit log with one entry in the side panel. */
export const Audit = () => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  if (!isOwner) {
    return (
      <Page title={t('audit.title')}>
        <Empty icon={LockClosedIcon} title={t('audit.forOwners')} />
      </Page>
    )
  }
  return (
    <div className={ui.withPanel}>
      <Log />
      <Outlet />
    </div>
  )
}

const Log = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const actionText = useActionText()
  const actor = useActorViaText()
  const targetName = useTargetName()
  const filters = route.useSearch()
  const id = useMatch({ from: '/signed/audit/$id', shouldThrow: false })?.params.id
  const query = useEntries(filters)
  const filter = (change: Record<string, unknown>) =>
    void navigate({ to: '/audit', search: parseAuditFilters({ ...filters, ...change }) })
  const clear = () => void navigate({ to: '/audit', search: {} })
  const isFiltered = hasFilters(filters)
  const open = (row: Entry) => void navigate({ to: '/audit/$id', params: { id: row.id }, search: filters })

  const columns: Column<Entry>[] = [
    {
      key: 'when',
      title: t('audit.time'),
      width: '96px',
      phone: 'aside',
      cell: row => <Time at={row.at} />,
      value: row => row.at,
    },
    {
      key: 'what',
      title: t('audit.actionLabel'),
      width: 'minmax(226px, 1.4fr)',
      phone: 'title',
      cell: row => (
        <Link className={ui.rowLink} to="/audit/$id" params={{ id: row.id }} search={filters}>
          <ActionName entry={row} />
        </Link>
      ),
      value: actionText,
    },
    {
      key: 'target',
      title: t('audit.target'),
      width: 'minmax(120px, 1.2fr)',
      phone: 'end',
      cell: row => <Target entry={row} name={targetName(row)} />,
      value: row => targetName(row) ?? t(`audit.targetType.${row.target.type}`),
    },
    {
      key: 'who',
      title: t('audit.actorLabel'),
      width: 'minmax(124px, 1fr)',
      phone: 'below',
      cell: row => <Actor entry={row} />,
      phoneCell: row => <bdi>{actor(row)}</bdi>,
      value: actor,
    },
    {
      key: 'address',
      title: t('audit.address'),
      width: '110px',
      cell: row => <span className={styles.quiet}>{row.address}</span>,
      value: row => row.address,
    },
  ]
  return (
    <Page title={t('audit.title')} text={t('audit.text')}>
      <Filters clear={isFiltered ? clear : undefined} views={{ list: 'audit', path: '/audit' }}>
        <TimeRangeFilter value={filters} onChange={range => filter(replaceTimeRange(range))} />
        <SelectFilter
          label={t('audit.actionLabel')}
          value={filters.action}
          searchable
          options={actions.map(value => ({ value, label: t(`audit.action.${value}`) }))}
          onChange={action => filter({ action })}
        />
        <ActorFilter value={filters.actorId} onChange={actorId => filter({ actorId })} />
        <TextFilter label={t('audit.targetId')} value={filters.targetId} onChange={targetId => filter({ targetId })} />
      </Filters>
      <List
        title={t('audit.title')}
        columns={columns}
        rows={toRows(query)}
        getId={row => row.id}
        selected={id}
        open={open}
        exportName="audit-log"
        readPage={pageReader('/v1/audit', auditParams(filters))}
        order={{ column: 'when', sort: filters.sort, onChange: sort => filter({ sort }) }}
        empty={
          isUnused(query, isFiltered) ? (
            <Empty
              icon={ClipboardDocumentListIcon}
              title={t('audit.emptyTitle')}
              text={t('audit.emptyText')}
              docs="/docs/reference"
            />
          ) : (
            <FilteredEmpty
              icon={MagnifyingGlassIcon}
              title={t('audit.emptyFiltered')}
              text={t('audit.emptyFilteredText')}
              clear={clear}
              query={query}
            />
          )
        }
      />
    </Page>
  )
}

const Target = ({ entry, name }: { entry: Entry; name: string | null }) => {
  const t = useTranslate()
  const link = targetLink(entry)
  const text = <bdi>{name ?? t(`audit.targetType.${entry.target.type}`)}</bdi>
  return link === null ? (
    text
  ) : (
    <Anchor size="sm" renderRoot={(props: object) => <Link {...props} {...link} />}>
      {text}
    </Anchor>
  )
}

/**
 * Filter by actor: team members and keys. An actor from the address that is neither is shown by what is known of it.
 */
const ActorFilter = ({
  value,
  onChange,
}: {
  value: string | undefined
  onChange: (value: string | undefined) => void
}) => {
  const t = useTranslate()
  const limit = 100
  const team = hooks.useQuery('get', '/v1/members', { params: { query: { limit } } }, { staleTime: 60_000 })
  const keys = hooks.useQuery('get', '/v1/api-keys', { params: { query: { limit } } }, { staleTime: 60_000 })
  const options = [
    ...(team.data?.data ?? []).flatMap(({ userId, name, email }) =>
      userId === null ? [] : [{ value: userId, label: name || email || '' }],
    ),
    ...(keys.data?.data ?? []).map(({ id, name }) => ({ value: id, label: t('audit.key', { name }) })),
  ]
  const isListed = value === undefined || options.some(option => option.value === value)
  return (
    <SelectFilter
      label={t('audit.actorLabel')}
      value={value}
      searchable
      options={isListed ? options : [...options, { value: value!, label: `…${value!.slice(-8)}` }]}
      onChange={onChange}
    />
  )
}
