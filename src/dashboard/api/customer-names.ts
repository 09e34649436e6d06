/** Names of many customers, for exports. */
import { customerName } from '../pages/customers/name.ts'
import { api } from './client.ts'
import { withRetryAfter } from './retry.ts'

/** Maximum number of ids of a request. */
const maxIds = 100

/**
 * Reads the names of customers by ID, with one request for every 100. An erased customer has no name. Calls
 * `onProgress` with the number of IDs read so far.
 */
export const readCustomerNames = async (
  ids: readonly string[],
  signal: AbortSignal,
  onProgress: (count: number) => void,
): Promise<ReadonlyMap<string, string>> => {
  const names = new Map<string, string>()
  for (let at = 0; at < ids.length; at += maxIds) {
    onProgress(at)
    const query = { ids: ids.slice(at, at + maxIds).join(','), limit: maxIds }
    const { data } = await withRetryAfter(() => api.GET('/v1/customers', { params: { query }, signal }), signal)
    for (const customer of data?.data ?? []) names.set(customer.id, customerName(customer) ?? '')
  }
  return names
}
