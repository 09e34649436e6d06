/** Describes who may call an operation and which errors it returns, for the published document. */
import type { ErrorCode } from '../core/errors.ts'
import { allowsKeys } from '../core/verb.ts'
import { statusOf } from './errors.ts'
import { type Access, accessOf, isGuarded, type Operation } from './operation.ts'

const callers: Record<Access, string> = {
  anyone: 'Anybody can call it. No credential is needed.',
  session: 'For signed-in persons, with or without a workspace.',
  'key or member': 'For API keys and for all members of the workspace.',
  'key or owner': 'For API keys and for owners of the workspace.',
  member: 'For all members of the workspace. API keys cannot call it.',
  owner: 'For owners of the workspace. API keys cannot call it.',
}

/** Describes the permitted callers, the required feature and the allowance that the call uses. */
export const requirementsOf = (operation: Operation): string => {
  const feature = isGuarded(operation) ? operation.verb.rule.feature : undefined
  return [
    isRaw(operation)
      ? 'Called by the provider, which signs its requests. No credential is needed.'
      : callers[accessOf(operation)],
    ...(isSessionOnly(operation) ? ['Access tokens cannot call it.'] : []),
    ...(feature ? [`The plan must include \`${feature}\`.`] : []),
    ...(allowsKeys(accessOf(operation)) ? ['Calls with an API key require the feature `api`.'] : []),
    ...(operation.allowance ? [`Uses the allowance \`${operation.allowance}\`.`] : []),
  ].join(' ')
}

/** Returns the meaning of each error code of an operation, by status. */
export const errorsOf = (operation: Operation): Map<number, string> => {
  const meanings: Partial<Record<ErrorCode, string>> = { ...commonErrors(operation), ...declaredErrors(operation) }
  if (acceptsIfMatch(operation))
    meanings.conflict = [...(meanings.conflict ? [meanings.conflict] : []), versionConflict].join(' Or ')
  const byStatus = new Map<number, string>()
  for (const [code, meaning] of Object.entries(meanings) as [ErrorCode, string][]) {
    const status = statusOf[code]
    const previous = byStatus.get(status)
    byStatus.set(status, `${previous ? `${previous} ` : ''}\`${code}\`: ${meaning}`)
  }
  byStatus.set(503, `\`internal_error\`: ${unavailableMeaning(operation)}`)
  return byStatus
}

const versionConflict =
  'the record has another version than `If-Match` names. `details.version` contains the current ETag. Read the record again.'

/** Returns whether `If-Match` can be used with the operation. */
export const acceptsIfMatch = ({ versioned, method, path }: Operation): boolean =>
  versioned === true && method !== 'GET' && path.includes('/:')

/** Returns the errors that the operation declares, with the general text of the code as the default. */
const declaredErrors = ({ errors = {} }: Operation): Partial<Record<ErrorCode, string>> =>
  Array.isArray(errors) ? Object.fromEntries(errors.map(code => [code, defaultMeanings[code]])) : errors

const defaultMeanings: Partial<Record<ErrorCode, string>> = {
  conflict: 'something unique already exists, or the record changed in the meantime.',
  unprocessable: 'well-formed, but not possible in the current state.',
  plan_limit_reached: 'an allowance of the plan is used up. The message names it.',
}

/** Returns the errors that follow from the permitted callers and the input. */
const commonErrors = (operation: Operation): Partial<Record<ErrorCode, string>> => ({
  ...inputErrors(operation),
  ...callerErrors(operation),
  ...recordErrors(operation),
  ...(operation.allowance &&
    !isBatch(operation) && {
      plan_limit_reached: `the allowance \`${operation.allowance}\` is used up. Free some of it, or choose a larger plan.`,
    }),
  internal_error: 'an error of the service. Retry with backoff. If it persists, contact support with `request_id`.',
})

const inputErrors = (operation: Operation): Partial<Record<ErrorCode, string>> => {
  const { body, query, acceptsKeyHeader } = operation
  if (isRaw(operation)) return {}
  const parameter = query
    ? 'a query parameter is unknown or not valid'
    : 'a query parameter was sent, but the operation has none'
  if (!body) return { invalid_request: `${parameter}. \`details\` names the parameter.` }
  const header = acceptsKeyHeader ? 'Or the header `Idempotency-Key` differs from the key in the body. ' : ''
  return {
    invalid_request: `a field of the body is unknown, not valid or given twice. ${header}Or ${parameter}. \`details\` names the field and the reason.`,
    malformed_request: 'the body is not valid JSON or not valid UTF-8.',
    unsupported_media_type: 'the `Content-Type` is not JSON, or the body has a `Content-Encoding`.',
  }
}

const callerErrors = (operation: Operation): Partial<Record<ErrorCode, string>> => {
  const access = accessOf(operation)
  if (access === 'anyone') return {}
  const feature = isGuarded(operation) ? operation.verb.rule.feature : undefined
  const features = [
    ...(feature ? [`\`${feature}\``] : []),
    ...(allowsKeys(access) ? ['`api` (required for calls with an API key)'] : []),
  ]
  return {
    unauthorized: allowsKeys(access) ? noCredential : isSessionOnly(operation) ? noOwnSession : noSession,
    forbidden: `${[
      forbidden[access],
      ...tokenErrors(operation),
      ...(requiresSecondFactor(operation) ? [noSecondFactor] : []),
      ...(operation.method === 'GET' ? [] : [crossSiteWrite]),
    ].join('. Or ')}.`,
    ...(features.length > 0 && { feature_not_available: `the plan does not include ${features.join(' or ')}.` }),
    rate_limited: 'the caller has made too many calls. Wait for `Retry-After` seconds.',
  }
}

const noCredential =
  'the request has neither a valid API key nor the token of an active session, nor a valid access token.'
const noSession = 'the request has no token of an active session, and no valid access token.'
const noOwnSession = 'the request has no token of an active session. Sign in again.'
const noSecondFactor =
  'the person does not have the second factor or the single sign-on that the workspace requires (see `details.secondFactor` and `details.sso`)'
const crossSiteWrite = 'a write with the session cookie did not come from a page of the service'

const forbidden: Record<Exclude<Access, 'anyone'>, string> = {
  session: 'an API key was sent, which this operation does not accept',
  'key or member': 'the person is no longer in a workspace',
  'key or owner': 'the person is not an owner of the workspace',
  member: 'an API key was sent, which this operation does not accept. Or the person is no longer in a workspace',
  owner: 'an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace',
}

/** Returns whether access tokens are rejected. */
export const isSessionOnly = (operation: Operation): boolean =>
  isGuarded(operation) ? operation.verb.rule.sessionOnly === true : operation.access === 'session'

const tokenErrors = (operation: Operation): string[] => {
  if (isSessionOnly(operation)) return ['an access token was sent, which this operation does not accept']
  return operation.method === 'GET' ? [] : ['the access token has the access `read`']
}

const requiresSecondFactor = (operation: Operation): boolean =>
  isGuarded(operation) && !operation.verb.rule.withoutSecondFactor

const recordErrors = (operation: Operation): Partial<Record<ErrorCode, string>> => {
  const record = recordInPath(operation.path)
  const otherWorkspace = '`X-Workspace-Id` names a workspace that the caller is not in.'
  if (!isGuarded(operation)) return record ? { not_found: `the ${record} does not exist.` } : {}
  return { not_found: record ? `the ${record} does not exist in the workspace, or ${otherWorkspace}` : otherWorkspace }
}

const unavailableMeaning = ({ method, query }: Operation): string =>
  method === 'GET' && query
    ? 'the database is unavailable or overloaded, or the list took too long. Retry after `Retry-After` seconds, with filters or a smaller limit.'
    : 'the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds.'

/** Returns `customer` for `/v1/customers/:id/opt-in`. Null if the path has no record. */
const recordInPath = (path: string): string | null => {
  const last = [...path.matchAll(/([\w-]+)\/:(\w+)/g)].at(-1)
  return last ? recordNoun(last[1]!, last[2]!) : null
}

/** Returns the name of a parameter's record: `customer` for `customers/:id`, `channel` for `whatsapp/:channelId`. */
export const recordNoun = (segment: string, parameter: string): string => {
  const plural = parameter === 'id' ? segment : parameter.replace(/Id$/, '')
  const noun = plural.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('-', ' ').replace('api', 'API')
  return nounExceptions[noun] ?? noun
}

/** Returns whether a call has several parts, such as a batch. Each part has its own result. */
const isBatch = (operation: Operation): boolean => isGuarded(operation) && operation.calls !== undefined

const isRaw = (operation: Operation): boolean => !isGuarded(operation) && operation.raw !== undefined

/** Records whose name differs from their path. */
const nounExceptions: Record<string, string> = { webhook: 'webhook endpoint', 'not accepted': 'rejected event' }
