import { Anchor, Button, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { Facts } from '../../../ui/Panel.tsx'
import { Status } from '../../../ui/Status.tsx'
import { Outcomes } from '../Outcomes.tsx'

/** Result of a dry run: the response of POST /v1/events and the runs that the event would start. */
export const CheckResult = ({
  result,
  isOutdated,
  onSuggestion,
}: {
  result: Schemas['CheckedEvent']
  isOutdated: boolean
  /** Replaces the type of the event by the suggested one. */
  onSuggestion: (type: string) => void
}) => {
  const t = useTranslate()
  const { customerId } = result
  return (
    <Stack gap="sm" role="status">
      {isOutdated && (
        <Text size="sm" c="dimmed">
          {t('eventBody.stale')}
        </Text>
      )}
      <div>
        <ResultSummary result={result} />
      </div>
      {result.error && (
        <div>
          {!result.error.details && <Text size="sm">{result.error.message}</Text>}
          {Object.entries(result.error.details ?? {}).map(([field, reason]) => (
            <Text size="sm" key={field}>
              <code>{field}</code>: {reason}
            </Text>
          ))}
        </div>
      )}
      {result.valid && (
        <>
          <Facts
            items={{
              [t('eventBody.customer')]: customerId ? (
                <Anchor
                  size="sm"
                  renderRoot={(props: object) => <Link {...props} to="/customers/$id" params={{ id: customerId }} />}
                >
                  {t(`eventBody.customer.${result.customer}`)}
                </Anchor>
              ) : (
                t(`eventBody.customer.${result.customer}`)
              ),
            }}
          />
          <Outcomes
            event={result}
            isDryRun
            onSuggestion={type => (
              <Button variant="default" onClick={() => onSuggestion(type)}>
                {t('events.useTypeHere', { type })}
              </Button>
            )}
          />
        </>
      )}
    </Stack>
  )
}

const ResultSummary = ({ result }: { result: Schemas['CheckedEvent'] }) => {
  const t = useTranslate()
  if (!result.valid) return <Status tone="failed">{t('eventBody.refused', { status: result.status })}</Status>
  if (result.replay === null) return <Status tone="done">{t('eventBody.wouldBeRecorded')}</Status>
  return (
    <>
      <Status tone="off">{t('eventBody.replay')}</Status>
      <Text size="sm">
        {t('eventBody.replayText')}{' '}
        <Link to="/events/$id" params={{ id: result.replay }}>
          {t('events.id')}
        </Link>
      </Text>
    </>
  )
}
