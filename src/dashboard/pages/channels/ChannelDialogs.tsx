import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ChannelKind } from '../../api/channel-kinds.ts'
import { api, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Confirm } from '../../ui/form/Confirm.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { useNotify } from '../../ui/useNotify.tsx'
import { CredentialFields, useCredentials } from './CredentialFields.tsx'
import { DeliverySelect } from './DeliverySelect.tsx'
import type { Delivery } from './kinds.ts'
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
  const [name, setName] = useState(channel.name)
  const [delivery, setDelivery] = useState<Delivery | null>(channel.sandbox?.delivery ?? null)
  return (
    <FormDialog
      opened
      title={t('channels.changeTitle', { name: channel.name })}
      action={t('channels.save')}
      onClose={onClose}
      onSubmit={() => change({ name: name.trim(), ...(delivery && { sandbox: { delivery } }) })}
    >
      <TextInput
        label={t('channels.name')}
        data-autofocus
        required
        withAsterisk={false}
        maxLength={100}
        value={name}
        onChange={event => setName(event.currentTarget.value)}
      />
      {delivery && <DeliverySelect value={delivery} onChange={setDelivery} />}
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
  return (
    <FormDialog
      opened
      title={t('channels.credentialsTitle', { name: channel.name })}
      text={t('channels.credentialsText')}
      action={t('channels.credentials')}
      onClose={onClose}
      onSubmit={() => change({ credentials: credentials.toBody() })}
    >
      <CredentialFields form={credentials} />
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
      title={t('channels.disconnectTitle', { name: channel.name })}
      action={t('channels.disconnectAction')}
      onClose={onClose}
      onConfirm={disconnect}
    >
      {t('channels.disconnectText')}
    </Confirm>
  )
}
