import { isOwner } from '../context.ts'
import { notFound } from '../errors.ts'
import { isId } from '../ids.ts'
import { maxLookedAt, pageOfLook } from '../look.ts'
import { type PageOf, pageOf, pageRequest } from '../pagination.ts'
import { verb } from '../verb.ts'
import type { Destination, OutboundEvent, OutboundEventDetail, OutboundEventQuery } from './schema.ts'
import {
  type DestinationRow,
  findLastOutboundEventLookedAt,
  findOutboundEvent,
  isLookedFor,
  type OutboundEventRow,
  selectDestinations,
  selectOutboundEvents,
} from './sql.ts'

/** Ten endpoints live at most; the rest are deleted ones, and those may be many. */
const maxDestinations = 50

/** What the workspace told its endpoints, newest first. */
export const listOutboundEvents = verb(
  { by: 'member' },
  async ({ sql, caller }, query: OutboundEventQuery): Promise<PageOf<OutboundEvent>> => {
    const page = pageRequest(query)
    const filter = { workspaceId: caller.workspaceId, type: query.type ?? null, page }
    const rows = await selectOutboundEvents(sql, filter, maxLookedAt)
    if (!isLookedFor(filter)) return pageOf(rows, page.limit, shape)
    return pageOfLook(rows, page.limit, () => findLastOutboundEventLookedAt(sql, filter, maxLookedAt), shape)
  },
)

/** One of them with every endpoint it went to, and why not to the others. */
export const readOutboundEvent = verb(
  { by: 'member' },
  async ({ sql, caller }, id: string): Promise<OutboundEventDetail> => {
    const row = isId(id) ? await findOutboundEvent(sql, caller.workspaceId, id) : null
    if (!row) throw notFound('outbound event')
    const destinations = await selectDestinations(sql, caller.workspaceId, id, maxDestinations)
    return {
      ...shape(row),
      destinations: destinations.map(destination => shapeDestination(destination, isOwner(caller))),
    }
  },
)

const shape = ({ createdAt, fannedOutAt, ...row }: OutboundEventRow): OutboundEvent => ({
  ...row,
  createdAt: createdAt.toISOString(),
  fannedOutAt: fannedOutAt?.toISOString() ?? null,
})

/** The path of an endpoint's URL often is its password, and endpoints are the owner's business. */
const shapeDestination = ({ url, ...row }: DestinationRow, toOwner: boolean): Destination => ({
  ...row,
  url: toOwner ? url : new URL(url).origin,
})
