import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { hooks } from '../api/client.ts'
import { useTranslate } from '../texts/index.tsx'
import { Failure } from '../ui/Failure.tsx'
import { navigation } from './navigation.ts'
import { recordPath } from './paths.ts'
import { addRecent, readRecent, type SearchItem } from './recent.ts'
import { useIsOwner } from './session.tsx'
import styles from './shell.module.css'

/** Minimum query length. A shorter query would match almost everything. */
const minQueryLength = 2
const debounceMs = 150

const [store, search] = createSpotlight()
export const openSearch = search.open

/**
 * Search dialog. It finds records by id, request id, phone number, external id or the beginning of a name, and pages by
 * title.
 */
export const Search = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const isOwner = useIsOwner()
  const [query, setQuery] = useState('')
  const [isEnterPending, setIsEnterPending] = useState(false)
  const debouncedQuery = useDebouncedValue(query.trim(), debounceMs)[0]
  const isSearching = debouncedQuery.length >= minQueryLength
  const response = hooks.useQuery(
    'get',
    '/v1/search',
    { params: { query: { q: debouncedQuery } } },
    { enabled: isSearching, placeholderData: keepPreviousData },
  )
  const records: SearchItem[] = isSearching
    ? (response.data?.data ?? []).flatMap(({ type, id, title, detail }) => {
        const to = recordPath(type, id)
        return to === null ? [] : [{ to, title, detail }]
      })
    : []
  const pages = navigation
    .flatMap(group => group.items)
    .filter(place => (isOwner || !place.owner) && !place.external)
    .map(place => ({ to: place.to, title: t(place.label), detail: '' }))
    .filter(({ title }) => debouncedQuery !== '' && title.toLowerCase().startsWith(debouncedQuery.toLowerCase()))
  const results = debouncedQuery === '' ? readRecent() : [...pages, ...records]
  const openItem = (one: SearchItem) => {
    addRecent(one)
    void navigate({ to: one.to })
  }
  const isBusy = query.trim() !== debouncedQuery || (isSearching && response.isFetching)
  const resultPaths = results.map(({ to }) => to).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the shown results change.
  useEffect(() => selectResult(debouncedQuery === '' ? -1 : 0), [resultPaths, debouncedQuery])
  const first = isBusy || debouncedQuery === '' ? undefined : results[0]
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens the first result once, when it arrives.
  useEffect(() => {
    if (!isEnterPending || isBusy) return
    setIsEnterPending(false)
    if (!first) return
    search.close()
    openItem(first)
  }, [isEnterPending, isBusy])
  const type = (text: string) => {
    setIsEnterPending(false)
    setQuery(text)
  }
  // Enter pressed before the results arrive waits for them, so that it does not open a result of the previous query.
  const onKeyDown = ({ key, nativeEvent }: KeyboardEvent) => {
    if (key !== 'Enter' || nativeEvent.isComposing || !isBusy) return
    selectResult(-1)
    setIsEnterPending(true)
  }
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={type}
      shortcut={null}
      scrollable
      maxHeight={420}
      centered={false}
      overlayProps={{ backgroundOpacity: 0.35 }}
      attributes={{ content: { 'aria-label': t('search.open') } }}
    >
      <Spotlight.Search placeholder={t('search.placeholder')} aria-label={t('search.open')} onKeyDown={onKeyDown} />
      <Spotlight.ActionsList>
        {results.map(one => (
          <Spotlight.Action className={styles.action!} key={one.to} onClick={() => openItem(one)}>
            <div className={styles.result}>
              <bdi>{one.title}</bdi>
              {one.detail && (
                <Text size="xs" c="dimmed" component="bdi">
                  {one.detail}
                </Text>
              )}
            </div>
          </Spotlight.Action>
        ))}
        {isSearching && response.isError && !isBusy && (
          <Spotlight.Empty>
            <Failure error={response.error} retry={() => void response.refetch()} />
          </Spotlight.Empty>
        )}
        {results.length === 0 && !isBusy && !response.isError && (
          <Spotlight.Empty>
            {debouncedQuery === '' ? t('search.hint') : t('search.noResults', { query: debouncedQuery })}
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

/**
 * Selects the shown result that Enter opens, -1 for none. The library does not select results that arrive after the
 * last key press.
 */
const selectResult = (index: number): void => {
  const { listId } = store.getState()
  const actions = listId ? document.getElementById(listId)?.querySelectorAll('[data-action]') : undefined
  actions?.forEach((one, place) => void one.toggleAttribute('data-selected', place === index))
  store.updateState(state => ({ ...state, selected: actions?.length ? index : -1 }))
}
