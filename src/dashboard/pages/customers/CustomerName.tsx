import { Skeleton } from '@mantine/core'
import { hooks } from '../../api/client.ts'
import { customerName } from './name.ts'

const seldomMs = 60_000

/** As the customer is called today; the end of the id where they are called nothing, as once they were erased. */
export const CustomerName = ({ id }: { id: string }) => {
  const { data, isPending } = hooks.useQuery(
    'get',
    '/v1/customers/{id}',
    { params: { path: { id } } },
    { staleTime: seldomMs },
  )
  if (isPending) return <Skeleton component="span" display="inline-block" width={88} height={10} />
  return <bdi>{(data && customerName(data)) ?? `…${id.slice(-8)}`}</bdi>
}
