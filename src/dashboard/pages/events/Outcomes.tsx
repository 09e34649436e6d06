import { Anchor, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Status } from '../../ui/Status.tsx'
import { Explanation } from '../../ui/text/Explanation.tsx'
import { tones } from '../../ui/tones.ts'

/** Outcome of each workflow that listens for the event type, in the API's own sentence with the compared values. */
export const Outcomes = ({
  event,
  isDryRun = false,
  onSuggestion,
}: {
  event: Pick<Schemas['EventWithOutcomes'], 'outcomes' | 'didYouMean'>
  /** True for a dry run: the event was not recorded. */
  isDryRun?: boolean
  /** Returns the action that uses the suggested type. */
  onSuggestion?: (type: string) => ReactNode
}) => {
  const t = useTranslate()
  if (event.outcomes.length === 0) {
    return (
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {t('events.nothingListens')} {event.didYouMean && t('events.didYouMean', { type: event.didYouMean.type })}
        </Text>
        {event.didYouMean && onSuggestion?.(event.didYouMean.type)}
      </Stack>
    )
  }
  return (
    <Stack gap="sm">
      {event.outcomes.map(outcome => (
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
            <Status tone={isDryRun && outcome.verdict === 'started' ? 'moving' : tones.verdict[outcome.verdict]}>
              {t(isDryRun && outcome.verdict === 'started' ? 'events.wouldStart' : `events.verdict.${outcome.verdict}`)}
            </Status>
            {outcome.runId && (
              <Anchor
                size="sm"
                renderRoot={(props: object) => <Link {...props} to="/runs/$id" params={{ id: outcome.runId! }} />}
              >
                {t(outcome.verdict === 'started' ? 'events.run' : 'events.blockingRun')}
              </Anchor>
            )}
          </Group>
          {(isDryRun || outcome.verdict !== 'started') && (
            <Text size="sm" component="div">
              <Explanation>{outcome.explanation}</Explanation>
            </Text>
          )}
        </div>
      ))}
    </Stack>
  )
}
