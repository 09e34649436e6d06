import { Button, Group, Radio, Skeleton, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { rowsOf } from '../../api/pages.ts'
import { forgetWorkspace } from '../../api/workspace.ts'
import { useIsOwner, useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Facts, Panel, Section } from '../../ui/Panel.tsx'
import { Time } from '../../ui/Time.tsx'
import { useTell } from '../../ui/told.tsx'
import { Invite } from './Invite.tsx'
import { hasExpired, type Member, memberName, useMembersAnew, useTeam } from './members.ts'
import { Standing } from './Standing.tsx'

/** Side panel of a member: the role and the removal. */
export const MemberPanel = () => {
  const say = useTexts()
  const navigate = useNavigate()
  const { id } = useParams({ strict: false }) as { id: string }
  const team = useTeam()
  const { rows, failure, retry, more, loadingMore } = rowsOf(team)
  const member = rows?.find(row => row.id === id)
  return (
    <Panel
      title={member ? <bdi>{memberName(member)}</bdi> : say('team.member')}
      onClose={() => void navigate({ to: '/team' })}
    >
      {failure && !rows ? <Failure of={failure} retry={retry} /> : null}
      {!rows && !failure && <Skeleton height={160} mt="md" />}
      {rows && !member && (
        <Stack gap="sm" align="flex-start" pt="md">
          <Text size="sm">{say('team.notHere')}</Text>
          {more && (
            <Button variant="default" loading={loadingMore} onClick={more}>
              {say('list.more')}
            </Button>
          )}
        </Stack>
      )}
      {member && <Whole key={member.id} member={member} />}
    </Panel>
  )
}

const Whole = ({ member }: { member: Member }) => {
  const say = useTexts()
  const owner = useIsOwner()
  return (
    <>
      <Section title={say('team.member')}>
        <Facts
          of={{
            [say('team.name')]: member.name && <bdi>{member.name}</bdi>,
            [say('team.email')]: member.email,
            [say('team.status')]: <Standing of={member} />,
            [say('team.role')]: owner ? null : say(`team.role.${member.role}`),
            [say('team.invited')]: member.invitedAt && <Time at={member.invitedAt} exact />,
            [say('team.joined')]: member.joinedAt && <Time at={member.joinedAt} exact />,
          }}
        />
      </Section>
      {owner && <Role of={member} />}
      {owner && <WayOut of={member} />}
    </>
  )
}

/** Role of a member. A change is saved immediately and can be undone. */
const Role = ({ of }: { of: Member }) => {
  const say = useTexts()
  const tell = useTell()
  const queries = useQueryClient()
  const anew = useMembersAnew()
  const { user } = useSession()
  const [failure, setFailure] = useState<unknown>(null)
  const become = async (role: Member['role']) => {
    await api.PATCH('/v1/members/{id}', { params: { path: { id: of.id } }, body: { role } })
    // The person's own role decides what the dashboard shows, so everything is fetched again.
    await (of.userId === user.id ? queries.invalidateQueries() : anew())
  }
  const choose = async (role: Member['role']) => {
    setFailure(null)
    try {
      await become(role)
      // A person who gave up the owner role is not allowed to undo it.
      const mayUndo = of.userId !== user.id
      tell(say('team.changed', { name: memberName(of), role }), mayUndo ? () => become(of.role) : undefined)
    } catch (error) {
      setFailure(error)
    }
  }
  return (
    <Section title={say('team.role')}>
      <Radio.Group
        aria-label={say('team.roleOf', { name: memberName(of) })}
        value={of.role}
        onChange={role => void choose(role as Member['role'])}
      >
        <Stack gap="sm">
          {(['agent', 'owner'] as const).map(value => (
            <Radio
              key={value}
              value={value}
              label={say(`team.role.${value}`)}
              description={say(`team.roleHint.${value}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      {failure !== null && <Failure of={failure} />}
    </Section>
  )
}

const WayOut = ({ of }: { of: Member }) => {
  const say = useTexts()
  const tell = useTell()
  const navigate = useNavigate()
  const anew = useMembersAnew()
  const { user } = useSession()
  const [asking, dialog] = useDisclosure(false)
  const [inviting, invitation] = useDisclosure(false)
  const name = memberName(of)
  const isMe = of.userId === user.id
  const kind = isMe ? 'leave' : of.status === 'invited' ? 'withdraw' : 'remove'
  const leave = async () => {
    await api.DELETE('/v1/members/{id}', { params: { path: { id: of.id } } })
    if (isMe) {
      forgetWorkspace()
      location.assign('/')
      return
    }
    await navigate({ to: '/team' })
    tell(say(kind === 'withdraw' ? 'team.withdrawn' : 'team.removed', { name }))
    void anew()
  }
  return (
    <Section title={say(kind === 'withdraw' ? 'team.invitation' : 'team.membership')}>
      <Group gap="sm">
        {hasExpired(of) && <Button onClick={invitation.open}>{say('team.inviteAgain')}</Button>}
        <Button variant="default" onClick={dialog.open}>
          {say(`team.${kind}`)}
        </Button>
        {!isMe && of.userId !== null && (
          <Button
            variant="subtle"
            renderRoot={(props: object) => <Link {...props} to="/audit" search={{ actorId: of.userId! }} />}
          >
            {say('team.whatTheyDid')}
          </Button>
        )}
      </Group>
      <Invite opened={inviting} again={of} onClose={invitation.close} />
      <Confirm
        opened={asking}
        title={say(`team.${kind}Title`, { name })}
        action={say(`team.${kind}`)}
        onClose={dialog.close}
        onConfirm={leave}
      >
        {say(`team.${kind}Text`)}
      </Confirm>
    </Section>
  )
}
