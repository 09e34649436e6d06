import { Anchor, Skeleton, Stack, Switch, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { accountPath } from '../../shell/navigation.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Editable } from '../../ui/form/Editable.tsx'
import { ZoneSelect } from '../../ui/form/ZoneSelect.tsx'
import { Id } from '../../ui/Id.tsx'
import { Facts, Panel, Section } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { useNotify } from '../../ui/useNotify.tsx'

/** Side panel with the settings of the workspace: name, time zone, and whether all members need a second factor. */
export const WorkspacePanel = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const query = hooks.useQuery('get', '/v1/workspace')
  const workspace = query.data
  return (
    <Panel title={t('team.workspace')} onClose={() => void navigate({ to: '/team' })}>
      {query.error && !workspace && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={160} mt="md" />}
      {workspace && <Settings workspace={workspace} />}
    </Panel>
  )
}

const Settings = ({ workspace }: { workspace: Schemas['Workspace'] }) => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const notify = useNotify()
  const queries = useQueryClient()
  const [failure, setFailure] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const change = async (body: Schemas['ChangeWorkspace']) => {
    const { data } = await api.PATCH('/v1/workspace', { body })
    queries.setQueryData(hooks.queryOptions('get', '/v1/workspace').queryKey, data)
    if (body.name !== undefined) void queries.invalidateQueries({ queryKey: ['get', '/v1/auth/session'] })
  }
  const setRequirement = async (requireSecondFactor: boolean) => {
    setBusy(true)
    setFailure(null)
    try {
      await change({ requireSecondFactor })
      notify(t(requireSecondFactor ? 'team.secondFactorOn' : 'team.secondFactorOff'))
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const changeTimezone = (timezone: string) =>
    change({ timezone }).then(() => notify(t('team.saved'), () => change({ timezone: workspace.timezone })), setFailure)
  return (
    <>
      <Section title={t('team.workspace')}>
        <Facts
          items={{
            [t('team.workspaceName')]: isOwner ? (
              <Editable
                label={t('team.workspaceName')}
                value={workspace.name}
                draft="team.workspace.name"
                onSave={name => change({ name })}
              >
                <bdi>{workspace.name}</bdi>
              </Editable>
            ) : (
              <bdi>{workspace.name}</bdi>
            ),
            [t('team.workspaceZone')]: isOwner ? (
              <ZoneSelect
                label={t('team.workspaceZone')}
                description={t('team.workspaceZoneHint')}
                value={workspace.timezone}
                onChange={zone => zone !== null && void changeTimezone(zone)}
              />
            ) : (
              workspace.timezone
            ),
            [t('team.workspaceSince')]: <Time at={workspace.createdAt} />,
            [t('team.workspaceId')]: <Id value={workspace.id} />,
          }}
        />
      </Section>
      <Section
        title={t('team.secondFactor')}
        actions={
          <Status tone={workspace.requireSecondFactor ? 'done' : 'off'}>
            {t(workspace.requireSecondFactor ? 'team.required' : 'team.notRequired')}
          </Status>
        }
      >
        <Stack gap="sm">
          {isOwner ? (
            <Switch
              label={t('team.secondFactorRequire')}
              description={t('team.secondFactorHint')}
              checked={workspace.requireSecondFactor}
              disabled={busy}
              onChange={event => void setRequirement(event.currentTarget.checked)}
            />
          ) : (
            <Text size="sm">{t('team.secondFactorHint')}</Text>
          )}
          {failure !== null && <Failure error={failure} />}
          <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to={accountPath} />}>
            {t('team.secondFactorOwn')}
          </Anchor>
        </Stack>
      </Section>
    </>
  )
}
