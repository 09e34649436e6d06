import { isOwner } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { type PageOf, toPage, toPageRequest } from '../../core/pagination.ts'
import { maxScanned, toScanPage } from '../../core/scan.ts'
import { verb } from '../../core/verb.ts'
import type { Destination, OutboundEvent, OutboundEventDetail, OutboundEventQuery } from './schema.ts'
import {
  type DestinationRow,
  findLastScannedOutboundEvent,
  findOutboundEvent,
  needsScan,
  type OutboundEventRow,
  selectDestinations,
  selectOutboundEvents,
} from './sql.ts'

/**
 * Maximum number of destinations shown. At most ten endpoints exist at a time; the rest are deleted ones, which can be
 * many.
 */
const maxDestinations = 50

/** Lists the workspace's outbound events, newest first. */
export const listOutboundEvents = verb(
  { by: 'member' },
  async ({ sql, caller }, query: OutboundEventQuery): Promise<PageOf<OutboundEvent>> => {
    const page = toPageRequest(query)
    const filter = {
      workspaceId: caller.workspaceId,
      type: query.type ?? null,
      webhookId: query.webhookId?.toLowerCase() ?? null,
      status: query.status ?? null,
      page,
    }
    const rows = await selectOutboundEvents(sql, filter, maxScanned)
    if (!needsScan(filter)) return toPage(rows, page, shape)
    return toScanPage(rows, page, () => findLastScannedOutboundEvent(sql, filter, maxScanned), shape)
  },
)

/** Returns one event with every endpoint it was sent to, and the reason for each endpoint it was not sent to. */
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

const shape = ({ createdAt, fannedOutAt, endpointIds, deliveryStatuses, ...row }: OutboundEventRow): OutboundEvent => ({
  ...row,
  deliveries: endpointIds.map((webhookId, index) => ({ webhookId, status: deliveryStatuses[index]! })),
  createdAt: createdAt.toISOString(),
  fannedOutAt: fannedOutAt?.toISOString() ?? null,
})

/** Only owners see the full URL, because its path is often a secret. */
const shapeDestination = ({ url, ...row }: DestinationRow, isForOwner: boolean): Destination => ({
  ...row,
  url: isForOwner ? url : new URL(url).origin,
})
