import { Skeleton } from '@mantine/core'
import { hooks } from '../../api/client.ts'
import { customerName } from './name.ts'

const cacheMs = 60_000

/** Current name of a customer. Without a name, for example after erasure, it shows the end of the id. */
export const CustomerName = ({ id }: { id: string }) => {
  const { data, isPending } = hooks.useQuery(
    'get',
    '/v1/customers/{id}',
    { params: { path: { id } } },
    { staleTime: cacheMs },
  )
  if (isPending) return <Skeleton component="span" display="inline-block" width={88} height={10} />
  return <bdi>{(data && customerName(data)) ?? `…${id.slice(-8)}`}</bdi>
}
