import { ActionIcon } from '@mantine/core'
import { useTranslate } from '../../texts/index.tsx'
import { XMarkIcon } from '../page-icons.ts'

/** Button that removes an item from a form. */
export const RemoveButton = ({ what, onClick }: { what: string; onClick: () => void }) => {
  const t = useTranslate()
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={t('condition.remove', { what })} onClick={onClick}>
      <XMarkIcon width={16} aria-hidden="true" />
    </ActionIcon>
  )
}
