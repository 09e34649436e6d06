import { Textarea, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { BulkDialog } from '../../ui/list/BulkDialog.tsx'
import { parseAttribute } from './attribute.ts'
import { customerName } from './name.ts'

type Customer = Schemas['Customer']
export const bulkActions = ['optIn', 'optOut', 'attribute'] as const
type BulkAction = (typeof bulkActions)[number]

const maxTextLength = { optIn: 2000, optOut: 500, attribute: 2000 }

/** Dialog that records an opt-in or an opt-out of the selected customers, or sets an attribute. */
export const CustomerBulkDialog = ({
  action,
  customers,
  onClose,
}: {
  action: BulkAction
  customers: readonly Customer[]
  onClose: (hasRun: boolean) => void
}) => {
  const t = useTranslate()
  const isMissing = (value: string) => (value.trim() === '' ? t('form.missing') : null)
  const start = useRef(async () => {})
  const { form, submit } = useApiForm({
    draft: `customers.bulk.${action}`,
    initial: { name: '', text: '' },
    validate: { text: isMissing, ...(action === 'attribute' && { name: isMissing }) },
    onSubmit: () => start.current(),
  })
  const skipReason = (customer: Customer) => {
    if (action === 'attribute') return undefined
    if (customer.optedOutAt !== null) return t('customers.bulk.optedOut')
    return action === 'optIn' && customer.optedInAt !== null ? t('customers.bulk.optedIn') : undefined
  }
  const items = customers.map(customer => ({
    id: customer.id,
    label: customerName(customer) ?? customer.id,
    skip: skipReason(customer),
  }))
  const send = (id: string): Promise<unknown> => {
    const params = { params: { path: { id } } }
    const { name, text } = form.getValues()
    if (action === 'optIn') return api.POST('/v1/customers/{id}/opt-in', { ...params, body: { evidence: text.trim() } })
    if (action === 'optOut') return api.POST('/v1/customers/{id}/opt-out', { ...params, body: { reason: text.trim() } })
    return api.PATCH('/v1/customers/{id}', {
      ...params,
      body: { attributes: { [name.trim()]: parseAttribute(text.trim()) } },
    })
  }
  return (
    <BulkDialog
      operation={{
        title: t(`customers.bulk.${action}`),
        text: t(`customers.bulk.${action}Text`, { count: items.filter(({ skip }) => skip === undefined).length }),
        confirm: count => t(`customers.bulk.${action}Do`, { count }),
        items,
        send,
        changes: path => path.startsWith('/v1/customers'),
      }}
      onStart={run => {
        start.current = run
        submit()
      }}
      onClose={onClose}
    >
      {action === 'attribute' && (
        <TextInput
          label={t('customers.attributeName')}
          maxLength={100}
          data-autofocus
          {...form.getInputProps('name')}
        />
      )}
      <Textarea
        label={t(`customers.bulk.${action}Field`)}
        description={action === 'attribute' ? t('customers.attributeHint') : undefined}
        autosize
        minRows={action === 'attribute' ? 1 : 2}
        maxLength={maxTextLength[action]}
        data-autofocus={action !== 'attribute' || undefined}
        {...form.getInputProps('text')}
      />
    </BulkDialog>
  )
}
