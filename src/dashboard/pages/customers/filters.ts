/** Filters of the customers list, as stored in the address. */
export interface CustomerFilters {
  q?: string
  externalId?: string
}

export const customerFilters = (search: Record<string, unknown>): CustomerFilters => ({
  ...textOf('q', search),
  ...textOf('externalId', search),
})

const textOf = (name: keyof CustomerFilters, search: Record<string, unknown>): CustomerFilters => {
  const value = search[name]
  return typeof value === 'string' && value !== '' ? { [name]: value } : {}
}

const e164 = /^\+[1-9]\d{7,14}$/

/** Looks up a complete phone number exactly. Any other text is searched in names, phones and external ids. */
export const queryOf = ({ q, externalId }: CustomerFilters): { q?: string; phone?: string; externalId?: string } => {
  const phone = q?.replaceAll(/[\s\p{Cf}\p{Pd}().]/gu, '')
  return {
    ...(q && (phone && e164.test(phone) ? { phone } : { q })),
    ...(externalId && { externalId }),
  }
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Returns true for a UUID: a pasted id identifies a single customer. */
export const isId = (text: unknown): text is string => typeof text === 'string' && uuid.test(text)
