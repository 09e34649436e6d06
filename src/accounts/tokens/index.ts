export { findToken } from './find.ts'
export {
  createAccessToken,
  type HeldToken,
  issueAccessToken,
  listAccessTokens,
  listTokensOf,
  type NewToken,
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
  touchTokens,
} from './sql.ts'
export { accessTokenPrefix, isWellFormed } from './value.ts'
