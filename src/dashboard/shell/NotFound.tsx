import { Button, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslate } from '../texts/index.tsx'
import { Failure } from '../ui/Failure.tsx'
import { setPageTitle } from '../ui/hooks/title.ts'
import { MagnifyingGlassIcon } from '../ui/icons.ts'
import { QuestionMarkCircleIcon } from '../ui/page-icons.ts'
import states from '../ui/states.module.css'
import ui from '../ui/ui.module.css'
import { type Command, matches, usePages } from './commands.ts'
import { iconOf } from './navigation.ts'
import type { PagePath, RecordLink } from './paths.ts'
import styles from './shell.module.css'
import { useSearchResults } from './useSearchResults.ts'

const debounceMs = 250
/** Pages offered for an address that resembles none. */
const mainPages: readonly PagePath[] = ['/inbox', '/customers', '/workflows', '/events']

/** Page of an unknown address, with the pages and records that the address or a search names. */
export const NotFound = () => {
  const t = useTranslate()
  const { pathname } = useLocation()
  const [text, setText] = useState('')
  const [query] = useDebouncedValue(text.trim(), debounceMs)
  const words = wordsOf(pathname)
  const { records, isFetching, failure, retry } = useSearchResults(query || (words.at(-1) ?? ''))
  const pages = usePages().flatMap(page => (page.external ? [] : [page]))
  const found = pages.filter(page => (query ? isNamed(page, query) : words.some(word => isNamed(page, word))))
  const shown = query || found.length > 0 ? found : pages.filter(({ to }) => mainPages.includes(to))
  useEffect(() => {
    setPageTitle(`${t('notFound.title')} · ${t('app.name')}`)
  }, [t])
  return (
    <div className={ui.page}>
      <div className={ui.body}>
        <div className={`${states.empty} ${styles.notFound}`}>
          <span className={states.emptyIcon} aria-hidden="true">
            <QuestionMarkCircleIcon width={24} />
          </span>
          <Title order={1}>{t('notFound.title')}</Title>
          <Text c="dimmed">{t('notFound.text')}</Text>
          <TextInput
            size="md"
            aria-label={t('search.open')}
            placeholder={t('search.placeholder')}
            leftSection={<MagnifyingGlassIcon width={18} aria-hidden="true" />}
            value={text}
            onChange={event => setText(event.currentTarget.value)}
          />
          <div role="status" className={styles.notFoundStatus}>
            {query !== '' &&
              !isFetching &&
              failure === null &&
              t('notFound.results', { count: found.length + records.length, query })}
          </div>
          {failure !== null && <Failure error={failure} retry={retry} />}
          <Results label={t('search.pages')} results={shown.map(({ to, title }) => ({ link: { to }, title }))} />
          <Results
            label={t('search.records')}
            results={records.map(({ to, params, ...item }) => ({ link: { to, params }, ...item }))}
          />
          <Button renderRoot={(props: object) => <Link {...props} to="/" />}>{t('notFound.back')}</Button>
        </div>
      </div>
    </div>
  )
}

interface Result {
  link: { to: PagePath } | RecordLink
  title: string
  detail?: string
}

const Results = ({ label, results }: { label: string; results: Result[] }) =>
  results.length > 0 && (
    <nav className={styles.notFoundResults} aria-label={label}>
      <div className={styles.paletteGroup} aria-hidden="true">
        {label}
      </div>
      {results.map(({ link, title, detail }) => {
        const Icon = iconOf(link.to)
        return (
          <Link key={'params' in link ? `${link.to} ${link.params.id}` : link.to} {...link}>
            <Icon width={18} aria-hidden="true" className={styles.actionIcon} />
            <span className={styles.result}>
              <bdi>{title}</bdi>
              {detail && <bdi className={styles.resultDetail}>{detail}</bdi>}
            </span>
          </Link>
        )
      })}
    </nav>
  )

const isNamed = ({ title, aliases = '' }: Command, query: string): boolean => matches(query, `${title} ${aliases}`)

/** Returns the parts of an address, as words. */
const wordsOf = (pathname: string): string[] =>
  pathname.split('/').flatMap(part => decode(part).split(/[-_]/).join(' ').trim() || [])

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
