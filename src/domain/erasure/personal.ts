/** All personal data of customers, as declared by each module. */
import { personalInCustomers } from '../customers/index.ts'
import { personalInDeliveries } from '../deliveries/index.ts'
import { personalInEvents } from '../events/index.ts'
import { personalInMessages } from '../messages/index.ts'
import type { PersonalColumns } from '../personal.ts'
import { personalInSales } from '../sales/index.ts'
import { personalInWorkflows } from '../workflows/index.ts'

/**
 * Maps each table to its personal columns. Outbound events are missing: each event type declares its personal fields.
 */
export const personalColumns: PersonalColumns = {
  ...personalInCustomers,
  ...personalInDeliveries,
  ...personalInEvents,
  ...personalInMessages,
  ...personalInSales,
  ...personalInWorkflows,
}
