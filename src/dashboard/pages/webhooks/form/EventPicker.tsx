import { Button, Checkbox, Group } from '@mantine/core'
import { type SubscribableType, subscribableTypes } from '../../../api/event-types.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { EventIcon } from '../../outbound/EventIcon.tsx'
import styles from './form.module.css'

type Noun = SubscribableType extends infer Type ? (Type extends `${infer Before}.${string}` ? Before : never) : never

/** Groups by the first word of a type. Types about the integration itself are in one group. */
const groupNames = {
  message: 'message',
  sale: 'sale',
  customer: 'customer',
  campaign: 'campaign',
  endpoint: 'integration',
  delivery: 'integration',
  channel: 'integration',
  run: 'integration',
  allowance: 'integration',
} as const satisfies Record<Noun, string>

const groups = Map.groupBy(subscribableTypes, type => groupNames[type.split('.')[0] as Noun])

/** Choice of event types, grouped by what they are about, each with a description. */
export const EventPicker = ({
  value,
  error,
  onChange,
}: {
  value: SubscribableType[]
  error?: string | undefined
  onChange: (types: SubscribableType[]) => void
}) => {
  const t = useTranslate()
  const isAll = value.length === subscribableTypes.length
  return (
    <Checkbox.Group
      label={t('webhooks.events')}
      description={t('webhooks.eventsHint')}
      error={error}
      value={value}
      onChange={types => onChange(subscribableTypes.filter(type => types.includes(type)))}
    >
      <div className={styles.picker} data-error={error !== undefined || undefined}>
        <Group justify="flex-end">
          <Button variant="subtle" size="compact-xs" onClick={() => onChange(isAll ? [] : [...subscribableTypes])}>
            {t(isAll ? 'webhooks.eventsNone' : 'webhooks.eventsAll')}
          </Button>
        </Group>
        {[...groups].map(([name, types]) => (
          <fieldset key={name} className={styles.pickerGroup}>
            <legend>
              <EventIcon type={types[0]!} />
              {t(`webhooks.eventGroup.${name}`)}
            </legend>
            {types.map(type => (
              <Checkbox key={type} value={type} label={type} description={t(`webhooks.eventHint.${type}`)} />
            ))}
          </fieldset>
        ))}
      </div>
    </Checkbox.Group>
  )
}
