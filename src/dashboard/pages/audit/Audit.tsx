import { Anchor, Button } from '@mantine/core'
import { Link, Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { hooks } from '../../api/client.ts'
import { rowsOf } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Choice, Filters, Wanted } from '../../ui/Filters.tsx'
import { type Column, List } from '../../ui/List.tsx'
import { Page } from '../../ui/Page.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import ui from '../../ui/ui.module.css'
import { type Entry, targetPath, useActor, useDeed, useEntries, useTargetName } from './entries.tsx'
import { type AuditFilters, actions, auditFilters } from './filters.ts'

/** Audit log, newest first, with one entry in the side panel. */
export const Audit = () => {
  const say = useTexts()
  const owner = useIsOwner()
  if (!owner) {
    return (
      <Page title={say('audit.title')}>
        <Empty title={say('audit.forOwners')} />
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
  const say = useTexts()
  const navigate = useNavigate()
  const deed = useDeed()
  const actor = useActor()
  const nameOf = useTargetName()
  const filters = auditFilters(useSearch({ strict: false }))
  const { id } = useParams({ strict: false }) as { id?: string }
  const query = useEntries(filters)
  const filter = (change: { [Name in keyof AuditFilters]: AuditFilters[Name] | undefined }) =>
    void navigate({ to: '/audit', search: { ...filters, ...change } as AuditFilters })
  const filtered = Object.keys(filters).length > 0
  const open = (row: Entry) => void navigate({ to: '/audit/$id', params: { id: row.id }, search: filters })

  const columns: Column<Entry>[] = [
    {
      key: 'when',
      title: say('audit.when'),
      width: '110px',
      phone: 'aside',
      cell: row => <Time at={row.at} />,
    },
    {
      key: 'what',
      title: say('audit.what'),
      width: 'minmax(170px, 1.2fr)',
      phone: 'title',
      cell: row => (
        <Link className={ui.rowLink} to="/audit/$id" params={{ id: row.id }} search={filters}>
          {row.action === 'signInFailed' ? <Status tone="failed">{deed(row)}</Status> : deed(row)}
        </Link>
      ),
    },
    {
      key: 'target',
      title: say('audit.target'),
      width: 'minmax(150px, 1.2fr)',
      phone: 'end',
      cell: row => <Target of={row} name={nameOf(row)} />,
    },
    {
      key: 'who',
      title: say('audit.who'),
      width: 'minmax(130px, 1fr)',
      phone: 'below',
      cell: row => <bdi>{actor(row)}</bdi>,
    },
    { key: 'address', title: say('audit.address'), width: '120px', cell: row => row.address },
  ]
  return (
    <Page title={say('audit.title')} text={say('audit.text')}>
      <Filters clear={filtered ? () => void navigate({ to: '/audit', search: {} }) : undefined}>
        <Choice
          label={say('audit.what')}
          value={filters.action}
          searchable
          options={actions.map(value => ({ value, label: say(`audit.action.${value}`) }))}
          onChange={action => filter({ action })}
        />
        <Somebody value={filters.actorId} onChange={actorId => filter({ actorId })} />
        <Wanted label={say('audit.targetId')} value={filters.targetId} onChange={targetId => filter({ targetId })} />
      </Filters>
      <List
        title={say('audit.title')}
        columns={columns}
        rows={rowsOf(query)}
        idOf={row => row.id}
        selected={id}
        open={open}
        empty={
          filtered ? (
            <Empty title={say('audit.emptyFiltered')}>
              {query.hasNextPage && (
                <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  {say('audit.goOn')}
                </Button>
              )}
            </Empty>
          ) : (
            <Empty title={say('audit.emptyTitle')} text={say('audit.emptyText')} />
          )
        }
      />
    </Page>
  )
}

const Target = ({ of, name }: { of: Entry; name: string | null }) => {
  const say = useTexts()
  const path = targetPath(of)
  const text = <bdi>{name ?? say(`audit.targetType.${of.target.type}`)}</bdi>
  return path === null ? (
    text
  ) : (
    <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to={path} />}>
      {text}
    </Anchor>
  )
}

/**
 * Filter by actor: team members and keys. An actor from the address that is neither is shown by what is known of it.
 */
const Somebody = ({
  value,
  onChange,
}: {
  value: string | undefined
  onChange: (value: string | undefined) => void
}) => {
  const say = useTexts()
  const limit = 100
  const team = hooks.useQuery('get', '/v1/members', { params: { query: { limit } } }, { staleTime: 60_000 })
  const keys = hooks.useQuery('get', '/v1/api-keys', { params: { query: { limit } } }, { staleTime: 60_000 })
  const options = [
    ...(team.data?.data ?? []).flatMap(({ userId, name, email }) =>
      userId === null ? [] : [{ value: userId, label: name || email }],
    ),
    ...(keys.data?.data ?? []).map(({ id, name }) => ({ value: id, label: say('audit.key', { name }) })),
  ]
  const known = value === undefined || options.some(option => option.value === value)
  return (
    <Choice
      label={say('audit.who')}
      value={value}
      searchable
      options={known ? options : [...options, { value: value!, label: `…${value!.slice(-8)}` }]}
      onChange={onChange}
    />
  )
}
