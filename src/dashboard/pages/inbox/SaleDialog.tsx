import { Group, Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { api, Failure, hooks, type Schemas } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { useFieldsDraft } from '../../ui/draft.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useTell } from '../../ui/told.tsx'
import { useAnew } from './queries.ts'

const currencies = Intl.supportedValuesOf('currency')
const amountForm = /^\d{1,12}([.,]\d{1,3})?$/

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
  const say = useTexts()
  const { locale } = useIntl()
  const anew = useAnew()
  const tell = useTell()
  const { value, change, clear } = useFieldsDraft(`sale/${id}`, { amount: '', currency: '', note: '' })
  const latest = hooks.useQuery('get', '/v1/sales', { params: { query: { limit: 1 } } }, { enabled: opened })
  const currency = value.currency || latest.data?.data[0]?.currency || 'USD'
  const [tried, setTried] = useState(false)
  const isAmount = amountForm.test(value.amount.trim())
  const submit = async () => {
    setTried(true)
    if (!isAmount) throw new Failure(0, 'invalid_request', say('inbox.amountForm'))
    const amount = Number(value.amount.trim().replace(',', '.'))
    await api.POST('/v1/conversations/{id}/sale', {
      params: { path: { id } },
      body: { amount, currency, note: value.note.trim() || null },
    })
    void anew('/v1/sales')
    clear()
    setTried(false)
    const shown = new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount)
    tell(say('inbox.saleMarked', { amount: shown }))
  }
  return (
    <FormDialog
      opened={opened}
      title={say('inbox.saleTitle')}
      action={say('inbox.markSale')}
      onClose={onClose}
      onSubmit={submit}
    >
      <Group gap="sm" align="flex-start" wrap="nowrap">
        <TextInput
          data-autofocus
          flex={1}
          label={say('inbox.amount')}
          inputMode="decimal"
          autoComplete="off"
          value={value.amount}
          error={tried && !isAmount}
          onChange={event => change({ amount: event.currentTarget.value })}
        />
        <Select
          w={110}
          label={say('inbox.currency')}
          data={currencies}
          searchable
          allowDeselect={false}
          value={currency}
          onChange={chosen => change({ currency: chosen ?? '' })}
        />
      </Group>
      <Textarea
        label={say('inbox.note')}
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
