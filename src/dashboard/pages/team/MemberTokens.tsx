import { api, hooks } from '../../api/client.ts'
import { cursorPagination, pageSize, toRows } from '../../api/pages.ts'
import { useInvalidate } from '../../api/useInvalidate.ts'
import { useSession } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Section } from '../../ui/Panel.tsx'
import { Tokens } from '../account/tokens/Tokens.tsx'
import type { Member } from './members.ts'

const path = '/v1/members/{id}/tokens'

/** Access tokens of a service account, for owners. */
export const MemberTokens = ({ member: { id } }: { member: Member }) => {
  const t = useTranslate()
  const invalidate = useInvalidate()
  const { workspace } = useSession()
  const query = hooks.useInfiniteQuery(
    'get',
    path,
    { params: { path: { id }, query: { limit: pageSize } } },
    cursorPagination,
  )
  return (
    <Section title={t('account.tokens')}>
      <Tokens
        tokens={toRows(query)}
        emptyText={t('team.serviceNoTokens')}
        draft={`team.token.${id}`}
        workspaces={[workspace]}
        create={async ({ workspaceId: _, ...body }) => {
          const { data } = await api.POST(path, { params: { path: { id } }, body })
          void invalidate(path)
          return data!
        }}
        revoke={async token => {
          await api.DELETE(`${path}/{tokenId}`, { params: { path: { id, tokenId: token.id } } })
          void invalidate(path)
        }}
      />
    </Section>
  )
}
