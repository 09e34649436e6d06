/** Filters of the customers list, as stored in the address. */
export interface CustomerFilters {
  q?: string
  externalId?: string
}

export const parseCustomerFilters = (search: Record<string, unknown>): CustomerFilters => ({
  ...parseText('q', search),
  ...parseText('externalId', search),
})

const parseText = (name: keyof CustomerFilters, search: Record<string, unknown>): CustomerFilters => {
  const value = search[name]
  return typeof value === 'string' && value !== '' ? { [name]: value } : {}
}

const e164 = /^\+[1-9]\d{7,14}$/

/** Looks up a complete phone number exactly. Any other text is searched in names, phones and external ids. */
export const toQuery = ({ q, externalId }: CustomerFilters): { q?: string; phone?: string; externalId?: string } => {
  const phone = q?.replaceAll(/[\s\p{Cf}\p{Pd}().]/gu, '')
  return {
    ...(q && (phone && e164.test(phone) ? { phone } : { q })),
    ...(externalId && { externalId }),
  }
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Returns true for a UUID: a pasted id identifies a single customer. */
export const isId = (text: unknown): text is string => typeof text === 'string' && uuid.test(text)
