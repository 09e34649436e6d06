import { Button, Checkbox, Indicator, Menu, Popover, Select, Stack, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { CheckIcon, MagnifyingGlassIcon } from '../../ui/icons.ts'
import { SavedViews } from '../../ui/list/SavedViews.tsx'
import { AdjustmentsHorizontalIcon, ChevronUpDownIcon } from '../../ui/page-icons.ts'
import { TimeRangeFilter } from '../../ui/time-range/TimeRangeFilter.tsx'
import { replaceTimeRange } from '../../ui/time-range/time-range.ts'
import { countFilters, filters, type InboxSearch, parseInboxSearch } from './filters.ts'
import styles from './inbox.module.css'
import { toAssignees, useChannels, useTeam } from './queries.ts'

/** Wait in milliseconds after the last key press before the list is searched. */
const searchDelayMs = 250

/** Tabs, search, filters, order and saved views of the inbox. `change` keeps the open conversation. */
export const ListFilters = ({
  search,
  current,
  change,
}: {
  search: InboxSearch
  /** Address of the open conversation, or of the list. */
  current: { to: '/inbox' } | { to: '/inbox/$id'; params: { id: string } }
  change: (search: InboxSearch) => void
}) => {
  const t = useTranslate()
  const filter = search.filter ?? 'waiting'
  const { phone, ...filtered } = search
  return (
    <>
      <nav className={styles.tabs} aria-label={t('inbox.filter')}>
        {filters.map(value => (
          <Link
            key={value}
            className={styles.tab}
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={value === filter ? 'page' : undefined}
            {...current}
            search={parseInboxSearch({ ...search, filter: value })}
          >
            {t(`inbox.filter.${value}`)}
          </Link>
        ))}
      </nav>
      <search className={styles.filters}>
        <SearchField value={search.q ?? ''} onChange={q => change(parseInboxSearch({ ...search, q }))} />
        <TimeRangeFilter
          value={search}
          onChange={range => change(parseInboxSearch({ ...search, ...replaceTimeRange(range) }))}
        />
        <FilterButton search={search} change={change} />
        {filter === 'waiting' && <SortButton search={search} change={change} />}
        <SavedViews list="conversations" path="/inbox" isFiltered={Object.keys(filtered).length > 0} />
      </search>
    </>
  )
}

const SearchField = ({ value, onChange }: { value: string; onChange: (text: string) => void }) => {
  const t = useTranslate()
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const search = useDebouncedCallback((next: string) => onChange(next.trim()), searchDelayMs)
  return (
    <TextInput
      size="xs"
      className={styles.search!}
      aria-label={t('inbox.search')}
      placeholder={t('inbox.search')}
      leftSection={<MagnifyingGlassIcon width={14} aria-hidden="true" />}
      maxLength={200}
      value={text}
      onChange={event => {
        setText(event.currentTarget.value)
        search(event.currentTarget.value)
      }}
    />
  )
}

interface SearchProps {
  search: InboxSearch
  change: (search: InboxSearch) => void
}

const FilterButton = ({ search, change }: SearchProps) => {
  const t = useTranslate()
  const count = countFilters(search)
  return (
    <Popover position="bottom-start" width={260} trapFocus>
      <Indicator label={count} size={16} disabled={count === 0} zIndex={1}>
        <Popover.Target>
          <Button
            variant="default"
            leftSection={<AdjustmentsHorizontalIcon width={14} />}
            aria-label={count === 0 ? undefined : t('filter.active', { count })}
          >
            {t('filter.title')}
          </Button>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p="md" aria-label={t('filter.title')}>
        <FilterFields search={search} change={change} />
      </Popover.Dropdown>
    </Popover>
  )
}

const FilterFields = ({ search, change }: SearchProps) => {
  const t = useTranslate()
  const channels = useChannels() ?? []
  const team = useTeam()
  const select = { size: 'xs', clearable: true, comboboxProps: { withinPortal: false }, placeholder: t('filter.any') }
  return (
    <Stack gap="md">
      <Select
        {...select}
        label={t('inbox.channel')}
        data={channels.map(({ id, name }) => ({ value: id, label: name }))}
        value={search.channelId ?? null}
        onChange={channelId => change(parseInboxSearch({ ...search, channelId }))}
      />
      {search.filter !== 'mine' && (
        <Select
          {...select}
          label={t('inbox.assignee')}
          data={[
            { value: 'none', label: t('inbox.unassigned') },
            ...toAssignees(team).map(({ userId, name }) => ({ value: userId, label: name })),
          ]}
          value={search.assigneeId ?? null}
          onChange={assigneeId => change(parseInboxSearch({ ...search, assigneeId }))}
        />
      )}
      <Checkbox
        size="xs"
        label={t('inbox.onlyOptOut')}
        checked={search.optOut === true}
        onChange={event => change(parseInboxSearch({ ...search, optOut: event.currentTarget.checked }))}
      />
      {countFilters(search) > 0 && (
        <Button
          variant="subtle"
          color="gray"
          onClick={() =>
            change(parseInboxSearch({ ...search, channelId: undefined, assigneeId: undefined, optOut: undefined }))
          }
        >
          {t('filter.clear')}
        </Button>
      )}
    </Stack>
  )
}

const sorts = [
  [undefined, 'inbox.sort.longestWaiting'],
  ['newest', 'inbox.sort.newest'],
] as const

const SortButton = ({ search, change }: SearchProps) => {
  const t = useTranslate()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<ChevronUpDownIcon width={14} />}>
          {t('inbox.sort')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {sorts.map(([sort, text]) => (
          <Menu.Item
            key={text}
            aria-current={search.sort === sort}
            rightSection={search.sort === sort && <CheckIcon width={14} />}
            onClick={() => change(parseInboxSearch({ ...search, sort }))}
          >
            {t(text)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
