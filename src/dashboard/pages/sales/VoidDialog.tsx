import { Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { useNotify } from '../../ui/useNotify.tsx'
import type { Sale } from './filters.ts'

/** Dialog that voids a sale with a reason. Voiding is final. */
export const VoidDialog = ({ sale: { id }, opened, onClose }: { sale: Sale; opened: boolean; onClose: () => void }) => {
  const t = useTranslate()
  const queries = useQueryClient()
  const notify = useNotify()
  const apiForm = useApiForm({
    draft: `sales.${id}.void`,
    initial: { reason: '' },
    validate: { reason: (text: string) => (text.trim() ? null : t('form.missing')) },
    onSubmit: async ({ reason }) => {
      await api.POST('/v1/sales/{id}/void', { params: { path: { id } }, body: { reason: reason.trim() } })
      apiForm.reset()
      onClose()
      void queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/v1/sales') })
      notify(t('sales.wasVoided'))
    },
  })
  return (
    <FormDialog
      opened={opened}
      title={t('sales.void')}
      text={t('sales.voidText')}
      action={t('sales.void')}
      onClose={onClose}
      form={apiForm}
    >
      <Textarea
        {...apiForm.form.getInputProps('reason')}
        label={t('sales.reason')}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={500}
        data-autofocus
      />
    </FormDialog>
  )
}
