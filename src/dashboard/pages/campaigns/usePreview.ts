/** Queries of what a campaign would send now. */
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { hooks, type Schemas } from '../../api/client.ts'
import { attributePrefix } from './AudienceFields.tsx'
import { useChoices } from './choices.ts'
import { type AudienceForm, type CampaignForm, type Form, lacksCondition, lacksIds, toRequestBody } from './form.ts'
import type { Campaign } from './status.ts'

type PreviewBody = Schemas['PreviewAudience']

/** Queries the preview of the saved campaign. With `always`, an earlier result is read again. */
export const usePreview = (campaign: Campaign | null, enabled: boolean, refetchOnMount: boolean | 'always' = true) =>
  hooks.useQuery(
    'post',
    '/v1/campaigns/{id}/preview',
    { params: { path: { id: campaign?.id ?? '' } } },
    { enabled, refetchOnMount },
  )

/** Milliseconds without a change after which the values of a form are previewed. */
const debounceMs = 400

/**
 * Queries the preview of a campaign, or of the values in its form if they are not saved. `query` is null while a
 * required value is missing or invalid.
 */
export const useFormPreview = (campaign: Campaign | null, { form: { values }, dirty }: Form) => {
  const isSaved = campaign !== null && !dirty
  const saved = usePreview(campaign, isSaved)
  const { templates } = useChoices()
  const template = templates?.find(({ id }) => id === values.templateId)
  const [body] = useDebouncedValue(template ? JSON.stringify(toPreviewBody(values, template)) : 'null', debounceMs)
  const input = JSON.parse(body) as PreviewBody | null
  const typed = hooks.useQuery(
    'post',
    '/v1/campaigns/preview',
    { body: input ?? ({} as PreviewBody) },
    { enabled: !isSaved && input !== null, placeholderData: keepPreviousData },
  )
  if (isSaved) return saved
  return input === null ? null : typed
}

/** Returns null if a value is missing or invalid. A variable without a value has the sample of the template. */
const toPreviewBody = (values: CampaignForm, template: Schemas['Template']): PreviewBody | null => {
  if (findMissing(values, template).length > 0) return null
  const { name: _, variables = {}, ...body } = toRequestBody(values, template)
  return {
    ...body,
    variables: Object.fromEntries(Object.entries(variables).filter(([, text]) => text.trim() !== '')),
  }
}

/** Returns the texts that say which values the preview needs. */
export const findMissing = ({ channelId, audience }: CampaignForm, template: Schemas['Template'] | undefined) => [
  ...(channelId === '' ? (['campaigns.missing.channel'] as const) : []),
  ...(template ? [] : (['campaigns.missing.template'] as const)),
  ...(lacksIds(audience) ? (['campaigns.missing.ids'] as const) : []),
  ...(lacksCondition(audience) ? (['campaigns.missing.where'] as const) : []),
  ...(lacksAttribute(audience) ? (['campaigns.missing.attribute'] as const) : []),
]

/** Returns true while a condition has no name of its attribute yet. */
const lacksAttribute = ({ kind, where }: AudienceForm): boolean =>
  kind === 'where' && where.json === null && JSON.stringify(where.condition).includes(`"${attributePrefix}"`)

export const countRecipients = ({
  audience,
  skipped,
}: Pick<Schemas['CampaignPreview'], 'audience' | 'skipped'>): number =>
  audience - Object.values(skipped).reduce((sum, count) => sum + count, 0)
