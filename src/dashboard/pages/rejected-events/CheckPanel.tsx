import { Skeleton, Text } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslate } from '../../texts/index.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { BodyForm } from '../events/body/BodyForm.tsx'
import { makeBodyForProblem, makeExample } from '../events/body/text.ts'
import { parseRejectedEventFilters } from './filters.ts'
import { useRejectedEvent } from './rejected-events.ts'

const route = getRouteApi('/signed/not-accepted/check')

/** Side panel that checks an event body. Opened from a rejected request, it starts with the invalid fields. */
export const CheckPanel = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const { of, apply, ...rest } = route.useSearch()
  const search = parseRejectedEventFilters(rest)
  const close = () =>
    void (of
      ? navigate({ to: '/not-accepted/$id', params: { id: of }, search })
      : navigate({ to: '/not-accepted', search }))
  return (
    <Panel title={t('eventBody.checkTitle')} onClose={close}>
      <Text size="sm" pt="md">
        {t('eventBody.checkText')}
      </Text>
      {of ? (
        <CheckRejectedEvent key={of} id={of} apply={apply === true} />
      ) : (
        <BodyForm name="check" initial={makeExample()} />
      )}
    </Panel>
  )
}

const CheckRejectedEvent = ({ id, apply }: { id: string; apply: boolean }) => {
  const t = useTranslate()
  const { problem, failure } = useRejectedEvent(id)
  if (problem === undefined && failure === null) return <Skeleton height={160} mt="md" />
  return (
    <>
      <Text size="sm" c="dimmed" mt="xs">
        {t(
          apply
            ? 'notAccepted.checkAppliedHint'
            : problem?.sample
              ? 'notAccepted.checkSampleHint'
              : 'notAccepted.checkHint',
        )}
      </Text>
      <BodyForm
        key={String(apply)}
        name={`check/${id}${apply ? '/applied' : ''}`}
        initial={problem ? makeBodyForProblem(problem, apply) : makeExample()}
      />
    </>
  )
}
