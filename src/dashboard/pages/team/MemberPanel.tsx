import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { toRows } from '../../api/pages.ts'
import { clearWorkspace } from '../../api/workspace.ts'
import { useIsOwner, useSession } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Confirm } from '../../ui/form/Confirm.tsx'
import { shortName } from '../../ui/formats.ts'
import { Facts, Panel, Section } from '../../ui/Panel.tsx'
import { Time } from '../../ui/Time.tsx'
import { useNotify } from '../../ui/useNotify.tsx'
import { Invite } from './Invite.tsx'
import { MemberAvatar } from './MemberAvatar.tsx'
import { MemberStatus, SecondFactor } from './MemberStatus.tsx'
import { MemberTokens } from './MemberTokens.tsx'
import { type Member, memberName, removeMember, useInvalidateMembers, useTeam } from './members.ts'
import { RoleChoice, RoleName } from './Role.tsx'
import styles from './team.module.css'

const route = getRouteApi('/signed/team/$id')

/** Side panel of a member: the role, the tokens of a service account, and the removal. */
export const MemberPanel = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const { id } = route.useParams()
  const team = useTeam()
  const { rows, failure, retry, loadMore: more, loadingMore } = toRows(team)
  const member = rows?.find(row => row.id === id)
  return (
    <Panel
      title={member ? <MemberTitle member={member} /> : t('team.member')}
      onClose={() => void navigate({ to: '/team' })}
    >
      {failure && !rows ? <Failure error={failure} retry={retry} /> : null}
      {!rows && !failure && <Skeleton height={160} mt="md" />}
      {rows && !member && (
        <Stack gap="sm" align="flex-start" pt="md">
          <Text size="sm">{t('team.memberNotFound')}</Text>
          {more && (
            <Button variant="default" loading={loadingMore} onClick={more}>
              {t('list.more')}
            </Button>
          )}
        </Stack>
      )}
      {member && <MemberDetails key={member.id} member={member} />}
    </Panel>
  )
}

const MemberTitle = ({ member }: { member: Member }) => {
  const t = useTranslate()
  return (
    <span className={styles.member}>
      <MemberAvatar member={member} size={40} />
      <span>
        <bdi>{memberName(member)}</bdi>
        {member.name && <span className={styles.memberEmail}>{member.email ?? t('team.service')}</span>}
      </span>
    </span>
  )
}

const MemberDetails = ({ member }: { member: Member }) => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  return (
    <>
      <Section title={t('team.details')}>
        <Facts
          items={{
            [t('team.status')]: <MemberStatus member={member} />,
            [t('team.role')]: isOwner ? null : <RoleName role={member.role} />,
            [t('team.secondFactor')]: member.secondFactor !== null && <SecondFactor member={member} />,
            [t('team.invited')]: member.invitedAt && <Time at={member.invitedAt} exact />,
            [t(member.kind === 'service' ? 'team.created' : 'team.joined')]: member.joinedAt && (
              <Time at={member.joinedAt} exact />
            ),
          }}
        />
      </Section>
      {isOwner && <Role member={member} />}
      {isOwner && member.kind === 'service' && <MemberTokens member={member} />}
      {isOwner && <RemoveMember member={member} />}
    </>
  )
}

/** Role of a member. A change is saved immediately and can be undone. Full access is confirmed first. */
const Role = ({ member }: { member: Member }) => {
  const t = useTranslate()
  const notify = useNotify()
  const queries = useQueryClient()
  const invalidate = useInvalidateMembers()
  const { user } = useSession()
  const [failure, setFailure] = useState<unknown>(null)
  const [isConfirming, dialog] = useDisclosure(false)
  const name = memberName(member)
  const changeRole = async (role: Member['role']) => {
    await api.PATCH('/v1/members/{id}', { params: { path: { id: member.id } }, body: { role } })
    // The person's own role decides what the dashboard shows, so everything is fetched again.
    await (member.userId === user.id ? queries.invalidateQueries() : invalidate())
  }
  const saveRole = async (role: Member['role']) => {
    await changeRole(role)
    // A person who gave up the owner role is not allowed to undo it.
    const canUndo = member.userId !== user.id
    notify(t('team.changed', { name, role }), canUndo ? () => changeRole(member.role) : undefined)
  }
  const selectRole = async (role: Member['role']) => {
    if (role === 'owner') return dialog.open()
    setFailure(null)
    try {
      await saveRole(role)
    } catch (error) {
      setFailure(error)
    }
  }
  return (
    <Section title={t('team.role')}>
      <Text size="sm" c="dimmed" mb="sm">
        {t('settings.savedImmediately')}
      </Text>
      <RoleChoice name={t('team.roleOf', { name })} value={member.role} onChange={role => void selectRole(role)} />
      {failure !== null && <Failure error={failure} />}
      <Confirm
        opened={isConfirming}
        title={t('team.makeOwnerTitle', { name: shortName(name) })}
        action={t('team.makeOwner')}
        danger={false}
        onClose={dialog.close}
        onConfirm={() => saveRole('owner')}
      >
        {t('team.makeOwnerText')}
      </Confirm>
    </Section>
  )
}

const RemoveMember = ({ member }: { member: Member }) => {
  const t = useTranslate()
  const notify = useNotify()
  const navigate = useNavigate()
  const invalidate = useInvalidateMembers()
  const { user } = useSession()
  const [isConfirming, dialog] = useDisclosure(false)
  const [isInviting, invitation] = useDisclosure(false)
  const name = memberName(member)
  const isMe = member.userId === user.id
  const kind = isMe
    ? 'leave'
    : member.status === 'invited'
      ? 'withdraw'
      : member.kind === 'service'
        ? 'removeService'
        : 'remove'
  const leave = async () => {
    await removeMember(member.id)
    if (isMe) {
      clearWorkspace()
      location.assign('/')
      return
    }
    await navigate({ to: '/team' })
    notify(t(kind === 'withdraw' ? 'team.withdrawn' : 'team.removed', { name }))
    void invalidate()
  }
  return (
    <Section title={t(kind === 'withdraw' ? 'team.invitation' : 'team.access')}>
      <Group gap="sm">
        {member.status === 'invited' && <Button onClick={invitation.open}>{t('team.inviteAgain')}</Button>}
        <Button variant="default" c="var(--mantine-color-error)" onClick={dialog.open}>
          {t(`team.${kind}`)}
        </Button>
        {!isMe && member.userId !== null && (
          <Button
            variant="subtle"
            renderRoot={(props: object) => <Link {...props} to="/audit" search={{ actorId: member.userId! }} />}
          >
            {t('team.viewAudit')}
          </Button>
        )}
      </Group>
      <Invite
        opened={isInviting}
        member={member}
        onClose={invitation.close}
        onInvited={invited => void navigate({ to: '/team/$id', params: { id: invited.id } })}
      />
      <Confirm
        opened={isConfirming}
        title={t(`team.${kind}Title`, { name: shortName(name) })}
        action={t(`team.${kind}`)}
        onClose={dialog.close}
        onConfirm={leave}
      >
        {t(`team.${kind}Text`)}
      </Confirm>
    </Section>
  )
}
