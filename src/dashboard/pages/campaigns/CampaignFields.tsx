import { Anchor, Select, Stack, Text, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { VariableFields } from '../templates/VariableFields.tsx'
import { AudienceFields } from './AudienceFields.tsx'
import styles from './campaigns.module.css'
import { useChoices } from './choices.ts'
import type { Form } from './form.ts'

/** Form fields for the template, its variables, the channel and the audience. */
export const CampaignFields = ({ form }: { form: Form['form'] }) => {
  const t = useTranslate()
  const { channels, templates, onlyChannelId } = useChoices()
  const { values, errors, setFieldValue } = form
  const usable = channels?.filter(({ id, status }) => status !== 'disconnected' || id === values.channelId)
  const template = templates?.find(({ id }) => id === values.templateId)
  useEffect(() => {
    if (onlyChannelId !== null && values.channelId === '') setFieldValue('channelId', onlyChannelId)
  }, [onlyChannelId, values.channelId, setFieldValue])
  return (
    <Stack gap="md">
      <TextInput label={t('campaigns.name')} maxLength={200} {...form.getInputProps('name')} />
      <Select
        label={t('campaigns.channel')}
        placeholder={t('campaigns.chooseChannel')}
        allowDeselect={false}
        data={(usable ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        {...form.getInputProps('channelId')}
        value={values.channelId || null}
      />
      <div>
        <Select
          label={t('campaigns.template')}
          placeholder={t('campaigns.chooseTemplate')}
          allowDeselect={false}
          searchable
          data={(templates ?? []).map(({ id, name, category }) => ({
            value: id,
            label: `${name} (${t(`templates.category.${category}`)})`,
          }))}
          {...form.getInputProps('templateId')}
          value={values.templateId || null}
        />
        {/* The template of a draft can be deleted. */}
        {templates?.length === 0 && (
          <Text size="sm" mt={4}>
            {t('campaigns.noTemplate')}{' '}
            <Anchor
              size="sm"
              underline="always"
              renderRoot={(props: object) => <Link {...props} to="/templates/new" />}
            >
              {t('campaigns.newTemplate')}
            </Anchor>
          </Text>
        )}
        {template && (
          <div className={styles.body} dir="auto">
            <Text inherit lineClamp={4}>
              {template.body}
            </Text>
          </div>
        )}
      </div>
      {template && template.variables.length > 0 && (
        <Stack gap="sm" role="group" aria-labelledby="campaign-variables">
          <div>
            <Text id="campaign-variables" size="sm" fw={600}>
              {t('campaigns.variables')}
            </Text>
            <Text size="xs" c="dimmed">
              {t('campaigns.variablesHint')}
            </Text>
          </div>
          <VariableFields
            variables={template.variables}
            values={values.variables}
            label={name => t('campaigns.value', { name })}
            errors={Object.fromEntries(template.variables.map(({ name }) => [name, errors[`variables.${name}`]]))}
            onChange={(name, value) => {
              setFieldValue('variables', { ...values.variables, [name]: value })
              form.clearFieldError(`variables.${name}`)
            }}
          />
        </Stack>
      )}
      <AudienceFields form={form} />
    </Stack>
  )
}
