import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
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
      <Fragment key={stop.key}>
        {index > 0 && (
          <li aria-hidden="true" className={styles.storyArrow}>
            {stop.beside && stop.beside === stops[index - 1]?.beside ? '·' : '→'}
          </li>
        )}
        <li
          className={styles.storyStop}
          data-tone={stop.tone}
          aria-current={stop.to || stop.still ? undefined : 'step'}
        >
          {stop.to ? (
            <Anchor size="sm" renderRoot={props => <Link {...props} to={stop.to!} />}>
              {stop.text}
            </Anchor>
          ) : (
            <bdi>{stop.text}</bdi>
          )}
          {stop.at && !stop.untold && (
            <span className={styles.storyTime}>
              <Time at={stop.at} clock />
            </span>
          )}
        </li>
      </Fragment>
    ))}
  </ol>
)
