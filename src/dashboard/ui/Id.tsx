import { CopyButton, UnstyledButton } from '@mantine/core'
import { useTranslate } from '../texts/index.tsx'
import { Hint } from './Hint.tsx'
import { DocumentDuplicateIcon } from './icons.ts'
import styles from './ui.module.css'

const copyIcon = { marginInlineStart: 4, verticalAlign: -2 }

/** Id, shortened by default. A click copies the full id, which the search finds. A full id shows an icon for that. */
export const Id = ({ value, full = false }: { value: string; full?: boolean }) => {
  const t = useTranslate()
  const shown = full || value.length <= 12 ? value : `…${value.slice(-8)}`
  return (
    <CopyButton value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Hint label={() => (copied ? t('id.copied') : `${t('id.copy')} ${value}`)}>
          <UnstyledButton
            className={styles.id}
            aria-label={`${t('id.copy')} ${shown}`}
            onClick={event => {
              event.preventDefault()
              event.stopPropagation()
              copy()
            }}
          >
            {shown}
            {full && <DocumentDuplicateIcon width={12} aria-hidden="true" style={copyIcon} />}
          </UnstyledButton>
        </Hint>
      )}
    </CopyButton>
  )
}
