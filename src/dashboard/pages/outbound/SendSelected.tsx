import { Select } from '@mantine/core'
import { useRef } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { BulkDialog } from '../../ui/list/BulkDialog.tsx'
import { useEndpoints } from './names.tsx'

type Row = Schemas['OutboundEvent']

/** Dialog that sends the selected events to one endpoint. */
export const SendSelected = ({ events, onClose }: { events: Row[]; onClose: (hasRun: boolean) => void }) => {
  const t = useTranslate()
  const endpoints = useEndpoints()
  const start = useRef(async () => {})
  const { form, submit } = useApiForm<{ webhookId: string | null }>({
    draft: 'outbound.bulk',
    initial: { webhookId: endpoints.length === 1 ? endpoints[0]!.id : null },
    validate: { webhookId: id => (endpoints.some(endpoint => endpoint.id === id) ? null : t('outbound.sendMissing')) },
    onSubmit: () => start.current(),
  })
  return (
    <BulkDialog
      operation={{
        title: t('outbound.sendSelectedTitle'),
        text: t('outbound.sendSelectedText'),
        confirm: count => t('outbound.sendSelectedDo', { count }),
        items: events.map(({ id, type }) => ({ id, label: type })),
        send: id =>
          api.POST('/v1/outbound-events/{id}/send', {
            params: { path: { id } },
            body: { webhookId: form.getValues().webhookId! },
          }),
        changes: path => path.startsWith('/v1/outbound-events'),
      }}
      onStart={run => {
        start.current = run
        submit()
      }}
      onClose={onClose}
    >
      <Select
        label={t('outbound.sendWhere')}
        placeholder={t('outbound.sendChoose')}
        data={endpoints.map(({ id, name }) => ({ value: id, label: name }))}
        data-autofocus
        {...form.getInputProps('webhookId')}
      />
    </BulkDialog>
  )
}
