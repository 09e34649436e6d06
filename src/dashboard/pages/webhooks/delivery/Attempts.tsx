import { UnstyledButton } from '@mantine/core'
import { Fragment } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { CheckIcon, ClockIcon } from '../../../ui/icons.ts'
import { NoSymbolIcon, XMarkIcon } from '../../../ui/page-icons.ts'
import { Duration, Time, useDuration } from '../../../ui/Time.tsx'
import { type BlockReason, useAttemptResult } from '../delivery-status.tsx'
import styles from './attempts.module.css'
import { NextAttempt } from './NextAttempt.tsx'

type Attempt = Schemas['DeliveryDetail']['attemptLog'][number]

/** Timeline of the attempts with the waits between them. A click on an attempt shows its response. */
export const Attempts = ({
  delivery: { attemptLog: log, attempts, status, nextAttemptAt },
  blockReason,
  selectedAttempt,
  onChoose,
}: {
  delivery: Schemas['DeliveryDetail']
  blockReason: BlockReason
  selectedAttempt: number
  onChoose: (index: number) => void
}) => {
  const t = useTranslate()
  const duration = useDuration()
  const attemptResult = useAttemptResult()
  if (log.length === 0 && !nextAttemptAt) return t('webhooks.noAttempt')
  return (
    <ol className={styles.timeline}>
      {log.map((attempt, index) => {
        const isSuccess = attempt.error === null
        return (
          <Fragment key={attempt.at}>
            {index > 0 && (
              <li className={styles.wait}>{t('webhooks.waitTime', { duration: duration(waitMs(log, index)) })}</li>
            )}
            <li data-tone={isSuccess ? 'done' : 'failed'}>
              <UnstyledButton
                className={styles.attempt}
                aria-pressed={index === selectedAttempt}
                onClick={() => onChoose(index)}
              >
                <span className={styles.number}>{index + 1}</span>
                <span className={styles.dot} aria-hidden="true">
                  {isSuccess ? <CheckIcon width={10} strokeWidth={3} /> : <XMarkIcon width={10} strokeWidth={3} />}
                </span>
                <span className={styles.result}>
                  <bdi>{attemptResult(attempt)}</bdi>
                </span>
                <span className={styles.quiet}>
                  <Duration ms={attempt.durationMs} />
                </span>
                <span className={styles.quiet}>
                  <Time at={attempt.at} clock />
                </span>
              </UnstyledButton>
            </li>
          </Fragment>
        )
      })}
      {nextAttemptAt && (
        <li className={styles.next} data-tone={blockReason ? 'off' : 'care'}>
          <span className={styles.dot} aria-hidden="true">
            <ClockIcon width={10} strokeWidth={2.5} />
          </span>
          <span>
            <NextAttempt at={nextAttemptAt} blockReason={blockReason} />
          </span>
        </li>
      )}
      {status === 'failed' && !nextAttemptAt && (
        <li className={styles.next} data-tone="off">
          <span className={styles.dot} aria-hidden="true">
            <NoSymbolIcon width={10} strokeWidth={2.5} />
          </span>
          <span>{t('webhooks.gaveUp', { count: attempts })}</span>
        </li>
      )}
    </ol>
  )
}

/** Returns the time between the end of the previous attempt and the start of this one. */
const waitMs = (log: Attempt[], index: number): number => {
  const previous = log[index - 1]!
  return Math.max(0, Date.parse(log[index]!.at) - Date.parse(previous.at) - previous.durationMs)
}
