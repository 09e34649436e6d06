import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { api } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { useEventTypes } from '../events/useEventTypes.ts'
import { initialDefinition } from './definition/edit.ts'
import { Gallery } from './gallery/Gallery.tsx'
import { useUpdateCache } from './queries.ts'

/** Dialog for a new workflow: the gallery, or with an event type the form for its name. */
export const NewWorkflow = ({ eventType, onClose }: { eventType: string; onClose: () => void }) => {
  const t = useTranslate()
  const [isFromEvent, setIsFromEvent] = useState(eventType !== '')
  return (
    <Modal
      opened
      onClose={onClose}
      size={isFromEvent ? 'md' : 880}
      title={t('workflows.new')}
      closeButtonProps={{ 'aria-label': t('confirm.cancel') }}
    >
      {isFromEvent ? (
        <EventForm eventType={eventType} onClose={eventType === '' ? () => setIsFromEvent(false) : onClose} />
      ) : (
        <Gallery onFromEvent={() => setIsFromEvent(true)} />
      )}
    </Modal>
  )
}

/** Form for a workflow that an event type starts. */
const EventForm = ({ eventType, onClose }: { eventType: string; onClose: () => void }) => {
  const t = useTranslate()
  const navigate = useNavigate()
  const updateCache = useUpdateCache()
  const types = useEventTypes(true)
  const listId = useId()
  const { form, submit, busy, failure } = useApiForm({
    draft: `workflow-new/${eventType}`,
    initial: { name: '', type: eventType },
    validate: {
      name: name => (name.trim() === '' ? t('workflows.nameMissing') : null),
      type: type => (type.trim() === '' ? t('workflows.fault.noTrigger') : null),
    },
    onSubmit: async ({ name, type }) => {
      const definition = initialDefinition(type.trim(), t('workflows.firstText', { name: '{{customer.name|there}}' }))
      const { data } = await api.POST('/v1/workflows', { body: { name: name.trim(), definition } })
      if (!data) return
      updateCache(data)
      await navigate({ to: '/workflows/$id', params: { id: data.id } })
    },
  })
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          label={t('workflows.name')}
          placeholder={t('workflows.namePlaceholder')}
          maxLength={100}
          required
          withAsterisk={false}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('workflows.startsWith')}
          description={t('workflows.eventTypeHint')}
          placeholder="order.created"
          maxLength={200}
          required
          withAsterisk={false}
          list={listId}
          {...form.getInputProps('type')}
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
          <Button type="submit" loading={busy}>
            {t('workflows.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
