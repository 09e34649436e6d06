import { isId } from '../ids.ts'
import { type PageOf, pageOf, pageRequest } from '../pagination.ts'
import { verb } from '../verb.ts'
import { shape } from './record.ts'
import type { Customer, CustomerQuery } from './schema.ts'
import { findCustomer, selectCustomers } from './sql.ts'

/** The workspace's customers, newest first; what is asked for of phone, external id and `q` must all hold. */
export const listCustomers = verb(
  { by: 'key or member' },
  async ({ sql, caller }, query: CustomerQuery): Promise<PageOf<Customer>> => {
    const page = pageRequest(query)
    const filter = {
      phone: query.phone?.replace(' ', '+') ?? null,
      externalId: query.externalId ?? null,
      search: query.q?.trim() || null,
    }
    return pageOf(await selectCustomers(sql, caller.workspaceId, filter, page), page.limit, shape)
  },
)

/** One customer of the caller's workspace. */
export const readCustomer = verb(
  { by: 'key or member' },
  async ({ sql, caller }, id: string): Promise<Customer> =>
    shape(isId(id) ? await findCustomer(sql, caller.workspaceId, id) : null),
)
