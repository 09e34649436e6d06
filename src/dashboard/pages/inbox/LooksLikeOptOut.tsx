import { Alert, Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { Failure } from '../../ui/Failure.tsx'
import styles from './inbox.module.css'
import { useAnew, useAnewOf } from './queries.ts'

type Decision = Schemas['OptOutDecision']['decision']

/** Notice that the customer may want to opt out. The whole team sees it until a person decides. */
export const LooksLikeOptOut = ({ conversation: { id, customerId } }: { conversation: Schemas['Conversation'] }) => {
  const say = useTexts()
  const anew = useAnew()
  const anewOf = useAnewOf()
  const [confirming, dialog] = useDisclosure(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const decide = async (decision: Decision) => {
    await api.POST('/v1/conversations/{id}/opt-out-decision', { params: { path: { id } }, body: { decision } })
    await Promise.all([anew('/v1/conversations', '/v1/conversations/{id}'), anewOf(customerId)])
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
    <div className={styles.notice}>
      <Alert color="gray" variant="light">
        <div className={styles.noticeLine}>
          <Text size="sm">{say('inbox.looksLikeOptOutText')}</Text>
          <Group gap="xs">
            <Button variant="default" onClick={dialog.open}>
              {say('inbox.optOut')}
            </Button>
            <Button variant="default" loading={busy} onClick={() => void ignore()}>
              {say('inbox.notAnOptOut')}
            </Button>
          </Group>
        </div>
        {failure !== null && <Failure of={failure} />}
      </Alert>
      <Confirm
        opened={confirming}
        title={say('inbox.optOutTitle')}
        action={say('inbox.optOut')}
        onClose={dialog.close}
        onConfirm={() => decide('opted_out')}
      >
        {say('inbox.optOutText')}
      </Confirm>
    </div>
  )
}
