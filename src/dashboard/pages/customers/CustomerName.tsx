import { useCustomerOfRow } from '../inbox/queries.ts'
import { customerName } from './name.ts'

/** Of somebody of whom only the id is known; a part of it until the name is, and where there is none. */
export const CustomerName = ({ id }: { id: string }) => {
  const customer = useCustomerOfRow(id)
  return <bdi>{(customer && customerName(customer)) ?? `…${id.slice(-8)}`}</bdi>
}
