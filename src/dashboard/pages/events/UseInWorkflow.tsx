import { UnstyledButton } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { useTranslate } from '../../texts/index.tsx'
import { ShareIcon } from '../../ui/icons.ts'
import { useNotify } from '../../ui/useNotify.tsx'
import styles from './events.module.css'

/** Button that copies the placeholder of a value for a step's text, and names the path for a condition. */
export const UseInWorkflow = ({ path }: { path: string }) => {
  const t = useTranslate()
  const notify = useNotify()
  const { copy } = useClipboard()
  const placeholder = `{{${path}}}`
  return (
    <UnstyledButton
      className={styles.use}
      aria-label={t('events.usePath', { path })}
      onClick={() => {
        copy(placeholder)
        notify(t('events.used', { placeholder, path }))
      }}
    >
      <ShareIcon width={14} aria-hidden="true" />
      <span className={styles.useText}>{t('events.use')}</span>
    </UnstyledButton>
  )
}
