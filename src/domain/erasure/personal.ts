/** What tells of a customer in any table, as the nouns declare it. */
import { personalInCustomers } from '../customers/index.ts'
import { personalInDeliveries } from '../deliveries/index.ts'
import { personalInEvents } from '../events/index.ts'
import { personalInMessages } from '../messages/index.ts'
import type { PersonalColumns } from '../personal.ts'
import { personalInSales } from '../sales/index.ts'
import { personalInWorkflows } from '../workflows/index.ts'

/** Table -> its columns that tell of a customer. What an outbound event tells, its type declares field by field. */
export const personalColumns: PersonalColumns = {
  ...personalInCustomers,
  ...personalInDeliveries,
  ...personalInEvents,
  ...personalInMessages,
  ...personalInSales,
  ...personalInWorkflows,
}
