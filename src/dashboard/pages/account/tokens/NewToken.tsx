import { NumberInput, Radio, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { FormDialog } from '../../../ui/form/FormDialog.tsx'
import { OneTimeSecret, Samples } from '../../../ui/form/OneTimeSecret.tsx'
import { useApiForm } from '../../../ui/form/useApiForm.ts'
import styles from '../account.module.css'
import { firstCalls } from './samples.ts'

type Access = Schemas['TokenAccess']
/** Workspaces in which a token can act, at least one. */
export type Workspaces = readonly [Workspace, ...Workspace[]]
interface Workspace {
  id: string
  name: string
}

const accesses = ['read', 'write'] as const satisfies Access[]
/** Offered lifetimes in days, and one to be entered. */
const lifetimes = ['30', '90', '365', 'custom'] as const
const maxDays = 365

/** Form of a new access token, and then the token, which is shown once. */
export const NewToken = ({
  draft,
  workspaces,
  create,
  onClose,
}: {
  draft: string
  workspaces: Workspaces
  create: (body: Schemas['CreateAccessToken']) => Promise<Schemas['CreatedAccessToken']>
  onClose: () => void
}) => {
  const t = useTranslate()
  const [created, setCreated] = useState<Schemas['CreatedAccessToken'] | null>(null)
  if (!created) {
    const onSubmit = async (body: Schemas['CreateAccessToken']) => setCreated(await create(body))
    return <TokenForm draft={draft} workspaces={workspaces} onSubmit={onSubmit} onClose={onClose} />
  }
  return (
    <OneTimeSecret
      title={t('account.tokenOnce', { name: created.name })}
      label={t('account.token')}
      value={created.token}
      onDone={onClose}
    >
      <Stack gap="xs">
        <Text size="sm">{t('account.tokenFirst')}</Text>
        <Samples title={t('account.tokenFirst')} samples={firstCalls(location.origin, created.token)} />
      </Stack>
    </OneTimeSecret>
  )
}

const TokenForm = ({
  draft,
  workspaces,
  onSubmit,
  onClose,
}: {
  draft: string
  workspaces: Workspaces
  onSubmit: (body: Schemas['CreateAccessToken']) => Promise<void>
  onClose: () => void
}) => {
  const t = useTranslate()
  const apiForm = useApiForm({
    draft,
    initial: {
      name: '',
      access: 'read' as Access,
      lifetime: '90' as (typeof lifetimes)[number],
      expiresInDays: 7 as number | string,
      workspaceId: workspaces[0].id,
    },
    validate: {
      name: name => (name.trim() === '' ? t('account.tokenNameMissing') : null),
      expiresInDays: (days, { lifetime }) =>
        lifetime === 'custom' && !isLifetime(days) ? t('account.tokenDaysInvalid', { max: maxDays }) : null,
    },
    onSubmit: ({ name, access, lifetime, expiresInDays, workspaceId }) =>
      onSubmit({
        name: name.trim(),
        access,
        workspaceId,
        expiresInDays: Number(lifetime === 'custom' ? expiresInDays : lifetime),
      }),
  })
  const { form } = apiForm
  return (
    <FormDialog
      opened
      title={t('account.tokenCreate')}
      action={t('account.tokenCreate')}
      onClose={onClose}
      form={apiForm}
    >
      <TextInput
        {...form.getInputProps('name')}
        label={t('account.tokenName')}
        description={t('account.tokenNameHint')}
        placeholder={t('account.tokenNameExample')}
        maxLength={100}
        autoComplete="off"
        data-autofocus
      />
      <Radio.Group {...form.getInputProps('access')} label={t('account.tokenAccess')}>
        <Stack gap="xs" mt="xs">
          {accesses.map(access => (
            <Radio
              key={access}
              className={styles.choice}
              value={access}
              label={t(`account.tokenAccess.${access}`)}
              description={t(`account.tokenAccessHint.${access}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Select
        {...form.getInputProps('lifetime')}
        label={t('account.tokenLifetime')}
        allowDeselect={false}
        data={lifetimes.map(value => ({
          value,
          label: value === 'custom' ? t('account.tokenLifetimeOther') : t('account.tokenDays', { days: Number(value) }),
        }))}
      />
      {form.values.lifetime === 'custom' && (
        <NumberInput
          {...form.getInputProps('expiresInDays')}
          label={t('account.tokenDaysLabel')}
          min={1}
          max={maxDays}
          clampBehavior="none"
          allowDecimal={false}
          allowNegative={false}
        />
      )}
      {workspaces.length > 1 && (
        <Select
          {...form.getInputProps('workspaceId')}
          label={t('account.tokenWorkspace')}
          allowDeselect={false}
          data={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
    </FormDialog>
  )
}

const isLifetime = (days: number | string): boolean =>
  Number.isInteger(Number(days)) && Number(days) >= 1 && Number(days) <= maxDays
