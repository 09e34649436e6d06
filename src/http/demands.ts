/** Describes who may call an operation and which errors it returns, for the published document. */
import type { ErrorCode } from '../domain/errors.ts'
import { takesKeys } from '../domain/verb.ts'
import { statusOf } from './errors.ts'
import { type Access, accessOf, isGuarded, type Operation } from './operation.ts'

const callers: Record<Access, string> = {
  anyone: 'Anybody may call it; no credential is needed.',
  session: 'For whoever is signed in, in a workspace or in none.',
  'key or member': 'For API keys and for persons of the workspace, whatever their role.',
  'key or owner': 'For API keys and for owners of the workspace.',
  member: 'For persons of the workspace, whatever their role; API keys do not reach it.',
  owner: 'For owners of the workspace; API keys do not reach it.',
}

/** Describes the permitted callers, the required feature and the allowance that the call uses. */
export const demandsOf = (operation: Operation): string => {
  const feature = isGuarded(operation) ? operation.verb.rule.feature : undefined
  return [
    isRaw(operation)
      ? 'Called by the provider, which signs what it sends; no credential is needed.'
      : callers[accessOf(operation)],
    ...(feature ? [`The plan must include \`${feature}\`.`] : []),
    ...(takesKeys(accessOf(operation)) ? ['Calls with a key need the feature `api`.'] : []),
    ...(operation.allowance ? [`Takes from the allowance \`${operation.allowance}\`.`] : []),
  ].join(' ')
}

/** Returns the meaning of each error code of an operation, by status. */
export const refusalsOf = (operation: Operation): Map<number, string> => {
  const means: Partial<Record<ErrorCode, string>> = { ...usual(operation), ...own(operation) }
  if (changesVersion(operation))
    means.conflict = [...(means.conflict ? [means.conflict] : []), otherVersion].join(' Or ')
  const byStatus = new Map<number, string>()
  for (const [code, words] of Object.entries(means) as [ErrorCode, string][]) {
    const status = statusOf[code]
    const before = byStatus.get(status)
    byStatus.set(status, `${before ? `${before} ` : ''}\`${code}\`: ${words}`)
  }
  byStatus.set(503, `\`internal_error\`: ${notNow(operation)}`)
  return byStatus
}

const otherVersion =
  'the record has another version than `If-Match` says: `details.version` holds its ETag. Read it again.'

/** Returns whether `If-Match` can be used with the operation. */
export const changesVersion = ({ versioned, method, path }: Operation): boolean =>
  versioned === true && method !== 'GET' && path.includes('/:')

/** Returns the errors that the operation declares, with the general text of the code as the default. */
const own = ({ errors = {} }: Operation): Partial<Record<ErrorCode, string>> =>
  Array.isArray(errors) ? Object.fromEntries(errors.map(code => [code, inGeneral[code]])) : errors

const inGeneral: Partial<Record<ErrorCode, string>> = {
  conflict: 'something unique already exists, or changed meanwhile.',
  unprocessable: 'well-formed, but not possible as things are.',
  plan_limit_reached: 'an allowance of the plan is full, and the message names it.',
}

/** Returns the errors that follow from the permitted callers and the input. */
const usual = (operation: Operation): Partial<Record<ErrorCode, string>> => ({
  ...ofInput(operation),
  ...ofCaller(operation),
  ...ofRecord(operation),
  ...(operation.allowance &&
    !isSeveral(operation) && {
      plan_limit_reached: `the allowance \`${operation.allowance}\` is full. Make room, or take a larger plan.`,
    }),
  internal_error: 'a fault of ours. Repeat with backoff, and quote `request_id` if it stays.',
})

const ofInput = (operation: Operation): Partial<Record<ErrorCode, string>> => {
  const { body, query, takesKeyHeader } = operation
  if (isRaw(operation)) return {}
  const parameter = query
    ? 'a query parameter is not known, or does not fit'
    : 'a query parameter was sent, and none is taken'
  if (!body) return { invalid_request: `${parameter}; \`details\` names it.` }
  const header = takesKeyHeader ? ', the header `Idempotency-Key` says another key than the body,' : ''
  return {
    invalid_request: `a field of the body does not fit, is unknown or is given twice${header} or ${parameter}; \`details\` says where and why.`,
    malformed_request: 'the body is no JSON, or no UTF-8.',
    unsupported_media_type: 'the body is not declared as JSON, or has a Content-Encoding.',
  }
}

const ofCaller = (operation: Operation): Partial<Record<ErrorCode, string>> => {
  const access = accessOf(operation)
  if (access === 'anyone') return {}
  const feature = isGuarded(operation) ? operation.verb.rule.feature : undefined
  const features = [
    ...(feature ? [`\`${feature}\``] : []),
    ...(takesKeys(access) ? ['`api`, which calls with a key need'] : []),
  ]
  return {
    unauthorized: takesKeys(access) ? noCredential : noSession,
    forbidden: `${[
      forbidden[access],
      ...(asksForSecondFactor(operation) ? [noSecondFactor] : []),
      ...(operation.method === 'GET' ? [] : [foreignWrite]),
    ].join('; or ')}.`,
    ...(features.length > 0 && { feature_not_available: `the plan does not include ${features.join(', ')}.` }),
    rate_limited: 'the caller has made too many calls. Wait for `Retry-After` seconds.',
  }
}

const noCredential = 'neither a good API key nor the token of a living session was sent.'
const noSession = 'no token of a living session was sent. Sign in again.'
const noSecondFactor =
  'a person without the second factor that the workspace asks for, which `details.secondFactor` says'
const foreignWrite = 'a write with the session cookie that does not come from a page of the service'

const forbidden: Record<Exclude<Access, 'anyone'>, string> = {
  session: 'an API key, which reaches nothing here',
  'key or member': 'a person who is in no workspace any more',
  'key or owner': 'a person who is no owner of the workspace',
  member: 'an API key, which reaches nothing here, or a person who is in no workspace any more',
  owner: 'an API key, which reaches nothing here, or a person who is no owner of the workspace',
}

const asksForSecondFactor = (operation: Operation): boolean =>
  isGuarded(operation) && !operation.verb.rule.withoutSecondFactor

const ofRecord = (operation: Operation): Partial<Record<ErrorCode, string>> => {
  const record = recordOf(operation.path)
  const otherWorkspace = '`X-Workspace-Id` names a workspace that the caller is not in.'
  if (!isGuarded(operation)) return record ? { not_found: `there is no such ${record}.` } : {}
  return { not_found: record ? `there is no such ${record} in the workspace, or ${otherWorkspace}` : otherWorkspace }
}

const notNow = ({ method, query }: Operation): string =>
  method === 'GET' && query
    ? 'not now: the database is away or busy, or the list took too long. Come back after `Retry-After`, with filters or a smaller limit.'
    : 'not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`.'

/** Returns `customer` for `/v1/customers/:id/opt-in`. Null if the path has no record. */
export const recordOf = (path: string): string | null => {
  const last = [...path.matchAll(/([\w-]+)\/:(\w+)/g)].at(-1)
  return last ? recordNamed(last[1]!, last[2]!) : null
}

/** Returns the name of a parameter's record: `customer` for `customers/:id`, `channel` for `whatsapp/:channelId`. */
export const recordNamed = (segment: string, parameter: string): string => {
  const plural = parameter === 'id' ? segment : parameter.replace(/Id$/, '')
  const noun = plural.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('-', ' ').replace('api', 'API')
  return otherNouns[noun] ?? noun
}

/** Returns whether a call has several parts, such as a batch. Each part has its own result. */
const isSeveral = (operation: Operation): boolean => isGuarded(operation) && operation.calls !== undefined

const isRaw = (operation: Operation): boolean => !isGuarded(operation) && operation.raw !== undefined

/** Records whose name differs from their path. */
const otherNouns: Record<string, string> = { webhook: 'webhook endpoint', 'not accepted': 'rejected event' }
