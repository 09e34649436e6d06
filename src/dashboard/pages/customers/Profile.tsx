import { Button, Group, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Editable } from '../../ui/form/Editable.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { Id } from '../../ui/Id.tsx'
import { Facts, Section } from '../../ui/Panel.tsx'
import { Time } from '../../ui/Time.tsx'
import { Clamp } from '../../ui/text/Clamp.tsx'
import ui from '../../ui/ui.module.css'
import { useNotify } from '../../ui/useNotify.tsx'
import { formatAttribute, parseAttribute } from './attribute.ts'
import styles from './customers.module.css'
import { identityErrors, maxIdentityLength, useIdentityRules } from './identity.tsx'
import { useChangeCustomer } from './useChangeCustomer.ts'

type Customer = Schemas['Customer']

const maxValueLines = 4

export const Profile = ({ customer }: { customer: Customer }) => {
  const t = useTranslate()
  const change = useChangeCustomer(customer)
  const rules = useIdentityRules()
  const identifiesWith = (other: string | null) => (text: string) =>
    text.trim() || other !== null ? null : t('customers.identityMissing')
  const validate: { [Field in keyof typeof maxIdentityLength]?: (text: string) => string | null } = {
    phone: text => rules.phone(text) ?? identifiesWith(customer.externalId)(text),
    externalId: identifiesWith(customer.phone),
    email: rules.email,
  }
  const field = (name: 'name' | 'phone' | 'email' | 'externalId', description?: string) => (
    <Editable
      label={t(`customers.${name}`)}
      value={customer[name] ?? ''}
      draft={`customers.${customer.id}.${name}`}
      onSave={typed => change({ [name]: typed || null })}
      maxLength={maxIdentityLength[name]}
      validate={validate[name]}
      errorsOf={identityErrors}
      {...(description && { description })}
    >
      {customer[name] === null ? (
        <span className={styles.quiet}>{t('customers.none')}</span>
      ) : (
        <bdi className={name === 'phone' ? 'tabular' : undefined}>{customer[name]}</bdi>
      )}
    </Editable>
  )
  return (
    <Section title={t('customers.profile')}>
      <Facts
        items={{
          [t('customers.name')]: field('name'),
          [t('customers.phone')]: field('phone', t('customers.phoneHint')),
          [t('customers.email')]: field('email'),
          [t('customers.externalId')]: field('externalId'),
          [t('customers.since')]: <Time at={customer.createdAt} exact="minutes" />,
          [t('customers.changed')]: <Time at={customer.updatedAt} exact="minutes" />,
          [t('customers.customerId')]: <Id value={customer.id} full />,
        }}
      />
    </Section>
  )
}

export const Attributes = ({ customer }: { customer: Customer }) => {
  const t = useTranslate()
  const notify = useNotify()
  const change = useChangeCustomer(customer)
  const [isAdding, dialog] = useDisclosure(false)
  const remove = async (name: string, value: unknown) => {
    await change({ attributes: { [name]: null } })
    notify(t('customers.attributeRemoved', { name }), () => change({ attributes: { [name]: value } }))
  }
  const attributes = Object.entries(customer.attributes as Record<string, unknown>).toSorted(([a], [b]) =>
    a.localeCompare(b),
  )
  return (
    <Section
      title={t('customers.attributes')}
      actions={
        <Button size="compact-xs" variant="default" onClick={dialog.open}>
          {t('customers.attributeAdd')}
        </Button>
      }
    >
      {attributes.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('customers.attributesEmpty')} {t('customers.attributesText')}
        </Text>
      )}
      <div className={styles.attributes}>
        <Facts
          items={Object.fromEntries(
            attributes.map(([name, value]) => [
              name,
              <Group key={name} gap="xs" wrap="nowrap" align="baseline">
                <div className={styles.grow}>
                  <Editable
                    label={name}
                    value={formatAttribute(value)}
                    draft={`customers.${customer.id}.attribute.${name}`}
                    description={t('customers.attributeHint')}
                    onSave={typed => change({ attributes: { [name]: parseAttribute(typed) } })}
                  >
                    <Clamp lines={maxValueLines}>
                      <bdi>{formatAttribute(value)}</bdi>
                    </Clamp>
                  </Editable>
                </div>
                <UnstyledButton
                  className={ui.quiet}
                  aria-label={t('customers.attributeRemove', { name })}
                  onClick={() => void remove(name, value).catch(notify.error)}
                >
                  {t('customers.remove')}
                </UnstyledButton>
              </Group>,
            ]),
          )}
        />
      </div>
      <NewAttribute
        opened={isAdding}
        draft={`customers.${customer.id}.newAttribute`}
        onClose={dialog.close}
        onAdd={(name, value) => change({ attributes: { [name]: value } })}
      />
    </Section>
  )
}

const NewAttribute = ({
  opened,
  draft,
  onClose,
  onAdd,
}: {
  opened: boolean
  draft: string
  onClose: () => void
  onAdd: (name: string, value: unknown) => Promise<void>
}) => {
  const t = useTranslate()
  const missing = (text: string) => (text.trim() ? null : t('form.missing'))
  const apiForm = useApiForm({
    draft,
    initial: { name: '', value: '' },
    validate: { name: missing, value: missing },
    onSubmit: async ({ name, value }) => {
      await onAdd(name.trim(), parseAttribute(value))
      apiForm.reset()
      onClose()
    },
  })
  const { form } = apiForm
  return (
    <FormDialog
      opened={opened}
      title={t('customers.attributeAdd')}
      text={t('customers.attributesText')}
      action={t('customers.attributeAdd')}
      onClose={onClose}
      form={apiForm}
    >
      <Stack gap="sm">
        <TextInput
          {...form.getInputProps('name')}
          label={t('customers.attributeName')}
          maxLength={100}
          data-autofocus
        />
        <TextInput
          {...form.getInputProps('value')}
          label={t('customers.attributeValue')}
          description={t('customers.attributeHint')}
        />
      </Stack>
    </FormDialog>
  )
}
