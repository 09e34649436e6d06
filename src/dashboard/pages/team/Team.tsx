import { Button, Group, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { getRouteApi, Link, Outlet, useMatch, useNavigate } from '@tanstack/react-router'
import { hooks } from '../../api/client.ts'
import { listParams, pageReader, toRows } from '../../api/pages.ts'
import { useIsOwner, useSession } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { UserGroupIcon } from '../../ui/icons.ts'
import { Figures } from '../../ui/list/Figures.tsx'
import { type Column, List } from '../../ui/list/List.tsx'
import { Page } from '../../ui/Page.tsx'
import { CommandLineIcon, UserPlusIcon } from '../../ui/page-icons.ts'
import { Time } from '../../ui/Time.tsx'
import ui from '../../ui/ui.module.css'
import { AddServiceAccount } from './AddServiceAccount.tsx'
import { Invite } from './Invite.tsx'
import { MemberAvatar } from './MemberAvatar.tsx'
import { MemberStatus, SecondFactor } from './MemberStatus.tsx'
import { countMembers, hasExpired, type Member, useTeam } from './members.ts'
import { RoleName } from './Role.tsx'
import styles from './team.module.css'
import { useInvitationActions } from './useInvitationActions.tsx'

const route = getRouteApi('/signed/team')

/** Number of rows up to which the roles are explained below the list. */
const maxShortRows = 8

/** Team page: members, service accounts, pending invitations and roles. */
export const Team = () => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const navigate = useNavigate()
  const id = useMatch({ from: '/signed/team/$id', shouldThrow: false })?.params.id
  const search = route.useSearch()
  const isInviting = isOwner && search.new === true
  const setIsInviting = (isOpen: boolean) =>
    void navigate({ to: '/team', search: isOpen ? { new: true } : {}, replace: true })
  const rows = toRows(useTeam())
  const columns = useColumns()
  const invitationActions = useInvitationActions()
  const isAlone = rows.rows?.length === 1
  const isShort = rows.rows !== undefined && rows.rows.length > 0 && rows.rows.length <= maxShortRows
  const [isAdding, adding] = useDisclosure(false)
  const addButton = isOwner && (
    <Button variant="default" leftSection={<CommandLineIcon width={16} />} onClick={adding.open}>
      {t('team.serviceAdd')}
    </Button>
  )
  const inviteButton = isOwner && (
    <Button leftSection={<UserPlusIcon width={16} />} onClick={() => setIsInviting(true)}>
      {t('team.invite')}
    </Button>
  )
  const buttons = (
    <>
      {addButton}
      {inviteButton}
    </>
  )
  const list = (
    <List
      title={t('team.members')}
      columns={columns}
      rows={rows}
      getId={row => row.id}
      selected={id}
      open={row => void navigate({ to: '/team/$id', params: { id: row.id } })}
      selection={isOwner && !isAlone ? invitationActions : undefined}
      {...(!isAlone && { exportName: 'team', readPage: pageReader<Member>('/v1/members', listParams({})) })}
      empty={<Empty icon={UserGroupIcon} title={t('team.title')} text={t('team.text')} />}
    />
  )

  return (
    <div className={ui.withPanel}>
      <Page title={t('team.title')} text={t('team.text')} readOnly={!isOwner} actions={isAlone ? undefined : buttons}>
        {rows.rows && !isAlone && <Summary members={rows.loadMore ? null : rows.rows} />}
        {isShort ? (
          <div className={styles.short}>
            <div>{list}</div>
            {isAlone ? (
              <div className={styles.alone}>
                <Empty icon={UserGroupIcon} title={t('team.aloneTitle')} text={t('team.aloneText')}>
                  {inviteButton}
                  {addButton}
                </Empty>
                <Roles />
              </div>
            ) : (
              <section className={styles.below} aria-labelledby="team-roles">
                <Title order={2} size="h3" id="team-roles">
                  {t('team.roles')}
                </Title>
                <Roles />
              </section>
            )}
          </div>
        ) : (
          list
        )}
        <Invite opened={isInviting} onClose={() => setIsInviting(false)} />
        <AddServiceAccount
          opened={isAdding}
          onClose={adding.close}
          onAdded={added => void navigate({ to: '/team/$id', params: { id: added } })}
        />
      </Page>
      <Outlet />
    </div>
  )
}

const useColumns = (): Column<Member>[] => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const { user } = useSession()
  const statusOf = (row: Member) =>
    t(row.status === 'active' ? 'team.active' : hasExpired(row) ? 'team.expired' : 'team.invited')
  const name = (row: Member) => row.name && (row.userId === user.id ? t('team.you', { name: row.name }) : row.name)
  const secondFactor: Column<Member> = {
    key: 'secondFactor',
    title: t('team.secondFactor'),
    width: '110px',
    cell: row => (row.secondFactor === null ? <span className={styles.quiet}>–</span> : <SecondFactor member={row} />),
    value: row =>
      row.secondFactor === null ? null : t(row.secondFactor ? 'team.secondFactorOn' : 'team.secondFactorOff'),
  }
  return [
    {
      key: 'name',
      title: t('team.name'),
      width: 'minmax(160px, 1.2fr)',
      phone: 'title',
      cell: row => <MemberName member={row} name={name(row)} />,
      value: row => row.name,
    },
    {
      key: 'email',
      title: t('team.email'),
      width: 'minmax(140px, 1.2fr)',
      phone: 'below',
      cell: row => <span className={styles.quiet}>{row.email ?? t('team.service')}</span>,
      value: row => row.email ?? t('team.service'),
    },
    {
      key: 'role',
      title: t('team.role'),
      width: '100px',
      phone: 'end',
      cell: row => <RoleName role={row.role} />,
      value: row => t(`team.role.${row.role}`),
    },
    {
      key: 'status',
      title: t('team.status'),
      width: '140px',
      phone: 'aside',
      cell: row => <MemberStatus member={row} />,
      value: statusOf,
    },
    ...(isOwner ? [secondFactor] : []),
    {
      key: 'since',
      title: t('team.since'),
      width: '110px',
      cell: row => {
        const at = row.joinedAt ?? row.invitedAt
        return at && <Time at={at} />
      },
      value: row => row.joinedAt ?? row.invitedAt,
    },
  ]
}

/** Link to a member with the avatar. A person who was invited without a name has none yet. */
const MemberName = ({ member, name }: { member: Member; name: string | null }) => {
  const t = useTranslate()
  return (
    <Group gap="sm" wrap="nowrap">
      <MemberAvatar member={member} />
      <Link
        className={name ? ui.rowLink : styles.unnamed}
        to="/team/$id"
        params={{ id: member.id }}
        {...(!name && { 'aria-label': t('team.unnamedOf', { email: member.email }) })}
      >
        <bdi>{name || t('team.unnamed')}</bdi>
      </Link>
    </Group>
  )
}

/** Numbers of members, invitations and service accounts, and the seats of the plan. `members` is null while some are not loaded. */
const Summary = ({ members }: { members: Member[] | null }) => {
  const t = useTranslate()
  const seats = hooks.useQuery('get', '/v1/entitlements').data?.allowances.teamSeats
  const counts = members && countMembers(members)
  return (
    <Figures
      figures={[
        ...(counts
          ? [
              { label: t('team.members'), value: String(counts.members) },
              { label: t('team.invitations'), value: String(counts.invited) },
              ...(counts.services > 0 ? [{ label: t('team.services'), value: String(counts.services) }] : []),
            ]
          : []),
        // Without a limit, the seats are the members and the invitations.
        ...(seats && seats.limit !== null
          ? [
              {
                label: t('team.seats'),
                value: t('plan.used', { used: seats.used, limit: seats.limit }),
                link: { to: '/settings/plan' as const },
              },
            ]
          : []),
      ]}
    />
  )
}

/** The roles and their permissions. */
const Roles = () => {
  const t = useTranslate()
  return (
    <dl className={styles.roles}>
      {(['owner', 'agent'] as const).map(role => (
        <div key={role}>
          <dt>
            <RoleName role={role} />
          </dt>
          <dd>{t(`team.roleHint.${role}`)}</dd>
        </div>
      ))}
    </dl>
  )
}
