export {
  createAccessToken,
  issueAccessToken,
  listAccessTokens,
  listTokensOf,
  readToken,
  revokeAccessToken,
} from './manage.ts'
export { AccessToken, CreateAccessToken, CreatedAccessToken, CreateMemberToken } from './schema.ts'
export {
  type AccessTokenRow,
  deleteExpiredTokens,
  deleteToken,
  deleteTokensIn,
  deleteTokensOf,
  findExpiringTokens,
  findToken,
  touchTokens,
} from './sql.ts'
export { accessTokenPrefix, isWellFormed } from './value.ts'
