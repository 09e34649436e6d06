/** States of access tokens: a list with every state of a token, an empty list, and the form of a new token. */
import type { Rows } from '../api/pages.ts'
import { NewToken } from '../pages/account/tokens/NewToken.tsx'
import { type AccessToken, Tokens } from '../pages/account/tokens/Tokens.tsx'
import { failures, names } from './samples.ts'

const dayMs = 86_400_000
const workspaces = [
  { id: '1', name: names.usual },
  { id: '2', name: names.long },
] as const
const refuse = () => Promise.reject(failures.conflict)

const token = (name: string, daysLeft: number, change: Partial<AccessToken> = {}): AccessToken => ({
  id: name,
  name,
  prefix: 'cest_a1B2c3D',
  access: 'read',
  workspace: workspaces[0],
  createdAt: new Date(Date.now() - dayMs).toISOString(),
  expiresAt: new Date(Date.now() + daysLeft * dayMs).toISOString(),
  lastUsedAt: null,
  ...change,
})

const toRows = (rows: AccessToken[] | undefined, failure: unknown = null): Rows<AccessToken> => ({
  ...{ rows, failure, loadMore: null, loadingMore: false },
  retry: () => {},
})

const List = ({ tokens }: { tokens: Rows<AccessToken> }) => (
  <Tokens
    tokens={tokens}
    emptyText="You have no access tokens."
    draft="states.tokens"
    workspaces={workspaces}
    create={refuse}
    revoke={refuse}
  />
)

export const TokenList = () => (
  <List
    tokens={toRows([
      token('Weekly report', 90, { lastUsedAt: new Date(Date.now() - 60_000).toISOString() }),
      token(names.long, 5, { access: 'write', workspace: workspaces[1] }),
      token(names.unbroken, -2),
      token(names.rightToLeft, 0.1),
    ])}
  />
)

export const NoTokens = () => <List tokens={toRows([])} />

export const TokensRefused = () => <List tokens={toRows(undefined, failures.conflict)} />

export const NewTokenState = () => (
  <NewToken draft="states.token" workspaces={workspaces} create={refuse} onClose={() => {}} />
)
