/** Campaign form values, kept as a draft while the tab is open. */
import { useMemo } from 'react'
import type { Schemas } from '../../api/client.ts'
import { type TypedCondition, toCondition } from '../../ui/condition/ConditionField.tsx'
import { type Draft, useFieldsDraft } from '../../ui/hooks/draft.ts'
import type { Campaign } from './status.ts'

export type AudienceKind = 'all' | 'where' | 'customerIds'

export interface CampaignForm {
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

const toFormValues = (campaign: Campaign | null): CampaignForm => {
  if (campaign === null) return emptyForm
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

/** Form state of an existing campaign, or of a new one. */
export const useForm = (campaign: Campaign | null): Draft<CampaignForm> => {
  const initial = useMemo(() => toFormValues(campaign), [campaign])
  return useFieldsDraft(`campaigns.${campaign?.id ?? 'new'}`, initial)
}

export type Form = Draft<CampaignForm>
