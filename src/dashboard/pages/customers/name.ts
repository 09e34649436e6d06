/** What a customer is called where there is room for one word of it; null once erased. */
export const customerName = (customer: {
  name: string | null
  phone: string | null
  externalId: string | null
}): string | null => customer.name || customer.phone || customer.externalId
