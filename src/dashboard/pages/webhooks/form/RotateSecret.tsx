import { useState } from 'react'
import { hooks, type Schemas } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { Confirm } from '../../../ui/form/Confirm.tsx'
import { shortName } from '../../../ui/formats.ts'
import { endpointName } from '../delivery-status.tsx'
import { EndpointSecret } from './EndpointSecret.tsx'

/** Dialog that replaces the secret of an endpoint, and then shows the new one once. */
export const RotateSecret = ({
  webhook,
  opened,
  onClose,
}: {
  webhook: Schemas['Webhook']
  opened: boolean
  onClose: () => void
}) => {
  const t = useTranslate()
  const name = endpointName(webhook)
  const [secret, setSecret] = useState<string | null>(null)
  const rotate = hooks.useMutation('post', '/v1/webhooks/{id}/secret')
  return (
    <>
      <Confirm
        opened={opened}
        title={t('webhooks.rotateTitle', { name: shortName(name) })}
        action={t('webhooks.rotate')}
        onClose={onClose}
        onConfirm={async () => setSecret((await rotate.mutateAsync({ params: { path: { id: webhook.id } } })).secret)}
      >
        {t('webhooks.rotateText')}
      </Confirm>
      {secret !== null && (
        <EndpointSecret
          title={t('webhooks.rotatedTitle', { name })}
          secret={secret}
          text={t('webhooks.rotated')}
          onDone={() => setSecret(null)}
        />
      )}
    </>
  )
}
