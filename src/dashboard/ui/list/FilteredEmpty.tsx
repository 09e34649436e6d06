import { Button } from '@mantine/core'
import type { ComponentProps } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { Empty } from '../Empty.tsx'

/**
 * Empty state of a filtered list: removes the filters, or continues the search. A page of a filter without an index can
 * be empty although more matches follow.
 */
export const FilteredEmpty = ({
  text,
  action,
  clear,
  query,
  ...empty
}: Pick<ComponentProps<typeof Empty>, 'icon' | 'title' | 'text'> & {
  /** Verb on the button that calls `clear`. Defaults to removing the filters. */
  action?: string | undefined
  clear: () => void
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }
}) => {
  const t = useTranslate()
  return (
    <Empty {...empty} text={query.hasNextPage ? t('list.searchContinues') : text}>
      <Button variant="default" onClick={clear}>
        {action ?? t('filter.clear')}
      </Button>
      {query.hasNextPage && (
        <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('list.continueSearch')}
        </Button>
      )}
    </Empty>
  )
}
