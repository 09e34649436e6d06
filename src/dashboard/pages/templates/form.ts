/** A template as it is typed, kept while the tab lives. */
import { useCallback, useMemo } from 'react'
import type { Schemas } from '../../api/client.ts'
import { hasDraft, useDraft } from '../../ui/draft.ts'
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

export interface Form {
  typed: Typed
  change: (part: Partial<Typed>) => void
  /** Something was typed that is not saved. */
  dirty: boolean
  forget: () => void
}

export const useForm = (template: Schemas['Template'] | null): Form => {
  const key = `templates.${template?.id ?? 'new'}`
  const initial = useMemo(() => JSON.stringify(typedOf(template)), [template])
  const [text, setText, forget] = useDraft(key, initial)
  const typed = useMemo(() => read(text) ?? typedOf(template), [text, template])
  const change = useCallback((part: Partial<Typed>) => setText(JSON.stringify({ ...typed, ...part })), [typed, setText])
  return { typed, change, dirty: hasDraft(key) && text !== initial, forget }
}

const read = (text: string): Typed | null => {
  try {
    return { ...empty, ...JSON.parse(text) }
  } catch {
    return null
  }
}
