export { issue, list, revoke } from './manage.ts'
export { ApiKey, IssueApiKey, IssuedApiKey } from './schema.ts'
export { KeyVerifier } from './verify.ts'
