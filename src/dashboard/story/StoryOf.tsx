import { Skeleton, Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTexts } from '../texts/index.tsx'
import { Failure } from '../ui/Failure.tsx'
import { Story } from '../ui/Story.tsx'
import { useStory } from './useStory.ts'
import type { Subject } from './ways.ts'

type Of =
  | { event: string }
  | { run: string }
  | { message: string }
  | { outboundEvent: string }
  | { delivery: { id: string; webhookId: string } }

/**
 * Trace of a record, with links to all related records. Examples: `<StoryOf event={id} />`, `<StoryOf delivery={{ id,
 * webhookId }} />`. Used on the page or panel of each kind of record.
 */
export const StoryOf = (of: Of) => {
  const say = useTexts()
  const key = JSON.stringify(subjectOf(of))
  // biome-ignore lint/correctness/useExhaustiveDependencies: compares the content, not the object identity.
  const subject = useMemo(() => subjectOf(of), [key])
  const { lines, farBack, failure, retry } = useStory(subject)
  if (failure && !lines) return <Failure of={failure} retry={retry} />
  if (!lines) return <Skeleton height={20} aria-hidden />
  return (
    <Stack gap="sm">
      {lines.map((stops, index) => (
        <Story
          key={stops[0]?.key ?? index}
          stops={stops}
          label={say('story.line', { what: stops[lines.length > 1 ? 1 : 0]?.text ?? '' })}
        />
      ))}
      {farBack && (
        <Text size="sm" c="dimmed">
          {say('story.farBack')}
        </Text>
      )}
    </Stack>
  )
}

const subjectOf = (of: Of): Subject => {
  if ('event' in of) return { kind: 'event', id: of.event }
  if ('run' in of) return { kind: 'run', id: of.run }
  if ('message' in of) return { kind: 'message', id: of.message }
  if ('outboundEvent' in of) return { kind: 'outbound_event', id: of.outboundEvent }
  return { kind: 'delivery', ...of.delivery }
}
