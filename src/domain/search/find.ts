import { isOwner } from '../context.ts'
import { isId } from '../ids.ts'
import type { RefusalLog } from '../refusals/index.ts'
import { verb } from '../verb.ts'
import type { SearchQuery, SearchResult } from './schema.ts'
import { type Found, findByAddress, findById, findByName } from './sql.ts'

const maxFound = 20
/**
 * Number of workflows and of endpoints listed before customers with similar names. The rest follow after the customers.
 */
const inFront = 5

/**
 * Finds records by id, address or name, exact matches first. Waits for `log` if the text is an id, so that a request
 * just rejected by this process is found.
 */
export const search = verb(
  { by: 'member' },
  async ({ sql, caller }, log: RefusalLog, { q = '' }: SearchQuery): Promise<{ data: SearchResult[] }> => {
    const { workspaceId } = caller
    const text = q.trim()
    if (text === '') return { data: [] }
    if (isId(text)) await log.idle()
    const exact = isId(text) ? await findById(sql, workspaceId, text) : []
    const known = await findByAddress(sql, { workspaceId, text, phone: phoneOf(text), limit: maxFound })
    const named = inOrder(await findByName(sql, { workspaceId, text, limit: maxFound }))
    // Agents cannot see deliveries (contract 2.5). They see the endpoint instead.
    const shown = once([...exact, ...known, ...named]).filter(({ type }) => type !== 'delivery' || isOwner(caller))
    return { data: shown.slice(0, maxFound).map(shape) }
  },
)

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

const inOrder = (found: readonly Found[]): Found[] => {
  const of = (type: Found['type']) => found.filter(one => one.type === type)
  const [workflows, endpoints] = [of('workflow'), of('webhook')]
  return [
    ...workflows.slice(0, inFront),
    ...endpoints.slice(0, inFront),
    ...of('customer'),
    ...workflows.slice(inFront),
    ...endpoints.slice(inFront),
  ]
}

const once = (found: readonly Found[]): Found[] => [
  ...new Map(found.map(one => [`${one.type} ${one.id}`, one] as const)).values(),
]

const shape = (found: Found): SearchResult => ({
  type: found.type,
  id: found.id,
  title: found.name ?? nameless[found.type] ?? 'Without a name',
  detail: details[found.type](found),
})

const nameless: Partial<Record<Found['type'], string>> = {
  message: 'A message without a text',
  run: 'Run of a workflow that is gone',
  conversation: 'A customer who was erased',
}

/** Detail line of each type, without what the title already shows. */
const details: Record<Found['type'], (found: Found) => string> = {
  event: ({ of, at }) => listed('Event', of && `about ${of}`, timeOf(at)),
  customer: ({ name, status: phone, of: externalId }) =>
    listed('Customer', ...[phone, externalId].filter(known => known !== name)),
  run: ({ status, of, at }) => listed('Run', of && `for ${of}`, status, timeOf(at)),
  message: ({ status, of, at }) =>
    listed('Message', of && `${status === 'received' ? 'from' : 'to'} ${of}`, status, timeOf(at)),
  delivery: ({ status, of, at }) => listed('Delivery', of && `to ${of}`, status, timeOf(at)),
  outbound_event: ({ at }) => listed('Outbound event', timeOf(at)),
  not_accepted: ({ status, of: count, at }) =>
    listed('Not accepted', status, count === '1' ? 'once' : `${count} times`, timeOf(at)),
  webhook: ({ name, status, of: url }) => listed('Webhook endpoint', url === name ? null : url, status),
  workflow: ({ status, of: type }) => listed('Workflow', `on ${type}`, `switched ${status}`),
  conversation: ({ status, of }) => listed('Conversation', of && `on ${of}`, status),
  channel: ({ status, of: kind }) => listed('Channel', kind, status),
  campaign: ({ status }) => listed('Campaign', status),
  template: ({ status: category }) => listed('Template', category),
  sale: ({ status, of, at }) => listed('Sale', of && `to ${of}`, status, timeOf(at)),
}

const listed = (...parts: (string | null)[]): string => parts.filter(part => part !== null).join(', ')

const timeOf = (at: Date | null): string | null => at?.toISOString() ?? null
