import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { Failure as ApiFailure } from '../api/client.ts'
import { accountPath } from '../shell/navigation.ts'
import { useTexts } from '../texts/index.tsx'
import { Id } from './Id.tsx'
import styles from './ui.module.css'

/**
 * Error message of the API with the request id for support and a retry button. There is no retry for a missing record.
 */
export const Failure = ({ of, retry }: { of: unknown; retry?: (() => void) | undefined }) => {
  const say = useTexts()
  const failure = of instanceof ApiFailure ? of : new ApiFailure(0, 'internal_error', say('failure.page'))
  return (
    <Alert
      classNames={{ root: styles.failure!, title: styles.failureTitle! }}
      data-tone="failed"
      variant="default"
      role="alert"
      title={say('failure.title')}
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{failure.code === 'unreachable' ? say('failure.unreachable') : failure.message}</Text>
        {untold(failure).map(([field, reason]) => (
          <Text size="sm" key={field}>
            <code>{field}</code>: {reason}
          </Text>
        ))}
        {failure.retryAfter !== null && <Text size="sm">{say('failure.wait', { seconds: failure.retryAfter })}</Text>}
        {failure.details.secondFactor && <Anchor href={accountPath}>{say('failure.secondFactor')}</Anchor>}
        <Group gap="sm">
          {retry && failure.status !== 404 && (
            <Button variant="default" onClick={retry}>
              {say('failure.again')}
            </Button>
          )}
          {failure.requestId && (
            <Text size="xs" component="span">
              {say('failure.request')} <Id value={failure.requestId} />
            </Text>
          )}
        </Group>
      </Stack>
    </Alert>
  )
}

/**
 * Returns the details that the message does not repeat. It omits the reason code of a 503 and lists of ids, because the
 * message names those records.
 */
const untold = ({ status, message, details }: ApiFailure): [string, string][] =>
  Object.entries(details).filter(
    ([field, reason]) =>
      !message.includes(`${field}: ${reason}`) && !(status === 503 && field === 'reason') && !idsAlone.test(reason),
  )

const idsAlone = /^[0-9a-f-]{36}(, [0-9a-f-]{36})*$/
