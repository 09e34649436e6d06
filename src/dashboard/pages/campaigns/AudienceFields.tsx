import { SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { useTexts } from '../../texts/index.tsx'
import { ConditionField } from '../../ui/condition/ConditionField.tsx'
import type { Asked } from '../../ui/condition/condition.ts'
import styles from './campaigns.module.css'
import type { Form, Who } from './form.ts'

const whos = ['all', 'where', 'customerIds'] as const

/** Audience of a campaign: all customers, those that match a condition, or those with given ids. */
export const AudienceFields = ({ form: { value: typed, change }, readOnly }: { form: Form; readOnly: boolean }) => {
  const say = useTexts()
  const names = usePathNames()
  const asked: Asked = {
    begin: { path: attributes, op: 'eq', value: '' },
    readOnly,
    named: {
      under: { path: attributes, label: say('campaigns.path.attribute'), name: say('campaigns.attribute') },
      fields: names,
    },
    // A phone number or an id stays text. Only attribute values are parsed as numbers or booleans.
    guesses: path => path.startsWith(attributes),
    valueWanted: true,
  }
  const choose = (who: Who) =>
    change({
      who,
      ...(who === 'where' &&
        typed.where.json === null &&
        typed.where.condition === null && { where: { condition: asked.begin, json: null } }),
    })
  return (
    <Stack gap="sm" role="group" aria-label={say('campaigns.who')}>
      <Text size="sm" fw={500}>
        {say('campaigns.who')}
      </Text>
      <SegmentedControl
        size="xs"
        aria-label={say('campaigns.who')}
        readOnly={readOnly}
        data={whos.map(value => ({ value, label: say(`campaigns.who.${value}`) }))}
        value={typed.who}
        onChange={value => choose(value as Who)}
      />
      {typed.who === 'customerIds' && (
        <Textarea
          label={say('campaigns.ids')}
          description={say('campaigns.idsHint')}
          autosize
          minRows={3}
          maxRows={10}
          required
          withAsterisk={false}
          readOnly={readOnly}
          classNames={{ input: styles.mono! }}
          value={typed.ids}
          onChange={event => change({ ids: event.currentTarget.value })}
        />
      )}
      {typed.who === 'where' && (
        <ConditionField
          label={say('campaigns.match')}
          of={asked}
          value={typed.where}
          onChange={where => change({ where })}
        />
      )}
    </Stack>
  )
}

/** Path prefix of custom customer attributes. */
export const attributes = 'customer.attributes.'

/** Built-in customer fields with their labels. */
export const usePathNames = (): { path: string; label: string }[] => {
  const say = useTexts()
  return (['name', 'phone', 'externalId'] as const).map(field => ({
    path: `customer.${field}`,
    label: say(`campaigns.path.${field}`),
  }))
}
