import { Select } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { BulkButtons } from '../../ui/list/BulkButtons.tsx'
import { BulkDialog } from '../../ui/list/BulkDialog.tsx'
import { useEndpoints } from './names.tsx'

type Row = Schemas['OutboundEvent']

/** Button that sends the selected events to one endpoint, with a preview. */
export const SendSelected = ({ rows, onDone }: { rows: Row[]; onDone: () => void }) => {
  const t = useTranslate()
  const hasEndpoints = useEndpoints().length > 0
  // The rows change while the action runs, so the dialog keeps those of its start.
  const [events, setEvents] = useState<Row[] | null>(null)
  return (
    <>
      <BulkButtons
        actions={[
          {
            key: 'send',
            label: t('outbound.send'),
            reason: hasEndpoints ? null : t('outbound.sendNone'),
            run: () => setEvents(rows),
          },
        ]}
      />
      {events && (
        <SendEvents
          events={events}
          onClose={hasRun => {
            setEvents(null)
            if (hasRun) onDone()
          }}
        />
      )}
    </>
  )
}

const SendEvents = ({ events, onClose }: { events: Row[]; onClose: (hasRun: boolean) => void }) => {
  const t = useTranslate()
  const queries = useQueryClient()
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
      title={t('outbound.sendSelectedTitle')}
      text={t('outbound.sendSelectedText')}
      action={count => t('outbound.sendSelectedDo', { count })}
      items={events.map(({ id, type }) => ({ id, label: type }))}
      onStart={run => {
        start.current = run
        submit()
      }}
      run={id =>
        api.POST('/v1/outbound-events/{id}/send', {
          params: { path: { id } },
          body: { webhookId: form.getValues().webhookId! },
        })
      }
      onClose={hasRun => {
        if (hasRun)
          void queries.invalidateQueries({
            predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/v1/outbound-events'),
          })
        onClose(hasRun)
      }}
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
