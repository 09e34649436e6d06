import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { BulkButtons } from '../../ui/list/BulkButtons.tsx'
import { BulkDialog } from '../../ui/list/BulkDialog.tsx'

type Row = Schemas['ApiKey']

/** Button that revokes the selected keys, with a preview. Revoked keys are left out. */
export const RevokeSelected = ({ rows, onDone }: { rows: Row[]; onDone: () => void }) => {
  const t = useTranslate()
  const queries = useQueryClient()
  // The rows change while the action runs, so the dialog keeps those of its start.
  const [keys, setKeys] = useState<Row[] | null>(null)
  return (
    <>
      <BulkButtons
        actions={[
          {
            key: 'revoke',
            label: t('apiKeys.revokeShort'),
            reason: rows.every(({ revoked }) => revoked) ? t('apiKeys.bulk.none') : null,
            run: () => setKeys(rows),
          },
        ]}
      />
      {keys && (
        <BulkDialog
          title={t('apiKeys.bulk.title')}
          text={t('apiKeys.bulk.text')}
          action={count => t('apiKeys.bulk.do', { count })}
          items={keys.map(({ id, name, prefix, revoked }) => ({
            id,
            label: t('apiKeys.bulk.item', { name, prefix }),
            ...(revoked && { skip: t('apiKeys.bulk.isRevoked') }),
          }))}
          run={id => api.DELETE('/v1/api-keys/{id}', { params: { path: { id } } })}
          onClose={hasRun => {
            setKeys(null)
            if (!hasRun) return
            void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === '/v1/api-keys' })
            onDone()
          }}
        />
      )}
    </>
  )
}
