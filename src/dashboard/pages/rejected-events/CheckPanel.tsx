import { Skeleton, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslate } from '../../texts/index.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { BodyForm } from '../events/body/BodyForm.tsx'
import { makeBodyForFaults, makeExample } from '../events/body/text.ts'
import { useRejectedEvent } from './rejected-events.ts'

/** Side panel that checks an event body. Opened from a rejected request, it starts with the invalid fields. */
export const CheckPanel = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const { of } = useSearch({ strict: false }) as { of?: string }
  const close = () =>
    void (of ? navigate({ to: '/not-accepted/$id', params: { id: of } }) : navigate({ to: '/not-accepted' }))
  return (
    <Panel title={t('eventBody.checkTitle')} onClose={close}>
      <Text size="sm" pt="md">
        {of && t('notAccepted.checkHint')} {t('eventBody.checkText')}
      </Text>
      {of ? <CheckRejectedEvent key={of} id={of} /> : <BodyForm name="check" initial={makeExample()} />}
    </Panel>
  )
}

const CheckRejectedEvent = ({ id }: { id: string }) => {
  const { problem, failure } = useRejectedEvent(id)
  if (problem === undefined && failure === null) return <Skeleton height={160} mt="md" />
  return <BodyForm name={`check/${id}`} initial={problem ? makeBodyForFaults(problem.details) : makeExample()} />
}
