import { Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { BulkButtons } from '../../ui/list/BulkButtons.tsx'
import { BulkDialog } from '../../ui/list/BulkDialog.tsx'
import { isResendable } from './resend.ts'

type Row = Schemas['Message']

/** Button that sends the selected messages again, with a preview. Messages that did not fail are left out. */
export const ResendSelected = ({ rows, onDone }: { rows: Row[]; onDone: () => void }) => {
  const t = useTranslate()
  const queries = useQueryClient()
  // The rows change while the action runs, so the dialog keeps those of its start.
  const [messages, setMessages] = useState<Row[] | null>(null)
  const unknownCount = messages?.filter(({ status }) => status === 'unknown').length ?? 0
  return (
    <>
      <BulkButtons
        actions={[
          {
            key: 'resend',
            label: t('messages.resend'),
            reason: rows.some(isResendable) ? null : t('messages.resendNone'),
            run: () => setMessages(rows),
          },
        ]}
      />
      {messages && (
        <BulkDialog
          title={t('messages.resendTitle')}
          text={
            <Stack gap="xs">
              <span>{t('messages.resendText')}</span>
              {unknownCount > 0 && <span>{t('messages.resendUnknown', { count: unknownCount })}</span>}
            </Stack>
          }
          action={count => t('messages.resendDo', { count })}
          items={messages.map(row => ({
            id: row.id,
            label: row.text ?? t('messages.noTextShort', { type: row.type }),
            ...(!isResendable(row) && { skip: t(`messages.status.${row.status}`) }),
          }))}
          run={id => api.POST('/v1/messages/{id}/resend', { params: { path: { id } } })}
          onClose={hasRun => {
            setMessages(null)
            if (!hasRun) return
            void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === '/v1/messages' })
            onDone()
          }}
        />
      )}
    </>
  )
}
