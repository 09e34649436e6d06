import { Anchor, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { Explanation } from '../../ui/Explanation.tsx'
import { Status, type Tone } from '../../ui/Status.tsx'

const toneOf: Record<Schemas['WorkflowOutcome']['verdict'], Tone> = {
  started: 'done',
  switched_off: 'off',
  never_published: 'off',
  not_run_for_customer: 'off',
}

/** Outcome of each workflow that listens for the event type, in the API's own sentence with the compared values. */
export const Outcomes = ({
  of,
  would = false,
}: {
  of: Pick<Schemas['EventWithOutcomes'], 'outcomes' | 'didYouMean'>
  /** True for a dry run: the event was not recorded. */
  would?: boolean
}) => {
  const say = useTexts()
  if (of.outcomes.length === 0) {
    return (
      <Text size="sm">
        {say('events.nothingListens')} {of.didYouMean && say('events.didYouMean', { type: of.didYouMean.type })}
      </Text>
    )
  }
  return (
    <Stack gap="sm">
      {of.outcomes.map(outcome => (
        <div key={outcome.workflowId}>
          <Group gap="sm">
            <Anchor
              size="sm"
              renderRoot={(props: object) => (
                <Link {...props} to="/workflows/$id" params={{ id: outcome.workflowId }} />
              )}
            >
              {outcome.name}
            </Anchor>
            <Status tone={would && outcome.verdict === 'started' ? 'moving' : toneOf[outcome.verdict]}>
              {say(would && outcome.verdict === 'started' ? 'events.wouldStart' : `events.verdict.${outcome.verdict}`)}
            </Status>
            {outcome.runId && (
              <Anchor
                size="sm"
                renderRoot={(props: object) => <Link {...props} to="/runs/$id" params={{ id: outcome.runId! }} />}
              >
                {say(outcome.verdict === 'started' ? 'events.run' : 'events.runInTheWay')}
              </Anchor>
            )}
          </Group>
          {(would || outcome.verdict !== 'started') && (
            <Text size="sm" c="dimmed" component="div">
              <Explanation>{outcome.explanation}</Explanation>
            </Text>
          )}
        </div>
      ))}
    </Stack>
  )
}
