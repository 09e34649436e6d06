import { Anchor, Skeleton, Stack, Switch, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { accountPath } from '../../shell/navigation.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Confirm } from '../../ui/form/Confirm.tsx'
import { Status } from '../../ui/Status.tsx'
import { useNotify } from '../../ui/useNotify.tsx'
import { AccessRows, useMembers } from './AccessRows.tsx'
import { useChangeWorkspace, useWorkspace } from './useWorkspace.ts'

/** Whether members need two-factor authentication or single sign-on, and where keys, sessions and actions are listed. */
export const SecuritySettings = () => {
  const t = useTranslate()
  const query = useWorkspace()
  return (
    <>
      <Card
        title={t('settings.secondFactor')}
        actions={query.data && <Requirement isRequired={query.data.requireSecondFactor} />}
      >
        {query.error && !query.data && <Failure error={query.error} retry={() => void query.refetch()} />}
        {query.isPending && <Skeleton height={80} />}
        {query.data && <SecondFactor workspace={query.data} />}
      </Card>
      {query.data && <SingleSignOn workspace={query.data} />}
      <Card title={t('settings.access')}>
        <Text size="sm" c="dimmed">
          {t('settings.accessText')}
        </Text>
        <AccessRows />
      </Card>
    </>
  )
}

const Requirement = ({ isRequired }: { isRequired: boolean }) => {
  const t = useTranslate()
  return (
    <Status tone={isRequired ? 'done' : 'off'}>{t(isRequired ? 'settings.required' : 'settings.notRequired')}</Status>
  )
}

/** Whether members need single sign-on. Empty without an identity provider. */
const SingleSignOn = ({ workspace }: { workspace: Schemas['Workspace'] }) => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const notify = useNotify()
  const change = useChangeWorkspace()
  const { data: sso } = hooks.useQuery('get', '/v1/auth/sso')
  const [failure, setFailure] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  if (!sso?.enabled) return null
  const setRequirement = async (requireSso: boolean) => {
    setBusy(true)
    setFailure(null)
    try {
      await change({ requireSso })
      notify(t(requireSso ? 'settings.ssoOn' : 'settings.ssoOff'))
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const hint = t('settings.ssoHint', { provider: sso.provider! })
  return (
    <Card title={t('settings.sso')} actions={<Requirement isRequired={workspace.requireSso} />}>
      <Stack gap="sm" align="flex-start">
        {isOwner ? (
          <Switch
            label={t('settings.ssoRequire')}
            description={hint}
            checked={workspace.requireSso}
            disabled={busy}
            onChange={event => void setRequirement(event.currentTarget.checked)}
          />
        ) : (
          <Text size="sm">{hint}</Text>
        )}
        {failure !== null && <Failure error={failure} />}
      </Stack>
    </Card>
  )
}

const SecondFactor = ({ workspace }: { workspace: Schemas['Workspace'] }) => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const notify = useNotify()
  const change = useChangeWorkspace()
  const own = hooks.useQuery('get', '/v1/auth/totp')
  // Only an owner reads it.
  const team = useMembers().data
  const people = team?.nextCursor === null ? team.data.filter(({ secondFactor }) => secondFactor !== null) : []
  const missing = people.filter(({ secondFactor }) => !secondFactor)
  const [failure, setFailure] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const [isConfirming, dialog] = useDisclosure(false)
  // The API rejects a requirement that the own account does not meet.
  const isFirstOwn = own.data?.enabled === false && !workspace.requireSecondFactor
  const missingText = t('settings.secondFactorMissing', { missing: missing.length, count: people.length })
  const require = async () => {
    await change({ requireSecondFactor: true })
    notify(t('settings.secondFactorOn'))
  }
  const stopRequiring = async () => {
    setBusy(true)
    setFailure(null)
    try {
      await change({ requireSecondFactor: false })
      notify(t('settings.secondFactorOff'))
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Stack gap="sm" align="flex-start">
      {isOwner ? (
        <Switch
          label={t('settings.secondFactorRequire')}
          description={t(isFirstOwn ? 'settings.secondFactorFirst' : 'settings.secondFactorHint')}
          checked={workspace.requireSecondFactor}
          disabled={busy || isFirstOwn}
          onChange={event => (event.currentTarget.checked ? dialog.open() : void stopRequiring())}
        />
      ) : (
        <Text size="sm">{t('settings.secondFactorHint')}</Text>
      )}
      {failure !== null && <Failure error={failure} />}
      {own.data && !own.data.enabled && (
        <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to={accountPath} />}>
          {t('settings.secondFactorOwn')}
        </Anchor>
      )}
      {people.length > 0 && (
        <Text size="sm">
          {missingText}.{' '}
          <Anchor size="sm" underline="always" renderRoot={(props: object) => <Link {...props} to="/team" />}>
            {t('settings.viewTeam')}
          </Anchor>
        </Text>
      )}
      <Confirm
        opened={isConfirming}
        title={t('settings.secondFactorTitle')}
        action={t('settings.secondFactorDo')}
        danger={missing.length > 0}
        onClose={dialog.close}
        onConfirm={require}
      >
        {t('settings.secondFactorHint')} {people.length > 0 && `${missingText}.`}
      </Confirm>
    </Stack>
  )
}
