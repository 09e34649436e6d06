/** The form pattern of all pages: Mantine's form, an unsent draft, and the errors of the API at their fields. */
import { type FormValidateInput, useForm } from '@mantine/form'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Failure, isVersionConflict } from '../../api/client.ts'
import { toChanges, useDraft, useFieldsDraft } from '../hooks/draft.ts'

/** Record that other people can change while the form is open. The form saves it with `If-Match`. */
export interface EditedRecord {
  /** Its `updatedAt`. */
  version: string
  /** Reads it again and updates the cache. Called when the API rejects a save because the version has changed. */
  read: () => Promise<unknown>
}

/**
 * Returns a form whose unsent input survives a page change and a reload, except the fields in `secrets`.
 *
 * - `validate` runs before the request. Its errors, and those of the API by field name, appear at the fields.
 * - `submit` handles the form's submit event. `submitWith` runs another action with the valid values, such as a preview.
 * - `busy` is true during the request.
 * - `failure` is an error that belongs to no shown field.
 * - `conflict` is set if the values of the record changed elsewhere since the first edit: a number that is new after each
 *   rejected save. Unchanged fields show that change.
 * - A submit button is always enabled, so that a click shows what is missing.
 */
export const useApiForm = <Values extends Record<string, unknown>>({
  draft: draftName,
  initial,
  secrets = [],
  isKept = false,
  record,
  validate,
  errorsOf = ({ details }) => details,
  onSubmit,
}: {
  /** Name of the draft, unique per form and record. Null for passwords and codes: they are cleared once they are sent. */
  draft: string | null
  initial: Values
  secrets?: readonly (keyof Values & string)[]
  /** Keeps the draft after it was sent, so that it can be changed and sent again. */
  isKept?: boolean
  record?: EditedRecord | null | undefined
  validate?: FormValidateInput<Values>
  /** Returns the errors of a failure by field. Defaults to its details. */
  errorsOf?: (failure: Failure) => Record<string, ReactNode>
  onSubmit: (values: Values) => Promise<unknown>
}) => {
  const draft = useFieldsDraft(draftName ?? '', initial)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const [rejected, setRejected] = useState<{ error: unknown; count: number }>({ error: null, count: 0 })
  const isFollowing = useRef(false)
  const form = useForm<Values>({
    initialValues: draft.value,
    ...(validate && { validate }),
    onValuesChange: (values, previous) => {
      if (draftName !== null && !isFollowing.current) draft.change(changedFields(values, previous, secrets))
    },
  })
  const { version } = record ?? {}
  const isOutdated = useIsOutdated(`${draftName}.base`, version === undefined ? null : initial, draft.dirty)
  const shownVersion = useRef(version)
  // Fields without unsent input show the change of another person.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the version or of `dirty` counts.
  useEffect(() => {
    if (version === undefined || draftName === null || (draft.dirty && version === shownVersion.current)) return
    shownVersion.current = version
    isFollowing.current = true
    form.setValues(draft.value)
    isFollowing.current = false
  }, [version, draft.dirty])
  const send = async (values: Values, action: typeof onSubmit) => {
    setBusy(true)
    setFailure(null)
    setRejected(({ count }) => ({ error: null, count }))
    try {
      await action(values)
      // Typed while the request ran.
      const later = changedFields(form.getValues(), values, secrets)
      if (draftName === null) form.setValues(initial)
      if (!isKept) draft.clear()
      if (!isKept && draftName !== null && Object.keys(later).length > 0) draft.change(later)
      form.resetDirty()
    } catch (error) {
      if (record && isVersionConflict(error)) {
        const reject = () => setRejected(({ count }) => ({ error, count: count + 1 }))
        await record.read().then(reject, setFailure)
        return
      }
      const details = error instanceof Failure ? errorsOf(error) : {}
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
    setRejected(({ count }) => ({ error: null, count }))
    form.setValues(initial)
    form.clearErrors()
    // Last, because the change of the values is part of the draft.
    draft.clear()
  }
  /** Removes the errors of a dialog that closes, and the input that is not kept. */
  const dismiss = () => {
    if (draftName === null) form.setValues(initial)
    setFailure(null)
    setRejected(({ count }) => ({ error: null, count }))
    form.clearErrors()
  }
  const conflict = draft.dirty && isOutdated ? rejected.count : undefined
  return {
    form,
    submit: (event?: FormEvent<HTMLFormElement>) => handlerOf(onSubmit)(event),
    submitWith: (action: typeof onSubmit) => handlerOf(action)(),
    reset,
    dismiss,
    busy,
    // A rejected save without a notice of the conflict: a form without a draft, or nothing in it differs.
    failure: failure ?? (conflict === undefined ? rejected.error : null),
    dirty: draft.dirty,
    conflict,
  }
}

/**
 * Returns true if the values of the record are no longer those with which the unsent input began. These are kept with the
 * draft. Null for a form without a record.
 */
const useIsOutdated = (key: string, initial: object | null, dirty: boolean): boolean => {
  const [base, setBase, clearBase] = useDraft(key)
  const current = initial && JSON.stringify(initial)
  useEffect(() => {
    if (current === null) return
    if (dirty && base === '') setBase(current)
    if (!dirty && base !== '') clearBase()
  }, [dirty, base, current, setBase, clearBase])
  return current !== null && base !== '' && base !== current
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
    Object.entries(toChanges(previous, values)).filter(([field]) => !secrets.includes(field)),
  ) as Partial<Values>
