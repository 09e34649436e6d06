import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../../api/client.ts'
import { useTexts } from '../../../texts/index.tsx'
import { Facts } from '../../../ui/Panel.tsx'
import { Status } from '../../../ui/Status.tsx'
import { Outcomes } from '../Outcomes.tsx'

/** Result of a dry run: the response of POST /v1/events and the runs that the event would start. */
export const Judgement = ({ of, stale }: { of: Schemas['CheckedEvent']; stale: boolean }) => {
  const say = useTexts()
  const { customerId } = of
  return (
    <Stack gap="sm" role="status">
      {stale && (
        <Text size="sm" c="dimmed">
          {say('eventBody.stale')}
        </Text>
      )}
      <div>
        <Verdict of={of} />
      </div>
      {of.error && (
        <div>
          {!of.error.details && <Text size="sm">{of.error.message}</Text>}
          {Object.entries(of.error.details ?? {}).map(([field, reason]) => (
            <Text size="sm" key={field}>
              <code>{field}</code>: {reason}
            </Text>
          ))}
        </div>
      )}
      {of.valid && (
        <>
          <Facts
            of={{
              [say('eventBody.who')]: customerId ? (
                <Anchor
                  size="sm"
                  renderRoot={(props: object) => <Link {...props} to="/customers/$id" params={{ id: customerId }} />}
                >
                  {say(`eventBody.who.${of.customer}`)}
                </Anchor>
              ) : (
                say(`eventBody.who.${of.customer}`)
              ),
            }}
          />
          <Outcomes of={of} would />
        </>
      )}
    </Stack>
  )
}

const Verdict = ({ of }: { of: Schemas['CheckedEvent'] }) => {
  const say = useTexts()
  if (!of.valid) return <Status tone="failed">{say('eventBody.refused', { status: of.status })}</Status>
  if (of.replay === null) return <Status tone="done">{say('eventBody.taken')}</Status>
  return (
    <>
      <Status tone="off">{say('eventBody.replay')}</Status>
      <Text size="sm">
        {say('eventBody.replayText')}{' '}
        <Link to="/events/$id" params={{ id: of.replay }}>
          {say('events.id')}
        </Link>
      </Text>
    </>
  )
}
