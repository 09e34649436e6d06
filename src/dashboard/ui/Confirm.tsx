import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../texts/index.tsx'
import { Failure } from './Failure.tsx'

/**
 * Confirmation dialog for an action that cannot be undone. `action` is the verb on the button. `children` say what
 * happens and how many records are affected. Set `typeName` only if data is destroyed. On failure the dialog stays open
 * and shows the reason.
 */
export const Confirm = ({
  opened,
  title,
  action,
  children,
  typeName,
  onClose,
  onConfirm,
}: {
  opened: boolean
  title: string
  action: string
  children: ReactNode
  typeName?: string | undefined
  onClose: () => void
  onConfirm: () => Promise<unknown>
}) => {
  const say = useTexts()
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const close = () => {
    setTyped('')
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
    <Modal opened={opened} onClose={close} title={title} closeButtonProps={{ 'aria-label': say('confirm.cancel') }}>
      <Stack gap="md">
        <Text size="sm" component="div">
          {children}
        </Text>
        {typeName !== undefined && (
          <TextInput
            label={say('confirm.typeName', { name: typeName })}
            value={typed}
            onChange={event => setTyped(event.currentTarget.value)}
          />
        )}
        {failure !== null && <Failure of={failure} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {say('confirm.cancel')}
          </Button>
          <Button
            color="red"
            loading={busy}
            disabled={typeName !== undefined && typed.trim() !== typeName.trim()}
            onClick={() => void confirm()}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
