import { Skeleton, Text } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../api/client.ts'
import { useInvalidate } from '../../api/useInvalidate.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { BodyForm } from './body/BodyForm.tsx'
import { type Fields, makeExample } from './body/text.ts'
import { parseEventFilters } from './filters.ts'

const route = getRouteApi('/signed/events/send')

/** Side panel to send an event as the signed-in person, from an example or from an earlier event. */
export const SendPanel = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const invalidate = useInvalidate()
  const { again, as: type, ...rest } = route.useSearch()
  const search = parseEventFilters(rest)
  const originalEvent = hooks.useQuery(
    'get',
    '/v1/events/{id}',
    { params: { path: { id: again ?? '' } } },
    { enabled: again !== undefined },
  )
  const close = () =>
    void (again ? navigate({ to: '/events/$id', params: { id: again }, search }) : navigate({ to: '/events', search }))
  const onRecorded = ({ id }: Schemas['Event']) => {
    void invalidate('/v1/activity/events')
    void navigate({ to: '/events/$id', params: { id }, search })
  }
  const title = originalEvent.data
    ? t('eventBody.sendAgainTitle', { type: originalEvent.data.type })
    : t('eventBody.sendTitle')
  return (
    <Panel title={title} onClose={close}>
      <Text size="sm" pt="md">
        {t('eventBody.sendText')}
      </Text>
      {again === undefined && (
        <BodyForm key={search.type} name="send" initial={makeExample(search.type)} onRecorded={onRecorded} />
      )}
      {originalEvent.error && <Failure error={originalEvent.error} retry={() => void originalEvent.refetch()} />}
      {again !== undefined && originalEvent.isPending && <Skeleton height={160} mt="md" />}
      {originalEvent.data && (
        <BodyForm
          key={again}
          name={`send/${again}/${type ?? ''}`}
          initial={{ ...toFields(originalEvent.data), ...(type !== undefined && { type }) }}
          onRecorded={onRecorded}
        />
      )}
    </Panel>
  )
}

/** Omits the idempotency key, because with it the API would record nothing. */
const toFields = ({ type, customerId, data }: Schemas['EventWithOutcomes']): Fields => ({ type, customerId, data })
