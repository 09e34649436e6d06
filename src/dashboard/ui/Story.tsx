import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Tone } from './Status.tsx'
import { Time } from './Time.tsx'
import styles from './ui.module.css'

/** Span of a trace from an event to the deliveries. */
export interface Stop {
  key: string
  text: string
  at?: string | null
  tone?: Tone
  /** Page of the record. Without it, the record is the open one, or `still`. */
  to?: string
  /** True if the span has no page. */
  still?: boolean
  /** Spans with the same name are parallel: they have the same cause and do not follow each other. */
  beside?: string
  /** `at` is used for sorting but is not shown. */
  untold?: boolean
}

/** Trace as one line: event, outcome, run, message, outbound event and deliveries, each with a link. */
export const Story = ({ stops, label }: { stops: Stop[]; label: string }) => (
  <ol className={styles.story} aria-label={label}>
    {stops.map((stop, index) => (
      <li key={stop.key} className={styles.storyStop} aria-current={stop.to || stop.still ? undefined : 'step'}>
        {index > 0 && (
          // The arrow is grouped with the span after it, so that no line ends with an arrow.
          <span aria-hidden="true" className={styles.storyArrow}>
            {stop.beside && stop.beside === stops[index - 1]?.beside ? '+' : '→'}
          </span>
        )}
        <span data-tone={stop.tone}>
          {stop.to ? (
            <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to={stop.to!} />}>
              <bdi>{stop.text}</bdi>
            </Anchor>
          ) : (
            <bdi>{stop.text}</bdi>
          )}
        </span>
        {stop.at && !stop.untold && (
          <span className={styles.storyTime}>
            <Time at={stop.at} clock />
          </span>
        )}
      </li>
    ))}
  </ol>
)
