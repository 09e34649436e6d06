import { CopyButton, UnstyledButton } from '@mantine/core'
import { useTexts } from '../texts/index.tsx'
import { Hint } from './Hint.tsx'
import styles from './ui.module.css'

/** Id, shortened by default. A click copies the full id, which the search finds. */
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
