import { Alert, Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import styles from './inbox.module.css'
import { useAnewOf } from './queries.ts'

/** The customer may want nothing more. Reading takes the mark away; the question stands until the conversation is left. */
export const LooksLikeOptOut = ({
  conversation,
  customer,
}: {
  conversation: Schemas['Conversation']
  customer: Schemas['Customer'] | undefined
}) => {
  const say = useTexts()
  const anewOf = useAnewOf()
  const [asked, setAsked] = useState(conversation.looksLikeOptOut)
  const [confirming, dialog] = useDisclosure(false)
  if (conversation.looksLikeOptOut && !asked) setAsked(true)
  if (!asked || !customer || customer.optedOutAt !== null) return null
  const optOut = async () => {
    await api.POST('/v1/customers/{id}/opt-out', {
      params: { path: { id: customer.id } },
      body: { reason: say('inbox.optOutReason') },
    })
    await anewOf(customer.id)
  }
  return (
    <div className={styles.notice}>
      <Alert color="gray" variant="light">
        <div className={styles.noticeLine}>
          <Text size="sm">{say('inbox.looksLikeOptOutText')}</Text>
          <Button variant="default" onClick={dialog.open}>
            {say('inbox.optOut')}
          </Button>
        </div>
      </Alert>
      <Confirm
        opened={confirming}
        title={say('inbox.optOutTitle')}
        action={say('inbox.optOut')}
        onClose={dialog.close}
        onConfirm={optOut}
      >
        {say('inbox.optOutText')}
      </Confirm>
    </div>
  )
}
