import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Tone } from './Status.tsx'
import { Time } from './Time.tsx'
import styles from './ui.module.css'

/** Span of a trace from an event to the deliveries. */
export interface Span {
  key: string
  text: string
  at?: string | null
  tone?: Tone
  /** Page of the record. Without it, the record is the open one, or `hasNoPage`. */
  to?: string
  /** True if the span has no page. */
  hasNoPage?: boolean
  /** Spans with the same name are parallel: they have the same cause and do not follow each other. */
  parallelGroup?: string
  /** `at` is used for sorting but is not shown. */
  hidesTime?: boolean
}

/** Trace as one line: event, outcome, run, message, outbound event and deliveries, each with a link. */
export const SpanList = ({ spans, label }: { spans: Span[]; label: string }) => (
  <ol className={styles.trace} aria-label={label}>
    {spans.map((span, index) => (
      <li key={span.key} className={styles.traceSpan} aria-current={span.to || span.hasNoPage ? undefined : 'step'}>
        {index > 0 && (
          // The arrow is grouped with the span after it, so that no line ends with an arrow.
          <span aria-hidden="true" className={styles.traceArrow}>
            {span.parallelGroup && span.parallelGroup === spans[index - 1]?.parallelGroup ? '+' : '→'}
          </span>
        )}
        <span data-tone={span.tone}>
          {span.to ? (
            <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to={span.to!} />}>
              <bdi>{span.text}</bdi>
            </Anchor>
          ) : (
            <bdi>{span.text}</bdi>
          )}
        </span>
        {span.at && !span.hidesTime && (
          <span className={styles.traceTime}>
            <Time at={span.at} clock />
          </span>
        )}
      </li>
    ))}
  </ol>
)
