import { Group, Select, Textarea, TextInput } from '@mantine/core'
import { useIntl } from 'react-intl'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { useInvalidate } from '../../api/useInvalidate.ts'
import { useTranslate } from '../../texts/index.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { useNotify } from '../../ui/useNotify.tsx'
import { addresseeOf } from './Addressee.tsx'

const currencies = Intl.supportedValuesOf('currency')
const amountPattern = /^\d+([.,]\d{1,3})?$/
const maxAmount = 1e12
const toNumber = (amount: string): number => Number(amount.trim().replace(',', '.'))

/** Dialog that records a sale for the conversation. */
export const SaleDialog = ({
  conversation,
  opened,
  onClose,
}: {
  conversation: Schemas['Conversation']
  opened: boolean
  onClose: () => void
}) => {
  const { id } = conversation
  const t = useTranslate()
  const { locale } = useIntl()
  const invalidate = useInvalidate()
  const notify = useNotify()
  const latest = hooks.useQuery('get', '/v1/sales', { params: { query: { limit: 1 } } }, { enabled: opened })
  const defaultCurrency = latest.data?.data[0]?.currency || 'USD'
  const apiForm = useApiForm({
    draft: `sale/${id}`,
    initial: { amount: '', currency: '', note: '' },
    validate: {
      amount: amount => {
        if (amount.trim() === '') return t('inbox.amountMissing')
        if (!amountPattern.test(amount.trim())) return t('inbox.amountForm')
        const value = toNumber(amount)
        return value > 0 && value < maxAmount ? null : t('inbox.amountRange', { max: maxAmount })
      },
    },
    onSubmit: async values => {
      const amount = toNumber(values.amount)
      const currency = values.currency || defaultCurrency
      await api.POST('/v1/conversations/{id}/sale', {
        params: { path: { id } },
        body: { amount, currency, note: values.note.trim() || null },
      })
      apiForm.reset()
      onClose()
      void invalidate('/v1/sales')
      const formattedAmount = new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount)
      notify(t('inbox.saleMarked', { amount: formattedAmount }))
    },
  })
  const { form } = apiForm
  return (
    <FormDialog
      opened={opened}
      title={t('inbox.saleTitle', { name: addresseeOf(conversation, t) })}
      action={t('inbox.markSale')}
      onClose={onClose}
      form={apiForm}
    >
      <Group gap="sm" align="flex-start" wrap="nowrap">
        <TextInput
          {...form.getInputProps('amount')}
          data-autofocus
          flex={1}
          label={t('inbox.amount')}
          placeholder="0.00"
          inputMode="decimal"
          autoComplete="off"
        />
        <Select
          {...form.getInputProps('currency')}
          w={110}
          label={t('inbox.currency')}
          data={currencies}
          searchable
          allowDeselect={false}
          value={form.values.currency || defaultCurrency}
        />
      </Group>
      <Textarea
        {...form.getInputProps('note')}
        label={`${t('inbox.note')} (${t('team.optional')})`}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={1000}
      />
    </FormDialog>
  )
}
