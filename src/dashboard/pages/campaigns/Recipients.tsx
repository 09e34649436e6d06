import { Anchor } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../api/client.ts'
import { byCursor, pageSize, rowsOf } from '../../api/pages.ts'
import { pathOf } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Choice, Filters } from '../../ui/Filters.tsx'
import { type Column, List } from '../../ui/List.tsx'
import { Page } from '../../ui/Page.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { CustomerLink } from './Preview.tsx'
import { useReason } from './Reason.tsx'
import { outcomes, type RecipientFilters, recipientFilters, toneOfOutcome } from './status.ts'

type Row = Schemas['CampaignRecipient']

/** Recipients of a campaign with their outcomes. */
export const Recipients = () => {
  const say = useTexts()
  const reason = useReason()
  const navigate = useNavigate()
  const { id } = useParams({ strict: false }) as { id: string }
  const { outcome } = recipientFilters(useSearch({ strict: false }))
  const campaign = hooks.useQuery('get', '/v1/campaigns/{id}', { params: { path: { id } } })
  const query = hooks.useInfiniteQuery(
    'get',
    '/v1/campaigns/{id}/recipients',
    { params: { path: { id }, query: { limit: pageSize, ...(outcome && { outcome }) } } },
    { ...byCursor, placeholderData: keepPreviousData },
  )
  const filter = (next: RecipientFilters) =>
    void navigate({ to: '/campaigns/$id/recipients', params: { id }, search: next })
  const columns: Column<Row>[] = [
    {
      key: 'customer',
      title: say('campaigns.recipient'),
      width: 'minmax(160px, 1fr)',
      phone: 'title',
      cell: row => <CustomerLink id={row.customerId} />,
    },
    {
      key: 'outcome',
      title: say('campaigns.outcome'),
      width: '140px',
      phone: 'aside',
      cell: row => <Status tone={toneOfOutcome[row.outcome]}>{say(`campaigns.outcome.${row.outcome}`)}</Status>,
    },
    {
      key: 'why',
      title: say('campaigns.why'),
      width: 'minmax(180px, 2fr)',
      phone: 'below',
      cell: row => row.reason && reason(row.reason),
    },
    {
      key: 'message',
      title: say('campaigns.message'),
      width: '130px',
      cell: row =>
        row.messageId && (
          <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to={pathOf('message', row.messageId!)!} />}>
            {say('campaigns.openMessage')}
          </Anchor>
        ),
    },
    {
      key: 'at',
      title: say('campaigns.known'),
      width: '120px',
      phone: 'end',
      cell: row => <Time at={row.at} />,
    },
  ]
  return (
    <Page
      title={campaign.data ? `${say('campaigns.recipients')}: ${campaign.data.name}` : say('campaigns.recipients')}
      actions={
        <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to="/campaigns/$id" params={{ id }} />}>
          {campaign.data?.name ?? say('campaigns.id')}
        </Anchor>
      }
    >
      <Filters clear={outcome ? () => filter({}) : undefined}>
        <Choice
          label={say('campaigns.outcome')}
          value={outcome}
          options={outcomes.map(value => ({ value, label: say(`campaigns.outcome.${value}`) }))}
          onChange={next => filter(next ? { outcome: next } : {})}
        />
      </Filters>
      <List
        title={say('campaigns.recipients')}
        columns={columns}
        rows={rowsOf(query)}
        idOf={row => row.customerId}
        live={{ kinds: ['campaign'], refresh: () => void query.refetch(), matters: news => news.id === id }}
        empty={
          outcome ? (
            <Empty title={say('campaigns.recipientsNone')} />
          ) : (
            <Empty title={say('campaigns.recipientsEmpty')} text={say('campaigns.recipientsEmptyText')} />
          )
        }
      />
    </Page>
  )
}
