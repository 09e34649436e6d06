import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { hooks } from '../api/client.ts'
import { useTexts } from '../texts/index.tsx'
import { Failure } from '../ui/Failure.tsx'
import { navigation } from './navigation.ts'
import { pathOf } from './paths.ts'
import { type Found, keepRecent, recent } from './recent.ts'
import { useIsOwner } from './session.tsx'
import styles from './shell.module.css'

/** Minimum query length. A shorter query would match almost everything. */
const fewestLetters = 2
const pauseMs = 150

const [store, search] = createSpotlight()
export const openSearch = search.open

/**
 * Search dialog. It finds records by id, request id, phone number, external id or the beginning of a name, and pages by
 * title.
 */
export const Search = () => {
  const say = useTexts()
  const navigate = useNavigate()
  const owner = useIsOwner()
  const [query, setQuery] = useState('')
  const [awaited, setAwaited] = useState(false)
  const wanted = useDebouncedValue(query.trim(), pauseMs)[0]
  const asked = wanted.length >= fewestLetters
  const answer = hooks.useQuery(
    'get',
    '/v1/search',
    { params: { query: { q: wanted } } },
    { enabled: asked, placeholderData: keepPreviousData },
  )
  const found: Found[] = asked
    ? (answer.data?.data ?? []).flatMap(({ type, id, title, detail }) => {
        const to = pathOf(type, id)
        return to === null ? [] : [{ to, title, detail }]
      })
    : []
  const places = navigation
    .flatMap(group => group.places)
    .filter(place => (owner || !place.owner) && !place.outside)
    .map(place => ({ to: place.to, title: say(place.label), detail: '' }))
    .filter(({ title }) => wanted !== '' && title.toLowerCase().startsWith(wanted.toLowerCase()))
  const shown = wanted === '' ? recent() : [...places, ...found]
  const open = (one: Found) => {
    keepRecent(one)
    void navigate({ to: one.to })
  }
  const isBusy = query.trim() !== wanted || (asked && answer.isFetching)
  const keys = shown.map(({ to }) => to).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the shown results change.
  useEffect(() => select(wanted === '' ? -1 : 0), [keys, wanted])
  const first = isBusy || wanted === '' ? undefined : shown[0]
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens the first result once, when it arrives.
  useEffect(() => {
    if (!awaited || isBusy) return
    setAwaited(false)
    if (!first) return
    search.close()
    open(first)
  }, [awaited, isBusy])
  const type = (text: string) => {
    setAwaited(false)
    setQuery(text)
  }
  // Enter pressed before the results arrive waits for them, so that it does not open a result of the previous query.
  const onKeyDown = ({ key, nativeEvent }: KeyboardEvent) => {
    if (key !== 'Enter' || nativeEvent.isComposing || !isBusy) return
    select(-1)
    setAwaited(true)
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
    >
      <Spotlight.Search placeholder={say('search.placeholder')} aria-label={say('search.open')} onKeyDown={onKeyDown} />
      <Spotlight.ActionsList>
        {shown.map(one => (
          <Spotlight.Action className={styles.action!} key={one.to} onClick={() => open(one)}>
            <div className={styles.found}>
              <bdi>{one.title}</bdi>
              {one.detail && (
                <Text size="xs" c="dimmed" component="bdi">
                  {one.detail}
                </Text>
              )}
            </div>
          </Spotlight.Action>
        ))}
        {asked && answer.isError && !isBusy && (
          <Spotlight.Empty>
            <Failure of={answer.error} retry={() => void answer.refetch()} />
          </Spotlight.Empty>
        )}
        {shown.length === 0 && !isBusy && !answer.isError && (
          <Spotlight.Empty>
            {wanted === '' ? say('search.hint') : say('search.nothing', { query: wanted })}
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
const select = (at: number): void => {
  const { listId } = store.getState()
  const all = listId ? document.getElementById(listId)?.querySelectorAll('[data-action]') : undefined
  all?.forEach((one, place) => void one.toggleAttribute('data-selected', place === at))
  store.updateState(state => ({ ...state, selected: all?.length ? at : -1 }))
}
