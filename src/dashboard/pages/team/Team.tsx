import { Button, Group, Select } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import { Failure as ApiFailure, api, hooks, type Schemas } from '../../api/client.ts'
import { byCursor, rowsOf } from '../../api/pages.ts'
import { forgetWorkspace } from '../../api/workspace.ts'
import { useIsOwner, useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { type Column, List } from '../../ui/List.tsx'
import { Page } from '../../ui/Page.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { useTell } from '../../ui/told.tsx'
import ui from '../../ui/ui.module.css'
import { InvitationLink, Invite, type Invited } from './Invite.tsx'

type Member = Schemas['Member']
const pageSize = 50
/** For so long an invitation is good. */
const invitationDays = 7
const dayMs = 86_400_000

const hasExpired = (member: Member): boolean =>
  member.status === 'invited' &&
  member.invitedAt !== null &&
  Date.now() - new Date(member.invitedAt).getTime() > invitationDays * dayMs

/** Who is in the team, whom it waits for, and who may do what. */
export const Team = () => {
  const say = useTexts()
  const owner = useIsOwner()
  const { user } = useSession()
  const [inviting, dialog] = useDisclosure(false)
  const [again, setAgain] = useState<Member | null>(null)
  const [invited, setInvited] = useState<Invited | null>(null)
  const [leaving, setLeaving] = useState<Member | null>(null)
  const query = hooks.useInfiniteQuery('get', '/v1/members', { params: { query: { limit: pageSize } } }, byCursor)
  const nameOf = (member: Member) => member.name || member.email

  const columns: Column<Member>[] = [
    {
      key: 'name',
      title: say('team.name'),
      width: 'minmax(140px, 1fr)',
      phone: 'title',
      cell: row => (
        <bdi className={ui.rowLink}>
          {row.userId === user.id ? say('team.you', { name: nameOf(row) }) : nameOf(row)}
        </bdi>
      ),
    },
    { key: 'email', title: say('team.email'), width: 'minmax(160px, 1.5fr)', phone: 'below', cell: row => row.email },
    { key: 'status', title: say('team.status'), width: '160px', phone: 'aside', cell: row => <Standing of={row} /> },
    {
      key: 'role',
      title: say('team.role'),
      width: '130px',
      phone: 'end',
      cell: row => (owner ? <Role of={row} name={nameOf(row)} /> : say(`team.role.${row.role}`)),
    },
    {
      key: 'since',
      title: say('team.since'),
      width: '110px',
      cell: row => {
        const at = row.joinedAt ?? row.invitedAt
        return at && <Time at={at} />
      },
    },
    ...(owner
      ? [
          {
            key: 'actions',
            title: say('team.actions'),
            width: '190px',
            cell: (row: Member) => (
              <Group gap="xs" wrap="nowrap">
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={say(row.status === 'invited' ? 'team.withdrawWho' : 'team.removeWho', {
                    name: nameOf(row),
                  })}
                  onClick={() => setLeaving(row)}
                >
                  {say(row.status === 'invited' ? 'team.withdraw' : 'team.remove')}
                </Button>
                {hasExpired(row) && (
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={say('team.inviteAgainWho', { name: nameOf(row) })}
                    onClick={() => setAgain(row)}
                  >
                    {say('team.inviteAgain')}
                  </Button>
                )}
              </Group>
            ),
          },
        ]
      : []),
  ]

  return (
    <div className={ui.withPanel}>
      <Page
        title={say('team.title')}
        text={say('team.text')}
        readOnly={!owner}
        actions={
          <>
            <Button variant="default" renderRoot={props => <Link {...props} to="/team/workspace" />}>
              {say('team.workspace')}
            </Button>
            {owner && <Button onClick={dialog.open}>{say('team.invite')}</Button>}
          </>
        }
      >
        <List
          title={say('team.title')}
          columns={columns}
          rows={rowsOf(query)}
          idOf={row => row.id}
          empty={<Empty title={say('team.title')} text={say('team.text')} />}
        />
        <Invite
          opened={inviting || again !== null}
          again={again}
          onClose={() => {
            dialog.close()
            setAgain(null)
          }}
          onInvited={setInvited}
        />
        <InvitationLink invited={invited} onClose={() => setInvited(null)} />
        <Leave member={leaving} onClose={() => setLeaving(null)} />
      </Page>
      <Outlet />
    </div>
  )
}

const Standing = ({ of }: { of: Member }) => {
  const say = useTexts()
  if (of.status === 'active') return <Status tone="done">{say('team.joined')}</Status>
  return hasExpired(of) ? (
    <Status tone="off">{say('team.expired')}</Status>
  ) : (
    <Status tone="moving">{say('team.invited')}</Status>
  )
}

const useMembersAnew = () => {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === '/v1/members' })
}

/** Done at once, and undone as fast. */
const Role = ({ of, name }: { of: Member; name: string }) => {
  const say = useTexts()
  const tell = useTell()
  const queries = useQueryClient()
  const anew = useMembersAnew()
  const { user } = useSession()
  const become = async (role: Member['role']) => {
    await api.PATCH('/v1/members/{id}', { params: { path: { id: of.id } }, body: { role } })
    await anew()
    // One's own role decides what is shown.
    if (of.userId === user.id) void queries.invalidateQueries()
  }
  const choose = async (role: Member['role']) => {
    const before = of.role
    try {
      await become(role)
      tell(say('team.changed', { name, role }), () => become(before))
    } catch (error) {
      tell(error instanceof ApiFailure ? error.message : say('failure.page'))
    }
  }
  return (
    <Select
      size="xs"
      variant="unstyled"
      aria-label={say('team.roleOf', { name })}
      data={(['owner', 'agent'] as const).map(value => ({ value, label: say(`team.role.${value}`) }))}
      value={of.role}
      allowDeselect={false}
      onChange={role => role !== null && role !== of.role && void choose(role)}
    />
  )
}

const Leave = ({ member, onClose }: { member: Member | null; onClose: () => void }) => {
  const say = useTexts()
  const tell = useTell()
  const anew = useMembersAnew()
  const { user } = useSession()
  // What the dialog said stays while it fades.
  const [shown, setShown] = useState(member)
  if (member !== null && member !== shown) setShown(member)
  if (shown === null) return null
  const name = shown.name || shown.email
  const isMe = shown.userId === user.id
  const kind = isMe ? 'leave' : shown.status === 'invited' ? 'withdraw' : 'remove'
  const leave = async () => {
    await api.DELETE('/v1/members/{id}', { params: { path: { id: shown.id } } })
    if (isMe) {
      forgetWorkspace()
      location.assign('/')
      return
    }
    tell(say(kind === 'withdraw' ? 'team.withdrawn' : 'team.removed', { name }))
    void anew()
  }
  return (
    <Confirm
      opened={member !== null}
      title={say(`team.${kind}Title`, { name })}
      action={say(kind === 'leave' ? 'team.leave' : `team.${kind}Action`)}
      onClose={onClose}
      onConfirm={leave}
    >
      {say(`team.${kind}Text`)}
    </Confirm>
  )
}
