import { useCustomer } from '../inbox/queries.ts'
import { customerName } from './name.ts'

/** As the customer is called today; the end of the id until that is known, and once they were erased. */
export const CustomerName = ({ id }: { id: string }) => {
  const customer = useCustomer(id)
  return <bdi>{(customer && customerName(customer)) ?? `…${id.slice(-8)}`}</bdi>
}
