import { TextInput } from '@mantine/core'
import { api } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { FormDialog } from '../../../ui/form/FormDialog.tsx'
import { useApiForm } from '../../../ui/form/useApiForm.ts'
import type { Workflow } from '../definition/types.ts'
import { useUpdateCache } from '../queries.ts'

/** Dialog that renames a workflow. */
export const RenameWorkflow = ({ workflow, onClose }: { workflow: Workflow; onClose: () => void }) => {
  const t = useTranslate()
  const updateCache = useUpdateCache()
  const apiForm = useApiForm({
    draft: `workflows.${workflow.id}.rename`,
    initial: { name: workflow.name },
    validate: { name: name => (name.trim() ? null : t('workflows.nameMissing')) },
    onSubmit: async ({ name }) => {
      const { data } = await api.PATCH('/v1/workflows/{id}', {
        params: { path: { id: workflow.id } },
        body: { name: name.trim() },
      })
      if (data) updateCache(data)
      onClose()
    },
  })
  return (
    <FormDialog
      opened
      title={t('workflows.renameTitle')}
      action={t('workflows.rename')}
      onClose={onClose}
      form={apiForm}
    >
      <TextInput {...apiForm.form.getInputProps('name')} label={t('workflows.name')} maxLength={100} data-autofocus />
    </FormDialog>
  )
}
