/** Names of many customers, for exports. */
import { customerName } from '../pages/customers/name.ts'
import { api } from './client.ts'

/** Maximum number of ids of a request. */
const maxIds = 100

/** Reads the names of customers by id, one request for every 100. An erased customer has none. */
export const readCustomerNames = async (
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> => {
  const names = new Map<string, string>()
  for (let at = 0; at < ids.length; at += maxIds) {
    const query = { ids: ids.slice(at, at + maxIds).join(','), limit: maxIds }
    const { data } = await api.GET('/v1/customers', { params: { query }, signal })
    for (const customer of data?.data ?? []) names.set(customer.id, customerName(customer) ?? '')
  }
  return names
}
