import { withoutOverrides } from '../../texts/isolate.ts'

/**
 * Returns a short label of a customer: the name, the phone or the external id, without controls that turn letters. null
 * once the customer is erased.
 */
export const customerName = (customer: {
  name: string | null
  phone: string | null
  externalId: string | null
}): string | null => {
  const label = customer.name || customer.phone || customer.externalId
  return label && withoutOverrides(label)
}
