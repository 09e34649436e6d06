import { Select } from '@mantine/core'
import { useTexts } from '../../texts/index.tsx'
import { type Delivery, deliveries } from './kinds.ts'

/** Select for the simulated delivery result of a sandbox channel. */
export const DeliverySelect = ({ value, onChange }: { value: Delivery; onChange: (value: Delivery) => void }) => {
  const say = useTexts()
  return (
    <Select
      label={say('channels.delivery')}
      description={say('channels.deliveryHint')}
      allowDeselect={false}
      data={deliveries.map(one => ({ value: one, label: say(`channels.delivery.${one}`) }))}
      value={value}
      onChange={chosen => chosen && onChange(chosen as Delivery)}
    />
  )
}
