/** What the forms of all steps know. */
import { createContext, useContext } from 'react'
import type { Schemas } from '../../../api/client.ts'
import type { Asked } from '../../../ui/condition/condition.ts'
import type { Definition } from '../definition/types.ts'

export interface Forms {
  definition: Definition
  readOnly: boolean
  channels: Pick<Schemas['Channel'], 'id' | 'name'>[]
  templates: Schemas['Template'][]
  /** Paths that a condition may look at, as past events have them. */
  paths: string[]
  /** What is wrong at a place of the step, such as `text`. */
  fault: (name: string) => string | undefined
}

export const FormsOf = createContext<Forms | null>(null)

export const useForms = (): Forms => {
  const forms = useContext(FormsOf)
  if (!forms) throw new Error('There is no definition here.')
  return forms
}

/** What a condition of a workflow looks at. */
export const useAsked = (): Asked => {
  const { paths, readOnly } = useForms()
  return { paths, readOnly, begin: { path: 'data.total', op: 'gte', value: 100 } }
}
