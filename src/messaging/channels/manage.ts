import { type ActionRecord, type AuditAction, type Detail, withAudit } from '../../accounts/audit/index.ts'
import { requireAllowance } from '../../accounts/entitlements/index.ts'
import type { Ctx } from '../../core/context.ts'
import { DomainError, invalidRequest, notFound } from '../../core/errors.ts'
import { isId, newId } from '../../core/ids.ts'
import { type PageOf, toPage, toPageRequest } from '../../core/pagination.ts'
import type { PageQuery } from '../../core/schema.ts'
import { validator } from '../../core/validate.ts'
import { verb } from '../../core/verb.ts'
import { sqlState } from '../../platform/postgres/client.ts'
import { wakeChannel } from '../../queue/tasks.ts'
import { decryptCredentials, encryptCredentials, NoCredentials, redactCredentials } from './credentials.ts'
import type { ChannelKind, CredentialsCheck, Provider } from './providers/index.ts'
import { type ChangeChannel, type Channel, type ChannelTest, type ConnectChannel, credentialsSchema } from './schema.ts'
import { apiUrlOf, type ChannelSettings, inboundUrlOf } from './settings.ts'
import {
  type ChannelRow,
  type ChannelWithCredentials,
  countChannels,
  findChannel,
  insertChannel,
  markConnected,
  selectChannels,
  updateChannel,
} from './sql.ts'

/** Maximum number of channels of a workspace, including disconnected ones (contract 9.1). */
const maxChannels = 1000

/** Connects a channel, so that workflows can send over it. Counts toward the plan's connected numbers. */
export const connectChannel = verb(
  { by: 'owner' },
  async (ctx, settings: ChannelSettings, input: ConnectChannel): Promise<Channel> => {
    const { kind, name, credentials, sandbox } = input
    const { workspaceId } = ctx.caller
    const id = newId()
    const encrypted = prepareCredentials(settings, kind, credentials, { workspaceId, channelId: id })
    const insert = async ({ sql }: Ctx) => {
      await requireAllowance(sql, workspaceId, 'connectedNumbers')
      // The workspace is locked now, so that concurrent calls cannot exceed the limit.
      if ((await countChannels(sql, workspaceId, maxChannels)) >= maxChannels) throw tooManyChannels()
      const sandboxDelivery = sandbox?.delivery ?? 'delivered'
      const row = await insertChannel(sql, { workspaceId, id, kind, name, sandboxDelivery, ...encrypted })
      if (!row) throw numberTaken()
      return row
    }
    return shape(await withAudit(ctx, insert, row => auditEntry('connectChannel', row)), settings)
  },
)

export const listChannels = verb(
  { by: 'member' },
  async ({ sql, caller }, settings: ChannelSettings, query: PageQuery): Promise<PageOf<Channel>> => {
    const page = toPageRequest(query)
    return toPage(await selectChannels(sql, caller.workspaceId, page), page, row => shape(row, settings))
  },
)

export const readChannel = verb(
  { by: 'member' },
  async (ctx, settings: ChannelSettings, id: string): Promise<Channel> =>
    shape(await requireChannel(ctx, id), settings),
)

/** Changes the given fields. New credentials clear a failure of the old ones and are tried immediately. */
export const changeChannel = verb(
  { by: 'owner' },
  async (ctx, settings: ChannelSettings, id: string, input: ChangeChannel): Promise<Channel> => {
    const { workspaceId } = ctx.caller
    const { kind } = await requireConnectedChannel(ctx, id)
    rejectUnsupportedFields(kind, input)
    const { credentials, number } = prepareCredentials(settings, kind, input.credentials, {
      workspaceId,
      channelId: id,
    })
    const change = { name: input.name ?? null, credentials, number, sandboxDelivery: input.sandbox?.delivery ?? null }
    const update = async ({ sql }: Ctx) => {
      const changed = await updateChannel(sql, { workspaceId, id, ...change })
      if (changed && credentials !== null) await wakeChannel(sql, workspaceId, id)
      return changed
    }
    const row = await withAudit(ctx, update, changed =>
      changed?.differs ? auditEntry('changeChannel', changed, { changed: Object.keys(input) }) : null,
    ).catch(error => {
      throw sqlState(error) === uniqueViolation ? numberTaken() : error
    })
    if (!row) {
      await requireConnectedChannel(ctx, id)
      throw numberTaken()
    }
    return shape(row, settings)
  },
)

const auditEntry = (
  action: AuditAction,
  { id, kind, name, number }: ChannelRow,
  detail: Detail = {},
): ActionRecord => ({
  action,
  target: { type: 'channel', id },
  detail: { kind, name, number, ...detail },
})

/** Raised only if another transaction connects the number at the same moment. */
const uniqueViolation = '23505'

/** Timeout of a channel test in milliseconds. */
const testTimeoutMs = 10_000
const maxDetail = 500
/** A test is only aborted by its timeout, so that a failure always names the timeout. */
const neverAborts = new AbortController().signal

/**
 * Checks the credentials with the provider. Sends no message. If they are valid, a channel that was failing resumes.
 */
export const testChannel = verb(
  { by: 'owner' },
  async (ctx, settings: ChannelSettings, id: string): Promise<ChannelTest> => {
    const channel = await requireConnectedChannel(ctx, id)
    const { ok, detail } = await testCredentials(channel, ctx.caller.workspaceId, settings)
    await withAudit(
      ctx,
      async ({ sql, caller: { workspaceId } }) => {
        if (ok && (await markConnected(sql, workspaceId, id))) await wakeChannel(sql, workspaceId, id)
      },
      () => auditEntry('testChannel', channel, { ok }),
    )
    return { ok, detail: detail.slice(0, maxDetail) }
  },
)

const testCredentials = async (
  channel: ChannelWithCredentials,
  workspaceId: string,
  settings: ChannelSettings,
): Promise<CredentialsCheck> => {
  const provider: Provider = settings.providers[channel.kind]
  try {
    const credentials = decryptCredentials(settings.keyring, channel.credentials, {
      workspaceId,
      channelId: channel.id,
    })
    const { ok, detail } = await provider.checkCredentials({
      credentials,
      apiUrl: apiUrlOf(provider, settings),
      statusUrl: null,
      sandboxDelivery: channel.sandboxDelivery,
      timeoutMs: testTimeoutMs,
      signal: neverAborts,
    })
    return { ok, detail: redactCredentials(detail, credentials) }
  } catch (error) {
    if (error instanceof NoCredentials) return { ok: false, detail: error.message }
    throw error
  }
}

/** Returns the stored form of credentials: encrypted, with the number they belong to. */
const prepareCredentials = (
  { keyring, providers }: ChannelSettings,
  kind: ChannelKind,
  credentials: unknown,
  channel: { workspaceId: string; channelId: string },
): { credentials: Buffer | null; number: string | null } => {
  if (credentials === undefined) return { credentials: null, number: null }
  if (keyring === null) throw missingKey()
  return {
    credentials: encryptCredentials(keyring, credentials, channel),
    number: providers[kind].numberOf(credentials),
  }
}

const missingKey = () =>
  new DomainError(
    'unprocessable',
    'Channels with credentials require the setting SECRETS_KEY, which encrypts them. Ask the operator to set it.',
  )

const numberTaken = () =>
  new DomainError(
    'conflict',
    'A channel with this number is already connected. Change that channel, or disconnect it first.',
  )

const tooManyChannels = () =>
  new DomainError(
    'unprocessable',
    'A workspace has at most 1,000 channels, including disconnected ones. Change a connected channel instead, or ask the operator for help.',
  )

const disconnected = () =>
  new DomainError('unprocessable', 'This channel is permanently disconnected. Connect a new one.')

const rejectUnsupportedFields = (kind: ChannelKind, { credentials, sandbox }: ChangeChannel) => {
  if (sandbox !== undefined && kind !== 'sandbox')
    throw invalidRequest({ sandbox: 'Is only allowed for sandbox channels. Remove it.' })
  if (credentials === undefined) return
  const schema = credentialsSchema(kind)
  if (!schema) throw invalidRequest({ credentials: 'Is not allowed for this kind of channel. Remove it.' })
  validator(schema)({ credentials })
}

const requireChannel = async ({ sql, caller }: Ctx, id: string): Promise<ChannelWithCredentials> => {
  const row = isId(id) ? await findChannel(sql, caller.workspaceId, id) : null
  if (!row) throw notFound('channel')
  return row
}

const requireConnectedChannel = async (ctx: Ctx, id: string): Promise<ChannelWithCredentials> => {
  const row = await requireChannel(ctx, id)
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
