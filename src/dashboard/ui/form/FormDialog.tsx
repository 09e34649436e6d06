import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../Failure.tsx'
import type { DialogForm } from './useApiForm.ts'

interface FormBodyProps {
  text?: ReactNode
  /** Verb on the button. Null without a button, if nothing can be submitted. */
  action: string | null
  /** Whether the action cannot be undone. */
  danger?: boolean
  children: ReactNode
  onClose: () => void
  form: DialogForm
}

/**
 * Dialog with a short form. On failure the dialog stays open, and the errors appear at the fields. The `onSubmit` of the
 * form closes the dialog.
 */
export const FormDialog = ({ opened, title, ...body }: FormBodyProps & { opened: boolean; title: string }) => {
  const t = useTranslate()
  const close = () => {
    body.form.dismiss()
    body.onClose()
  }
  return (
    <Modal opened={opened} onClose={close} title={title} closeButtonProps={{ 'aria-label': t('confirm.cancel') }}>
      <FormBody {...body} onClose={close} />
    </Modal>
  )
}

/** Form in a dialog, whose state ends when the dialog closes. */
export const FormBody = ({ text, action, danger = false, children, onClose, form }: FormBodyProps) => {
  const t = useTranslate()
  return (
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
          <Button variant="default" onClick={onClose}>
            {t('confirm.cancel')}
          </Button>
          {action !== null && (
            <Button type="submit" loading={form.busy} {...(danger && { color: 'red' })}>
              {action}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
