import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { hooks } from '../../api/client.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Empty, ExampleRow } from '../../ui/Empty.tsx'
import { CheckCircleIcon, MagnifyingGlassIcon } from '../../ui/icons.ts'
import { CustomerAvatar } from './CustomerAvatar.tsx'
import { type InboxSearch, isFiltered, parseInboxSearch, withoutFilters } from './filters.ts'
import { useChannels } from './queries.ts'

/** Empty state of the list. Without a channel or a conversation it says where they come from, whatever the filter. */
export const EmptyInbox = ({ search, openPhone }: { search: InboxSearch; openPhone: (() => void) | null }) => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const channels = useChannels()
  const { filter = 'waiting' } = search
  const newest = hooks.useQuery('get', '/v1/conversations', { params: { query: { limit: 1 } } }, { staleTime: 0 })
  const hasAny = newest.data && newest.data.data.length > 0
  const isUnused = hasAny === false && !newest.isFetching
  const link = (next: InboxSearch) => (props: object) => <Link {...props} to="/inbox" search={next} />
  if (channels?.length === 0)
    return (
      <Empty title={t('inbox.empty.all')} text={t('inbox.emptyText')} docs="/docs/conversations" example={<Example />}>
        {isOwner && (
          <Button renderRoot={(props: object) => <Link {...props} to="/channels/new" />}>{t('inbox.connect')}</Button>
        )}
      </Empty>
    )
  if (isFiltered(search))
    return (
      <Empty title={t('inbox.empty.filtered')} icon={MagnifyingGlassIcon}>
        <Button variant="default" renderRoot={link(withoutFilters(search))}>
          {t('filter.clear')}
        </Button>
      </Empty>
    )
  if (filter !== 'all' && !isUnused)
    return (
      <Empty
        title={t(`inbox.empty.${filter}`)}
        icon={CheckCircleIcon}
        text={filter === 'waiting' && hasAny ? t('inbox.emptyWaiting') : undefined}
      >
        <Button variant="default" renderRoot={link(parseInboxSearch({ ...search, filter: 'all' }))}>
          {t('inbox.showAll')}
        </Button>
      </Empty>
    )
  return (
    <Empty
      title={t('inbox.empty.all')}
      text={t(openPhone ? 'inbox.emptyPhone' : 'inbox.emptyText')}
      docs="/docs/conversations"
      example={<Example />}
    >
      {openPhone && <Button onClick={openPhone}>{t('inbox.writeAsCustomer')}</Button>}
    </Empty>
  )
}

/** Example of a conversation. */
const Example = () => {
  const t = useTranslate()
  return (
    <ExampleRow
      lead={<CustomerAvatar conversation={{ customerName: t('inbox.example.name'), channelKind: 'whatsapp_cloud' }} />}
      title={t('inbox.example.name')}
      text={t('inbox.example.text')}
      aside={null}
    />
  )
}
