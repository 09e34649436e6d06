/**
 * Context shared by all step forms. They do not use `useApiForm`: they edit parts of one definition, which is saved after
 * each change without a button, has undo and redo, and shows an error at its step.
 */
import { createContext, useContext } from 'react'
import type { Schemas } from '../../../api/client.ts'
import type { ConditionOptions } from '../../../ui/condition/condition.ts'
import type { Definition, Step, StepOf } from '../definition/types.ts'

/** Properties of the form of a step type. */
export type FormOf<Type extends Step['type']> = { step: StepOf<Type>; onChange: (step: Step) => void }

export interface FormContextValue {
  definition: Definition
  readOnly: boolean
  channels: Pick<Schemas['Channel'], 'id' | 'name'>[]
  templates: Schemas['Template'][]
  /** Paths for conditions, taken from past events. */
  paths: string[]
  /** Returns the error to show at a place of the step, such as `text`. */
  getFault: (name: string) => string | undefined
  /** Called when the person leaves a field. Its errors are shown from then on. */
  onLeave: (name: string) => void
}

export const FormContext = createContext<FormContextValue | null>(null)

export const useFormContext = (): FormContextValue => {
  const forms = useContext(FormContext)
  if (!forms) throw new Error('There is no definition here.')
  return forms
}

/** Returns the properties that connect an input to a place of the step, such as `text`. */
export const useField = () => {
  const { readOnly, getFault, onLeave } = useFormContext()
  return (name: string) => ({ error: getFault(name), readOnly, onBlur: () => onLeave(name) })
}

/** Options for the condition fields of a workflow. */
export const useConditionOptions = (): ConditionOptions => {
  const { paths, readOnly } = useFormContext()
  return { paths, readOnly, initial: { path: 'data.total', op: 'gte', value: 100 } }
}
