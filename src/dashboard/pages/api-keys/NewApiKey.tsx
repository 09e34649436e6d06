import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { useInvalidate } from '../../api/useInvalidate.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { OneTimeSecret, Samples } from '../../ui/form/OneTimeSecret.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { shortName } from '../../ui/formats.ts'
import { firstCalls } from './samples.ts'

/** Form of a new API key, and then the key, which is shown once. */
export const NewApiKey = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const invalidate = useInvalidate()
  const isOwner = useIsOwner()
  const [issued, setIssued] = useState<Schemas['IssuedApiKey'] | null>(null)
  const close = () => void navigate({ to: '/api-keys' })
  if (!isOwner) return null
  if (!issued) {
    return (
      <KeyForm
        onClose={close}
        onIssued={key => {
          setIssued(key)
          void invalidate('/v1/api-keys')
        }}
      />
    )
  }
  return (
    <OneTimeSecret
      title={t('apiKeys.onceTitle', { name: shortName(issued.name) })}
      label={t('apiKeys.value')}
      value={issued.key}
      onDone={close}
    >
      <Stack gap="xs">
        <Text size="sm">{t('apiKeys.first')}</Text>
        <Samples title={t('apiKeys.first')} samples={firstCalls(location.origin, issued.key)} />
      </Stack>
    </OneTimeSecret>
  )
}

const KeyForm = ({ onClose, onIssued }: { onClose: () => void; onIssued: (key: Schemas['IssuedApiKey']) => void }) => {
  const t = useTranslate()
  const issue = hooks.useMutation('post', '/v1/api-keys')
  const { form, submit, busy, failure, reset } = useApiForm({
    draft: 'api-key:new',
    initial: { name: '' },
    validate: { name: name => (name.trim() === '' ? t('apiKeys.nameMissing') : null) },
    onSubmit: async ({ name }) => onIssued(await issue.mutateAsync({ body: { name: name.trim() } })),
  })
  const close = () => {
    reset()
    onClose()
  }
  return (
    <Modal
      opened
      onClose={close}
      title={t('apiKeys.issueTitle')}
      closeButtonProps={{ 'aria-label': t('confirm.cancel') }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label={t('apiKeys.name')}
            description={t('apiKeys.nameHint')}
            placeholder={t('apiKeys.nameExample')}
            maxLength={100}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Text size="sm" c="dimmed">
            {t('apiKeys.access')}
          </Text>
          {failure !== null && <Failure error={failure} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('confirm.cancel')}
            </Button>
            <Button type="submit" loading={busy}>
              {t('apiKeys.issue')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
