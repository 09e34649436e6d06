/** What the list of customers can be narrowed down to, as it stands in the address. */
export interface CustomerFilters {
  q?: string
  externalId?: string
}

export const customerFilters = (search: Record<string, unknown>): CustomerFilters => ({
  ...textOf('q', search),
  ...textOf('externalId', search),
})

/** An address that was written by hand may hold a bare number. */
const textOf = (name: keyof CustomerFilters, search: Record<string, unknown>): CustomerFilters => {
  const value = search[name]
  const isText = typeof value === 'string' || typeof value === 'number'
  return isText && value !== '' ? { [name]: String(value) } : {}
}

const e164 = /^\+[1-9]\d{7,14}$/

/** A whole phone number is looked up exactly; all else is searched in names, phones and external ids. */
export const queryOf = ({ q, externalId }: CustomerFilters): { q?: string; phone?: string; externalId?: string } => {
  const phone = q?.replaceAll(/[\s().-]/g, '')
  return {
    ...(q && (phone && e164.test(phone) ? { phone } : { q })),
    ...(externalId && { externalId }),
  }
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Somebody's id was pasted: there is one who can be meant. */
export const isId = (text: unknown): text is string => typeof text === 'string' && uuid.test(text)
