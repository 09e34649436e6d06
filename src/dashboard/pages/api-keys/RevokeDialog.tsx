import { Stack } from '@mantine/core'
import { useRef } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { Sentence, useTranslate } from '../../texts/index.tsx'
import { Confirm } from '../../ui/form/Confirm.tsx'
import { shortName } from '../../ui/formats.ts'
import { Time } from '../../ui/Time.tsx'

/** Confirmation that names the key and its last use. */
export const RevokeDialog = ({
  apiKey,
  onClose,
  onRevoked,
}: {
  apiKey: Schemas['ApiKey'] | null
  onClose: () => void
  onRevoked: () => void
}) => {
  const t = useTranslate()
  const revoke = hooks.useMutation('delete', '/v1/api-keys/{id}')
  // Keeps the name of the key in the dialog while it closes.
  const lastKey = useRef(apiKey)
  if (apiKey) lastKey.current = apiKey
  const name = lastKey.current?.name ?? ''
  return (
    <Confirm
      opened={apiKey !== null}
      title={t('apiKeys.revokeTitle', { name: shortName(name) })}
      action={t('apiKeys.revoke')}
      onClose={onClose}
      onConfirm={async () => {
        if (apiKey) await revoke.mutateAsync({ params: { path: { id: apiKey.id } } })
        onRevoked()
      }}
    >
      <Stack gap="sm">
        <span>{t('apiKeys.revokeText')}</span>
        <span>
          {apiKey?.lastUsedAt ? (
            <Sentence id="apiKeys.revokeUsed" values={{ when: <Time at={apiKey.lastUsedAt} /> }} />
          ) : (
            t('apiKeys.revokeUnused')
          )}
        </span>
      </Stack>
    </Confirm>
  )
}
