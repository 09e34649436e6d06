import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useId, useState } from 'react'
import { api } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { useEventTypes } from '../events/useEventTypes.ts'
import { initialDefinition } from './definition/edit.ts'

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
  const t = useTranslate()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [type, setType] = useState(eventType)
  const types = useEventTypes(opened)
  const listId = useId()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  useEffect(() => setType(eventType), [eventType])
  const create = async () => {
    setBusy(true)
    setFailure(null)
    try {
      const definition = initialDefinition(type.trim(), t('workflows.firstText', { name: '{{customer.name|there}}' }))
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
      title={t('workflows.new')}
      closeButtonProps={{ 'aria-label': t('confirm.cancel') }}
    >
      <form
        onSubmit={event => {
          event.preventDefault()
          void create()
        }}
      >
        <Stack gap="md">
          <TextInput
            label={t('workflows.name')}
            placeholder={t('workflows.namePlaceholder')}
            value={name}
            required
            maxLength={100}
            data-autofocus
            onChange={event => setName(event.currentTarget.value)}
          />
          <TextInput
            label={t('workflows.startsWith')}
            description={t('workflows.eventTypeHint')}
            placeholder="order.created"
            value={type}
            required
            maxLength={200}
            list={listId}
            onChange={event => setType(event.currentTarget.value)}
          />
          <datalist id={listId}>
            {types.map(one => (
              <option key={one} value={one} />
            ))}
          </datalist>
          {failure !== null && <Failure error={failure} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('confirm.cancel')}
            </Button>
            <Button type="submit" loading={busy} disabled={name.trim() === '' || type.trim() === ''}>
              {t('workflows.create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
