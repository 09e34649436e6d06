import { VisuallyHidden } from '@mantine/core'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import type { Sale } from './filters.ts'
import styles from './sales.module.css'

/** Amount of a sale in its currency, crossed out if the sale is voided. */
export const Amount = ({ sale: { amount, currency, voidedAt } }: { sale: Sale }) => {
  const t = useTranslate()
  const text = useNumbers()(amount, { style: 'currency', currency })
  if (!voidedAt) return <span className={styles.amount}>{text}</span>
  return (
    <>
      <s className={styles.amount}>{text}</s> <VisuallyHidden component="span">{t('sales.voided')}</VisuallyHidden>
    </>
  )
}
