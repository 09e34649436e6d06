import { Anchor, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslate } from '../texts/index.tsx'
import { Failure } from '../ui/Failure.tsx'
import { MagnifyingGlassIcon } from '../ui/icons.ts'
import { Body, Page } from '../ui/Page.tsx'
import { iconOf } from './navigation.ts'
import styles from './shell.module.css'
import { useSearchResults } from './useSearchResults.ts'

const debounceMs = 250

/** Page of an unknown address, with a search for what the address names. */
export const NotFound = () => {
  const t = useTranslate()
  const { pathname } = useLocation()
  const [text, setText] = useState(lastWord(pathname))
  const [query] = useDebouncedValue(text.trim(), debounceMs)
  const { records, isFetching, failure, retry } = useSearchResults(query)
  return (
    <Page title={t('notFound.title')}>
      <Body>
        <div className={styles.notFound}>
          <div className={styles.notFoundMark} data-tone="accent" aria-hidden="true">
            404
          </div>
          <Text mb="md">{t('notFound.text')}</Text>
          <TextInput
            size="md"
            aria-label={t('search.open')}
            placeholder={t('search.placeholder')}
            leftSection={<MagnifyingGlassIcon width={18} aria-hidden="true" />}
            value={text}
            onChange={event => setText(event.currentTarget.value)}
          />
          <div role="status" className={styles.notFoundStatus}>
            {query !== '' && !isFetching && failure === null && t('notFound.results', { count: records.length, query })}
          </div>
          {failure !== null && <Failure error={failure} retry={retry} />}
          <ul className={styles.notFoundResults}>
            {records.map(({ to, title, detail }) => {
              const Icon = iconOf(to)
              return (
                <li key={to}>
                  <Link to={to}>
                    <Icon width={18} aria-hidden="true" className={styles.actionIcon} />
                    <span className={styles.result}>
                      <bdi>{title}</bdi>
                      <bdi className={styles.resultDetail}>{detail}</bdi>
                    </span>
                  </Link>
                </li>
              )
            })}
          </ul>
          <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to="/" />}>
            {t('notFound.back')}
          </Anchor>
        </div>
      </Body>
    </Page>
  )
}

/** Returns the last part of an address, as words. */
const lastWord = (pathname: string): string => {
  const part = pathname.split('/').findLast(one => one !== '') ?? ''
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
