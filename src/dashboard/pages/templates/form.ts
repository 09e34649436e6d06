/** Template form values, kept as a draft while the tab is open. */
import { useMemo } from 'react'
import type { Schemas } from '../../api/client.ts'
import { type Draft, useFieldsDraft } from '../../ui/hooks/draft.ts'
import { listVariables, type Variable } from './body.ts'

export interface TemplateForm {
  name: string
  category: Schemas['Template']['category']
  body: string
  /**
   * Samples, including those of variables recently removed from the body, so that a restored placeholder keeps its
   * sample.
   */
  samples: Variable[]
  approved: boolean
  providerName: string
  language: string
  /** `updatedAt` of the version being edited. Empty for a new template. */
  baseUpdatedAt: string
}

const emptyForm: TemplateForm = {
  name: '',
  category: 'utility',
  body: '',
  samples: [],
  approved: false,
  providerName: '',
  language: 'en',
  baseUpdatedAt: '',
}

const toFormValues = (template: Schemas['Template'] | null): TemplateForm =>
  template === null
    ? emptyForm
    : {
        name: template.name,
        category: template.category,
        body: template.body,
        samples: template.variables,
        approved: template.provider !== null,
        providerName: template.provider?.name ?? '',
        language: template.provider?.language ?? 'en',
        baseUpdatedAt: template.updatedAt,
      }

export const toRequestBody = ({ name, category, body, samples, approved, providerName, language }: TemplateForm) => ({
  name: name.trim(),
  category,
  body,
  variables: listVariables(body, samples).map(({ name, sample }) => ({ name, sample: sample.trim() })),
  provider: approved ? { name: providerName.trim(), language: language.trim() } : null,
})

/** Form state of an existing template, or of a new one. */
export const useForm = (template: Schemas['Template'] | null): Draft<TemplateForm> => {
  const initial = useMemo(() => toFormValues(template), [template])
  const draft = useFieldsDraft(`templates.${template?.id ?? 'new'}`, initial)
  return { ...draft, change: part => draft.change({ baseUpdatedAt: draft.value.baseUpdatedAt, ...part }) }
}

export type Form = Draft<TemplateForm>
