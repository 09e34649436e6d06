import { Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Failure as ApiFailure, api, type Schemas } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { useDraft } from '../../ui/draft.ts'
import { Failure } from '../../ui/Failure.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { CredentialFields } from './CredentialFields.tsx'
import { DeliverySelect } from './Delivery.tsx'
import { type Credentials, connecting, credentialsOf, type Delivery, type Kind, kinds, type Sender } from './kinds.ts'
import { useTake } from './useTake.ts'

/** Form that connects a channel of the kind in the address. Secrets stay in component state and are never stored. */
export const Connect = () => {
  const say = useTexts()
  const navigate = useNavigate()
  const take = useTake()
  const { kind = 'sandbox' } = connecting(useSearch({ strict: false }))
  const [name, setName, forgetName] = useDraft('channels.new.name')
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
        : { kind, name: name.trim(), credentials: credentialsOf(kind, sender, credentials) }
    try {
      const { data } = await api.POST('/v1/channels', { body: body as Schemas['ConnectChannel'] })
      forgetName()
      take(data!)
      void navigate({ to: '/channels/$id', params: { id: data!.id } })
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Panel title={say('channels.connectTitle')} onClose={() => void navigate({ to: '/channels' })}>
      <form onSubmit={event => void connect(event)}>
        <Stack gap="md" pt="md">
          <Stack gap="xs">
            <SegmentedControl
              size="xs"
              aria-label={say('channels.which')}
              data={kinds.map(value => ({ value, label: say(`channels.kind.${value}`) }))}
              value={kind}
              onChange={value => {
                setFailure(null)
                void navigate({ to: '/channels/new', search: { kind: value as Kind }, replace: true })
              }}
            />
            <Text size="sm" c="dimmed">
              {say(`channels.kindHint.${kind}`)}
            </Text>
          </Stack>
          <TextInput
            label={say('channels.name')}
            description={say('channels.nameHint')}
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
          {failure !== null && <Failure of={failure} />}
          <Group>
            <Button type="submit" loading={busy}>
              {say('channels.connect')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  )
}
