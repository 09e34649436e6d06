import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Tone } from './Status.tsx'
import { Time } from './Time.tsx'
import styles from './ui.module.css'

/** One stop on the way from an event to the webhook. */
export interface Stop {
  key: string
  text: string
  at?: string | null
  tone?: Tone
  /** Where it is shown whole; none = it is the one that is open, or `still`. */
  to?: string
  /** Has no page of its own. */
  still?: boolean
  /** Beside others with the same name: they follow from the same, not from one another. */
  beside?: string
  /** `at` sorts it and is not shown. */
  untold?: boolean
}

/** The whole way as one line: event, verdict, run, message, outbound event, deliveries. Each is one click away. */
export const Story = ({ stops, label }: { stops: Stop[]; label: string }) => (
  <ol className={styles.story} aria-label={label}>
    {stops.map((stop, index) => (
      <li key={stop.key} className={styles.storyStop} aria-current={stop.to || stop.still ? undefined : 'step'}>
        {index > 0 && (
          // With what it leads to, so that no line ends with it.
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
