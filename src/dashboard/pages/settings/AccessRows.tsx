import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { hooks } from '../../api/client.ts'
import { accountPath } from '../../shell/navigation.ts'
import type { PagePath } from '../../shell/paths.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { Sentence, useTranslate } from '../../texts/index.tsx'
import { ChevronRightIcon, ClipboardDocumentListIcon, KeyIcon, UserGroupIcon } from '../../ui/icons.ts'
import { LockClosedIcon } from '../../ui/page-icons.ts'
import { Time } from '../../ui/Time.tsx'
import { countMembers } from '../team/members.ts'
import styles from './settings.module.css'

/** Maximum number of records that a row counts: one page of the API. */
const maxCount = 100

export const useMembers = () => hooks.useQuery('get', '/v1/members', { params: { query: { limit: maxCount } } })

/** Links to the pages that show who and what has access, each with the number or the time that tells whether to look. */
export const AccessRows = () => {
  const isOwner = useIsOwner()
  return (
    <ul className={styles.rows}>
      <SessionsRow />
      <MembersRow />
      {isOwner && <KeysRow />}
      {isOwner && <AuditRow />}
    </ul>
  )
}

const SessionsRow = () => {
  const { data, isPending } = hooks.useQuery('get', '/v1/auth/sessions', { params: { query: { limit: maxCount } } })
  return (
    <Row
      to={accountPath}
      icon={LockClosedIcon}
      name="yourSessions"
      value={<Count page={data} text="settings.count.sessions" />}
      isPending={isPending}
    />
  )
}

const MembersRow = () => {
  const t = useTranslate()
  const { data, isPending } = useMembers()
  const isComplete = data?.nextCursor === null
  return (
    <Row
      to="/team"
      icon={UserGroupIcon}
      name="members"
      value={
        data &&
        (isComplete ? t('settings.count.team', countMembers(data.data)) : t('settings.count.many', { count: maxCount }))
      }
      isPending={isPending}
    />
  )
}

const KeysRow = () => {
  const { data, isPending } = hooks.useQuery('get', '/v1/api-keys', { params: { query: { limit: maxCount } } })
  const active = data && { data: data.data.filter(({ revoked }) => revoked === null), nextCursor: data.nextCursor }
  return (
    <Row
      to="/api-keys"
      icon={KeyIcon}
      name="keys"
      value={<Count page={active} text="settings.count.keys" />}
      isPending={isPending}
    />
  )
}

const AuditRow = () => {
  const { data, isPending } = hooks.useQuery('get', '/v1/audit', { params: { query: { limit: 1 } } })
  const newest = data?.data[0]
  return (
    <Row
      to="/audit"
      icon={ClipboardDocumentListIcon}
      name="audit"
      value={newest && <Sentence id="settings.lastEntry" values={{ at: <Time at={newest.at} /> }} />}
      isPending={isPending}
    />
  )
}

/** Number of records of a page. A page that is not the last has at least that many. */
const Count = ({
  page,
  text,
}: {
  page: { data: unknown[]; nextCursor: string | null } | undefined
  text: 'settings.count.sessions' | 'settings.count.keys'
}) => {
  const t = useTranslate()
  if (!page) return null
  return (
    <>
      {t(text, { count: page.data.length })}
      {page.nextCursor !== null && '+'}
    </>
  )
}

const Row = ({
  to,
  icon: Icon,
  name,
  value,
  isPending,
}: {
  to: PagePath
  icon: typeof KeyIcon
  name: 'yourSessions' | 'members' | 'keys' | 'audit'
  value: ReactNode
  isPending: boolean
}) => {
  const t = useTranslate()
  return (
    <li>
      <Link to={to} className={styles.link}>
        <Icon width={20} aria-hidden="true" />
        <span>
          <strong>{t(`settings.${name}`)}</strong>
          <span className={styles.quiet}>{t(`settings.${name}Text`)}</span>
        </span>
        <span className={styles.value}>{isPending ? <Skeleton height={12} width={60} /> : value}</span>
        <ChevronRightIcon width={14} aria-hidden="true" />
      </Link>
    </li>
  )
}
