import { UnstyledButton } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { useTexts } from '../../texts/index.tsx'
import { useTell } from '../../ui/told.tsx'
import styles from './events.module.css'

/** Button that copies the placeholder of a value for a step's text, and names the path for a condition. */
export const UseInWorkflow = ({ path }: { path: string }) => {
  const say = useTexts()
  const tell = useTell()
  const { copy } = useClipboard()
  const placeholder = `{{${path}}}`
  return (
    <UnstyledButton
      className={styles.use}
      aria-label={say('events.usePath', { path })}
      onClick={() => {
        copy(placeholder)
        tell(say('events.used', { placeholder, path }))
      }}
    >
      {say('events.use')}
    </UnstyledButton>
  )
}
