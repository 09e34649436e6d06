import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../Failure.tsx'

/**
 * Confirmation dialog for an action that cannot be undone, or that affects many records. `action` is the verb on the
 * button, which is red unless `danger` is false. `children` say what happens and how many records are affected. Set
 * `typeName` only if data is destroyed, and `keep` only if the action itself cancels something: it names the button that
 * closes the dialog. On failure the dialog stays open and shows the reason.
 */
export const Confirm = ({
  opened,
  title,
  action,
  children,
  typeName,
  keep,
  danger = true,
  onClose,
  onConfirm,
}: {
  opened: boolean
  title: string
  action: string
  children: ReactNode
  typeName?: string | undefined
  keep?: string
  danger?: boolean
  onClose: () => void
  onConfirm: () => Promise<unknown>
}) => {
  const t = useTranslate()
  const [typedName, setTypedName] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const close = () => {
    setTypedName('')
    setFailure(null)
    onClose()
  }
  const confirm = async () => {
    setBusy(true)
    setFailure(null)
    try {
      await onConfirm()
      close()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={title}
      closeButtonProps={{ 'aria-label': keep ?? t('confirm.cancel') }}
    >
      <Stack gap="md">
        <Text size="sm" component="div">
          {children}
        </Text>
        {typeName !== undefined && (
          <TextInput
            label={t('confirm.typeName', { name: typeName })}
            value={typedName}
            onChange={event => setTypedName(event.currentTarget.value)}
          />
        )}
        {failure !== null && <Failure error={failure} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {keep ?? t('confirm.cancel')}
          </Button>
          <Button
            {...(danger && { color: 'red' })}
            loading={busy}
            disabled={typeName !== undefined && typedName.trim() !== typeName.trim()}
            onClick={() => void confirm()}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
