/** Campaign form values, kept as a draft while the tab is open. */
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { type TypedCondition, toCondition } from '../../ui/condition/ConditionField.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { useNotify } from '../../ui/useNotify.tsx'
import { updateCache } from './cache.ts'
import { useChoices } from './choices.ts'
import type { Campaign } from './status.ts'

export type AudienceKind = 'all' | 'where' | 'customerIds'

export interface CampaignForm extends Record<string, unknown> {
  name: string
  channelId: string
  templateId: string
  variables: Record<string, string>
  audienceKind: AudienceKind
  where: TypedCondition
  /** Customer ids, one per line. */
  customerIds: string
}

const emptyForm: CampaignForm = {
  name: '',
  channelId: '',
  templateId: '',
  variables: {},
  audienceKind: 'all',
  where: { condition: null, json: null },
  customerIds: '',
}

const toFormValues = (campaign: Campaign | null, onlyChannelId: string | null): CampaignForm => {
  // The only channel is not a change that a person could discard.
  if (campaign === null) return { ...emptyForm, channelId: onlyChannelId ?? '' }
  const { name, channelId, templateId, variables, audience } = campaign
  const values: CampaignForm = {
    ...emptyForm,
    name,
    channelId,
    templateId,
    variables: variables as Record<string, string>,
  }
  if ('where' in audience) return { ...values, audienceKind: 'where', where: { condition: audience.where, json: null } }
  if ('customerIds' in audience)
    return { ...values, audienceKind: 'customerIds', customerIds: audience.customerIds.join('\n') }
  return values
}

/** Returns the request body, with only the variables that the template has. Throws if a JSON value is invalid. */
export const toRequestBody = (
  values: CampaignForm,
  template: Schemas['Template'] | undefined,
): Schemas['CreateCampaign'] => ({
  name: values.name.trim(),
  channelId: values.channelId,
  templateId: values.templateId,
  variables: template
    ? Object.fromEntries(template.variables.map(({ name }) => [name, values.variables[name] ?? '']))
    : values.variables,
  audience: toAudience(values),
})

const toAudience = (values: CampaignForm): Schemas['Audience'] => {
  const where = values.audienceKind === 'where' && toCondition(values.where)
  if (where) return { where }
  if (values.audienceKind === 'customerIds') return { customerIds: values.customerIds.split(/[\s,;]+/).filter(Boolean) }
  return { all: true }
}

/** Form of an existing campaign, or of a new one. A new campaign opens after it was created. */
export const useCampaignForm = (campaign: Campaign | null) => {
  const t = useTranslate()
  const notify = useNotify()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { templates, onlyChannelId } = useChoices()
  const templateOf = (id: string) => templates?.find(one => one.id === id)
  const initial = useMemo(() => toFormValues(campaign, onlyChannelId), [campaign, onlyChannelId])
  const form = useApiForm<CampaignForm>({
    draft: `campaigns.${campaign?.id ?? 'new'}`,
    initial,
    validate: values => findErrors(values, templateOf(values.templateId), t),
    onSubmit: async values => {
      const body = toRequestBody(values, templateOf(values.templateId))
      const { data } = campaign
        ? await api.PATCH('/v1/campaigns/{id}', { params: { path: { id: campaign.id } }, body })
        : await api.POST('/v1/campaigns', { body })
      updateCache(queries, data!)
      notify(t('campaigns.saved', { name: data!.name }))
      if (!campaign) void navigate({ to: '/campaigns/$id', params: { id: data!.id }, replace: true })
    },
  })
  // Shows the change of another person, unless there is unsent input.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the campaign counts.
  useEffect(() => {
    if (!form.dirty) form.reset()
  }, [campaign?.updatedAt])
  return form
}

export type Form = ReturnType<typeof useCampaignForm>

/** Returns an error for each required field that is empty, by the path of the field. */
const findErrors = (
  values: CampaignForm,
  template: Schemas['Template'] | undefined,
  t: ReturnType<typeof useTranslate>,
): Record<string, string> => ({
  ...(values.name.trim() === '' && { name: t('campaigns.missing.name') }),
  ...(values.channelId === '' && { channelId: t('campaigns.missing.channel') }),
  ...(values.templateId === '' && { templateId: t('campaigns.missing.template') }),
  ...Object.fromEntries(
    (template?.variables ?? [])
      .filter(({ name }) => !values.variables[name]?.trim())
      .map(({ name }) => [`variables.${name}`, t('campaigns.missing.value')]),
  ),
  ...(values.audienceKind === 'customerIds' &&
    values.customerIds.trim() === '' && { customerIds: t('campaigns.missing.ids') }),
  ...(values.audienceKind === 'where' && !isCondition(values.where) && { where: t('campaigns.jsonWrong') }),
})

/** Returns false if the JSON text of a condition is invalid. */
const isCondition = (where: TypedCondition): boolean => {
  try {
    toCondition(where)
    return true
  } catch {
    return false
  }
}
