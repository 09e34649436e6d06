import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight } from '@mantine/spotlight'
import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { hooks } from '../api/client.ts'
import { useTexts } from '../texts/index.tsx'
import { Failure } from '../ui/Failure.tsx'
import { navigation } from './navigation.ts'
import { pathOf } from './paths.ts'
import { type Found, keepRecent, recent } from './recent.ts'
import { useIsOwner } from './session.tsx'
import styles from './shell.module.css'

/** Shorter than this nearly everything begins with it. */
const fewestLetters = 2
const pauseMs = 150

/** Any id, request id, phone number, external id, or the beginning of a name leads to its page; so does a page's own name. */
export const Search = () => {
  const say = useTexts()
  const navigate = useNavigate()
  const owner = useIsOwner()
  const [query, setQuery] = useState('')
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
  return (
    <Spotlight.Root query={query} onQueryChange={setQuery} shortcut={null} scrollable maxHeight={420}>
      <Spotlight.Search placeholder={say('search.placeholder')} aria-label={say('search.open')} />
      <Spotlight.ActionsList>
        {shown.map(one => (
          <Spotlight.Action key={one.to} onClick={() => open(one)}>
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
