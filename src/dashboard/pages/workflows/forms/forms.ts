/** Context shared by all step forms. */
import { createContext, useContext } from 'react'
import type { Schemas } from '../../../api/client.ts'
import type { ConditionOptions } from '../../../ui/condition/condition.ts'
import type { Definition } from '../definition/types.ts'

export interface FormContextValue {
  definition: Definition
  readOnly: boolean
  channels: Pick<Schemas['Channel'], 'id' | 'name'>[]
  templates: Schemas['Template'][]
  /** Paths for conditions, taken from past events. */
  paths: string[]
  /** Returns the error at a place of the step, such as `text`. */
  getFault: (name: string) => string | undefined
}

export const FormContext = createContext<FormContextValue | null>(null)

export const useFormContext = (): FormContextValue => {
  const forms = useContext(FormContext)
  if (!forms) throw new Error('There is no definition here.')
  return forms
}

/** Options for the condition fields of a workflow. */
export const useConditionOptions = (): ConditionOptions => {
  const { paths, readOnly } = useFormContext()
  return { paths, readOnly, initial: { path: 'data.total', op: 'gte', value: 100 } }
}
