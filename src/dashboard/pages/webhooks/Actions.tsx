import { ActionIcon, Button, Menu } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Confirm } from '../../ui/form/Confirm.tsx'
import { shortName } from '../../ui/formats.ts'
import { Cog6ToothIcon, KeyIcon, PauseIcon } from '../../ui/icons.ts'
import { ArrowPathIcon, EllipsisHorizontalIcon, NoSymbolIcon, ShieldCheckIcon, TrashIcon } from '../../ui/page-icons.ts'
import { useNotify } from '../../ui/useNotify.tsx'
import { endpointName } from './delivery-status.tsx'
import { RotateSecret } from './form/RotateSecret.tsx'
import { useHealth } from './Health.tsx'
import { type Period, RecoveryDialog } from './Recovery.tsx'
import { useRefresh } from './refresh.ts'
import { SendTest } from './SendTest.tsx'

type DialogKind = 'switchOff' | 'rotate' | 'remove' | 'recover' | null

/**
 * Owner actions on an endpoint, except those of its notice. An action that loses deliveries asks for confirmation.
 * `range` and `isNarrowed` are those of the list.
 */
export const Actions = ({
  webhook,
  range,
  isNarrowed,
}: {
  webhook: Schemas['Webhook']
  range: Period
  isNarrowed: boolean
}) => {
  const t = useTranslate()
  const notify = useNotify()
  const navigate = useNavigate()
  const { id } = webhook
  const params = { params: { path: { id } } }
  const name = endpointName(webhook)
  const [dialog, setDialog] = useState<DialogKind>(null)
  const waitingCount = useHealth(id).data?.waiting ?? 0
  const refresh = useRefresh()

  const hold = hooks.useMutation('post', '/v1/webhooks/{id}/hold')
  const release = hooks.useMutation('post', '/v1/webhooks/{id}/release')
  const change = hooks.useMutation('patch', '/v1/webhooks/{id}')
  const remove = hooks.useMutation('delete', '/v1/webhooks/{id}')
  const failure = hold.error ?? release.error ?? change.error

  const releaseEndpoint = () => release.mutateAsync(params).then(refresh)
  const holdEndpoint = () => hold.mutateAsync(params).then(refresh)
  const setEnabled = (enabled: boolean) => change.mutateAsync({ ...params, body: { enabled } }).then(refresh)
  // Resuming by another button or by somebody else makes the notification wrong.
  const hidePaused = useRef<(() => void) | null>(null)
  useEffect(() => {
    if (!webhook.heldAt) hidePaused.current?.()
  }, [webhook.heldAt])
  const pause = async () => {
    await holdEndpoint()
    hidePaused.current = notify(t('webhooks.heldNow'), releaseEndpoint)
  }
  const ignoreErrors = (promise: Promise<unknown>) => void promise.catch(() => {})

  return (
    <>
      <SendTest webhook={webhook} />
      {!webhook.enabled ? (
        <Button loading={change.isPending} onClick={() => ignoreErrors(setEnabled(true))}>
          {t('webhooks.switchOn')}
        </Button>
      ) : (
        !webhook.heldAt && (
          <Button
            variant="default"
            leftSection={<PauseIcon width={16} />}
            loading={hold.isPending}
            onClick={() => ignoreErrors(pause())}
          >
            {t('webhooks.hold')}
          </Button>
        )
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={t('webhooks.more')} data-beside-panel>
            <EllipsisHorizontalIcon width={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<Cog6ToothIcon width={16} />}
            renderRoot={(props: object) => <Link {...props} to="/webhooks/$id/edit" params={{ id }} />}
          >
            {t('webhooks.edit')}
          </Menu.Item>
          <Menu.Item leftSection={<ArrowPathIcon width={16} />} onClick={() => setDialog('recover')}>
            {t('webhooks.recover')}
          </Menu.Item>
          <Menu.Item leftSection={<KeyIcon width={16} />} onClick={() => setDialog('rotate')}>
            {t('webhooks.rotate')}
          </Menu.Item>
          <Menu.Item
            leftSection={<ShieldCheckIcon width={16} />}
            renderRoot={(props: object) => <Link {...props} to="/webhooks/doctor" />}
          >
            {t('webhooks.signatureCheck')}
          </Menu.Item>
          <Menu.Divider />
          {webhook.enabled && (
            <Menu.Item leftSection={<NoSymbolIcon width={16} />} onClick={() => setDialog('switchOff')}>
              {t('webhooks.switchOff')}
            </Menu.Item>
          )}
          <Menu.Item color="red" leftSection={<TrashIcon width={16} />} onClick={() => setDialog('remove')}>
            {t('webhooks.remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {failure && <Failure error={failure} />}
      <Confirm
        opened={dialog === 'switchOff'}
        title={t('webhooks.switchOffTitle', { name: shortName(name) })}
        action={t('webhooks.switchOff')}
        onClose={() => setDialog(null)}
        onConfirm={() => setEnabled(false)}
      >
        {t('webhooks.switchOffText', { count: waitingCount })}
      </Confirm>
      <RotateSecret webhook={webhook} opened={dialog === 'rotate'} onClose={() => setDialog(null)} />
      <Confirm
        opened={dialog === 'remove'}
        title={t('webhooks.removeTitle', { name: shortName(name) })}
        action={t('webhooks.remove')}
        onClose={() => setDialog(null)}
        onConfirm={async () => {
          await remove.mutateAsync(params)
          await navigate({ to: '/webhooks' })
          refresh()
        }}
      >
        {t('webhooks.removeText', { count: waitingCount })}
      </Confirm>
      <RecoveryDialog
        opened={dialog === 'recover'}
        webhookId={id}
        range={range}
        isNarrowed={isNarrowed}
        onClose={() => setDialog(null)}
      />
    </>
  )
}
