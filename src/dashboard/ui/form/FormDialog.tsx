import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../Failure.tsx'
import type { DialogForm } from './useApiForm.ts'

/**
 * Dialog with a short form. `action` is the verb on the button. On failure the dialog stays open and shows the reason.
 * With a `form` of `useApiForm`, the errors appear at its fields, and its `onSubmit` closes the dialog.
 */
export const FormDialog = ({
  opened,
  title,
  text,
  action,
  danger = false,
  children,
  onClose,
  onSubmit,
  form,
}: {
  opened: boolean
  title: string
  text?: ReactNode
  action: string
  /** Whether the action cannot be undone. */
  danger?: boolean
  children: ReactNode
  onClose: () => void
} & ({ onSubmit: () => Promise<unknown>; form?: undefined } | { onSubmit?: undefined; form: DialogForm })) => {
  const t = useTranslate()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const close = () => {
    setFailure(null)
    form?.dismiss()
    onClose()
  }
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    if (form) return form.submit(event)
    event.preventDefault()
    setBusy(true)
    setFailure(null)
    try {
      await onSubmit?.()
      close()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const shownFailure = form ? form.failure : failure
  return (
    <Modal opened={opened} onClose={close} title={title} closeButtonProps={{ 'aria-label': t('confirm.cancel') }}>
      <form onSubmit={event => void submit(event)} noValidate={form !== undefined}>
        <Stack gap="md">
          {text && (
            <Text size="sm" component="div">
              {text}
            </Text>
          )}
          {children}
          {shownFailure !== null && <Failure error={shownFailure} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('confirm.cancel')}
            </Button>
            <Button type="submit" loading={form?.busy ?? busy} {...(danger && { color: 'red' })}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
