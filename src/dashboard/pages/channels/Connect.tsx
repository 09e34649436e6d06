import { Button, Group, Radio, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type ChannelKind, useChannelKinds } from '../../api/channel-kinds.ts'
import { Failure as ApiFailure, api, type Schemas } from '../../api/client.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { OwnersOnly } from '../../ui/Empty.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { Mark } from '../../ui/Mark.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { CredentialFields, useCredentials } from './CredentialFields.tsx'
import styles from './channels.module.css'
import { DeliverySelect } from './DeliverySelect.tsx'
import type { Delivery } from './kinds.ts'
import { useUpdateCache } from './useUpdateCache.ts'

const route = getRouteApi('/signed/channels/new')

/** Form that connects a channel of the kind in the address. Defaults to the first kind. */
export const Connect = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const isOwner = useIsOwner()
  const { kind } = route.useSearch()
  const query = useChannelKinds()
  const kinds = query.data?.data
  const details = kinds?.find(one => one.kind === kind) ?? kinds?.[0]
  return (
    <Panel title={t('channels.connectTitle')} onClose={() => void navigate({ to: '/channels' })}>
      {isOwner ? (
        <>
          {query.error && !kinds && <Failure error={query.error} retry={() => void query.refetch()} />}
          {query.isPending && <Skeleton height={160} mt="md" />}
          {kinds && details && <ConnectForm kinds={kinds} details={details} />}
        </>
      ) : (
        <OwnersOnly what={t('channels.title')} list={{ to: '/channels' }} />
      )}
    </Panel>
  )
}

/** Secrets stay in component state and are never stored. */
const ConnectForm = ({ kinds, details }: { kinds: ChannelKind[]; details: ChannelKind }) => {
  const t = useTranslate()
  const navigate = useNavigate()
  const updateCache = useUpdateCache()
  const { kind } = details
  const credentials = useCredentials(details.credentials)
  const { form, submit, busy, failure } = useApiForm({
    draft: 'channels.new',
    initial: { name: '', delivery: 'delivered' as Delivery },
    validate: ({ name }) => ({
      ...(name.trim() === '' && { name: t('channels.nameMissing') }),
      ...Object.fromEntries(
        credentials
          .listMissing()
          .map(({ name, label }) => [`credentials.${name}`, t('channels.credentialMissing', { label })]),
      ),
    }),
    onSubmit: async ({ name, delivery }) => {
      const body = {
        kind,
        name: name.trim(),
        ...(kind === 'sandbox' && { sandbox: { delivery } }),
        ...(details.credentials.length > 0 && { credentials: credentials.toBody() }),
      }
      const { data } = await api.POST('/v1/channels', { body: body as Schemas['ConnectChannel'] })
      updateCache(data!)
      void navigate({ to: '/channels/$id', params: { id: data!.id } })
    },
  })
  const faults = { ...(failure instanceof ApiFailure && failure.details), ...form.errors }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md" pt="md">
        <Stack gap="sm">
          <Radio.Group
            aria-label={t('channels.provider')}
            value={kind}
            onChange={value => {
              form.clearErrors()
              void navigate({ to: '/channels/new', search: current => ({ ...current, kind: value }), replace: true })
            }}
          >
            <div className={styles.kinds}>
              {kinds.map(one => (
                <Radio.Card key={one.kind} value={one.kind} className={styles.kind!}>
                  <Mark of={one.kind} size={20} />
                  {one.name}
                </Radio.Card>
              ))}
            </div>
          </Radio.Group>
          <Text size="sm" c="dimmed">
            {details.description}
          </Text>
        </Stack>
        <TextInput
          label={t('channels.name')}
          description={t('channels.nameHint')}
          maxLength={100}
          {...form.getInputProps('name')}
        />
        {kind === 'sandbox' && (
          <DeliverySelect value={form.values.delivery} onChange={value => form.setFieldValue('delivery', value)} />
        )}
        {details.credentials.length > 0 && (
          <CredentialFields
            form={credentials}
            faults={faults}
            onEdit={name => form.clearFieldError(`credentials.${name}`)}
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
  )
}
