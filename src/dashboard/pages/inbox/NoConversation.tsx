import { Button, Kbd, Text } from '@mantine/core'
import { Sentence, useTranslate } from '../../texts/index.tsx'
import { ChatBubbleLeftRightIcon } from '../../ui/icons.ts'
import styles from './inbox.module.css'
import { useInbox } from './inbox-context.ts'

/** Placeholder next to the list while no conversation is open. */
export const NoConversation = () => {
  const t = useTranslate()
  const { isEmpty, showShortcuts: showKeys } = useInbox()
  if (isEmpty)
    return (
      <div className={styles.noSelection}>
        <ChatBubbleLeftRightIcon width={32} aria-hidden="true" />
        <Text c="dimmed">{t('inbox.chooseNone')}</Text>
      </div>
    )
  return (
    <div className={styles.noSelection}>
      <ChatBubbleLeftRightIcon width={32} aria-hidden="true" />
      <Text c="dimmed">
        <Sentence id="inbox.choose" values={{ key: <Kbd tt="capitalize">j</Kbd> }} />
      </Text>
      <Button variant="subtle" onClick={showKeys}>
        {t('inbox.keys')}
      </Button>
    </div>
  )
}
