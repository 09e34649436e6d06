import { Anchor, Button, Skeleton, Stack, Text, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { toRows } from '../../api/pages.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Section } from '../../ui/Panel.tsx'
import { useZone } from '../../ui/zone.ts'
import { type Entry, kindOf, mergeSales } from './activity.ts'
import styles from './customers.module.css'
import { TimelineItem } from './TimelineItem.tsx'
import { useSales } from './useSales.ts'
import { useTimeline } from './useTimeline.ts'

/** Timeline of a customer, newest first, with a heading for each day. */
export const Timeline = ({ customerId }: { customerId: string }) => {
  const t = useTranslate()
  const formatDay = useFormatDay()
  const query = useTimeline(customerId)
  const [filter, setFilter] = useState<Filter>('all')
  const { rows, failure, retry, loadMore: more, loadingMore } = toRows(query)
  const sales = useSales(customerId).data
  const entries = rows && mergeSales(rows, sales?.data ?? [], more === null)
  const shown = entries?.filter(entry => filter === 'all' || filterOf(entry) === filter) ?? []
  const days = Object.entries(Object.groupBy(shown, item => formatDay(item.at)))
  return (
    <Section title={t('customers.timeline')} actions={<KindFilter value={filter} onChange={setFilter} />}>
      {failure && !rows ? <Failure error={failure} retry={retry} /> : null}
      {!rows && !failure && (
        <Stack gap="sm" aria-busy="true">
          {[0, 1, 2, 3, 4, 5].map(timelineItem => (
            <Skeleton key={timelineItem} height={36} />
          ))}
        </Stack>
      )}
      {entries?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('customers.timelineEmpty')}
        </Text>
      )}
      {entries !== undefined && entries.length > 0 && shown.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('customers.timelineFiltered', { count: entries.length })}
        </Text>
      )}
      {days.map(([day, items]) => (
        <section key={day} aria-label={day} className={styles.day}>
          <p className={styles.dayName}>{day}</p>
          <ol className={styles.timeline}>
            {items!.map(item => (
              <li key={item.id}>
                <TimelineItem item={item} />
              </li>
            ))}
          </ol>
        </section>
      ))}
      {rows && failure ? <Failure error={failure} retry={retry} /> : null}
      {more && (
        <Button variant="default" mt="sm" loading={loadingMore} onClick={more}>
          {t('list.more')}
        </Button>
      )}
      {/* The timeline has only the newest sales. */}
      {entries && sales?.nextCursor && (filter === 'all' || filter === 'sale') && (
        <Text size="sm" mt="sm">
          <Anchor inherit renderRoot={(props: object) => <Link {...props} to="/sales" search={{ customerId }} />}>
            {t('customers.allSales')}
          </Anchor>
        </Text>
      )}
    </Section>
  )
}

const filters = ['all', 'message', 'event', 'run', 'sale', 'consent'] as const
type Filter = (typeof filters)[number]

const filterOf = (entry: Entry): Filter => (entry.kind === 'sale' ? 'sale' : kindOf(entry.kind))

/** Shows only loaded entries of one kind. The API has no filter. */
const KindFilter = ({ value, onChange }: { value: Filter; onChange: (value: Filter) => void }) => {
  const t = useTranslate()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has form semantics.
    <div className={styles.kinds} role="group" aria-label={t('customers.timelineFilter')}>
      {filters.map(one => (
        <UnstyledButton
          key={one}
          className={styles.kindButton}
          aria-pressed={one === value}
          onClick={() => onChange(one)}
        >
          {t(`customers.filter.${one}`)}
        </UnstyledButton>
      ))}
    </div>
  )
}

/** Formats a day as a heading in the time zone of the reader. */
const useFormatDay = (): ((at: string) => string) => {
  const { locale } = useIntl()
  const format = new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: useZone(),
  })
  return at => format.format(new Date(at))
}
