import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { recordLink } from '../../shell/paths.ts'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Section } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import styles from './customers.module.css'
import { useSales } from './useSales.ts'

/** Number of recent sales shown. The section is hidden if there are none. */
const maxShown = 5

export const Sales = ({ customerId }: { customerId: string }) => {
  const t = useTranslate()
  const number = useNumbers()
  const { data } = useSales(customerId)
  if (!data || data.data.length === 0) return null
  return (
    <Section title={t('customers.sales')}>
      <ul className={styles.lines}>
        {data.data.slice(0, maxShown).map(sale => (
          <li key={sale.id}>
            <Anchor
              size="sm"
              className="tabular"
              renderRoot={(props: object) => <Link {...props} {...recordLink('sale', sale.id)} />}
            >
              {number(sale.amount, { style: 'currency', currency: sale.currency })}
            </Anchor>
            {sale.voidedAt ? <Status tone="off">{t('customers.voided')}</Status> : <bdi>{sale.note}</bdi>}
            <Time at={sale.createdAt} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
