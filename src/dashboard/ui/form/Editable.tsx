import { Button, Group, Stack, TextInput, UnstyledButton } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Failure as ApiFailure } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../Failure.tsx'
import { hasDraft } from '../hooks/draft.ts'
import ui from '../ui.module.css'
import styles from './form.module.css'
import { useApiForm } from './useApiForm.ts'

/**
 * Value that is edited in place. Enter saves and Escape cancels. On failure the field stays open and shows the reason,
 * because every detail of an error is about the edited value.
 * `draft` is the name of its draft.
 */
export const Editable = ({
  label,
  value,
  draft,
  children,
  description,
  maxLength,
  validate,
  errorsOf = ({ details }) => details,
  onSave,
}: {
  label: string
  /** Text to edit. Empty = no value. */
  value: string
  draft: string
  /** Content shown while it is not edited. */
  children: ReactNode
  description?: string
  maxLength?: number
  /** Returns the error of a text that cannot be saved, or null. */
  validate?: ((text: string) => string | null) | undefined
  /** Returns the errors of a failure. The first one is shown at the field. */
  errorsOf?: (failure: ApiFailure) => Record<string, ReactNode>
  onSave: (value: string) => Promise<unknown>
}) => {
  const t = useTranslate()
  const [isEditing, setIsEditing] = useState(() => hasDraft(draft))
  const close = () => {
    reset()
    setIsEditing(false)
  }
  const { form, submit, reset, busy, failure } = useApiForm({
    draft,
    initial: { value },
    ...(validate && { validate: { value: validate } }),
    errorsOf: failure => {
      const [reason] = Object.values(errorsOf(failure))
      return reason === undefined || failure.status === 403 ? {} : { value: reason }
    },
    onSubmit: async input => {
      if (input.value !== value) await onSave(input.value.trim())
      setIsEditing(false)
    },
  })
  const editButton = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(false)
  useEffect(() => {
    if (wasEditing.current && !isEditing) editButton.current?.focus()
    wasEditing.current = isEditing
  }, [isEditing])
  if (!isEditing) {
    return (
      <span className={styles.editable}>
        <span className={styles.editableValue}>{children}</span>
        <UnstyledButton
          ref={editButton}
          className={ui.quiet}
          aria-label={t('edit.title', { what: label })}
          onClick={() => {
            reset()
            setIsEditing(true)
          }}
        >
          {t('edit.edit')}
        </UnstyledButton>
      </span>
    )
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="xs">
        <TextInput
          size="xs"
          aria-label={label}
          description={description}
          inputWrapperOrder={['input', 'error', 'description']}
          maxLength={maxLength}
          {...form.getInputProps('value')}
          autoFocus
          onKeyDown={event => {
            if (event.key !== 'Escape') return
            event.stopPropagation()
            close()
          }}
        />
        {failure !== null && <Failure error={failure} />}
        <Group gap="xs">
          <Button type="submit" size="compact-xs" loading={busy}>
            {t('edit.save')}
          </Button>
          <Button size="compact-xs" variant="default" onClick={close}>
            {t('confirm.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
