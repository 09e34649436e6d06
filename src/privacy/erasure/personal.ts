/** All personal data of customers, as declared by each module. */

import type { PersonalColumns } from '../../core/personal-data.ts'
import { personalInCustomers } from '../../customers/index.ts'
import { personalInSales } from '../../customers/sales/index.ts'
import { personalInEvents } from '../../events/index.ts'
import { personalInMessages } from '../../messaging/messages/index.ts'
import { personalInDeliveries } from '../../webhooks/deliveries/index.ts'
import { personalInWorkflows } from '../../workflows/index.ts'

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
