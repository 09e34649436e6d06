import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { FormDialog } from '../../../ui/form/FormDialog.tsx'
import type { Workflow } from '../definition/types.ts'
import { useUpdateCache } from '../queries.ts'

/** Dialog that renames a workflow. */
export const RenameWorkflow = ({ workflow, onClose }: { workflow: Workflow; onClose: () => void }) => {
  const t = useTranslate()
  const updateCache = useUpdateCache()
  const [name, setName] = useState(workflow.name)
  const [isEmpty, setIsEmpty] = useState(false)
  return (
    <FormDialog
      opened
      title={t('workflows.renameTitle')}
      action={t('workflows.rename')}
      onClose={onClose}
      onSubmit={async () => {
        const { data } = await api.PATCH('/v1/workflows/{id}', {
          params: { path: { id: workflow.id } },
          body: { name: name.trim() },
        })
        if (data) updateCache(data)
      }}
    >
      <TextInput
        label={t('workflows.name')}
        value={name}
        maxLength={100}
        required
        error={isEmpty && name.trim() === '' ? t('workflows.nameMissing') : undefined}
        data-autofocus
        onBlur={() => setIsEmpty(true)}
        onChange={event => setName(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
