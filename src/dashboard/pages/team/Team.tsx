import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { rowsOf } from '../../api/pages.ts'
import { useIsOwner, useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { type Column, List } from '../../ui/List.tsx'
import { Page } from '../../ui/Page.tsx'
import { Time } from '../../ui/Time.tsx'
import ui from '../../ui/ui.module.css'
import { Invite } from './Invite.tsx'
import { type Member, memberName, useTeam } from './members.ts'
import { Standing } from './Standing.tsx'

/** Team page: members, pending invitations and roles. */
export const Team = () => {
  const say = useTexts()
  const owner = useIsOwner()
  const navigate = useNavigate()
  const { id } = useParams({ strict: false }) as { id?: string }
  const { user } = useSession()
  const [inviting, dialog] = useDisclosure(false)
  const query = useTeam()

  const columns: Column<Member>[] = [
    {
      key: 'name',
      title: say('team.name'),
      width: 'minmax(150px, 1.2fr)',
      phone: 'title',
      cell: row => (
        <Link className={ui.rowLink} to="/team/$id" params={{ id: row.id }}>
          <bdi>{row.userId === user.id ? say('team.you', { name: memberName(row) }) : memberName(row)}</bdi>
        </Link>
      ),
    },
    {
      key: 'email',
      title: say('team.email'),
      width: 'minmax(150px, 1fr)',
      phone: 'below',
      // A member without a name is already listed by email.
      cell: row => row.name && row.email,
    },
    { key: 'role', title: say('team.role'), width: '80px', phone: 'end', cell: row => say(`team.role.${row.role}`) },
    { key: 'status', title: say('team.status'), width: '140px', phone: 'aside', cell: row => <Standing of={row} /> },
    {
      key: 'since',
      title: say('team.since'),
      width: '110px',
      cell: row => {
        const at = row.joinedAt ?? row.invitedAt
        return at && <Time at={at} />
      },
    },
  ]

  return (
    <div className={ui.withPanel}>
      <Page
        title={say('team.title')}
        text={say('team.text')}
        readOnly={!owner}
        actions={
          <>
            <Button variant="default" renderRoot={(props: object) => <Link {...props} to="/team/workspace" />}>
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
          selected={id}
          open={row => void navigate({ to: '/team/$id', params: { id: row.id } })}
          empty={<Empty title={say('team.title')} text={say('team.text')} />}
        />
        <Invite opened={inviting} onClose={dialog.close} />
      </Page>
      <Outlet />
    </div>
  )
}
