import { Button, Group, Stack, TextInput, UnstyledButton } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTexts } from '../texts/index.tsx'
import { hasDraft, useDraft } from './draft.ts'
import { Failure } from './Failure.tsx'
import styles from './ui.module.css'

/**
 * Value that is edited in place. Enter saves and Escape cancels. On failure the field stays open and shows the reason.
 * `draft` is the name of its draft.
 */
export const Editable = ({
  label,
  value,
  draft,
  children,
  description,
  onSave,
}: {
  label: string
  /** Text to edit. Empty = no value. */
  value: string
  draft: string
  /** Content shown while it is not edited. */
  children: ReactNode
  description?: string
  onSave: (value: string) => Promise<unknown>
}) => {
  const say = useTexts()
  const [editing, setEditing] = useState(() => hasDraft(draft))
  const [typed, setTyped, forget] = useDraft(draft, value)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(false)
  useEffect(() => {
    if (wasEditing.current && !editing) opener.current?.focus()
    wasEditing.current = editing
  }, [editing])
  const close = () => {
    forget()
    setFailure(null)
    setEditing(false)
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (typed === value) return close()
    setBusy(true)
    try {
      await onSave(typed.trim())
      close()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  if (!editing) {
    return (
      <span className={styles.editable}>
        <span className={styles.editableValue}>{children}</span>
        <UnstyledButton
          ref={opener}
          className={styles.quiet}
          aria-label={say('edit.what', { what: label })}
          onClick={() => setEditing(true)}
        >
          {say('edit.edit')}
        </UnstyledButton>
      </span>
    )
  }
  return (
    <form onSubmit={event => void save(event)}>
      <Stack gap="xs">
        <TextInput
          size="xs"
          aria-label={label}
          description={description}
          inputWrapperOrder={['input', 'description']}
          value={typed}
          autoFocus
          onChange={event => setTyped(event.currentTarget.value)}
          onKeyDown={event => {
            if (event.key !== 'Escape') return
            event.stopPropagation()
            close()
          }}
        />
        {failure !== null && <Failure of={failure} />}
        <Group gap="xs">
          <Button type="submit" size="compact-xs" loading={busy}>
            {say('edit.save')}
          </Button>
          <Button size="compact-xs" variant="default" onClick={close}>
            {say('confirm.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
