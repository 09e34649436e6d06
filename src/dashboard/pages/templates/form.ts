/** A template as it is typed, kept while the tab lives. */
import { useMemo } from 'react'
import type { Schemas } from '../../api/client.ts'
import { type Draft, useFieldsDraft } from '../../ui/draft.ts'
import { type Variable, variablesOf } from './body.ts'

export interface Typed {
  name: string
  category: Schemas['Template']['category']
  body: string
  /** Also those that the body has just lost: who takes a place out and puts it back keeps its example. */
  samples: Variable[]
  approved: boolean
  providerName: string
  language: string
  /** `updatedAt` of what it was typed over; empty for a new one. */
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

/** What is typed of one, or of a new one. */
export const useForm = (template: Schemas['Template'] | null): Draft<Typed> => {
  const initial = useMemo(() => typedOf(template), [template])
  const draft = useFieldsDraft(`templates.${template?.id ?? 'new'}`, initial)
  return { ...draft, change: part => draft.change({ over: draft.value.over, ...part }) }
}

export type Form = Draft<Typed>
