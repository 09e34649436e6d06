import type { Caller } from '../context.ts'
import { isId } from '../ids.ts'
import { verb } from '../verb.ts'
import { optOut } from './opt-out.ts'
import { shape } from './record.ts'
import type { Customer, OptIn, OptOut } from './schema.ts'
import { type ConsentSource, markOptedIn } from './sql.ts'

/** Records that the customer agreed, with the evidence. An opt-out is not lifted by it. */
export const optInCustomer = verb(
  { by: 'key or member' },
  async ({ sql, caller }, id: string, { evidence }: OptIn): Promise<Customer> => {
    const { workspaceId } = caller
    return shape(isId(id) ? await markOptedIn(sql, { workspaceId, id, evidence, source: sourceOf(caller) }) : null)
  },
)

/** No message goes to the customer from here on. Opting out again changes nothing and tells nobody a second time. */
export const optOutCustomer = verb(
  { by: 'key or member' },
  async ({ sql, caller }, id: string, { reason }: OptOut): Promise<Customer> => {
    const { workspaceId } = caller
    return shape(isId(id) ? await optOut(sql, { workspaceId, id, reason, source: sourceOf(caller) }) : null)
  },
)

const sourceOf = (caller: Caller): ConsentSource => (caller.type === 'api_key' ? 'api' : 'dashboard')
