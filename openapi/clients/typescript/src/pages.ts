/** Reads lists item by item (contract 1.3). */
import type { Client } from './client.js'
import { orThrow } from './errors.js'
import type { paths } from './schema.js'

interface Page {
  data: unknown[]
  nextCursor?: string | null
}

type Responding<T> = { responses: { 200: { content: { 'application/json': T } } } }

/** Paths of lists with a cursor. */
export type ListPath = {
  [P in keyof paths]: paths[P] extends { get: Responding<infer T extends Page> }
    ? 'nextCursor' extends keyof T
      ? P
      : never
    : never
}[keyof paths]

/** Type of the items of a list. */
export type ItemOf<P extends ListPath> = paths[P] extends { get: Responding<{ data: (infer Item)[] }> } ? Item : never

type ParametersOf<P extends ListPath> = paths[P] extends { get: { parameters: infer T } } ? T : never

type Arguments<P extends ListPath> =
  ParametersOf<P> extends { path: object } ? [params: ParametersOf<P>] : [params?: ParametersOf<P>]

/** Yields every item of a list. Requests the next page when it is needed. Throws ApiError. */
export async function* iterate<P extends ListPath>(
  client: Client,
  path: P,
  ...[params]: Arguments<P>
): AsyncGenerator<ItemOf<P>, void, undefined> {
  const { query, ...others } = (params ?? {}) as { query?: object }
  // The types of a call depend on a path that is only known to the caller.
  const get = client.GET as unknown as (path: P, options: object) => Promise<{ data: Page; response: Response }>
  let cursor: string | null | undefined
  do {
    const page = orThrow(await get(path, { params: { ...others, query: { ...query, ...(cursor && { cursor }) } } }))
    yield* page.data as ItemOf<P>[]
    cursor = page.nextCursor
  } while (cursor)
}
