/** Campaign form values, kept as a draft while the tab is open. */
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { type TypedCondition, toCondition } from '../../ui/condition/ConditionField.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { toChanges } from '../../ui/hooks/draft.ts'
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
  audience: AudienceForm
}

/** One value of the form, so that the parts of two people are never mixed. */
export interface AudienceForm {
  kind: AudienceKind
  where: TypedCondition
  /** Customer ids, one per line. */
  customerIds: string
}

const emptyForm: CampaignForm = {
  name: '',
  channelId: '',
  templateId: '',
  variables: {},
  audience: { kind: 'all', where: { condition: null, json: null }, customerIds: '' },
}

const toFormValues = (campaign: Campaign | null, onlyChannelId: string | null): CampaignForm => {
  // The only channel is not a change that a person could discard.
  if (campaign === null) return { ...emptyForm, channelId: onlyChannelId ?? '' }
  const { name, channelId, templateId, variables, audience } = campaign
  return {
    name,
    channelId,
    templateId,
    variables: variables as Record<string, string>,
    audience: toAudienceForm(audience),
  }
}

const toAudienceForm = (audience: Schemas['Audience']): AudienceForm => {
  if ('where' in audience)
    return { ...emptyForm.audience, kind: 'where', where: { condition: audience.where, json: null } }
  if ('customerIds' in audience)
    return { ...emptyForm.audience, kind: 'customerIds', customerIds: audience.customerIds.join('\n') }
  return emptyForm.audience
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
  audience: toAudience(values.audience),
})

const toAudience = ({ kind, where, customerIds }: AudienceForm): Schemas['Audience'] => {
  const condition = kind === 'where' && toCondition(where)
  if (condition) return { where: condition }
  if (kind === 'customerIds') return { customerIds: customerIds.split(/[\s,;]+/).filter(Boolean) }
  return { all: true }
}

export const readCampaign = async (id: string): Promise<Campaign> =>
  (await api.GET('/v1/campaigns/{id}', { params: { path: { id } } })).data!

/** Sends only the changed fields, and only if the campaign still has the version of the form. */
const saveChanges = async (campaign: Campaign, body: Schemas['ChangeCampaign']): Promise<Campaign> => {
  if (Object.keys(body).length === 0) return campaign
  const params = { path: { id: campaign.id }, header: { 'If-Match': `"${campaign.updatedAt}"` } }
  return (await api.PATCH('/v1/campaigns/{id}', { params, body })).data!
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
  return useApiForm<CampaignForm>({
    draft: `campaigns.${campaign?.id ?? 'new'}`,
    initial,
    record: campaign && {
      version: campaign.updatedAt,
      read: async () => updateCache(queries, await readCampaign(campaign.id)),
    },
    validate: values => findErrors(values, templateOf(values.templateId), t),
    onSubmit: async values => {
      const body = toRequestBody(values, templateOf(values.templateId))
      const saved = campaign
        ? await saveChanges(campaign, toChanges(toRequestBody(initial, templateOf(initial.templateId)), body))
        : (await api.POST('/v1/campaigns', { body })).data!
      updateCache(queries, saved)
      notify(t('campaigns.saved', { name: saved.name }))
      if (!campaign) void navigate({ to: '/campaigns/$id', params: { id: saved.id }, replace: true })
    },
  })
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
  ...(lacksIds(values.audience) && { 'audience.customerIds': t('campaigns.missing.ids') }),
  ...(lacksCondition(values.audience) && { 'audience.where': t('campaigns.missing.where') }),
})

export const lacksIds = ({ kind, customerIds }: AudienceForm): boolean =>
  kind === 'customerIds' && customerIds.trim() === ''

/** Returns true if the JSON text of the condition is invalid. */
export const lacksCondition = ({ kind, where }: AudienceForm): boolean => {
  try {
    if (kind === 'where') toCondition(where)
    return false
  } catch {
    return true
  }
}
