import { Anchor, Select, Stack, Text, TextInput } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { AudienceFields } from './AudienceFields.tsx'
import type { Form } from './form.ts'

const firstPage = { params: { query: { limit: 100 } } }

/** Channels and templates to choose from: the newest 100 of each. */
export const useChoices = () => {
  const channels = hooks.useQuery('get', '/v1/channels', firstPage)
  const templates = hooks.useQuery('get', '/v1/templates', firstPage)
  return { channels: channels.data?.data, templates: templates.data?.data }
}

/** Form fields for the template, its variables, the channel and the audience. */
export const CampaignFields = ({
  form,
  channels,
  templates,
  readOnly,
  faults,
}: {
  form: Form
  channels: Schemas['Channel'][] | undefined
  templates: Schemas['Template'][] | undefined
  readOnly: boolean
  /** Validation errors by field path of the API. */
  faults: Record<string, string>
}) => {
  const t = useTranslate()
  const { value: values, change } = form
  const usable = channels?.filter(({ id, status }) => status !== 'disconnected' || id === values.channelId)
  const template = templates?.find(({ id }) => id === values.templateId)
  const onlyChannelId = usable?.length === 1 ? usable[0]!.id : null
  useEffect(() => {
    if (onlyChannelId !== null && values.channelId === '' && !readOnly) change({ channelId: onlyChannelId })
  }, [onlyChannelId, values.channelId, readOnly, change])
  return (
    <Stack gap="md">
      <TextInput
        label={t('campaigns.name')}
        required
        withAsterisk={false}
        readOnly={readOnly}
        maxLength={200}
        error={faults.name}
        value={values.name}
        onChange={event => change({ name: event.currentTarget.value })}
      />
      <div>
        <Select
          label={t('campaigns.channel')}
          required
          withAsterisk={false}
          allowDeselect={false}
          readOnly={readOnly}
          error={faults.channelId}
          data={(usable ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={values.channelId || null}
          onChange={id => change({ channelId: id ?? '' })}
        />
        {usable?.length === 0 && (
          <MissingPrerequisite
            text={t('campaigns.noChannel')}
            action={t('campaigns.connectChannel')}
            to="/channels/new"
          />
        )}
      </div>
      <div>
        <Select
          label={t('campaigns.template')}
          required
          withAsterisk={false}
          allowDeselect={false}
          searchable
          readOnly={readOnly}
          error={faults.templateId}
          data={(templates ?? []).map(({ id, name, category }) => ({
            value: id,
            label: `${name} (${t(`templates.category.${category}`)})`,
          }))}
          value={values.templateId || null}
          onChange={id => change({ templateId: id ?? '' })}
        />
        {templates?.length === 0 && (
          <MissingPrerequisite
            text={t('campaigns.noTemplate')}
            action={t('campaigns.newTemplate')}
            to="/templates/new"
          />
        )}
        {template && (
          <Text size="sm" c="dimmed" mt={4} lineClamp={4} dir="auto">
            {template.body}
          </Text>
        )}
      </div>
      {template && template.variables.length > 0 && (
        <Stack gap="sm" role="group" aria-label={t('campaigns.variables')}>
          <Text size="xs" c="dimmed">
            {t('campaigns.variablesHint')}
          </Text>
          {template.variables.map(({ name, sample }) => (
            <TextInput
              key={name}
              label={t('campaigns.value', { name })}
              placeholder={t('campaigns.sample', { sample })}
              required
              withAsterisk={false}
              readOnly={readOnly}
              maxLength={1000}
              error={faults[`variables.${name}`]}
              value={values.variables[name] ?? ''}
              onChange={event => change({ variables: { ...values.variables, [name]: event.currentTarget.value } })}
            />
          ))}
        </Stack>
      )}
      <AudienceFields form={form} readOnly={readOnly} />
    </Stack>
  )
}

const MissingPrerequisite = ({ text, action, to }: { text: string; action: string; to: LinkProps['to'] }) => (
  <Text size="sm" mt={4}>
    {text}{' '}
    <Anchor size="sm" underline="always" renderRoot={(props: object) => <Link {...props} to={to} />}>
      {action}
    </Anchor>
  </Text>
)
