import { Anchor, Select, Stack, Text, TextInput } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { AudienceFields } from './AudienceFields.tsx'
import type { Form } from './form.ts'

const many = { params: { query: { limit: 100 } } }

/** Channels and templates to choose from: the newest 100 of each. */
export const useKnown = () => {
  const channels = hooks.useQuery('get', '/v1/channels', many)
  const templates = hooks.useQuery('get', '/v1/templates', many)
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
  const say = useTexts()
  const { value: typed, change } = form
  const usable = channels?.filter(({ id, status }) => status !== 'disconnected' || id === typed.channelId)
  const template = templates?.find(({ id }) => id === typed.templateId)
  const only = usable?.length === 1 ? usable[0]!.id : null
  useEffect(() => {
    if (only !== null && typed.channelId === '' && !readOnly) change({ channelId: only })
  }, [only, typed.channelId, readOnly, change])
  return (
    <Stack gap="md">
      <TextInput
        label={say('campaigns.name')}
        required
        withAsterisk={false}
        readOnly={readOnly}
        maxLength={200}
        error={faults.name}
        value={typed.name}
        onChange={event => change({ name: event.currentTarget.value })}
      />
      <div>
        <Select
          label={say('campaigns.channel')}
          required
          withAsterisk={false}
          allowDeselect={false}
          readOnly={readOnly}
          error={faults.channelId}
          data={(usable ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={typed.channelId || null}
          onChange={id => change({ channelId: id ?? '' })}
        />
        {usable?.length === 0 && (
          <Lacking text={say('campaigns.noChannel')} action={say('campaigns.connectChannel')} to="/channels/new" />
        )}
      </div>
      <div>
        <Select
          label={say('campaigns.template')}
          required
          withAsterisk={false}
          allowDeselect={false}
          searchable
          readOnly={readOnly}
          error={faults.templateId}
          data={(templates ?? []).map(({ id, name, category }) => ({
            value: id,
            label: `${name} (${say(`templates.category.${category}`)})`,
          }))}
          value={typed.templateId || null}
          onChange={id => change({ templateId: id ?? '' })}
        />
        {templates?.length === 0 && (
          <Lacking text={say('campaigns.noTemplate')} action={say('campaigns.newTemplate')} to="/templates/new" />
        )}
        {template && (
          <Text size="sm" c="dimmed" mt={4} lineClamp={4} dir="auto">
            {template.body}
          </Text>
        )}
      </div>
      {template && template.variables.length > 0 && (
        <Stack gap="sm" role="group" aria-label={say('campaigns.variables')}>
          <Text size="xs" c="dimmed">
            {say('campaigns.variablesHint')}
          </Text>
          {template.variables.map(({ name, sample }) => (
            <TextInput
              key={name}
              label={say('campaigns.value', { name })}
              placeholder={say('campaigns.sample', { sample })}
              required
              withAsterisk={false}
              readOnly={readOnly}
              maxLength={1000}
              error={faults[`variables.${name}`]}
              value={typed.variables[name] ?? ''}
              onChange={event => change({ variables: { ...typed.variables, [name]: event.currentTarget.value } })}
            />
          ))}
        </Stack>
      )}
      <AudienceFields form={form} readOnly={readOnly} />
    </Stack>
  )
}

const Lacking = ({ text, action, to }: { text: string; action: string; to: LinkProps['to'] }) => (
  <Text size="sm" mt={4}>
    {text}{' '}
    <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to={to} />}>
      {action}
    </Anchor>
  </Text>
)
