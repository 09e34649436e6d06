import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ChannelKind } from '../../api/channel-kinds.ts'
import { Failure as ApiFailure, api, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Confirm } from '../../ui/form/Confirm.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { shortName } from '../../ui/formats.ts'
import { toChanges } from '../../ui/hooks/draft.ts'
import { useNotify } from '../../ui/useNotify.tsx'
import { CredentialFields, useCredentials } from './CredentialFields.tsx'
import { DeliverySelect } from './DeliverySelect.tsx'
import { useUpdateCache } from './useUpdateCache.ts'

type Channel = Schemas['Channel']

const useChange = ({ id }: Channel) => {
  const t = useTranslate()
  const notify = useNotify()
  const updateCache = useUpdateCache()
  return async (body: Schemas['ChangeChannel']) => {
    const { data } = await api.PATCH('/v1/channels/{id}', { params: { path: { id } }, body })
    updateCache(data!)
    notify(t('channels.saved', { name: data!.name }))
  }
}

/** Dialog that changes the name, and how a sandbox delivers. */
export const ChangeDialog = ({ channel, onClose }: { channel: Channel; onClose: () => void }) => {
  const t = useTranslate()
  const change = useChange(channel)
  // The values of the start: a request contains only what this person changed.
  const [initial] = useState({ name: channel.name, delivery: channel.sandbox?.delivery ?? null })
  const apiForm = useApiForm({
    draft: `channels.${channel.id}.change`,
    initial,
    validate: { name: name => (name.trim() ? null : t('channels.nameMissing')) },
    onSubmit: async ({ name: typedName, delivery: chosenDelivery }) => {
      const { name, delivery } = toChanges(initial, { name: typedName.trim(), delivery: chosenDelivery })
      if (name || delivery) await change({ ...(name && { name }), ...(delivery && { sandbox: { delivery } }) })
      onClose()
    },
  })
  const { form } = apiForm
  return (
    <FormDialog
      opened
      title={t('channels.changeTitle', { name: shortName(channel.name) })}
      action={t('channels.save')}
      onClose={onClose}
      form={apiForm}
    >
      <TextInput {...form.getInputProps('name')} label={t('channels.name')} data-autofocus maxLength={100} />
      {form.values.delivery && (
        <DeliverySelect value={form.values.delivery} onChange={value => form.setFieldValue('delivery', value)} />
      )}
    </FormDialog>
  )
}

/** Dialog that replaces the credentials. They stay in component state and are never stored. */
export const CredentialsDialog = ({
  channel,
  kind,
  onClose,
}: {
  channel: Channel
  kind: ChannelKind
  onClose: () => void
}) => {
  const t = useTranslate()
  const change = useChange(channel)
  const credentials = useCredentials(kind.credentials, channel.number)
  const apiForm = useApiForm({
    draft: null,
    initial: {},
    onSubmit: async () => {
      await change({ credentials: credentials.toBody() })
      onClose()
    },
  })
  const faults = apiForm.failure instanceof ApiFailure ? apiForm.failure.details : {}
  return (
    <FormDialog
      opened
      title={t('channels.credentialsTitle', { name: shortName(channel.name) })}
      text={t('channels.credentialsText')}
      action={t('channels.credentials')}
      onClose={onClose}
      form={apiForm}
    >
      <CredentialFields form={credentials} faults={faults} />
    </FormDialog>
  )
}

/** Confirmation of the disconnect, which is final. */
export const DisconnectDialog = ({
  channel,
  opened,
  onClose,
}: {
  channel: Channel
  opened: boolean
  onClose: () => void
}) => {
  const t = useTranslate()
  const updateCache = useUpdateCache()
  const params = { path: { id: channel.id } }
  const disconnect = async () => {
    await api.DELETE('/v1/channels/{id}', { params })
    const updated = await api.GET('/v1/channels/{id}', { params })
    updateCache(updated.data!)
  }
  return (
    <Confirm
      opened={opened}
      title={t('channels.disconnectTitle', { name: shortName(channel.name) })}
      action={t('channels.disconnectAction')}
      onClose={onClose}
      onConfirm={disconnect}
    >
      {t('channels.disconnectText')}
    </Confirm>
  )
}
