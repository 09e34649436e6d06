import { Group, Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { api, Failure, hooks, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { useFieldsDraft } from '../../ui/hooks/draft.ts'
import { useNotify } from '../../ui/useNotify.tsx'
import { useInvalidate } from './queries.ts'

const currencies = Intl.supportedValuesOf('currency')
const amountPattern = /^\d{1,12}([.,]\d{1,3})?$/

/** Dialog that records a sale for the conversation. */
export const SaleDialog = ({
  conversation: { id },
  opened,
  onClose,
}: {
  conversation: Schemas['Conversation']
  opened: boolean
  onClose: () => void
}) => {
  const t = useTranslate()
  const { locale } = useIntl()
  const invalidate = useInvalidate()
  const notify = useNotify()
  const { value, change, clear } = useFieldsDraft(`sale/${id}`, { amount: '', currency: '', note: '' })
  const latest = hooks.useQuery('get', '/v1/sales', { params: { query: { limit: 1 } } }, { enabled: opened })
  const currency = value.currency || latest.data?.data[0]?.currency || 'USD'
  const [isSubmitted, setIsSubmitted] = useState(false)
  const isAmount = amountPattern.test(value.amount.trim())
  const submit = async () => {
    setIsSubmitted(true)
    if (!isAmount) throw new Failure(0, 'invalid_request', t('inbox.amountForm'))
    const amount = Number(value.amount.trim().replace(',', '.'))
    await api.POST('/v1/conversations/{id}/sale', {
      params: { path: { id } },
      body: { amount, currency, note: value.note.trim() || null },
    })
    void invalidate('/v1/sales')
    clear()
    setIsSubmitted(false)
    const formattedAmount = new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount)
    notify(t('inbox.saleMarked', { amount: formattedAmount }))
  }
  return (
    <FormDialog
      opened={opened}
      title={t('inbox.saleTitle')}
      action={t('inbox.markSale')}
      onClose={onClose}
      onSubmit={submit}
    >
      <Group gap="sm" align="flex-start" wrap="nowrap">
        <TextInput
          data-autofocus
          flex={1}
          label={t('inbox.amount')}
          inputMode="decimal"
          autoComplete="off"
          value={value.amount}
          error={isSubmitted && !isAmount}
          onChange={event => change({ amount: event.currentTarget.value })}
        />
        <Select
          w={110}
          label={t('inbox.currency')}
          data={currencies}
          searchable
          allowDeselect={false}
          value={currency}
          onChange={chosen => change({ currency: chosen ?? '' })}
        />
      </Group>
      <Textarea
        label={t('inbox.note')}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={1000}
        value={value.note}
        onChange={event => change({ note: event.currentTarget.value })}
      />
    </FormDialog>
  )
}
