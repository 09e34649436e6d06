import { useQueryClient } from '@tanstack/react-query'
import { api, hooks } from '../../api/client.ts'
import { cursorPagination, pageSize, toRows } from '../../api/pages.ts'
import { useSession } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Section } from '../../ui/Panel.tsx'
import { Tokens } from '../account/tokens/Tokens.tsx'
import type { Member } from './members.ts'

const path = '/v1/members/{id}/tokens'

/** Access tokens of a service account, for owners. */
export const MemberTokens = ({ member: { id } }: { member: Member }) => {
  const t = useTranslate()
  const queries = useQueryClient()
  const { workspace } = useSession()
  const query = hooks.useInfiniteQuery(
    'get',
    path,
    { params: { path: { id }, query: { limit: pageSize } } },
    cursorPagination,
  )
  const invalidate = () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === path })
  return (
    <Section title={t('account.tokens')}>
      <Tokens
        tokens={toRows(query)}
        emptyText={t('team.serviceNoTokens')}
        draft={`team.token.${id}`}
        workspaces={[workspace]}
        create={async ({ workspaceId: _, ...body }) => {
          const { data } = await api.POST(path, { params: { path: { id } }, body })
          void invalidate()
          return data!
        }}
        revoke={async token => {
          await api.DELETE(`${path}/{tokenId}`, { params: { path: { id, tokenId: token.id } } })
          void invalidate()
        }}
      />
    </Section>
  )
}
