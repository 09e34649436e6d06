import { hooks } from '../../api/client.ts'

/** Maximum number of sales that the page of a customer loads. */
const maxSales = 100

/** Queries the newest sales of a customer. The header, the timeline and the list of sales share the request. */
export const useSales = (customerId: string) =>
  hooks.useQuery('get', '/v1/sales', { params: { query: { customerId, limit: maxSales } } })
