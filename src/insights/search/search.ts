import { findMembersByText, type MemberKind, type MemberRow } from '../../accounts/members/index.ts'
import { isOwner, type Role } from '../../core/context.ts'
import { isId } from '../../core/ids.ts'
import { verb } from '../../core/verb.ts'
import { type CustomerRow, findCustomersByText } from '../../customers/index.ts'
import type { RejectedRequestLog } from '../../events/rejected-requests/index.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { SearchQuery, SearchResult } from './schema.ts'
import { type FoundRecord, findByAddress, findById, findByNameStart, findByPartOfName } from './sql.ts'

const maxResults = 20

/** Number of records of each type that are listed before customers. The rest follow after the customers. */
const maxInFront = 3

/** Number of records of each type whose names are compared. A workspace has at most 10,000 campaigns. */
const maxCompared = 10_000

/**
 * Finds records by id, address or part of a name, exact matches first. Waits for `log` if the text is an id, so that a
 * request just rejected by this process is found.
 */
export const search = verb(
  { by: 'member' },
  async ({ sql, caller }, log: RejectedRequestLog, { q = '' }: SearchQuery): Promise<{ data: SearchResult[] }> => {
    const { workspaceId } = caller
    const text = q.trim()
    if (text === '') return { data: [] }
    if (isId(text)) await log.idle()
    const byId = isId(text) ? await findById(sql, workspaceId, text) : []
    const known = await findByAddress(sql, { workspaceId, text, phone: phoneOf(text), limit: maxResults })
    const byText = await findByText(sql, workspaceId, text)
    // Agents cannot see deliveries (contract 2.5). They see the endpoint instead.
    const visible = unique([...byId, ...known, ...byText]).filter(({ type }) => type !== 'delivery' || isOwner(caller))
    return { data: visible.slice(0, maxResults).map(shape) }
  },
)

const findByText = async (sql: Sql, workspaceId: string, text: string): Promise<FoundRecord[]> => {
  const query = { workspaceId, text, limit: maxResults }
  const named = await findByPartOfName(sql, { ...query, max: maxCompared })
  const members = (await findMembersByText(sql, { ...query, max: maxCompared })).map(ofMember)
  const customers = await findByNameStart(sql, query)
  if (customers.length < maxResults) customers.push(...(await findCustomersByText(sql, query)).map(ofCustomer))
  const groups = frontTypes.map(type => (type === 'member' ? members : named.filter(one => one.type === type)))
  return [
    ...groups.flatMap(group => group.slice(0, maxInFront)),
    ...customers,
    ...groups.flatMap(group => group.slice(maxInFront)),
  ]
}

/** Types of records that are found by a part of their name, in the order of the results. */
const frontTypes = ['workflow', 'webhook', 'template', 'campaign', 'channel', 'member'] as const

const ofMember = ({ id, name, kind, email, role, joinedAt }: MemberRow): FoundRecord => ({
  ...{ type: 'member', id, name: name ?? email, of: email, at: joinedAt },
  status: memberStatus(kind, role, joinedAt),
})

const memberStatus = (kind: MemberKind, role: Role, joinedAt: Date | null): string => {
  if (kind === 'service') return `service account, ${role}`
  return joinedAt === null ? `invited as ${role}` : role
}

const ofCustomer = ({ id, name, phone, externalId, createdAt }: CustomerRow): FoundRecord => ({
  ...{ type: 'customer', id, name: name ?? phone ?? externalId, status: phone, of: externalId, at: createdAt },
})

/**
 * Returns a phone number in E.164 format, ignoring separators. The plus may be missing, because a query string can turn
 * it into a space. Numbers copied from messengers contain invisible characters, and links contain `tel:`.
 */
const phoneOf = (text: string): string | null => {
  const digits = text
    .replace(/[\s\p{Cf}\p{Pd}()./]/gu, '')
    .replace(/^tel:/i, '')
    .replace(/^00|^\+/, '')
  return /^[1-9][0-9]{6,14}$/.test(digits) ? `+${digits}` : null
}

const unique = (found: readonly FoundRecord[]): FoundRecord[] => [
  ...new Map(found.map(one => [`${one.type} ${one.id}`, one] as const)).values(),
]

const shape = (found: FoundRecord): SearchResult => ({
  type: found.type,
  id: found.id,
  title: found.name ?? fallbackTitles[found.type] ?? 'Without a name',
  detail: details[found.type](found),
})

const fallbackTitles: Partial<Record<FoundRecord['type'], string>> = {
  message: 'A message without a text',
  run: 'Run of a removed workflow',
  conversation: 'A customer who was erased',
}

/** Detail line of each type, without what the title already shows. */
const details: Record<FoundRecord['type'], (found: FoundRecord) => string> = {
  event: ({ of, at }) => joinParts('Event', of && `about ${of}`, timeOf(at)),
  customer: ({ name, status: phone, of: externalId }) =>
    joinParts('Customer', ...[phone, externalId].filter(known => known !== name)),
  run: ({ status, of, at }) => joinParts('Run', of && `for ${of}`, status, timeOf(at)),
  message: ({ status, of, at }) =>
    joinParts('Message', of && `${status === 'received' ? 'from' : 'to'} ${of}`, status, timeOf(at)),
  delivery: ({ status, of, at }) => joinParts('Delivery', of && `to ${of}`, status, timeOf(at)),
  outbound_event: ({ at }) => joinParts('Outbound event', timeOf(at)),
  not_accepted: ({ status, of: count, at }) =>
    joinParts('Not accepted', status, count === '1' ? 'once' : `${count} times`, timeOf(at)),
  webhook: ({ name, status, of: url }) => joinParts('Webhook endpoint', url === name ? null : url, status),
  workflow: ({ status, of: type }) => joinParts('Workflow', `starts with ${type}`, status),
  conversation: ({ status, of }) => joinParts('Conversation', of && `on ${of}`, status),
  member: ({ name, status, of: email }) => joinParts('Member', email === name ? null : email, status),
  channel: ({ status, of: kind }) => joinParts('Channel', kind, status),
  campaign: ({ status }) => joinParts('Campaign', status),
  template: ({ status: category }) => joinParts('Template', category),
  sale: ({ status, of, at }) => joinParts('Sale', of && `to ${of}`, status, timeOf(at)),
}

const joinParts = (...parts: (string | null)[]): string => parts.filter(part => part !== null).join(', ')

const timeOf = (at: Date | null): string | null => at?.toISOString() ?? null
