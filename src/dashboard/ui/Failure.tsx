import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { Failure as ApiFailure, isVersionConflict } from '../api/client.ts'
import { accountPath } from '../shell/navigation.ts'
import { type TextId, useTranslate } from '../texts/index.tsx'
import { lowerFirst } from './formats.ts'
import { Id } from './Id.tsx'
import type { Crumb } from './Page.tsx'
import styles from './states.module.css'

/**
 * Error message of the API with the request id for support and a retry button. A wrong password, code or link (401, 422)
 * and a missing record are shown as their message alone, because they are no case for support. Neither a missing
 * permission nor a missing record has a retry. If the record changed elsewhere, a text for people replaces that of the
 * API. For a record, the title names the `record`, and a link leads to its `list`.
 * `what` is the part of the page that was not loaded, such as “Customers”, for the title.
 * A read is repeated by itself (`main.tsx`, `useRefetchOnReconnect`). The button waits until the API allows a call.
 */
export const Failure = ({
  error,
  retry,
  what,
  record,
  list,
}: {
  error: unknown
  what?: string | undefined
  retry?: (() => void) | undefined
  record?: string
  list?: Crumb | undefined
}) => {
  const t = useTranslate()
  const failure = useMemo(
    () => (error instanceof ApiFailure ? error : new ApiFailure(0, 'internal_error', t('failure.page'))),
    [error, t],
  )
  const isMissing = failure.status === 404
  const isUnreachable = failure.code === 'unreachable'
  const isAlone = failure.status === 401 || failure.status === 422 || (isMissing && !record)
  const isConflict = isVersionConflict(failure)
  const mustWait = useMustWait(failure)
  const isForbidden = failure.status === 403
  const canRetry = retry !== undefined && !isMissing && !isForbidden
  const requestId = isAlone || isConflict ? null : failure.requestId
  const hasFooter = !(isMissing && record) && (canRetry || requestId)
  return (
    <Alert
      classNames={{ root: styles.failure!, title: styles.failureTitle! }}
      data-tone="failed"
      variant="default"
      role="alert"
      title={
        isAlone
          ? undefined
          : isMissing && record
            ? t('failure.missing', { record })
            : isUnreachable
              ? t('failure.unreachableTitle')
              : isConflict
                ? t('failure.changed')
                : titles[failure.status]
                  ? t(titles[failure.status]!)
                  : what
                    ? t('failure.load', { what: lowerFirst(what) })
                    : t('failure.title')
      }
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          {isUnreachable
            ? t(!navigator.onLine ? 'failure.offline' : retry ? 'failure.unreachable' : 'failure.unsent')
            : retry && failure.code === 'internal_error' && failure.status >= 500
              ? t('failure.internal')
              : isConflict
                ? t('failure.changedText')
                : failure.message}
        </Text>
        {!isConflict &&
          unmentionedDetails(failure).map(([field, reason]) => (
            <Text size="sm" key={field}>
              <code>{field}</code>: {reason}
            </Text>
          ))}
        {failure.retryAfter !== null && <Text size="sm">{t('failure.wait', { seconds: failure.retryAfter })}</Text>}
        {failure.details.secondFactor && <Anchor href={accountPath}>{t('failure.secondFactor')}</Anchor>}
        {isMissing && list && (
          <Anchor size="sm" renderRoot={(props: object) => <Link {...props} {...list.link} />}>
            {t('failure.list', { list: list.label })}
          </Anchor>
        )}
        {hasFooter && (
          <Group gap="sm">
            {canRetry && (
              <Button variant="default" disabled={mustWait} onClick={retry}>
                {t('failure.again')}
              </Button>
            )}
            {requestId && (
              <Text size="xs" component="span">
                {t('failure.request')} <Id value={requestId} full />
              </Text>
            )}
          </Group>
        )}
      </Stack>
    </Alert>
  )
}

/** Titles by status. */
const titles: Record<number, TextId> = { 403: 'failure.forbidden', 429: 'failure.rateLimit' }

/** Returns true until the time that the API gave, when a call can succeed. */
const useMustWait = (failure: ApiFailure): boolean => {
  const { retryAfter } = failure
  const [over, setOver] = useState<ApiFailure | null>(null)
  useEffect(() => {
    if (retryAfter === null) return
    const timer = setTimeout(() => setOver(failure), retryAfter * 1000)
    return () => clearTimeout(timer)
  }, [failure, retryAfter])
  return retryAfter !== null && over !== failure
}

/**
 * Returns the details that the message does not repeat. It omits the reason code of a 503 and lists of ids, because the
 * message names those records.
 */
const unmentionedDetails = ({ status, message, details }: ApiFailure): [string, string][] =>
  Object.entries(details).filter(
    ([field, reason]) =>
      !message.includes(`${field}: ${reason}`) &&
      !(status === 503 && field === 'reason') &&
      !idListPattern.test(reason),
  )

const idListPattern = /^[0-9a-f-]{36}(, [0-9a-f-]{36})*$/
