/** Tests every verb of an operation without HTTP. */
import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import ts from 'typescript'
import { isGuarded } from '../../src/api/operation.ts'
import { describeOperations } from '../../src/app/cli/openapi.ts'
import type { Caller } from '../../src/core/context.ts'
import { DomainError } from '../../src/core/errors.ts'
import type { Feature } from '../../src/core/plan.ts'
import { allowsKeys, type Verb, verb } from '../../src/core/verb.ts'
import type { Database } from '../../src/platform/postgres/client.ts'

/** Fails the first statement. A call that reaches it has passed the authorization rule. */
const sql = (() => {
  throw new Error('a statement')
}) as unknown as Database

const operations = describeOperations(sql)
const guarded = operations.filter(isGuarded)

const allFeatures: Feature[] = ['api', 'webhooks', 'workflows', 'campaigns', 'ai']
const id = '01981b7e-3c00-7a51-9a64-1f0f5c3d7e99'

const callers = {
  'an API key': { type: 'api_key' },
  'an agent': { type: 'user', role: 'agent' },
  'an owner': { type: 'user', role: 'owner' },
} as const
type Who = keyof typeof callers
const everybody = Object.keys(callers) as Who[]

const callerWith = (who: Who, features: Feature[]): Caller => ({
  ...callers[who],
  id,
  workspaceId: id,
  plan: { features: Object.fromEntries(features.map(feature => [feature, true])), allowances: {} },
})

/** Calls the verb without arguments, because the rule is checked first. Returns null if the rule allows the call. */
const refusalOf = async (verb: Verb, who: Who, features: Feature[]): Promise<string | null> => {
  const error = await Promise.try(() => verb({ sql, caller: callerWith(who, features) })).catch(error => error)
  const isByRule = error instanceof DomainError && ['forbidden', 'feature_not_available'].includes(error.code)
  return isByRule ? `${error.code}: ${error.message}` : null
}

const keyOutside =
  'forbidden: An API key can only call /v1/events, /v1/customers and the paths below them. Sign in to use this operation.'
const ownersAlone = 'forbidden: Only an owner of the workspace can do this.'
const lacking = (feature: Feature) =>
  `feature_not_available: The workspace's plan does not include ${feature}. Upgrade the plan to use it.`

/** The error for each caller that a rule excludes. */
const shutOut: Record<Verb['rule']['by'], Partial<Record<Who, string>>> = {
  'key or member': {},
  'key or owner': { 'an agent': ownersAlone },
  member: { 'an API key': keyOutside },
  owner: { 'an API key': keyOutside, 'an agent': ownersAlone },
}

/** The feature that an operation requires of every caller. A key also requires `api`. */
const needs: Record<string, Feature> = {
  issueApiKey: 'api',
  createWebhook: 'webhooks',
  changeWebhook: 'webhooks',
  rotateWebhookSecret: 'webhooks',
  testWebhook: 'webhooks',
  retryDelivery: 'webhooks',
  releaseWebhook: 'webhooks',
  startRecovery: 'webhooks',
  sendOutboundEvent: 'webhooks',
  createWorkflow: 'workflows',
  changeWorkflow: 'workflows',
  publishWorkflow: 'workflows',
  stopRun: 'workflows',
  createCampaign: 'campaigns',
  changeCampaign: 'campaigns',
  previewCampaign: 'campaigns',
  startCampaign: 'campaigns',
  pauseCampaign: 'campaigns',
  resumeCampaign: 'campaigns',
}

describe.each(guarded.map(operation => [operation.id, operation] as const))('%s', (name, { verb, path }) => {
  const { by } = verb.rule
  const allowed = everybody.filter(who => shutOut[by][who] === undefined)

  test(`is for ${by}, with any plan`, async () => {
    for (const who of everybody) {
      const refusal = shutOut[by][who] ?? null
      expect(await refusalOf(verb, who, allFeatures), who).toBe(refusal)
      if (refusal) expect(await refusalOf(verb, who, []), who).toBe(refusal)
    }
  })

  test(`needs ${needs[name] ?? 'no feature'} of the plan, and api for a key`, async () => {
    for (const who of allowed) {
      const wanted = [needs[name] ?? [], who === 'an API key' ? ('api' as const) : []].flat()
      for (const missing of allFeatures) {
        const rest = allFeatures.filter(feature => feature !== missing)
        const refusal = wanted.includes(missing) ? lacking(missing) : null
        expect(await refusalOf(verb, who, rest), `${who}, without ${missing}`).toBe(refusal)
      }
      expect(await refusalOf(verb, who, wanted), `${who}, with what is needed alone`).toBeNull()
    }
  })

  test('accepts API keys exactly for the paths that the error of a key names', () => {
    const reached = /^\/v1\/(events|customers)(\/|$)/.test(path) && path !== '/v1/customers/:id/opt-out/lift'
    expect(allowsKeys(by)).toBe(reached)
  })
})

test('a forbidden call rejects its promise before the work starts', async () => {
  let begun = false
  const done = verb({ by: 'owner' }, async (_, what: string) => {
    begun = true
    return what
  })
  const refused = done({ sql, caller: callerWith('an agent', allFeatures) }, 'done')
  expect(await refused.catch(error => error)).toBeInstanceOf(DomainError)
  expect(begun).toBe(false)
  expect(await done({ sql, caller: callerWith('an owner', []) }, 'done')).toBe('done')
})

test('there are verbs to test, and the required features belong to operations', () => {
  expect(guarded.length).toBeGreaterThan(40)
  expect(guarded.map(one => one.id)).toContainValues(Object.keys(needs))
})

test('no two operations have the same verb', () => {
  expect(new Set(guarded.map(({ verb }) => verb)).size).toBe(guarded.length)
})

test('only sign-in, account and provider callback operations have no verb and so no rule', () => {
  const others = operations.filter(operation => !isGuarded(operation)).map(operation => operation.id)
  expect(others.sort()).toEqual([
    'acceptInvitation',
    'beginTotp',
    'challengeWhatsapp',
    'changePassword',
    'changeUser',
    'confirmEmail',
    'confirmTotp',
    'deleteUser',
    'endOtherSessions',
    'endSession',
    'forgotPassword',
    'listSessions',
    'readTotp',
    'readUser',
    'receiveTwilio',
    'receiveWhatsapp',
    'removeTotp',
    'renewRecoveryCodes',
    'resetPassword',
    'signIn',
    'signInByLink',
    'signInWithCode',
    'signOut',
  ])
})

describe('the exported functions of an entity that need a workspace are verbs', () => {
  const src = resolve(import.meta.dir, '../../src')
  const entities = ['core', 'queue', 'accounts', 'webhooks', 'customers', 'messaging', 'workflows', 'events']
    .concat(['privacy', 'insights'])
    .flatMap(context =>
      readdirSync(join(src, context), { recursive: true, encoding: 'utf8' }).map(path => join(context, path)),
    )
    .filter(path => path.endsWith('/index.ts'))
    .map(dirname)
  const textOf = (...path: string[]) => readFileSync(join(src, ...path), 'utf8')

  /** Functions that a verb calls with its context. */
  const wrappers = ['withAudit']

  test.each(entities)('in %s', noun => {
    const files = readdirSync(join(src, noun)).filter(file => file.endsWith('.ts') && file !== 'index.ts')
    const unguarded = files.flatMap(file => takingCtx(textOf(noun, file))).filter(name => !wrappers.includes(name))
    const offered = textOf(noun, 'index.ts')
      .replaceAll(/from '.*'/g, '')
      .match(/\w+/g)!
    expect(unguarded.filter(name => offered.includes(name))).toEqual([])
  })

  test.each([
    `export const read = async (ctx: Ctx, id: string) => 1`,
    `export const read = ({ sql, caller }: Ctx) => 1`,
    `export async function read(ctx: Ctx) {}`,
    `const read = (ctx: Pick<Ctx, 'caller'>) => 1`,
  ])('finds a function that is not a verb: %s', text => {
    expect(takingCtx(text)).toEqual(['read'])
  })

  test('ignores a verb', () => {
    expect(takingCtx(`export const read = verb({ by: 'owner' }, async (ctx: Ctx) => 1)`)).toEqual([])
  })
})

/** Returns the names of functions in a source that take a `Ctx` parameter. */
const takingCtx = (text: string): string[] =>
  ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true).statements.flatMap(statement => {
    if (ts.isFunctionDeclaration(statement)) return takesCtx(statement) ? [statement.name!.text] : []
    if (!ts.isVariableStatement(statement)) return []
    return statement.declarationList.declarations
      .filter(({ initializer }) => initializer && ts.isArrowFunction(initializer) && takesCtx(initializer))
      .map(({ name }) => name.getText())
  })

const takesCtx = ({ parameters }: ts.SignatureDeclaration): boolean =>
  parameters.some(({ type }) => type !== undefined && /\bCtx\b/.test(type.getText()))
