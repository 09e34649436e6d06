/** The form pattern of all pages: Mantine's form, an unsent draft, and the errors of the API at their fields. */
import { type FormValidateInput, useForm } from '@mantine/form'
import { type FormEvent, useState } from 'react'
import { Failure } from '../../api/client.ts'
import { useFieldsDraft } from '../hooks/draft.ts'

/**
 * Returns a form whose unsent input survives a page change and a reload, except the fields in `secrets`.
 *
 * - `validate` runs before the request. Its errors, and those of the API by field name, appear at the fields.
 * - `submit` handles the form's submit event. `submitWith` runs another action with the valid values, such as a preview.
 * - `busy` is true during the request.
 * - `failure` is an error that belongs to no shown field.
 * - A submit button is always enabled, so that a click shows what is missing.
 */
export const useApiForm = <Values extends Record<string, unknown>>({
  draft: draftName,
  initial,
  secrets = [],
  isKept = false,
  validate,
  onSubmit,
}: {
  /** Name of the draft, unique per form and record. Null for passwords and codes: they are cleared once they are sent. */
  draft: string | null
  initial: Values
  secrets?: readonly (keyof Values & string)[]
  /** Keeps the draft after it was sent, so that it can be changed and sent again. */
  isKept?: boolean
  validate?: FormValidateInput<Values>
  onSubmit: (values: Values) => Promise<unknown>
}) => {
  const draft = useFieldsDraft(draftName ?? '', initial)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const form = useForm<Values>({
    initialValues: draft.value,
    ...(validate && { validate }),
    onValuesChange: (values, previous) => {
      if (draftName !== null) draft.change(changedFields(values, previous, secrets))
    },
  })
  const send = async (values: Values, action: typeof onSubmit) => {
    setBusy(true)
    setFailure(null)
    try {
      await action(values)
      if (draftName === null) form.setValues(initial)
      if (!isKept) draft.clear()
      form.resetDirty()
    } catch (error) {
      const details = error instanceof Failure ? error.details : {}
      const fieldErrors = Object.entries(details).filter(([field]) => Object.hasOwn(initial, field.split('.')[0]!))
      form.setErrors(Object.fromEntries(fieldErrors))
      form.getInputNode(fieldErrors[0]?.[0] ?? '')?.focus()
      const fields = Object.keys(details)
      if (fields.length === 0 || !fields.every(field => hasPath(values, field.split('.')))) setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const handlerOf = (action: typeof onSubmit) =>
    form.onSubmit(
      values => void send(values, action),
      errors => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus(),
    )
  /** Discards the unsent input. */
  const reset = () => {
    setFailure(null)
    form.setValues(initial)
    form.clearErrors()
    // Last, because the change of the values is part of the draft.
    draft.clear()
  }
  /** Removes the errors of a dialog that closes, and the input that is not kept. */
  const dismiss = () => {
    if (draftName === null) form.setValues(initial)
    setFailure(null)
    form.clearErrors()
  }
  return {
    form,
    submit: (event?: FormEvent<HTMLFormElement>) => handlerOf(onSubmit)(event),
    submitWith: (action: typeof onSubmit) => handlerOf(action)(),
    reset,
    dismiss,
    busy,
    failure,
    dirty: draft.dirty,
  }
}

/** Form in a dialog: what `FormDialog` needs of it. */
export type DialogForm = Pick<ReturnType<typeof useApiForm>, 'submit' | 'dismiss' | 'busy' | 'failure'>

/** Returns true if the values have this field. An error of another one, such as a part of a text, belongs to no field. */
const hasPath = (value: unknown, [name, ...rest]: string[]): boolean =>
  name === undefined ||
  (typeof value === 'object' &&
    value !== null &&
    Object.hasOwn(value, name) &&
    hasPath((value as Record<string, unknown>)[name], rest))

/**
 * Returns the fields that differ, without those in `secrets`. An unchanged field is not part of the draft, so that it
 * follows the record.
 */
const changedFields = <Values extends Record<string, unknown>>(
  values: Values,
  previous: Values,
  secrets: readonly string[],
): Partial<Values> =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([field, value]) => !secrets.includes(field) && JSON.stringify(value) !== JSON.stringify(previous[field]),
    ),
  ) as Partial<Values>
