import { VisuallyHidden } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { ArrowDownLeftIcon, ArrowUpRightIcon } from '../../ui/page-icons.ts'
import styles from './messages.module.css'

const icons = { inbound: ArrowDownLeftIcon, outbound: ArrowUpRightIcon }

/** Icon for the direction of a message. */
export const Direction = ({ direction }: { direction: Schemas['Message']['direction'] }) => {
  const t = useTranslate()
  const Icon = icons[direction]
  return (
    <span className={styles.direction} data-tone={direction === 'inbound' ? 'accent' : 'off'}>
      <Icon width={14} aria-hidden="true" />
      <VisuallyHidden>{t(`messages.direction.${direction}`)}</VisuallyHidden>
    </span>
  )
}
