import { ActionIcon } from '@mantine/core'
import { useTexts } from '../texts/index.tsx'

/** Button that removes an item from a form. */
export const Remove = ({ what, onClick }: { what: string; onClick: () => void }) => {
  const say = useTexts()
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={say('condition.remove', { what })} onClick={onClick}>
      ×
    </ActionIcon>
  )
}
