import { Button, Menu } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { useTell } from '../../ui/told.tsx'
import { useHealth } from './Health.tsx'
import { RecoveryDialog, useSendWaiting } from './Recovery.tsx'
import { useRefresh } from './refresh.ts'
import { SecretOnce } from './SecretOnce.tsx'
import { endpointName } from './words.tsx'

type Asked = 'switchOff' | 'rotate' | 'remove' | 'recover' | null

/** Owner actions on an endpoint. An action that loses deliveries asks for confirmation. */
export const Actions = ({ webhook }: { webhook: Schemas['Webhook'] }) => {
  const say = useTexts()
  const tell = useTell()
  const navigate = useNavigate()
  const { id } = webhook
  const params = { params: { path: { id } } }
  const name = endpointName(webhook)
  const [asked, setAsked] = useState<Asked>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const waiting = useHealth(id).data?.waiting ?? 0
  const refresh = useRefresh()
  const sending = useSendWaiting(id)

  const ping = hooks.useMutation('post', '/v1/webhooks/{id}/test')
  const hold = hooks.useMutation('post', '/v1/webhooks/{id}/hold')
  const release = hooks.useMutation('post', '/v1/webhooks/{id}/release')
  const change = hooks.useMutation('patch', '/v1/webhooks/{id}')
  const rotate = hooks.useMutation('post', '/v1/webhooks/{id}/secret')
  const remove = hooks.useMutation('delete', '/v1/webhooks/{id}')
  const failure = ping.error ?? hold.error ?? release.error ?? change.error ?? sending.error

  const sendTest = async () => {
    const { id: deliveryId } = await ping.mutateAsync(params)
    refresh()
    await navigate({ to: '/webhooks/$id/deliveries/$deliveryId', params: { id, deliveryId } })
  }
  const releaseIt = () => release.mutateAsync(params).then(refresh)
  const holdIt = () => hold.mutateAsync(params).then(refresh)
  const switchTo = (enabled: boolean) => change.mutateAsync({ ...params, body: { enabled } }).then(refresh)
  const quietly = (work: Promise<unknown>) => void work.catch(() => {})

  return (
    <>
      <Button variant="default" loading={ping.isPending} onClick={() => quietly(sendTest())}>
        {say('webhooks.test')}
      </Button>
      {!webhook.enabled ? (
        <Button loading={change.isPending} onClick={() => quietly(switchTo(true))}>
          {say('webhooks.switchOn')}
        </Button>
      ) : webhook.heldAt ? (
        <>
          {waiting > 0 && (
            <Button
              variant="default"
              loading={sending.isPending}
              onClick={() => quietly(releaseIt().then(sending.send))}
            >
              {say('webhooks.releaseAll')}
            </Button>
          )}
          <Button loading={release.isPending} onClick={() => quietly(releaseIt())}>
            {say('webhooks.release')}
          </Button>
        </>
      ) : (
        <Button
          variant="default"
          loading={hold.isPending}
          onClick={() => quietly(holdIt().then(() => tell(say('webhooks.heldNow'), releaseIt)))}
        >
          {say('webhooks.hold')}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default">{say('webhooks.more')}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item renderRoot={(props: object) => <Link {...props} to="/webhooks/$id/edit" params={{ id }} />}>
            {say('webhooks.edit')}
          </Menu.Item>
          <Menu.Item onClick={() => setAsked('recover')}>{say('webhooks.recover')}</Menu.Item>
          <Menu.Item onClick={() => setAsked('rotate')}>{say('webhooks.rotate')}</Menu.Item>
          <Menu.Item renderRoot={(props: object) => <Link {...props} to="/webhooks/doctor" />}>
            {say('webhooks.doctor')}
          </Menu.Item>
          <Menu.Divider />
          {webhook.enabled && <Menu.Item onClick={() => setAsked('switchOff')}>{say('webhooks.switchOff')}</Menu.Item>}
          <Menu.Item onClick={() => setAsked('remove')}>{say('webhooks.remove')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {failure && <Failure of={failure} />}
      <Confirm
        opened={asked === 'switchOff'}
        title={say('webhooks.switchOffTitle', { name })}
        action={say('webhooks.switchOff')}
        onClose={() => setAsked(null)}
        onConfirm={() => switchTo(false)}
      >
        {say('webhooks.switchOffText', { count: waiting })}
      </Confirm>
      <Confirm
        opened={asked === 'rotate'}
        title={say('webhooks.rotateTitle', { name })}
        action={say('webhooks.rotate')}
        onClose={() => setAsked(null)}
        onConfirm={async () => setSecret((await rotate.mutateAsync(params)).secret)}
      >
        {say('webhooks.rotateText')}
      </Confirm>
      <Confirm
        opened={asked === 'remove'}
        title={say('webhooks.removeTitle', { name })}
        action={say('webhooks.remove')}
        onClose={() => setAsked(null)}
        onConfirm={async () => {
          await remove.mutateAsync(params)
          await navigate({ to: '/webhooks' })
          refresh()
        }}
      >
        {say('webhooks.removeText', { count: waiting })}
      </Confirm>
      <RecoveryDialog opened={asked === 'recover'} webhookId={id} onClose={() => setAsked(null)} />
      {secret !== null && (
        <SecretOnce
          title={say('webhooks.rotatedTitle', { name })}
          secret={secret}
          text={say('webhooks.rotated')}
          onDone={() => setSecret(null)}
        />
      )}
    </>
  )
}
