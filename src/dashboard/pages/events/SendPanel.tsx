import { Skeleton, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { BodyForm } from './body/BodyForm.tsx'
import { exampleOf, type Fields } from './body/text.ts'
import { type EventFilters, eventFilters } from './filters.ts'

/** Side panel to send an event as the signed-in person, from an example or from an earlier event. */
export const SendPanel = () => {
  const say = useTexts()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { again, ...rest } = useSearch({ strict: false }) as { again?: string } & Record<string, unknown>
  const search: EventFilters = eventFilters(rest)
  const known = hooks.useQuery(
    'get',
    '/v1/events/{id}',
    { params: { path: { id: again ?? '' } } },
    { enabled: again !== undefined },
  )
  const close = () =>
    void (again ? navigate({ to: '/events/$id', params: { id: again }, search }) : navigate({ to: '/events', search }))
  const recorded = ({ id }: Schemas['Event']) => {
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === '/v1/activity/events' })
    void navigate({ to: '/events/$id', params: { id }, search })
  }
  const title = known.data ? say('eventBody.sendAgainTitle', { type: known.data.type }) : say('eventBody.sendTitle')
  return (
    <Panel title={title} onClose={close}>
      <Text size="sm" pt="md">
        {say('eventBody.sendText')}
      </Text>
      {again === undefined && <BodyForm name="send" start={exampleOf(search.type)} onRecorded={recorded} />}
      {known.error && <Failure of={known.error} retry={() => void known.refetch()} />}
      {again !== undefined && known.isPending && <Skeleton height={160} mt="md" />}
      {known.data && <BodyForm key={again} name={`send/${again}`} start={bodyOf(known.data)} onRecorded={recorded} />}
    </Panel>
  )
}

/** Omits the idempotency key, because with it the API would record nothing. */
const bodyOf = ({ type, customerId, data }: Schemas['EventWithOutcomes']): Fields => ({ type, customerId, data })
