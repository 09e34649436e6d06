import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { identityErrors, maxIdentityLength, useIdentityRules } from './identity.tsx'

/** Dialog that creates a customer and opens the customer's page. */
export const NewCustomer = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const t = useTranslate()
  const navigate = useNavigate()
  const rules = useIdentityRules()
  const apiForm = useApiForm({
    draft: 'customers.new',
    initial: { name: '', phone: '', email: '', externalId: '' },
    validate: {
      phone: (phone, { externalId }) =>
        phone.trim() || externalId.trim() ? rules.phone(phone) : t('customers.identityMissing'),
      email: rules.email,
    },
    errorsOf: identityErrors,
    onSubmit: async ({ name, phone, email, externalId }) => {
      const { data } = await api.POST('/v1/customers', {
        body: {
          ...(name.trim() && { name: name.trim() }),
          ...(phone.trim() && { phone: phone.trim() }),
          ...(email.trim() && { email: email.trim() }),
          ...(externalId.trim() && { externalId: externalId.trim() }),
        },
      })
      apiForm.reset()
      await navigate({ to: '/customers/$id', params: { id: data!.id } })
    },
  })
  const { form } = apiForm
  const optional = (label: string) => `${label} (${t('team.optional')})`
  return (
    <FormDialog
      opened={opened}
      title={t('customers.new')}
      text={t('customers.newText')}
      action={t('customers.create')}
      onClose={onClose}
      form={apiForm}
    >
      <TextInput
        {...form.getInputProps('phone')}
        label={t('customers.phone')}
        description={t('customers.phoneHint')}
        type="tel"
        data-autofocus
      />
      <TextInput
        {...form.getInputProps('externalId')}
        label={t('customers.externalId')}
        maxLength={maxIdentityLength.externalId}
      />
      <TextInput
        {...form.getInputProps('name')}
        label={optional(t('customers.name'))}
        maxLength={maxIdentityLength.name}
      />
      <TextInput
        {...form.getInputProps('email')}
        label={optional(t('customers.email'))}
        type="email"
        maxLength={maxIdentityLength.email}
      />
    </FormDialog>
  )
}
