/** Names of the customer and the endpoints of webhook events. */
import { hooks } from '../../api/client.ts'
import { useCustomer } from '../../api/customers.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { customerName } from '../customers/name.ts'
import { getHost } from './host.ts'
import styles from './outbound.module.css'

const staleTime = 5 * 60_000

/** Returns the ID of the customer in an event. Null without one. */
export const customerIdOf = ({ data }: { data: Record<string, unknown> }): string | null =>
  typeof data.customerId === 'string' ? data.customerId : null

/** Name of a customer with the avatar. */
export const CustomerName = ({ id }: { id: string }) => {
  const t = useTranslate()
  const { data, isPending } = useCustomer(id)
  const name = data && customerName(data)
  if (isPending) return null
  if (!name) return <span className={styles.quiet}>{t('outbound.unknownCustomer')}</span>
  return (
    <span className={styles.customer}>
      <Avatar name={data.name} size={20} />
      <bdi>{name}</bdi>
    </span>
  )
}

/** Returns a function that names an endpoint. Null if it was deleted. */
export const useEndpointNames = (): ((id: string) => string | null) => {
  const endpoints = useEndpoints()
  return id => endpoints.find(endpoint => endpoint.id === id)?.name ?? null
}

/** Returns the endpoints with their names, or their hosts without one. */
export const useEndpoints = (): { id: string; name: string }[] => {
  const { data } = hooks.useQuery('get', '/v1/webhooks', {}, { staleTime })
  return data?.data.map(({ id, name, url }) => ({ id, name: name || getHost(url) })) ?? []
}
