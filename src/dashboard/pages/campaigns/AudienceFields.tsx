import { Input, Radio, Stack, Text, Textarea } from '@mantine/core'
import { useTranslate } from '../../texts/index.tsx'
import { ConditionField } from '../../ui/condition/ConditionField.tsx'
import type { ConditionOptions } from '../../ui/condition/condition.ts'
import styles from './campaigns.module.css'
import type { AudienceForm, AudienceKind, Form } from './form.ts'

const audienceKinds = ['all', 'where', 'customerIds'] as const

/** Audience of a campaign: all customers, those that match a condition, or those with given ids. */
export const AudienceFields = ({ form: { values, setValues, errors } }: { form: Form['form'] }) => {
  const { audience } = values
  const t = useTranslate()
  const namedPaths = useNamedPaths()
  const conditionOptions: ConditionOptions = {
    initial: { path: attributePrefix, op: 'eq', value: '' },
    named: {
      prefix: { path: attributePrefix, label: t('campaigns.path.attribute'), name: t('campaigns.attribute') },
      fields: namedPaths,
    },
    // A phone number or an id stays text. Only attribute values are parsed as numbers or booleans.
    infersType: path => path.startsWith(attributePrefix),
    requiresValue: true,
  }
  const change = (part: Partial<AudienceForm>) => setValues({ audience: { ...audience, ...part } })
  const selectKind = (who: AudienceKind) =>
    change({
      kind: who,
      ...(who === 'where' &&
        audience.where.json === null &&
        audience.where.condition === null && { where: { condition: conditionOptions.initial, json: null } }),
    })
  return (
    <Stack gap="xs" role="group" aria-label={t('campaigns.audienceType')}>
      <Input.Label labelElement="div">{t('campaigns.audienceType')}</Input.Label>
      <Radio.Group
        aria-label={t('campaigns.audienceType')}
        value={audience.kind}
        onChange={value => selectKind(audienceKinds.find(kind => kind === value) ?? 'all')}
      >
        <Stack gap="xs">
          {audienceKinds.map(value => (
            <Radio
              key={value}
              size="xs"
              value={value}
              label={t(`campaigns.audienceType.${value}`)}
              description={t(`campaigns.audienceHint.${value}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      {audience.kind === 'customerIds' && (
        <Textarea
          label={t('campaigns.ids')}
          description={t('campaigns.idsHint')}
          autosize
          minRows={3}
          maxRows={10}
          classNames={{ input: styles.mono! }}
          error={errors['audience.customerIds']}
          value={audience.customerIds}
          onChange={event => change({ customerIds: event.currentTarget.value })}
        />
      )}
      {audience.kind === 'where' && (
        <ConditionField
          label={t('campaigns.match')}
          options={conditionOptions}
          value={audience.where}
          onChange={where => change({ where })}
        />
      )}
      {errors['audience.where'] && <Text size="xs">{errors['audience.where']}</Text>}
    </Stack>
  )
}

/** Path prefix of custom customer attributes. */
export const attributePrefix = 'customer.attributes.'

/** Built-in customer fields with their labels. */
export const useNamedPaths = (): { path: string; label: string }[] => {
  const t = useTranslate()
  return (['name', 'phone', 'externalId'] as const).map(field => ({
    path: `customer.${field}`,
    label: t(`campaigns.path.${field}`),
  }))
}
