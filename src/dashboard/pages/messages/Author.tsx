import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../api/client.ts'
import { recordPath } from '../../shell/paths.ts'
import { useTranslate } from '../../texts/index.tsx'
import { MegaphoneIcon, ShareIcon, UserIcon } from '../../ui/icons.ts'
import { useTeam } from '../inbox/queries.ts'
import styles from './messages.module.css'

type Author = NonNullable<Schemas['Message']['sentBy']>

const cacheMs = 60_000
const icons = { workflow: ShareIcon, campaign: MegaphoneIcon, user: UserIcon }

/** Author of a message: the customer, or the team member, workflow or campaign with its name and page. */
export const Author = ({ author }: { author: Author | null }) => {
  const t = useTranslate()
  if (!author) return t('messages.by.customer')
  const Icon = icons[author.type]
  return (
    <span className={styles.author} title={t(`messages.by.${author.type}`)}>
      <Icon width={14} aria-hidden="true" />
      {author.type === 'user' ? (
        <MemberName id={author.id} />
      ) : (
        <Anchor inherit renderRoot={(props: object) => <Link {...props} to={recordPath(author.type, author.id)!} />}>
          {author.type === 'workflow' ? <WorkflowName id={author.id} /> : <CampaignName id={author.id} />}
        </Anchor>
      )}
    </span>
  )
}

const MemberName = ({ id }: { id: string }) => {
  const t = useTranslate()
  const team = useTeam()
  return <bdi>{team.find(({ userId }) => userId === id)?.name ?? t('messages.by.user')}</bdi>
}

/** A deleted workflow has no name. */
const WorkflowName = ({ id }: { id: string }) => {
  const t = useTranslate()
  const { data } = hooks.useQuery('get', '/v1/workflows/{id}', { params: { path: { id } } }, { staleTime: cacheMs })
  return <bdi>{data?.name ?? t('messages.by.workflow')}</bdi>
}

const CampaignName = ({ id }: { id: string }) => {
  const t = useTranslate()
  const { data } = hooks.useQuery('get', '/v1/campaigns/{id}', { params: { path: { id } } }, { staleTime: cacheMs })
  return <bdi>{data?.name ?? t('messages.by.campaign')}</bdi>
}
