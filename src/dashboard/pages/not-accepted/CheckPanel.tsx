import { Skeleton, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTexts } from '../../texts/index.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { BodyForm } from '../events/body/BodyForm.tsx'
import { bodyOfFaults, exampleOf } from '../events/body/text.ts'
import { useProblem } from './problems.ts'

/** Side panel that checks an event body. Opened from a rejected request, it starts with the invalid fields. */
export const CheckPanel = () => {
  const say = useTexts()
  const navigate = useNavigate()
  const { of } = useSearch({ strict: false }) as { of?: string }
  const close = () =>
    void (of ? navigate({ to: '/not-accepted/$id', params: { id: of } }) : navigate({ to: '/not-accepted' }))
  return (
    <Panel title={say('eventBody.checkTitle')} onClose={close}>
      <Text size="sm" pt="md">
        {of && say('notAccepted.checkHint')} {say('eventBody.checkText')}
      </Text>
      {of ? <OfProblem key={of} id={of} /> : <BodyForm name="check" start={exampleOf()} />}
    </Panel>
  )
}

const OfProblem = ({ id }: { id: string }) => {
  const { problem, failure } = useProblem(id)
  if (problem === undefined && failure === null) return <Skeleton height={160} mt="md" />
  return <BodyForm name={`check/${id}`} start={problem ? bodyOfFaults(problem.details) : exampleOf()} />
}
