/** Campaign form values, kept as a draft while the tab is open. */
import { useMemo } from 'react'
import type { Schemas } from '../../api/client.ts'
import { conditionOf, type TypedCondition } from '../../ui/condition/ConditionField.tsx'
import { type Draft, useFieldsDraft } from '../../ui/draft.ts'
import type { Campaign } from './status.ts'

export type Who = 'all' | 'where' | 'customerIds'

export interface Typed {
  name: string
  channelId: string
  templateId: string
  variables: Record<string, string>
  who: Who
  where: TypedCondition
  /** Customer ids, one per line. */
  ids: string
}

const empty: Typed = {
  name: '',
  channelId: '',
  templateId: '',
  variables: {},
  who: 'all',
  where: { condition: null, json: null },
  ids: '',
}

const typedOf = (campaign: Campaign | null): Typed => {
  if (campaign === null) return empty
  const { name, channelId, templateId, variables, audience } = campaign
  const typed: Typed = { ...empty, name, channelId, templateId, variables: variables as Record<string, string> }
  if ('where' in audience) return { ...typed, who: 'where', where: { condition: audience.where, json: null } }
  if ('customerIds' in audience) return { ...typed, who: 'customerIds', ids: audience.customerIds.join('\n') }
  return typed
}

/** Returns the request body, with only the variables that the template has. Throws if a JSON value is invalid. */
export const contentOf = (typed: Typed, template: Schemas['Template'] | undefined): Schemas['CreateCampaign'] => ({
  name: typed.name.trim(),
  channelId: typed.channelId,
  templateId: typed.templateId,
  variables: template
    ? Object.fromEntries(template.variables.map(({ name }) => [name, typed.variables[name] ?? '']))
    : typed.variables,
  audience: audienceOf(typed),
})

const audienceOf = (typed: Typed): Schemas['Audience'] => {
  const where = typed.who === 'where' && conditionOf(typed.where)
  if (where) return { where }
  if (typed.who === 'customerIds') return { customerIds: typed.ids.split(/[\s,;]+/).filter(Boolean) }
  return { all: true }
}

/** Form state of an existing campaign, or of a new one. */
export const useForm = (campaign: Campaign | null): Draft<Typed> => {
  const initial = useMemo(() => typedOf(campaign), [campaign])
  return useFieldsDraft(`campaigns.${campaign?.id ?? 'new'}`, initial)
}

export type Form = Draft<Typed>
