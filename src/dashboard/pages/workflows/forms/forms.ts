/** Context shared by all step forms. */
import { createContext, useContext } from 'react'
import type { Schemas } from '../../../api/client.ts'
import type { Asked } from '../../../ui/condition/condition.ts'
import type { Definition } from '../definition/types.ts'

export interface Forms {
  definition: Definition
  readOnly: boolean
  channels: Pick<Schemas['Channel'], 'id' | 'name'>[]
  templates: Schemas['Template'][]
  /** Paths for conditions, taken from past events. */
  paths: string[]
  /** Returns the error at a place of the step, such as `text`. */
  fault: (name: string) => string | undefined
}

export const FormsOf = createContext<Forms | null>(null)

export const useForms = (): Forms => {
  const forms = useContext(FormsOf)
  if (!forms) throw new Error('There is no definition here.')
  return forms
}

/** Options for the condition fields of a workflow. */
export const useAsked = (): Asked => {
  const { paths, readOnly } = useForms()
  return { paths, readOnly, begin: { path: 'data.total', op: 'gte', value: 100 } }
}
