import { Anchor, Skeleton, Stack, Switch, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { accountPath } from '../../shell/navigation.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Editable } from '../../ui/Editable.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Id } from '../../ui/Id.tsx'
import { Facts, Panel, Section } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { useTell } from '../../ui/told.tsx'
import { ZoneSelect } from '../../ui/ZoneSelect.tsx'

/** Side panel with the settings of the workspace: name, time zone, and whether all members need a second factor. */
export const WorkspacePanel = () => {
  const say = useTexts()
  const navigate = useNavigate()
  const query = hooks.useQuery('get', '/v1/workspace')
  const workspace = query.data
  return (
    <Panel title={say('team.workspace')} onClose={() => void navigate({ to: '/team' })}>
      {query.error && !workspace && <Failure of={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={160} mt="md" />}
      {workspace && <Settings workspace={workspace} />}
    </Panel>
  )
}

const Settings = ({ workspace }: { workspace: Schemas['Workspace'] }) => {
  const say = useTexts()
  const owner = useIsOwner()
  const tell = useTell()
  const queries = useQueryClient()
  const [failure, setFailure] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const change = async (body: Schemas['ChangeWorkspace']) => {
    const { data } = await api.PATCH('/v1/workspace', { body })
    queries.setQueryData(hooks.queryOptions('get', '/v1/workspace').queryKey, data)
    if (body.name !== undefined) void queries.invalidateQueries({ queryKey: ['get', '/v1/auth/session'] })
  }
  const require = async (requireSecondFactor: boolean) => {
    setBusy(true)
    setFailure(null)
    try {
      await change({ requireSecondFactor })
      tell(say(requireSecondFactor ? 'team.secondFactorOn' : 'team.secondFactorOff'))
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const move = (timezone: string) =>
    change({ timezone }).then(() => tell(say('team.saved'), () => change({ timezone: workspace.timezone })), setFailure)
  return (
    <>
      <Section title={say('team.workspace')}>
        <Facts
          of={{
            [say('team.workspaceName')]: owner ? (
              <Editable
                label={say('team.workspaceName')}
                value={workspace.name}
                draft="team.workspace.name"
                onSave={name => change({ name })}
              >
                <bdi>{workspace.name}</bdi>
              </Editable>
            ) : (
              <bdi>{workspace.name}</bdi>
            ),
            [say('team.workspaceZone')]: owner ? (
              <ZoneSelect
                label={say('team.workspaceZone')}
                description={say('team.workspaceZoneHint')}
                value={workspace.timezone}
                onChange={zone => zone !== null && void move(zone)}
              />
            ) : (
              workspace.timezone
            ),
            [say('team.workspaceSince')]: <Time at={workspace.createdAt} />,
            [say('team.workspaceId')]: <Id value={workspace.id} />,
          }}
        />
      </Section>
      <Section
        title={say('team.secondFactor')}
        actions={
          <Status tone={workspace.requireSecondFactor ? 'done' : 'off'}>
            {say(workspace.requireSecondFactor ? 'team.required' : 'team.notRequired')}
          </Status>
        }
      >
        <Stack gap="sm">
          {owner ? (
            <Switch
              label={say('team.secondFactorRequire')}
              description={say('team.secondFactorHint')}
              checked={workspace.requireSecondFactor}
              disabled={busy}
              onChange={event => void require(event.currentTarget.checked)}
            />
          ) : (
            <Text size="sm">{say('team.secondFactorHint')}</Text>
          )}
          {failure !== null && <Failure of={failure} />}
          <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to={accountPath} />}>
            {say('team.secondFactorOwn')}
          </Anchor>
        </Stack>
      </Section>
    </>
  )
}
