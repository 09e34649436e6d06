import { Button, Skeleton, Text } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useTexts } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Id } from '../../ui/Id.tsx'
import { Facts, Panel, Section } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { type Problem, useProblem } from './problems.ts'

/** Side panel of a rejected request: the error response, its count and the error of each field. */
export const ProblemPanel = () => {
  const say = useTexts()
  const navigate = useNavigate()
  const { id } = useParams({ strict: false }) as { id: string }
  const { problem, failure, retry } = useProblem(id)
  return (
    <Panel title={titleOf(say, problem)} onClose={() => void navigate({ to: '/not-accepted' })}>
      {failure !== null && !problem && <Failure of={failure} retry={retry} />}
      {failure === null && problem === undefined && <Skeleton height={160} mt="md" />}
      {problem === null && <Empty title={say('notAccepted.gone')} text={say('notAccepted.goneText')} />}
      {problem && <Told problem={problem} />}
    </Panel>
  )
}

const titleOf = (say: ReturnType<typeof useTexts>, problem: Problem | null | undefined): string => {
  if (!problem) return say('notAccepted.problem')
  return problem.severity === 'warning' ? say('notAccepted.warning') : say('notAccepted.id', { status: problem.status })
}

const Told = ({ problem }: { problem: Problem }) => {
  const say = useTexts()
  const faults = Object.entries(problem.details ?? {})
  const saysItAll = faults.length === 1 && faults.every(([field, reason]) => problem.message === `${field}: ${reason}`)
  return (
    <>
      <Section
        title={say('notAccepted.message')}
        actions={
          problem.path.startsWith('/v1/events') && (
            <Button
              variant="default"
              renderRoot={(props: object) => <Link {...props} to="/not-accepted/check" search={{ of: problem.id }} />}
            >
              {say('notAccepted.check')}
            </Button>
          )
        }
      >
        <Text size="md">
          <bdi>{problem.message}</bdi>
        </Text>
      </Section>
      {!saysItAll && faults.length > 0 && (
        <Section title={say('notAccepted.fields')}>
          <Facts of={Object.fromEntries(faults)} />
        </Section>
      )}
      <Section title={say('notAccepted.body')}>
        <Facts
          of={{
            [say('notAccepted.count')]: say('notAccepted.times', { count: problem.count }),
            [say('notAccepted.first')]: <Time at={problem.firstAt} exact />,
            [say('notAccepted.last')]: <Time at={problem.lastAt} exact />,
            [say('notAccepted.sender')]: problem.sender,
            [say('notAccepted.call')]: (
              <code>
                {problem.method} {problem.path}
              </code>
            ),
            [say('notAccepted.status')]: (
              <>
                <Status tone={problem.severity === 'warning' ? 'care' : 'failed'}>{String(problem.status)}</Status>{' '}
                <code>{problem.code}</code>
              </>
            ),
            [say('notAccepted.event')]: problem.eventId && (
              <Link to="/events/$id" params={{ id: problem.eventId }}>
                {say('notAccepted.openEvent')}
              </Link>
            ),
            [say('notAccepted.request')]: <Id value={problem.requestId} whole />,
          }}
        />
      </Section>
    </>
  )
}
