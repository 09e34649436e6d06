import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../Failure.tsx'
import type { DialogForm } from './useApiForm.ts'

/**
 * Dialog with a short form. `action` is the verb on the button. On failure the dialog stays open, and the errors appear
 * at the fields. The `onSubmit` of the form closes the dialog.
 */
export const FormDialog = ({
  opened,
  title,
  text,
  action,
  danger = false,
  children,
  onClose,
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
  form: DialogForm
}) => {
  const t = useTranslate()
  const close = () => {
    form.dismiss()
    onClose()
  }
  return (
    <Modal opened={opened} onClose={close} title={title} closeButtonProps={{ 'aria-label': t('confirm.cancel') }}>
      <form onSubmit={form.submit} noValidate>
        <Stack gap="md">
          {text && (
            <Text size="sm" component="div">
              {text}
            </Text>
          )}
          {children}
          {form.failure !== null && <Failure error={form.failure} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('confirm.cancel')}
            </Button>
            <Button type="submit" loading={form.busy} {...(danger && { color: 'red' })}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
