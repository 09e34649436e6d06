import { sqlState } from '../../db/client.ts'
import type { AuditAction, Deed, Detail } from '../audit/index.ts'
import { audited } from '../audited.ts'
import type { Ctx } from '../context.ts'
import { requireRoom } from '../entitlements/index.ts'
import { DomainError, invalidRequest, notFound } from '../errors.ts'
import { isId, newId } from '../ids.ts'
import { type PageOf, pageOf, pageRequest } from '../pagination.ts'
import type { PageQuery } from '../schema.ts'
import { wakeChannel } from '../tasks.ts'
import { validator } from '../validate.ts'
import { verb } from '../verb.ts'
import { NoCredentials, openCredentials, sealCredentials, withoutCredentials } from './credentials.ts'
import type { ChannelKind, Introduction, Provider } from './providers/index.ts'
import { type ChangeChannel, type Channel, type ChannelTest, type ConnectChannel, credentialsOf } from './schema.ts'
import { apiUrlOf, type ChannelSettings, inboundUrlOf } from './settings.ts'
import {
  type ChannelRow,
  type ChannelWithCredentials,
  findChannel,
  insertChannel,
  markWorking,
  selectChannels,
  updateChannel,
} from './sql.ts'

/** Connects a channel, so that workflows can send over it. Counts toward the plan's connected numbers. */
export const connectChannel = verb(
  { by: 'owner' },
  async (ctx, settings: ChannelSettings, input: ConnectChannel): Promise<Channel> => {
    const { kind, name, credentials, sandbox } = input
    const { workspaceId } = ctx.caller
    const id = newId()
    const sealed = sealedOf(settings, kind, credentials, { workspaceId, channelId: id })
    const insert = async ({ sql }: Ctx) => {
      await requireRoom(sql, workspaceId, 'connectedNumbers')
      const sandboxDelivery = sandbox?.delivery ?? 'delivered'
      const row = await insertChannel(sql, { workspaceId, id, kind, name, sandboxDelivery, ...sealed })
      if (!row) throw numberTaken()
      return row
    }
    return shape(await audited(ctx, insert, row => deedOn('connectChannel', row)), settings)
  },
)

export const listChannels = verb(
  { by: 'member' },
  async ({ sql, caller }, settings: ChannelSettings, query: PageQuery): Promise<PageOf<Channel>> => {
    const page = pageRequest(query)
    return pageOf(await selectChannels(sql, caller.workspaceId, page), page.limit, row => shape(row, settings))
  },
)

export const readChannel = verb(
  { by: 'member' },
  async (ctx, settings: ChannelSettings, id: string): Promise<Channel> => shape(await existing(ctx, id), settings),
)

/** Changes the given fields. New credentials clear a failure of the old ones and are tried immediately. */
export const changeChannel = verb(
  { by: 'owner' },
  async (ctx, settings: ChannelSettings, id: string, input: ChangeChannel): Promise<Channel> => {
    const { workspaceId } = ctx.caller
    const { kind } = await living(ctx, id)
    refuseWhatIsOfOtherKinds(kind, input)
    const { credentials, number } = sealedOf(settings, kind, input.credentials, { workspaceId, channelId: id })
    const change = { name: input.name ?? null, credentials, number, sandboxDelivery: input.sandbox?.delivery ?? null }
    const update = async ({ sql }: Ctx) => {
      const changed = await updateChannel(sql, { workspaceId, id, ...change })
      if (changed && credentials !== null) await wakeChannel(sql, workspaceId, id)
      return changed
    }
    const row = await audited(ctx, update, changed =>
      changed?.differs ? deedOn('changeChannel', changed, { changed: Object.keys(input) }) : null,
    ).catch(error => {
      throw sqlState(error) === uniqueViolation ? numberTaken() : error
    })
    if (!row) throw disconnected()
    return shape(row, settings)
  },
)

const deedOn = (action: AuditAction, { id, kind, name, number }: ChannelRow, detail: Detail = {}): Deed => ({
  action,
  target: { type: 'channel', id },
  detail: { kind, name, number, ...detail },
})

const uniqueViolation = '23505'

/** Timeout of a channel test in milliseconds. */
const testTimeoutMs = 10_000
const maxDetail = 500
/** A test is only aborted by its timeout, so that a failure always names the timeout. */
const stopsNever = new AbortController().signal

/**
 * Checks the credentials with the provider. Sends no message. If they are valid, a channel that was failing resumes.
 */
export const testChannel = verb(
  { by: 'owner' },
  async (ctx, settings: ChannelSettings, id: string): Promise<ChannelTest> => {
    const channel = await living(ctx, id)
    const { ok, detail } = await introduced(channel, ctx.caller.workspaceId, settings)
    await audited(
      ctx,
      async ({ sql, caller: { workspaceId } }) => {
        if (ok && (await markWorking(sql, workspaceId, id))) await wakeChannel(sql, workspaceId, id)
      },
      () => deedOn('testChannel', channel, { ok }),
    )
    return { ok, detail: detail.slice(0, maxDetail) }
  },
)

const introduced = async (
  channel: ChannelWithCredentials,
  workspaceId: string,
  settings: ChannelSettings,
): Promise<Introduction> => {
  const provider: Provider = settings.providers[channel.kind]
  try {
    const credentials = openCredentials(settings.seals, channel.credentials, { workspaceId, channelId: channel.id })
    const { ok, detail } = await provider.whoAreWe({
      credentials,
      apiUrl: apiUrlOf(provider, settings),
      statusUrl: null,
      sandboxDelivery: channel.sandboxDelivery,
      timeoutMs: testTimeoutMs,
      signal: stopsNever,
    })
    return { ok, detail: withoutCredentials(detail, credentials) }
  } catch (error) {
    if (error instanceof NoCredentials) return { ok: false, detail: error.message }
    throw error
  }
}

/** Returns the stored form of credentials: encrypted, with the number they belong to. */
const sealedOf = (
  { seals, providers }: ChannelSettings,
  kind: ChannelKind,
  credentials: unknown,
  channel: { workspaceId: string; channelId: string },
): { credentials: Buffer | null; number: string | null } => {
  if (credentials === undefined) return { credentials: null, number: null }
  if (seals === null) throw noKey()
  return { credentials: sealCredentials(seals, credentials, channel), number: providers[kind].numberOf(credentials) }
}

const noKey = () =>
  new DomainError(
    'unprocessable',
    'Channels with credentials need the setting SECRETS_KEY, under which those are encrypted; ask the operator of the service to set it.',
  )

const numberTaken = () =>
  new DomainError(
    'conflict',
    'A channel with this number is connected already; change that one, or disconnect it first.',
  )

const disconnected = () =>
  new DomainError('unprocessable', 'This channel is disconnected and stays so; connect a new one.')

const refuseWhatIsOfOtherKinds = (kind: ChannelKind, { credentials, sandbox }: ChangeChannel) => {
  if (sandbox !== undefined && kind !== 'sandbox')
    throw invalidRequest({ sandbox: 'Is for sandbox channels alone; remove it.' })
  if (credentials === undefined) return
  const shapeOfCredentials = credentialsOf(kind)
  if (!shapeOfCredentials) throw invalidRequest({ credentials: 'A channel of this kind has none; remove it.' })
  validator(shapeOfCredentials)({ credentials })
}

const existing = async ({ sql, caller }: Ctx, id: string): Promise<ChannelWithCredentials> => {
  const row = isId(id) ? await findChannel(sql, caller.workspaceId, id) : null
  if (!row) throw notFound('channel')
  return row
}

const living = async (ctx: Ctx, id: string): Promise<ChannelWithCredentials> => {
  const row = await existing(ctx, id)
  if (row.status === 'disconnected') throw disconnected()
  return row
}

const shape = (row: ChannelRow, settings: ChannelSettings): Channel => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  number: row.number,
  status: row.status,
  statusDetail: row.statusDetail,
  inboundUrl: row.status === 'disconnected' ? null : inboundUrlOf(row, settings),
  sandbox: row.kind === 'sandbox' ? { delivery: row.sandboxDelivery } : null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})
