/** Resolves paths in facts. Pure. */

/** Returns the value at a path such as `data.items.0.name`, or undefined if any part is absent. */
export const valueAt = (facts: unknown, path: string): unknown => {
  let value: unknown = facts
  for (const segment of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined
    value = (value as Record<string, unknown>)[segment]
  }
  return value ?? undefined
}
