/** Lists the operations of the published document for the documentation pages. */

export interface ListedOperation {
  method: string
  path: string
  summary: string
  description: string
  /** URL in the reference. */
  address: string
}

interface Document {
  tags: { name: string }[]
  paths: Record<string, Record<string, { operationId: string; tags: string[]; summary: string; description?: string }>>
  webhooks: Record<string, { post: { summary: string; description?: string } }>
}

/** Returns the operations by tag, in the order of the document. Tags that only contain webhooks are omitted. */
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

/** Returns the URL in the format that `client/reference.ts` configures. */
const addressOf = (tag: string, operationId: string): string =>
  `/docs/reference#tag/${slugOf(tag)}/operation/${operationId}`

const slugOf = (tag: string): string => tag.toLowerCase().replaceAll(' ', '-')
