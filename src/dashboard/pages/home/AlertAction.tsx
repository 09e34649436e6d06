import { Link, type LinkProps } from '@tanstack/react-router'
import { useId } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { accountPath } from '../../shell/navigation.ts'
import { hasPage, recordLink } from '../../shell/paths.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { type TextId, useTranslate } from '../../texts/index.tsx'
import { ChevronRightIcon } from '../../ui/icons.ts'
import styles from './home.module.css'

type Subject = Schemas['Attention']['subject']

const staleTime = 60_000

/**
 * Link of an alert, which covers its whole row: to its record or records, or to the form that ends it. The alert of a workspace has
 * none, because only the operator can act. The title of the alert, `titleId`, tells equal links apart.
 */
export const AlertAction = ({ subject: { type, id }, titleId }: { subject: Subject; titleId: string }) => {
  if (type === 'event_type') return <TypeAction eventType={id} titleId={titleId} />
  if (type === 'access_token') return <TokenAction id={id} titleId={titleId} />
  if (type === 'not_accepted')
    return (
      <ActionLink
        text="home.do.notAccepted"
        link={{ to: '/not-accepted', search: { range: '24h' } }}
        titleId={titleId}
      />
    )
  if (type === 'workspace' || !hasPage(type)) return null
  const text = labels[type as keyof typeof labels] ?? 'home.do.open'
  return <ActionLink text={text} link={recordLink(type, id)} titleId={titleId} />
}

/** Labels by type of the subject. A later release of the API can add types. */
const labels = {
  webhook: 'home.do.webhook',
  channel: 'home.do.channel',
  conversation: 'home.do.conversation',
  workflow: 'home.do.workflow',
  allowance: 'home.do.allowance',
} as const

/**
 * Opens the workflows that would handle the type. Without one, an owner creates it, and an agent sees the events, which are
 * also shown if the workflows cannot be read. There is no link until they are known.
 */
const TypeAction = ({ eventType, titleId }: { eventType: string; titleId: string }) => {
  const isOwner = useIsOwner()
  const query = { triggerType: eventType, limit: 2 }
  const workflows = hooks.useQuery('get', '/v1/workflows', { params: { query } }, { staleTime })
  if (workflows.isPending) return null
  const [workflow, other] = workflows.data?.data ?? []
  if (workflow && other)
    return (
      <ActionLink
        text="home.do.workflows"
        link={{ to: '/workflows', search: { triggerType: eventType } }}
        titleId={titleId}
      />
    )
  if (workflow)
    return <ActionLink text="home.do.workflow" link={recordLink('workflow', workflow.id)} titleId={titleId} />
  return isOwner && workflows.data ? (
    <ActionLink text="home.do.newWorkflow" link={{ to: '/workflows', search: { new: eventType } }} titleId={titleId} />
  ) : (
    <ActionLink text="home.do.events" link={{ to: '/events', search: { type: eventType } }} titleId={titleId} />
  )
}

/** Opens the account for the person's own token, and otherwise the team. There is no link until that is known. */
const TokenAction = ({ id, titleId }: { id: string; titleId: string }) => {
  const own = hooks.useQuery('get', '/v1/auth/tokens', { params: { query: { limit: 100 } } }, { staleTime })
  if (own.isPending) return null
  const isOwn = own.data?.data.some(token => token.id === id) ?? false
  return (
    <ActionLink
      text={isOwn ? 'home.do.tokens' : 'home.do.team'}
      link={{ to: isOwn ? accountPath : '/team' }}
      titleId={titleId}
    />
  )
}

const ActionLink = ({ text, link, titleId }: { text: TextId; link: LinkProps; titleId: string }) => {
  const t = useTranslate()
  const id = useId()
  return (
    <Link {...link} id={id} aria-labelledby={`${id} ${titleId}`} className={styles.action}>
      {t(text)}
      <ChevronRightIcon width={12} aria-hidden="true" />
    </Link>
  )
}
