/** The operations of the published document, as far as the pages name them. */

export interface ListedOperation {
  method: string
  path: string
  summary: string
  description: string
  /** Where the reference shows it. */
  address: string
}

interface Document {
  tags: { name: string }[]
  paths: Record<string, Record<string, { operationId: string; tags: string[]; summary: string; description?: string }>>
  webhooks: Record<string, { post: { summary: string; description?: string } }>
}

/** By tag, in the order of the document; a tag of what is sent to endpoints alone has none. */
export const operationsByTag = (document: string): { tag: string; operations: ListedOperation[] }[] => {
  const { tags, paths } = JSON.parse(document) as Document
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([
        method,
        {
          operationId,
          tags: [tag],
          summary,
          description = '',
        },
      ]) => ({
        tag,
        operation: { method: method.toUpperCase(), path, summary, description, address: addressOf(tag!, operationId) },
      }),
    ),
  )
  return tags
    .map(({ name }) => ({
      tag: name,
      operations: all.filter(({ tag }) => tag === name).map(({ operation }) => operation),
    }))
    .filter(({ operations }) => operations.length > 0)
}

/** As `client/reference.ts` has the reference name them. */
const addressOf = (tag: string, operationId: string): string =>
  `/docs/reference#tag/${slugOf(tag)}/operation/${operationId}`

const slugOf = (tag: string): string => tag.toLowerCase().replaceAll(' ', '-')
