import { Button } from '@mantine/core'
import { getRouteApi, Link, Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { toRows } from '../../api/pages.ts'
import { useIsOwner, useSession } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { type Column, List } from '../../ui/list/List.tsx'
import { Page } from '../../ui/Page.tsx'
import { Time } from '../../ui/Time.tsx'
import ui from '../../ui/ui.module.css'
import { Invite } from './Invite.tsx'
import { MemberStatus } from './MemberStatus.tsx'
import { type Member, memberName, useTeam } from './members.ts'

const route = getRouteApi('/signed/team')

/** Team page: members, pending invitations and roles. */
export const Team = () => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const navigate = useNavigate()
  const { id } = useParams({ strict: false }) as { id?: string }
  const { user } = useSession()
  const search = route.useSearch()
  const isInviting = isOwner && search.new === true
  const setIsInviting = (isOpen: boolean) =>
    void navigate({ to: '/team', search: isOpen ? { new: true } : {}, replace: true })
  const query = useTeam()

  const columns: Column<Member>[] = [
    {
      key: 'name',
      title: t('team.name'),
      width: 'minmax(150px, 1.2fr)',
      phone: 'title',
      cell: row => (
        <Link className={ui.rowLink} to="/team/$id" params={{ id: row.id }}>
          <bdi>{row.userId === user.id ? t('team.you', { name: memberName(row) }) : memberName(row)}</bdi>
        </Link>
      ),
    },
    {
      key: 'email',
      title: t('team.email'),
      width: 'minmax(150px, 1fr)',
      phone: 'below',
      // A member without a name is already listed by email.
      cell: row => row.name && row.email,
    },
    { key: 'role', title: t('team.role'), width: '80px', phone: 'end', cell: row => t(`team.role.${row.role}`) },
    {
      key: 'status',
      title: t('team.status'),
      width: '140px',
      phone: 'aside',
      cell: row => <MemberStatus member={row} />,
    },
    {
      key: 'since',
      title: t('team.since'),
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
        title={t('team.title')}
        text={t('team.text')}
        readOnly={!isOwner}
        actions={isOwner && <Button onClick={() => setIsInviting(true)}>{t('team.invite')}</Button>}
      >
        <List
          title={t('team.title')}
          columns={columns}
          rows={toRows(query)}
          getId={row => row.id}
          selected={id}
          open={row => void navigate({ to: '/team/$id', params: { id: row.id } })}
          empty={<Empty title={t('team.title')} text={t('team.text')} />}
        />
        <Invite opened={isInviting} onClose={() => setIsInviting(false)} />
      </Page>
      <Outlet />
    </div>
  )
}
