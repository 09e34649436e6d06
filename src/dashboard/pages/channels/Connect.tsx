import { Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Failure as ApiFailure, api, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { useDraft } from '../../ui/hooks/draft.ts'
import { Panel } from '../../ui/Panel.tsx'
import { CredentialFields } from './CredentialFields.tsx'
import { DeliverySelect } from './DeliverySelect.tsx'
import {
  type Credentials,
  type Delivery,
  type Kind,
  kinds,
  parseConnectSearch,
  type Sender,
  toCredentials,
} from './kinds.ts'
import { useUpdateCache } from './useUpdateCache.ts'

/** Form that connects a channel of the kind in the address. Secrets stay in component state and are never stored. */
export const Connect = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const updateCache = useUpdateCache()
  const { kind = 'sandbox' } = parseConnectSearch(useSearch({ strict: false }))
  const [name, setName, clearName] = useDraft('channels.new.name')
  const [delivery, setDelivery] = useState<Delivery>('delivered')
  const [sender, setSender] = useState<Sender>('from')
  const [credentials, setCredentials] = useState<Credentials>({})
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const faults = failure instanceof ApiFailure ? failure.details : {}

  const connect = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFailure(null)
    const body =
      kind === 'sandbox'
        ? { kind, name: name.trim(), sandbox: { delivery } }
        : { kind, name: name.trim(), credentials: toCredentials(kind, sender, credentials) }
    try {
      const { data } = await api.POST('/v1/channels', { body: body as Schemas['ConnectChannel'] })
      clearName()
      updateCache(data!)
      void navigate({ to: '/channels/$id', params: { id: data!.id } })
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Panel title={t('channels.connectTitle')} onClose={() => void navigate({ to: '/channels' })}>
      <form onSubmit={event => void connect(event)}>
        <Stack gap="md" pt="md">
          <Stack gap="xs">
            <SegmentedControl
              size="xs"
              aria-label={t('channels.which')}
              data={kinds.map(value => ({ value, label: t(`channels.kind.${value}`) }))}
              value={kind}
              onChange={value => {
                setFailure(null)
                void navigate({ to: '/channels/new', search: { kind: value as Kind }, replace: true })
              }}
            />
            <Text size="sm" c="dimmed">
              {t(`channels.kindHint.${kind}`)}
            </Text>
          </Stack>
          <TextInput
            label={t('channels.name')}
            description={t('channels.nameHint')}
            required
            withAsterisk={false}
            maxLength={100}
            error={faults.name}
            value={name}
            onChange={event => setName(event.currentTarget.value)}
          />
          {kind === 'sandbox' ? (
            <DeliverySelect value={delivery} onChange={setDelivery} />
          ) : (
            <CredentialFields
              kind={kind}
              sender={sender}
              onSender={setSender}
              values={credentials}
              onChange={setCredentials}
              faults={faults}
            />
          )}
          {failure !== null && <Failure error={failure} />}
          <Group>
            <Button type="submit" loading={busy}>
              {t('channels.connect')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  )
}
