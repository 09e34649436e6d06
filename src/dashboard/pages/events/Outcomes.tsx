import { Anchor, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { verdictOf } from '../../api/verdicts.ts'
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
  event: Pick<Schemas['EventWithOutcomes'], 'outcomes' | 'didYouMean'> & { data?: object }
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
            {outcome.verdict !== 'started' ? (
              <Status tone={tones.verdict[outcome.verdict]}>
                {t(`events.verdict.${verdictOf(outcome, event.data)}`)}
              </Status>
            ) : isDryRun || !outcome.runId ? (
              <Status tone="moving">{t(isDryRun ? 'events.wouldStart' : 'events.verdict.started')}</Status>
            ) : (
              <RunState id={outcome.runId} />
            )}
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

/** Current status of a started run. A run that is not loaded or no longer stored has started. */
const RunState = ({ id }: { id: string }) => {
  const t = useTranslate()
  const run = hooks.useQuery('get', '/v1/runs/{id}', { params: { path: { id } } }, { retry: false }).data
  if (!run) return <Status tone={tones.verdict.started}>{t('events.verdict.started')}</Status>
  return <Status tone={tones.run[run.status]}>{t(`workflows.run.${run.status}`)}</Status>
}
