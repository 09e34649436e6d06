import { Anchor, Text } from '@mantine/core'
import { api, hooks } from '../../api/client.ts'
import { cursorPagination, toRows } from '../../api/pages.ts'
import { useInvalidate } from '../../api/useInvalidate.ts'
import { useSession } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import { Tokens } from './tokens/Tokens.tsx'

const path = '/v1/auth/tokens'
const pageSize = 20

/** Access tokens of the person in all workspaces. */
export const AccessTokens = () => {
  const t = useTranslate()
  const invalidate = useInvalidate()
  const { workspace } = useSession()
  const query = hooks.useInfiniteQuery('get', path, { params: { query: { limit: pageSize } } }, cursorPagination)
  const workspaces = hooks.useQuery('get', '/v1/auth/workspaces', {}, { staleTime: 300_000 })
  const others = (workspaces.data?.data ?? []).filter(({ id }) => id !== workspace.id)
  return (
    <Card title={t('account.tokens')}>
      <Text size="sm" c="dimmed" mb="sm">
        {t('account.tokensText')}{' '}
        <Anchor href="/docs/credentials" underline="always" target="_blank">
          {t('account.tokensDocs')}
        </Anchor>
      </Text>
      <Tokens
        tokens={toRows(query)}
        emptyText={t('account.tokensEmpty')}
        draft="account.token"
        workspaces={[workspace, ...others]}
        create={async body => {
          const { data } = await api.POST(path, { body })
          void invalidate(path)
          return data!
        }}
        revoke={async ({ id }) => {
          await api.DELETE(`${path}/{id}`, { params: { path: { id } } })
          void invalidate(path)
        }}
      />
    </Card>
  )
}
