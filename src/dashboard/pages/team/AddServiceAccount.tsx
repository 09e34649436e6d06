import { TextInput } from '@mantine/core'
import { api } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { type Member, useInvalidateMembers } from './members.ts'
import { RoleChoice } from './Role.tsx'

/** Dialog that adds a service account. Its tokens are created afterwards, in its side panel. */
export const AddServiceAccount = ({
  opened,
  onClose,
  onAdded,
}: {
  opened: boolean
  onClose: () => void
  onAdded: (id: string) => void
}) => {
  const t = useTranslate()
  const invalidate = useInvalidateMembers()
  const apiForm = useApiForm({
    draft: 'team.service.new',
    initial: { name: '', role: 'agent' as Member['role'] },
    validate: { name: name => (name.trim() === '' ? t('team.serviceNameMissing') : null) },
    onSubmit: async ({ name, role }) => {
      const { data } = await api.POST('/v1/members', { body: { kind: 'service', name: name.trim(), role } })
      apiForm.reset()
      onClose()
      await invalidate()
      onAdded(data!.id)
    },
  })
  const { form } = apiForm
  return (
    <FormDialog
      opened={opened}
      title={t('team.serviceAdd')}
      text={t('team.serviceText')}
      action={t('team.serviceAdd')}
      onClose={onClose}
      form={apiForm}
    >
      <TextInput
        {...form.getInputProps('name')}
        label={t('team.name')}
        placeholder={t('team.serviceExample')}
        maxLength={100}
        autoComplete="off"
        data-autofocus
      />
      <RoleChoice label={t('team.role')} value={form.values.role} onChange={role => form.setFieldValue('role', role)} />
    </FormDialog>
  )
}
