export { issueApiKey, listApiKeys, revokeApiKey } from './manage.ts'
export { ApiKey, IssueApiKey, IssuedApiKey } from './schema.ts'
export { findApiKey, findKnownHashes } from './sql.ts'
export { isWellFormedKey, KeyVerifier } from './verify.ts'
