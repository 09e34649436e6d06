import { Select } from '@mantine/core'
import { useTranslate } from '../../texts/index.tsx'
import { type Delivery, deliveries } from './kinds.ts'

/** Select for the simulated delivery result of a sandbox channel. */
export const DeliverySelect = ({ value, onChange }: { value: Delivery; onChange: (value: Delivery) => void }) => {
  const t = useTranslate()
  return (
    <Select
      label={t('channels.delivery')}
      description={t('channels.deliveryHint')}
      allowDeselect={false}
      data={deliveries.map(one => ({ value: one, label: t(`channels.delivery.${one}`) }))}
      value={value}
      onChange={selected => selected && onChange(selected as Delivery)}
    />
  )
}
