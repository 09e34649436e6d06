/** Tests every verb of an operation without HTTP. `tests/contract.test.ts` tests the roles over HTTP. */
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

const allowed: Record<Verb['rule']['by'], readonly Who[]> = {
  'key or member': everybody,
  'key or owner': ['an API key', 'an owner'],
  member: ['an agent', 'an owner'],
  owner: ['an owner'],
}

const lacking = (feature: Feature) =>
  `feature_not_available: The workspace's plan does not include ${feature}. Upgrade the plan to use it.`

/** The feature that these operations require of every caller. A key also requires `api`. */
const needs: Record<string, Feature> = Object.fromEntries(
  Object.entries({
    api: 'issueApiKey',
    webhooks: `createWebhook changeWebhook rotateWebhookSecret testWebhook retryDelivery releaseWebhook startRecovery
      pullOutboundEvents sendOutboundEvent`,
    workflows: 'createWorkflow changeWorkflow publishWorkflow stopRun',
    campaigns: `createCampaign changeCampaign previewCampaign previewAudience testCampaign startCampaign pauseCampaign resumeCampaign`,
  }).flatMap(([feature, operations]) => operations.split(/\s+/).map(name => [name, feature as Feature])),
)

test.each(guarded.map(operation => [operation.id, operation] as const))(
  '%s needs its feature, and api for a key',
  async (name, { verb, path }) => {
    const { by } = verb.rule
    expect(allowsKeys(by)).toBe(
      /^\/v1\/(events|customers)(\/|$)/.test(path) && path !== '/v1/customers/:id/opt-out/lift',
    )
    for (const who of everybody) {
      if (!allowed[by].includes(who)) {
        // The rule is checked before the plan.
        for (const features of [allFeatures, []])
          expect(await refusalOf(verb, who, features)).toStartWith('forbidden: ')
        continue
      }
      const wanted = [needs[name] ?? [], who === 'an API key' ? ('api' as const) : []].flat()
      expect(await refusalOf(verb, who, wanted), who).toBeNull()
      for (const missing of allFeatures) {
        const rest = allFeatures.filter(feature => feature !== missing)
        const expected = wanted.includes(missing) ? lacking(missing) : null
        expect(await refusalOf(verb, who, rest), `${who}, without ${missing}`).toBe(expected)
      }
    }
  },
)

test('a forbidden call rejects its promise before the work starts', async () => {
  let begun = false
  const done = verb({ by: 'owner' }, async (_, what: string) => {
    begun = true
    return what
  })
  const callAs = (who: Who) => done({ sql, caller: callerWith(who, allFeatures) }, 'done')
  await expect(callAs('an agent')).rejects.toThrow('Only an owner of the workspace can do this.')
  await expect(callAs('an API key')).rejects.toThrow(
    'An API key can only call /v1/events, /v1/customers and the paths below them. Sign in to use this operation.',
  )
  expect(begun).toBe(false)
  expect(await callAs('an owner')).toBe('done')
})

test('every operation has its own verb, and the required features belong to operations', () => {
  expect(guarded.length).toBeGreaterThan(40)
  expect(new Set(guarded.map(({ verb }) => verb)).size).toBe(guarded.length)
  expect(guarded.map(one => one.id)).toContainValues(Object.keys(needs))
})

test('only sign-in, account and provider callback operations have no verb and so no rule', () => {
  const others = operations.filter(operation => !isGuarded(operation)).map(operation => operation.id)
  expect(others.sort()).toEqual(
    `acceptInvitation beginTotp challengeWhatsapp changePassword changeUser confirmEmail confirmIdentity confirmTotp
    createAccessToken deleteUser describeLink endOtherSessions endSession endSsoSessions forgotPassword linkIdentity
    listAccessTokens listSessions mailIdentityLink readIdentity readSso readTotp readUser receiveTwilio
    receiveWhatsapp removeTotp renewRecoveryCodes resetPassword revokeAccessToken signIn signInByLink signInWithCode
    signInWithSso signOut startSso unlinkIdentity`.split(/\s+/),
  )
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
  /** Functions that a verb calls with its context. */
  const wrappers = ['withAudit']

  test('in every entity', () => {
    const unguarded = entities.flatMap(noun => {
      const folder = join(src, noun)
      const textOf = (file: string) => readFileSync(join(folder, file), 'utf8')
      const offered = textOf('index.ts')
        .replaceAll(/from '.*'/g, '')
        .match(/\w+/g)!
      const files = readdirSync(folder).filter(file => file.endsWith('.ts') && file !== 'index.ts')
      const names = files.flatMap(file => takingCtx(textOf(file))).filter(name => !wrappers.includes(name))
      return names.filter(name => offered.includes(name)).map(name => `${noun} ${name}`)
    })
    expect(unguarded).toEqual([])
  })

  test.each([
    [`export const read = async (ctx: Ctx, id: string) => 1`, ['read']],
    [`export const read = ({ sql, caller }: Ctx) => 1`, ['read']],
    [`export async function read(ctx: Ctx) {}`, ['read']],
    [`const read = (ctx: Pick<Ctx, 'caller'>) => 1`, ['read']],
    [`export const read = verb({ by: 'owner' }, async (ctx: Ctx) => 1)`, []],
  ])('are found in %s', (text, names) => {
    expect(takingCtx(text)).toEqual(names)
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
