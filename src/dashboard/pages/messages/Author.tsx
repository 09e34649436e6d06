import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { api, Failure, hooks, type Schemas } from '../../api/client.ts'
import { recordLink } from '../../shell/paths.ts'
import { useTranslate } from '../../texts/index.tsx'
import { MegaphoneIcon, ShareIcon, UserIcon } from '../../ui/icons.ts'
import type { ReadValues } from '../../ui/list/export.ts'
import { readEach } from '../../ui/list/read-each.ts'
import { ChatBubbleLeftEllipsisIcon } from '../../ui/page-icons.ts'
import { useTeam } from '../inbox/queries.ts'
import styles from './messages.module.css'

type Author = NonNullable<Schemas['Message']['sentBy']>

const cacheMs = 60_000
const icons = { workflow: ShareIcon, campaign: MegaphoneIcon, user: UserIcon }

/** Author of a message: the customer, or the team member, workflow or campaign with its name and page. */
export const Author = ({ author }: { author: Author | null }) => {
  const t = useTranslate()
  if (!author)
    return (
      <span className={styles.author}>
        <ChatBubbleLeftEllipsisIcon width={14} aria-hidden="true" />
        {t('messages.by.customer')}
      </span>
    )
  const { type, id } = author
  const Icon = icons[type]
  return (
    <span className={styles.author}>
      <Icon width={14} aria-hidden="true" />
      {type === 'user' ? (
        <MemberName id={id} />
      ) : (
        <Anchor inherit renderRoot={(props: object) => <Link {...props} {...recordLink(type, id)} />}>
          {type === 'workflow' ? <WorkflowName id={id} /> : <CampaignName id={id} />}
        </Anchor>
      )}
    </span>
  )
}

/** Name that a narrow column can cut. Hovering shows it in full after its type. */
const Name = ({ type, name }: { type: string; name: string | undefined }) => (
  <bdi title={name && `${type}: ${name}`}>{name ?? type}</bdi>
)

const MemberName = ({ id }: { id: string }) => {
  const t = useTranslate()
  const team = useTeam()
  return <Name type={t('messages.by.user')} name={team.find(({ userId }) => userId === id)?.name} />
}

/** Returns a function that reads the names of the authors of exported messages, for the column `by`. */
export const useReadAuthors = (): ReadValues<Schemas['Message']> => {
  const t = useTranslate()
  const team = useTeam()
  return async (rows, signal, onProgress) => {
    const authors = new Map(rows.flatMap(({ sentBy }) => (sentBy ? [[sentBy.id, sentBy] as const] : [])))
    const read = async ({ type, id }: Author, signal: AbortSignal) =>
      type === 'user' ? team.find(({ userId }) => userId === id)?.name : readName(type, id, signal)
    const names = await readEach([...authors.values()], read, signal, onProgress)
    return { by: ({ sentBy }) => (sentBy && names.get(sentBy.id)) ?? t(`messages.by.${sentBy?.type ?? 'customer'}`) }
  }
}

/** Returns the name of a workflow or a campaign. A deleted one has none. */
const readName = async (
  type: 'workflow' | 'campaign',
  id: string,
  signal: AbortSignal,
): Promise<string | undefined> => {
  try {
    const init = { params: { path: { id } }, signal }
    const { data } =
      type === 'workflow' ? await api.GET('/v1/workflows/{id}', init) : await api.GET('/v1/campaigns/{id}', init)
    return data?.name
  } catch (error) {
    if (error instanceof Failure && error.status === 404) return undefined
    throw error
  }
}

/** A deleted workflow has no name. */
const WorkflowName = ({ id }: { id: string }) => {
  const t = useTranslate()
  const { data } = hooks.useQuery('get', '/v1/workflows/{id}', { params: { path: { id } } }, { staleTime: cacheMs })
  return <Name type={t('messages.by.workflow')} name={data?.name} />
}

const CampaignName = ({ id }: { id: string }) => {
  const t = useTranslate()
  const { data } = hooks.useQuery('get', '/v1/campaigns/{id}', { params: { path: { id } } }, { staleTime: cacheMs })
  return <Name type={t('messages.by.campaign')} name={data?.name} />
}
