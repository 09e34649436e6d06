export {
  createAccessToken,
  type HeldToken,
  issueAccessToken,
  listAccessTokens,
  type NewToken,
  revokeAccessToken,
} from './manage.ts'
export { AccessToken, CreateAccessToken, CreatedAccessToken } from './schema.ts'
export {
  type AccessTokenRow,
  deleteExpiredTokens,
  deleteTokensOf,
  findExpiringTokens,
  findToken,
  touchTokens,
} from './sql.ts'
export { accessTokenPrefix, isWellFormed } from './value.ts'
