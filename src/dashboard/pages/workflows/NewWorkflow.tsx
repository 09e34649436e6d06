import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useId, useState } from 'react'
import { api } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { useEventTypes } from '../events/types.ts'
import { firstDefinition } from './definition/edit.ts'

/** Dialog for a new workflow: its name and its trigger event. */
export const NewWorkflow = ({
  opened,
  eventType,
  onClose,
}: {
  opened: boolean
  eventType: string
  onClose: () => void
}) => {
  const say = useTexts()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [type, setType] = useState(eventType)
  const types = useEventTypes(opened)
  const known = useId()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  useEffect(() => setType(eventType), [eventType])
  const create = async () => {
    setBusy(true)
    setFailure(null)
    try {
      const definition = firstDefinition(type.trim(), say('workflows.firstText', { name: '{{customer.name|there}}' }))
      const { data } = await api.POST('/v1/workflows', { body: { name: name.trim(), definition } })
      setName('')
      if (data) void navigate({ to: '/workflows/$id', params: { id: data.id } })
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={say('workflows.new')}
      closeButtonProps={{ 'aria-label': say('confirm.cancel') }}
    >
      <form
        onSubmit={event => {
          event.preventDefault()
          void create()
        }}
      >
        <Stack gap="md">
          <TextInput
            label={say('workflows.name')}
            placeholder={say('workflows.namePlaceholder')}
            value={name}
            required
            maxLength={100}
            data-autofocus
            onChange={event => setName(event.currentTarget.value)}
          />
          <TextInput
            label={say('workflows.startsWith')}
            description={say('workflows.eventTypeHint')}
            placeholder="order.created"
            value={type}
            required
            maxLength={200}
            list={known}
            onChange={event => setType(event.currentTarget.value)}
          />
          <datalist id={known}>
            {types.map(one => (
              <option key={one} value={one} />
            ))}
          </datalist>
          {failure !== null && <Failure of={failure} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {say('confirm.cancel')}
            </Button>
            <Button type="submit" loading={busy} disabled={name.trim() === '' || type.trim() === ''}>
              {say('workflows.create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
