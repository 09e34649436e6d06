/** Template form values, kept as a draft while the tab is open. */
import { useMemo } from 'react'
import type { Schemas } from '../../api/client.ts'
import { type Draft, useFieldsDraft } from '../../ui/draft.ts'
import { type Variable, variablesOf } from './body.ts'

export interface Typed {
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
  over: string
}

const empty: Typed = {
  name: '',
  category: 'utility',
  body: '',
  samples: [],
  approved: false,
  providerName: '',
  language: 'en',
  over: '',
}

const typedOf = (template: Schemas['Template'] | null): Typed =>
  template === null
    ? empty
    : {
        name: template.name,
        category: template.category,
        body: template.body,
        samples: template.variables,
        approved: template.provider !== null,
        providerName: template.provider?.name ?? '',
        language: template.provider?.language ?? 'en',
        over: template.updatedAt,
      }

export const contentOf = ({ name, category, body, samples, approved, providerName, language }: Typed) => ({
  name: name.trim(),
  category,
  body,
  variables: variablesOf(body, samples).map(({ name, sample }) => ({ name, sample: sample.trim() })),
  provider: approved ? { name: providerName.trim(), language: language.trim() } : null,
})

/** Form state of an existing template, or of a new one. */
export const useForm = (template: Schemas['Template'] | null): Draft<Typed> => {
  const initial = useMemo(() => typedOf(template), [template])
  const draft = useFieldsDraft(`templates.${template?.id ?? 'new'}`, initial)
  return { ...draft, change: part => draft.change({ over: draft.value.over, ...part }) }
}

export type Form = Draft<Typed>
