import { Button, Group, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { Schemas } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { useDraft } from '../../ui/draft.ts'
import { Editable } from '../../ui/Editable.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Id } from '../../ui/Id.tsx'
import { Facts, Section } from '../../ui/Panel.tsx'
import { Time } from '../../ui/Time.tsx'
import { useTell } from '../../ui/told.tsx'
import ui from '../../ui/ui.module.css'
import { attributeOfText, textOfAttribute } from './attribute.ts'
import styles from './customers.module.css'
import { useChange } from './useChange.ts'

type Customer = Schemas['Customer']

export const Profile = ({ customer }: { customer: Customer }) => {
  const say = useTexts()
  const change = useChange(customer)
  const field = (name: 'name' | 'phone' | 'email' | 'externalId', description?: string) => (
    <Editable
      label={say(`customers.${name}`)}
      value={customer[name] ?? ''}
      draft={`customers.${customer.id}.${name}`}
      onSave={typed => change({ [name]: typed || null })}
      {...(description && { description })}
    >
      {customer[name] === null ? (
        <span className={styles.quiet}>{say('customers.none')}</span>
      ) : (
        <bdi className={name === 'phone' ? 'tabular' : undefined}>{customer[name]}</bdi>
      )}
    </Editable>
  )
  return (
    <Section title={say('customers.profile')}>
      <Facts
        of={{
          [say('customers.name')]: field('name'),
          [say('customers.phone')]: field('phone', say('customers.phoneHint')),
          [say('customers.email')]: field('email'),
          [say('customers.externalId')]: field('externalId'),
          [say('customers.since')]: <Time at={customer.createdAt} exact />,
          [say('customers.changed')]: <Time at={customer.updatedAt} />,
          [say('customers.itsId')]: <Id value={customer.id} />,
        }}
      />
    </Section>
  )
}

export const Attributes = ({ customer }: { customer: Customer }) => {
  const say = useTexts()
  const tell = useTell()
  const change = useChange(customer)
  const [adding, dialog] = useDisclosure(false)
  const remove = async (name: string, value: unknown) => {
    await change({ attributes: { [name]: null } })
    tell(say('customers.attributeRemoved', { name }), () => change({ attributes: { [name]: value } }))
  }
  const all = Object.entries(customer.attributes as Record<string, unknown>).toSorted(([a], [b]) => a.localeCompare(b))
  return (
    <Section
      title={say('customers.attributes')}
      actions={
        <Button size="compact-xs" variant="default" onClick={dialog.open}>
          {say('customers.attributeAdd')}
        </Button>
      }
    >
      {all.length === 0 && (
        <Text size="sm" c="dimmed">
          {say('customers.attributesEmpty')} {say('customers.attributesText')}
        </Text>
      )}
      <Facts
        of={Object.fromEntries(
          all.map(([name, value]) => [
            name,
            <Group key={name} gap="xs" wrap="nowrap" align="baseline">
              <div className={styles.grow}>
                <Editable
                  label={name}
                  value={textOfAttribute(value)}
                  draft={`customers.${customer.id}.attribute.${name}`}
                  description={say('customers.attributeHint')}
                  onSave={typed => change({ attributes: { [name]: attributeOfText(typed) } })}
                >
                  <bdi>{textOfAttribute(value)}</bdi>
                </Editable>
              </div>
              <UnstyledButton
                className={ui.quiet}
                aria-label={say('customers.attributeRemove', { name })}
                onClick={() => void remove(name, value).catch(() => {})}
              >
                {say('customers.remove')}
              </UnstyledButton>
            </Group>,
          ]),
        )}
      />
      <NewAttribute
        opened={adding}
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
  const say = useTexts()
  const [name, setName, clearName] = useDraft(`${draft}.name`)
  const [value, setValue, clearValue] = useDraft(`${draft}.value`)
  return (
    <FormDialog
      opened={opened}
      title={say('customers.attributeAdd')}
      text={say('customers.attributesText')}
      action={say('customers.attributeAdd')}
      onClose={onClose}
      onSubmit={async () => {
        await onAdd(name.trim(), attributeOfText(value))
        clearName()
        clearValue()
      }}
    >
      <Stack gap="sm">
        <TextInput
          label={say('customers.attributeName')}
          required
          withAsterisk={false}
          maxLength={100}
          data-autofocus
          value={name}
          onChange={event => setName(event.currentTarget.value)}
        />
        <TextInput
          label={say('customers.attributeValue')}
          description={say('customers.attributeHint')}
          required
          withAsterisk={false}
          value={value}
          onChange={event => setValue(event.currentTarget.value)}
        />
      </Stack>
    </FormDialog>
  )
}
