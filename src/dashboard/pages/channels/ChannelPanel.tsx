import { Anchor, Button, CopyButton, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { useFresh } from '../../api/useLive.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Id } from '../../ui/Id.tsx'
import { Facts, Panel, Section } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { useTell } from '../../ui/told.tsx'
import { CredentialFields } from './CredentialFields.tsx'
import styles from './channels.module.css'
import { DeliverySelect } from './Delivery.tsx'
import { type Credentials, credentialsOf, type Delivery, type Sender, toneOf } from './kinds.ts'
import { useTake } from './useTake.ts'

type Channel = Schemas['Channel']

/** Side panel of a channel: its status at the provider, the values to enter there, and the available actions. */
export const ChannelPanel = () => {
  const { id } = useParams({ strict: false }) as { id: string }
  return <Opened key={id} id={id} />
}

const Opened = ({ id }: { id: string }) => {
  const say = useTexts()
  const navigate = useNavigate()
  const owner = useIsOwner()
  const query = hooks.useQuery('get', '/v1/channels/{id}', { params: { path: { id } } })
  useFresh(['attention'], ['/v1/channels/{id}'])
  const channel = query.data
  const close = () => void navigate({ to: '/channels' })
  return (
    <Panel title={channel ? <bdi>{channel.name}</bdi> : say('channels.id')} onClose={close}>
      {query.error && !channel && <Failure of={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={160} mt="md" />}
      {channel && (
        <>
          <Section title={say('channels.standing')}>
            <Standing channel={channel} />
            {owner && channel.status !== 'disconnected' && <Actions channel={channel} />}
          </Section>
          {channel.status !== 'disconnected' && channel.kind === 'sandbox' && <TryIt channel={channel} />}
          {channel.status !== 'disconnected' && channel.inboundUrl !== null && <AtProvider channel={channel} />}
        </>
      )}
    </Panel>
  )
}

const Standing = ({ channel }: { channel: Channel }) => {
  const say = useTexts()
  return (
    <Stack gap="sm">
      {channel.status === 'failing' && <Text size="sm">{say('channels.failing')}</Text>}
      <Facts
        of={{
          [say('channels.status')]: (
            <Status tone={toneOf[channel.status]}>{say(`channels.status.${channel.status}`)}</Status>
          ),
          [say('channels.said')]: channel.statusDetail && <bdi>{channel.statusDetail}</bdi>,
          [say('channels.kind')]: say(`channels.kind.${channel.kind}`),
          [say('channels.number')]: channel.number && <Id value={channel.number} whole />,
          [say('channels.delivery')]: channel.sandbox && say(`channels.delivery.${channel.sandbox.delivery}`),
          [say('channels.since')]: <Time at={channel.createdAt} exact />,
          [say('channels.changed')]: <Time at={channel.updatedAt} exact />,
          [say('channels.channelId')]: <Id value={channel.id} whole />,
        }}
      />
      {channel.status === 'disconnected' && <Text size="sm">{say('channels.disconnected')}</Text>}
    </Stack>
  )
}

const Actions = ({ channel }: { channel: Channel }) => {
  const say = useTexts()
  const [dialog, setDialog] = useState<'change' | 'credentials' | 'disconnect' | null>(null)
  const test = useTest(channel)
  const close = () => setDialog(null)
  return (
    <>
      <Group gap="sm" mt="md">
        <Button variant="default" loading={test.busy} onClick={() => void test.run()} title={say('channels.testText')}>
          {say('channels.test')}
        </Button>
        <Button variant="default" onClick={() => setDialog('change')}>
          {say('channels.change')}
        </Button>
        {channel.kind !== 'sandbox' && (
          <Button
            variant={channel.status === 'failing' ? 'filled' : 'default'}
            onClick={() => setDialog('credentials')}
          >
            {say('channels.credentials')}
          </Button>
        )}
        <Button variant="default" onClick={() => setDialog('disconnect')}>
          {say('channels.disconnect')}
        </Button>
      </Group>
      <div role="status" className={styles.test}>
        {test.answer && (
          <>
            <Status tone={test.answer.ok ? 'done' : 'failed'}>
              {say(test.answer.ok ? 'channels.test.ok' : 'channels.test.refused')}
            </Status>{' '}
            <bdi>{test.answer.detail}</bdi>
          </>
        )}
      </div>
      {test.failure !== null && <Failure of={test.failure} retry={() => void test.run()} />}
      {dialog === 'change' && <ChangeDialog channel={channel} onClose={close} />}
      {dialog === 'credentials' && <CredentialsDialog channel={channel} onClose={close} />}
      <DisconnectDialog channel={channel} opened={dialog === 'disconnect'} onClose={close} />
    </>
  )
}

/** Tests the channel at the provider and shows the result. */
const useTest = ({ id }: Channel) => {
  const take = useTake()
  const [busy, setBusy] = useState(false)
  const [answer, setAnswer] = useState<Schemas['ChannelTest'] | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const run = async () => {
    setBusy(true)
    setAnswer(null)
    setFailure(null)
    const params = { path: { id } }
    try {
      const { data } = await api.POST('/v1/channels/{id}/test', { params })
      setAnswer(data!)
      const after = await api.GET('/v1/channels/{id}', { params })
      take(after.data!)
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return { busy, answer, failure, run }
}

const useChange = ({ id }: Channel) => {
  const say = useTexts()
  const tell = useTell()
  const take = useTake()
  return async (body: Schemas['ChangeChannel']) => {
    const { data } = await api.PATCH('/v1/channels/{id}', { params: { path: { id } }, body })
    take(data!)
    tell(say('channels.saved', { name: data!.name }))
  }
}

const ChangeDialog = ({ channel, onClose }: { channel: Channel; onClose: () => void }) => {
  const say = useTexts()
  const change = useChange(channel)
  const [name, setName] = useState(channel.name)
  const [delivery, setDelivery] = useState<Delivery | null>(channel.sandbox?.delivery ?? null)
  return (
    <FormDialog
      opened
      title={say('channels.changeTitle', { name: channel.name })}
      action={say('channels.save')}
      onClose={onClose}
      onSubmit={() => change({ name: name.trim(), ...(delivery && { sandbox: { delivery } }) })}
    >
      <TextInput
        label={say('channels.name')}
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

const CredentialsDialog = ({ channel, onClose }: { channel: Channel; onClose: () => void }) => {
  const say = useTexts()
  const change = useChange(channel)
  const [sender, setSender] = useState<Sender>(channel.number?.startsWith('MG') ? 'messagingServiceSid' : 'from')
  const [credentials, setCredentials] = useState<Credentials>({})
  return (
    <FormDialog
      opened
      title={say('channels.credentialsTitle', { name: channel.name })}
      text={say('channels.credentialsText')}
      action={say('channels.credentials')}
      onClose={onClose}
      onSubmit={() => change({ credentials: credentialsOf(channel.kind, sender, credentials) })}
    >
      <CredentialFields
        kind={channel.kind}
        sender={sender}
        onSender={setSender}
        values={credentials}
        onChange={setCredentials}
      />
    </FormDialog>
  )
}

const DisconnectDialog = ({ channel, opened, onClose }: { channel: Channel; opened: boolean; onClose: () => void }) => {
  const say = useTexts()
  const take = useTake()
  const params = { path: { id: channel.id } }
  const disconnect = async () => {
    await api.DELETE('/v1/channels/{id}', { params })
    const after = await api.GET('/v1/channels/{id}', { params })
    take(after.data!)
  }
  return (
    <Confirm
      opened={opened}
      title={say('channels.disconnectTitle', { name: channel.name })}
      action={say('channels.disconnectAction')}
      onClose={onClose}
      onConfirm={disconnect}
    >
      {say('channels.disconnectText')}
    </Confirm>
  )
}

/** Link to the simulated phone of a sandbox channel, in the corner of the inbox. */
const TryIt = ({ channel }: { channel: Channel }) => {
  const say = useTexts()
  return (
    <Section title={say('channels.tryIt')}>
      <Text size="sm">{say('channels.sandboxText')}</Text>
      <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to="/inbox" search={{ phone: channel.id }} />}>
        {say('channels.phone')}
      </Anchor>
    </Section>
  )
}

const AtProvider = ({ channel }: { channel: Channel }) => {
  const say = useTexts()
  const url = channel.inboundUrl!
  return (
    <Section title={say('channels.atProvider')}>
      <Stack gap="sm">
        <Text size="sm">
          {say(channel.kind === 'whatsapp_cloud' ? 'channels.whatsappSteps' : 'channels.twilioSteps')}
        </Text>
        <Group gap="sm" wrap="nowrap" align="flex-end">
          <TextInput
            className={styles.grow}
            label={say('channels.callback')}
            readOnly
            value={url}
            onFocus={event => event.currentTarget.select()}
          />
          <CopyButton value={url} timeout={1500}>
            {({ copied, copy }) => (
              <Button
                variant="default"
                size="sm"
                aria-label={copied ? say('id.copied') : say('channels.copyCallback')}
                onClick={copy}
              >
                {copied ? say('id.copied') : say('id.copy')}
              </Button>
            )}
          </CopyButton>
        </Group>
      </Stack>
    </Section>
  )
}
