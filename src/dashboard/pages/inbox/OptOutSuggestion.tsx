import { Alert, Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Confirm } from '../../ui/form/Confirm.tsx'
import { ExclamationTriangleIcon } from '../../ui/icons.ts'
import { useNotify } from '../../ui/useNotify.tsx'
import { useInvalidateCustomer, useRefreshConversation } from './queries.ts'
import styles from './thread.module.css'

type Decision = Schemas['OptOutDecision']['decision']

/**
 * Notice that the customer may want to opt out. The whole team sees it until a person decides. Its dialog stays open if
 * somebody else decides.
 */
export const OptOutSuggestion = ({
  conversation: { id, customerId, status, looksLikeOptOut },
  close,
}: {
  conversation: Schemas['Conversation']
  /** Closes the conversation. The notification of an opt-out offers it. */
  close: () => Promise<void>
}) => {
  const t = useTranslate()
  const notify = useNotify()
  const refresh = useRefreshConversation()
  const invalidateCustomer = useInvalidateCustomer()
  const [isConfirming, dialog] = useDisclosure(false)
  const [hasDecided, setHasDecided] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const decide = async (decision: Decision) => {
    setHasDecided(true)
    await api.POST('/v1/conversations/{id}/opt-out-decision', { params: { path: { id } }, body: { decision } })
    await Promise.all([refresh(), invalidateCustomer(customerId)])
    if (decision === 'opted_out')
      notify(t('inbox.optedOutNow'), status === 'open' ? close : undefined, t('inbox.closeConversation'))
  }
  const ask = () => {
    setHasDecided(false)
    dialog.open()
  }
  const ignore = async () => {
    setBusy(true)
    setFailure(null)
    try {
      await decide('ignored')
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {looksLikeOptOut && (
        <div className={styles.notice}>
          <Alert color="yellow" variant="light" p="sm" icon={<ExclamationTriangleIcon width={16} />}>
            <div className={styles.noticeLine}>
              <Text size="sm">{t('inbox.looksLikeOptOutText')}</Text>
              <Group gap="sm">
                <Button variant="default" onClick={ask}>
                  {t('inbox.optOut')}
                </Button>
                <Button variant="default" loading={busy} onClick={() => void ignore()}>
                  {t('inbox.notAnOptOut')}
                </Button>
              </Group>
            </div>
            {failure !== null && <Failure error={failure} />}
          </Alert>
        </div>
      )}
      <Confirm
        opened={isConfirming}
        title={t('inbox.optOutTitle')}
        action={t('inbox.optOut')}
        onClose={dialog.close}
        onConfirm={() => decide('opted_out')}
      >
        {t('inbox.optOutText')}
        {!looksLikeOptOut && !hasDecided && (
          <Text size="sm" mt="sm" role="status">
            {t('inbox.decidedElsewhere')}
          </Text>
        )}
      </Confirm>
    </>
  )
}
