/** Returns a short label of a customer: the name, the phone or the external id. null once the customer is erased. */
export const customerName = (customer: {
  name: string | null
  phone: string | null
  externalId: string | null
}): string | null => customer.name || customer.phone || customer.externalId
