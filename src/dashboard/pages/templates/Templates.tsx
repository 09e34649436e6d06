import { Button, Checkbox, Select, Skeleton } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { cursorPagination, listParams, pageReader, toRows } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { usePhone } from '../../ui/hooks/usePhone.ts'
import { DocumentTextIcon } from '../../ui/icons.ts'
import { useBulkActions } from '../../ui/list/BulkActions.tsx'
import type { Column } from '../../ui/list/columns.ts'
import { FilteredEmpty } from '../../ui/list/FilteredEmpty.tsx'
import { chipProps, Filters, TextFilter } from '../../ui/list/Filters.tsx'
import { ListFooter, SelectionBar } from '../../ui/list/Toolbar.tsx'
import { useExport } from '../../ui/list/useExport.ts'
import { Body, Page } from '../../ui/Page.tsx'
import { CheckBadgeIcon, PlusIcon } from '../../ui/page-icons.ts'
import { Time } from '../../ui/Time.tsx'
import { fillPlaceholders } from './body.ts'
import { categoryIcons } from './category.ts'
import { applyFilters, orders, parseTemplateFilters } from './filters.ts'
import { MessageSnippet } from './MessagePhone.tsx'
import styles from './templates.module.css'
import { useUsage } from './Usage.tsx'

type Row = Schemas['Template']

const skeletonCards = 6
/** Maximum number of pages that a search reads. */
const maxPages = 20

const route = getRouteApi('/signed/templates')

/** Templates page: reusable message texts, as cards with a preview. */
export const Templates = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const isOwner = useIsOwner()
  const query = hooks.useInfiniteQuery('get', '/v1/templates', listParams({}), cursorPagination)
  const { rows: loaded, failure, retry, loadMore, loadingMore } = toRows<Row>(query)
  const filters = parseTemplateFilters(route.useSearch())
  const filter = (change: Record<string, unknown>) =>
    void navigate({ to: '/templates', search: parseTemplateFilters({ ...filters, ...change }), replace: true })
  const rows = loaded && applyFilters(loaded, filters)
  const isFiltered = filters.q !== undefined
  // A search and an order need all templates.
  const needsAll = Object.keys(filters).length > 0 && (query.data?.pages.length ?? 0) < maxPages
  const { hasNextPage, isFetching, fetchNextPage } = query
  useEffect(() => {
    if (needsAll && hasNextPage && !isFetching) void fetchNextPage()
  }, [needsAll, hasNextPage, isFetching, fetchNextPage])
  const usage = useUsage()
  const usesOf = (id: string) => {
    const used = usage?.(id)
    return used ? t('templates.usedBy', { workflows: used.workflows.length, campaigns: used.campaigns.length }) : ''
  }
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set())
  const [isSelecting, setIsSelecting] = useState(false)
  const isPhone = usePhone()
  // On a phone a button below the cards shows the checkboxes, as in other lists.
  const selectable = isOwner && (!isPhone || isSelecting)
  const selected = (selectable && rows?.filter(({ id }) => selectedIds.has(id))) || []
  const clear = () => {
    setSelectedIds(new Set())
    setIsSelecting(false)
  }
  const bulk = useBulkActions(clear)
  const createButton = isOwner && (
    <Button
      leftSection={<PlusIcon width={14} />}
      renderRoot={(props: object) => <Link {...props} to="/templates/new" />}
    >
      {t('templates.new')}
    </Button>
  )
  const isEmpty = loaded?.length === 0
  const hasNoMatch = rows?.length === 0 && !isEmpty
  const exporting = useExport({
    name: 'templates',
    columns: useExportColumns(),
    rows,
    readPage: isFiltered || !loadMore ? undefined : pageReader('/v1/templates', listParams({})),
  })
  const selectionBar = rows && selectable && (selected.length > 0 || isSelecting) && (
    <SelectionBar
      count={selected.length}
      selectAll={() => setSelectedIds(new Set(rows.map(({ id }) => id)))}
      isAllSelected={selected.length === rows.length}
      clear={clear}
    >
      {selected.length > 0 &&
        bulk.buttons([
          {
            key: 'remove',
            label: t('templates.remove'),
            title: t('templates.bulk.title'),
            text: t('templates.removeText'),
            confirm: count => t('templates.bulk.do', { count }),
            items: selected.map(({ id, name }) => ({ id, label: [name, usesOf(id)].filter(Boolean).join(' · ') })),
            send: id => api.DELETE('/v1/templates/{id}', { params: { path: { id } } }),
            changes: path => path === '/v1/templates',
          },
        ])}
    </SelectionBar>
  )
  return (
    <Page
      title={t('templates.title')}
      text={t('templates.text')}
      readOnly={!isOwner}
      // The empty state has its own button, so this one waits until it is known to stay.
      actions={(loaded ? !isEmpty : Boolean(failure)) && createButton}
    >
      {!isEmpty && (
        <Filters
          views={{ list: 'templates', path: '/templates' }}
          clear={isFiltered ? () => filter({ q: undefined }) : undefined}
        >
          <TextFilter label={t('templates.search')} value={filters.q} onChange={q => filter({ q })} />
          <OrderSelect value={filters.order} onChange={order => filter({ order })} />
        </Filters>
      )}
      {!isPhone && selectionBar}
      {bulk.dialog}
      <Body>
        {hasNoMatch && (
          <FilteredEmpty
            icon={DocumentTextIcon}
            title={t('templates.emptyFiltered')}
            clear={() => filter({ q: undefined })}
            query={query}
          />
        )}
        {isEmpty && (
          <Empty
            title={t('templates.emptyTitle')}
            text={t('templates.emptyText')}
            icon={DocumentTextIcon}
            docs="/docs/campaigns"
            example={
              <div className={styles.example}>
                <MessageSnippet text={t('templates.example')} />
              </div>
            }
          >
            {createButton}
          </Empty>
        )}
        {failure && !rows ? <Failure error={failure} retry={retry} what={t('templates.title')} /> : null}
        {!isEmpty && (rows || !failure) && (
          <ul className={styles.cards} aria-label={t('templates.title')} aria-busy={!rows}>
            {rows?.map(row => (
              <TemplateCard
                key={row.id}
                template={row}
                use={usesOf(row.id)}
                selection={
                  selectable
                    ? {
                        isSelected: selectedIds.has(row.id),
                        set: on => setSelectedIds(withId(selectedIds, row.id, on)),
                      }
                    : null
                }
              />
            )) ??
              Array.from({ length: skeletonCards }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders are identical.
                <li key={index}>
                  <Skeleton height={232} />
                </li>
              ))}
          </ul>
        )}
        {loadMore && !needsAll && !hasNoMatch && (
          <Button variant="default" mt="md" loading={loadingMore} onClick={loadMore}>
            {t('list.more')}
          </Button>
        )}
      </Body>
      {isPhone && selectionBar}
      {rows && !isEmpty && !(isPhone && selectionBar) && (
        <div className={styles.footer}>
          <ListFooter
            count={rows.length}
            loadMore={loadMore}
            exporting={exporting}
            select={isPhone && isOwner ? () => setIsSelecting(true) : null}
            order={null}
            sortsWhenComplete={false}
            isByTime={false}
          />
        </div>
      )}
    </Page>
  )
}

/** Returns a copy of a selection with or without an id. */
const withId = (ids: ReadonlySet<string>, id: string, isIn: boolean): ReadonlySet<string> =>
  new Set(isIn ? [...ids, id] : [...ids].filter(one => one !== id))

const useExportColumns = (): Column<Row>[] => {
  const t = useTranslate()
  const column = (key: string, title: string, value: (row: Row) => string | null): Column<Row> => ({
    key,
    title,
    value,
    cell: value,
  })
  return [
    column('name', t('templates.name'), row => row.name),
    column('category', t('templates.category'), row => t(`templates.category.${row.category}`)),
    column('body', t('templates.body'), row => row.body),
    column('language', t('templates.language'), row => row.provider?.language ?? null),
    column('updated', t('templates.updated'), row => row.updatedAt),
  ]
}

/** Order of the templates. Without a value, the newest are first. */
const OrderSelect = ({
  value,
  onChange,
}: {
  value: (typeof orders)[number] | undefined
  onChange: (order: string | null) => void
}) => {
  const t = useTranslate()
  const label = (order: 'created' | (typeof orders)[number]) =>
    t('templates.sortBy', { order: t(`templates.sort.${order}`) })
  return (
    <Select
      {...chipProps(label(value ?? 'created'))}
      aria-label={t('templates.sort')}
      allowDeselect={false}
      data={(['created', ...orders] as const).map(order => ({ value: order, label: label(order) }))}
      value={value ?? 'created'}
      onChange={onChange}
    />
  )
}

const TemplateCard = ({
  template: { id, name, category, body, variables, provider, updatedAt },
  use,
  selection,
}: {
  template: Row
  /** Says where the template is used. Empty while that is unknown. */
  use: string
  /** Null without a checkbox. */
  selection: { isSelected: boolean; set: (isSelected: boolean) => void } | null
}) => {
  const t = useTranslate()
  const Icon = categoryIcons[category]
  const samples = Object.fromEntries(variables.map(({ name, sample }) => [name, sample]))
  return (
    <li className={styles.card} data-checked={selection?.isSelected || undefined}>
      <MessageSnippet text={fillPlaceholders(body.slice(0, 400), samples)} />
      <div className={styles.cardBody}>
        <Link className={styles.cardLink} to="/templates/$id" params={{ id }}>
          <bdi>{name}</bdi>
        </Link>
        <div className={styles.facts}>
          <span className={styles.fact}>
            <Icon width={14} aria-hidden="true" />
            {t(`templates.category.${category}`)}
          </span>
          {provider && (
            <span className={styles.fact} data-tone="done">
              <CheckBadgeIcon width={14} aria-hidden="true" />
              {t('templates.approvedAs', { language: provider.language })}
            </span>
          )}
        </div>
        <div className={styles.facts}>
          <span>{use}</span>
          <span className={styles.whole}>
            {t('templates.updated')} <Time at={updatedAt} />
          </span>
        </div>
      </div>
      {selection && (
        <Checkbox
          size="xs"
          className={styles.select!}
          aria-label={t('templates.select', { name })}
          checked={selection.isSelected}
          onChange={event => selection.set(event.currentTarget.checked)}
        />
      )}
    </li>
  )
}
