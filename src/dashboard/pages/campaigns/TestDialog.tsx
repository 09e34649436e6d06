import { api } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { useNotify } from '../../ui/useNotify.tsx'
import { CustomerSelect } from '../customers/CustomerSelect.tsx'
import type { Campaign } from './status.ts'

/** Dialog that sends the message of a saved campaign to one customer. */
export const TestDialog = ({ campaign: { id }, onClose }: { campaign: Campaign; onClose: () => void }) => {
  const t = useTranslate()
  const notify = useNotify()
  const apiForm = useApiForm<{ customerId: string | null }>({
    draft: 'campaigns.test',
    isKept: true,
    initial: { customerId: null },
    validate: { customerId: value => (value === null ? t('campaigns.test.missing') : null) },
    onSubmit: async ({ customerId }) => {
      await api.POST('/v1/campaigns/{id}/test', { params: { path: { id } }, body: { customerId: customerId! } })
      notify(t('campaigns.test.sent'))
      onClose()
    },
  })
  const { form } = apiForm
  return (
    <FormDialog
      opened
      title={t('campaigns.test')}
      text={t('campaigns.test.text')}
      action={t('campaigns.test.do')}
      onClose={onClose}
      form={apiForm}
    >
      <CustomerSelect
        label={t('campaigns.test.customer')}
        error={form.errors.customerId}
        value={form.values.customerId}
        onChange={customerId => form.setFieldValue('customerId', customerId)}
      />
    </FormDialog>
  )
}
