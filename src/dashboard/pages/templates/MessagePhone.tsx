import { Text } from '@mantine/core'
import { useSession } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import styles from './message-phone.module.css'
import { TemplateText } from './TemplateText.tsx'

/** Message as it looks in the messenger of the customer. The direction follows the text. `placeholder` stands for no text. */
export const MessagePhone = ({ text, placeholder }: { text: string; placeholder?: string | undefined }) => {
  const t = useTranslate()
  const { workspace } = useSession()
  return (
    <div className={styles.phone}>
      <div className={styles.head} aria-hidden="true">
        <Avatar name={workspace.name} size={32} />
        <bdi>{workspace.name}</bdi>
      </div>
      <div className={styles.chat}>
        <div
          className={styles.bubble}
          dir="auto"
          role="status"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by the keyboard.
          tabIndex={0}
          aria-label={t('templates.preview')}
        >
          {text ? (
            <TemplateText>{text}</TemplateText>
          ) : (
            <Text c="dimmed">{placeholder ?? t('templates.previewEmpty')}</Text>
          )}
        </div>
      </div>
    </div>
  )
}

/** Small bubble of a message, cut off after a few lines. */
export const MessageSnippet = ({ text }: { text: string }) => (
  <div className={styles.snippet}>
    <div className={styles.bubble} dir="auto">
      <TemplateText>{text}</TemplateText>
    </div>
  </div>
)
