import { Button, Group, SegmentedControl, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { type ChannelKind, useChannelKinds } from '../../api/channel-kinds.ts'
import { Failure as ApiFailure, api, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { useDraft } from '../../ui/hooks/draft.ts'
import { Panel } from '../../ui/Panel.tsx'
import { CredentialFields, useCredentials } from './CredentialFields.tsx'
import { DeliverySelect } from './DeliverySelect.tsx'
import { type Delivery, parseConnectSearch } from './kinds.ts'
import { useUpdateCache } from './useUpdateCache.ts'

/** Form that connects a channel of the kind in the address. Defaults to the first kind. */
export const Connect = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const { kind } = parseConnectSearch(useSearch({ strict: false }))
  const query = useChannelKinds()
  const kinds = query.data?.data
  const details = kinds?.find(one => one.kind === kind) ?? kinds?.[0]
  return (
    <Panel title={t('channels.connectTitle')} onClose={() => void navigate({ to: '/channels' })}>
      {query.error && !kinds && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={160} mt="md" />}
      {kinds && details && <ConnectForm kinds={kinds} details={details} />}
    </Panel>
  )
}

/** Secrets stay in component state and are never stored. */
const ConnectForm = ({ kinds, details }: { kinds: ChannelKind[]; details: ChannelKind }) => {
  const t = useTranslate()
  const navigate = useNavigate()
  const updateCache = useUpdateCache()
  const { kind } = details
  const [name, setName, clearName] = useDraft('channels.new.name')
  const [delivery, setDelivery] = useState<Delivery>('delivered')
  const credentials = useCredentials(details.credentials)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const faults = failure instanceof ApiFailure ? failure.details : {}

  const connect = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFailure(null)
    const body = {
      kind,
      name: name.trim(),
      ...(kind === 'sandbox' && { sandbox: { delivery } }),
      ...(details.credentials.length > 0 && { credentials: credentials.toBody() }),
    }
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
    <form onSubmit={event => void connect(event)}>
      <Stack gap="md" pt="md">
        <Stack gap="xs">
          <SegmentedControl
            size="xs"
            aria-label={t('channels.provider')}
            data={kinds.map(one => ({ value: one.kind, label: one.name }))}
            value={kind}
            onChange={value => {
              setFailure(null)
              void navigate({ to: '/channels/new', search: { kind: value }, replace: true })
            }}
          />
          <Text size="sm" c="dimmed">
            {details.description}
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
        {kind === 'sandbox' && <DeliverySelect value={delivery} onChange={setDelivery} />}
        {details.credentials.length > 0 && <CredentialFields form={credentials} faults={faults} />}
        {failure !== null && <Failure error={failure} />}
        <Group>
          <Button type="submit" loading={busy}>
            {t('channels.connect')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
