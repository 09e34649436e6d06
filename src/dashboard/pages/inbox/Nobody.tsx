import { Button, Text } from '@mantine/core'
import { useTexts } from '../../texts/index.tsx'
import styles from './inbox.module.css'
import { useBeside } from './opener.ts'

/** Placeholder next to the list while no conversation is open. */
export const Nobody = () => {
  const say = useTexts()
  const { isEmpty, showKeys } = useBeside()
  if (isEmpty) return <div className={styles.nobody} />
  return (
    <div className={styles.nobody}>
      <Text c="dimmed">{say('inbox.choose')}</Text>
      <Button variant="subtle" onClick={showKeys}>
        {say('inbox.keys')}
      </Button>
    </div>
  )
}
