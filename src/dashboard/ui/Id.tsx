import { CopyButton, UnstyledButton } from '@mantine/core'
import { useTexts } from '../texts/index.tsx'
import { Hint } from './Hint.tsx'
import styles from './ui.module.css'

/** An id, short by default and copied whole by a click. What is copied leads to its page in the search. */
export const Id = ({ value, whole = false }: { value: string; whole?: boolean }) => {
  const say = useTexts()
  const shown = whole || value.length <= 12 ? value : `…${value.slice(-8)}`
  return (
    <CopyButton value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Hint label={() => (copied ? say('id.copied') : `${say('id.copy')} ${value}`)}>
          <UnstyledButton
            className={styles.id}
            aria-label={`${say('id.copy')} ${shown}`}
            onClick={event => {
              event.preventDefault()
              event.stopPropagation()
              copy()
            }}
          >
            {shown}
          </UnstyledButton>
        </Hint>
      )}
    </CopyButton>
  )
}
