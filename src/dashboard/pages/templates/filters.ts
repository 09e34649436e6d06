/** Search and order of the templates, as the address stores them. */
import type { Schemas } from '../../api/client.ts'
import { hasWords } from '../../ui/list/text-search.ts'

type Template = Schemas['Template']

export const orders = ['name', 'updated'] as const

export interface TemplateFilters {
  /** Text in the name or the body. */
  q?: string
  /** Newest first by default. */
  order?: (typeof orders)[number]
}

const maxLength = 200

export const parseTemplateFilters = ({ q, order }: Record<string, unknown>): TemplateFilters => {
  const known = orders.find(one => one === order)
  return {
    ...(typeof q === 'string' && q !== '' && { q: q.slice(0, maxLength) }),
    ...(known && { order: known }),
  }
}

/** Returns the templates that match, in the chosen order. */
export const applyFilters = (templates: readonly Template[], { q, order }: TemplateFilters): Template[] => {
  const found = templates.filter(({ name, body }) => !q || hasWords(`${name}\n${body}`, q))
  if (order === 'name') return found.toSorted((a, b) => a.name.localeCompare(b.name))
  return order === 'updated' ? found.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt)) : found
}
