/** Reads of customers by ID, with one request for many. */
import { useQuery } from '@tanstack/react-query'
import { customerName } from '../pages/customers/name.ts'
import { api, Failure, hooks, type Schemas } from './client.ts'
import { withRetryAfter } from './retry.ts'

type Customer = Schemas['Customer']

/** Maximum number of IDs of a request. Their customers are less than the 4 MiB of a page. */
const maxIds = 100
const cacheMs = 60_000

/** Query of a customer who is known only by ID, for example in a row. An erased customer is a 404. */
export const useCustomer = (id: string | null) =>
  useQuery({
    ...hooks.queryOptions('get', '/v1/customers/{id}', { params: { path: { id: id ?? '' } } }),
    queryFn: () => readTogether(id ?? ''),
    enabled: id !== null,
    staleTime: cacheMs,
  })

interface Batch {
  ids: Set<string>
  customers: Promise<Customer[]>
}

/** The request that the current task collects IDs for. */
let collected: Batch | null = null

/** Reads a customer. Reads of one task share a request, because the rows of a list are rendered together. */
const readTogether = async (id: string): Promise<Customer> => {
  if (collected === null || collected.ids.size === maxIds) collected = startBatch()
  collected.ids.add(id)
  const customer = (await collected.customers).find(one => one.id === id)
  if (customer === undefined) throw new Failure(404, 'not_found', 'No such customer.')
  return customer
}

const startBatch = (): Batch => {
  const ids = new Set<string>()
  const customers = Promise.resolve().then(() => {
    collected = null
    return readCustomers([...ids])
  })
  return { ids, customers }
}

const readCustomers = async (ids: readonly string[], signal?: AbortSignal): Promise<Customer[]> => {
  const query = { ids: ids.join(','), limit: maxIds }
  const { data } = await api.GET('/v1/customers', { params: { query }, ...(signal && { signal }) })
  return data?.data ?? []
}

/**
 * Reads the names of customers by ID, for exports. An erased customer has no name. Calls `onProgress` with the number of
 * IDs read so far.
 */
export const readCustomerNames = async (
  ids: readonly string[],
  signal: AbortSignal,
  onProgress: (count: number) => void,
): Promise<ReadonlyMap<string, string>> => {
  const names = new Map<string, string>()
  for (let at = 0; at < ids.length; at += maxIds) {
    onProgress(at)
    const customers = await withRetryAfter(() => readCustomers(ids.slice(at, at + maxIds), signal), signal)
    for (const customer of customers) names.set(customer.id, customerName(customer) ?? '')
  }
  return names
}
