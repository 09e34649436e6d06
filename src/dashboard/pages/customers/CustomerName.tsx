import { Skeleton } from '@mantine/core'
import { useCustomer } from '../../api/customers.ts'
import { customerName } from './name.ts'

/** Returns the current name of a customer, undefined until it is loaded. Without a name, it is the end of the id. */
export const useCustomerName = (id: string): string | undefined => {
  const { data, isPending } = useCustomer(id)
  return isPending ? undefined : ((data && customerName(data)) ?? `…${id.slice(-8)}`)
}

/** Current name of a customer. Without a name, for example after erasure, it shows the end of the id. */
export const CustomerName = ({ id }: { id: string }) => {
  const name = useCustomerName(id)
  if (name === undefined) return <Skeleton component="span" display="inline-block" width={88} height={10} />
  return <bdi>{name}</bdi>
}
