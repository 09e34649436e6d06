/** Tools from the operations of the published document. Pure. */
import type { Tool as ToolDefinition } from '@modelcontextprotocol/sdk/types.js'
import { type ApiDocument, type DocumentOperation, type JsonSchema, type Parameter, resolveSchema } from './document.ts'

export interface Tool {
  definition: ToolDefinition
  method: string
  path: string
  parameters: Parameter[]
}

/** Limit of descriptions, in characters. Clients cut longer ones. */
const maxDescription = 1024
const methods = ['get', 'post', 'put', 'patch', 'delete']

/** Operations about sessions and passwords, and streams. They are not for programs, or their answers never end. */
const excludedPaths = /^\/v1\/(auth|inbound|stream)(\/|$)/
/** Sentence in the description of operations that reject access tokens. */
const noTokens = 'Access tokens cannot call it.'
/** End of the sentence in the description of operations that reject agents. */
const ownersOnly = 'or owners of the workspace.'

/** Permissions of a token. */
export interface Permissions {
  role: string
  isReadOnly: boolean
}

/** Returns the tag as `--tools` takes it. */
const toolGroup = (tag: string): string => tag.toLowerCase().replaceAll(' ', '-')

/** Returns all groups of the tools, in the order of the document. */
export const groupsOf = (document: ApiDocument): string[] => [
  ...new Set(operationsOf(document).flatMap(({ operation }) => operation.tags.map(toolGroup))),
]

/** Returns a tool for each operation of these groups that a token can call. Null means all groups. */
export const toolsOf = (
  document: ApiDocument,
  { role, isReadOnly, groups }: Permissions & { groups: readonly string[] | null },
): Tool[] =>
  operationsOf(document)
    .filter(({ method }) => !isReadOnly || method === 'get')
    .filter(({ operation }) => role === 'owner' || !operation.description.includes(ownersOnly))
    .filter(({ operation }) => groups === null || operation.tags.some(tag => groups.includes(toolGroup(tag))))
    .map(({ method, path, operation }) => toTool(document, method, path, operation))

interface Place {
  method: string
  path: string
  operation: DocumentOperation
}

const operationsOf = (document: ApiDocument): Place[] =>
  Object.entries(document.paths)
    .flatMap(([path, item]) =>
      methods.flatMap(method => (item[method] ? [{ method, path, operation: item[method] }] : [])),
    )
    .filter(({ path, operation }) => !excludedPaths.test(path) && acceptsTokens(operation))

const acceptsTokens = ({ security, description }: DocumentOperation): boolean =>
  security.some(one => 'bearer' in one) && !description.includes(noTokens)

const toTool = (document: ApiDocument, method: string, path: string, operation: DocumentOperation): Tool => {
  // The workspace is that of the token.
  const parameters = (operation.parameters ?? []).filter(({ name }) => name !== 'X-Workspace-Id')
  return {
    method: method.toUpperCase(),
    path,
    parameters,
    definition: {
      name: operation.operationId.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
      title: operation.summary,
      description: describe(operation),
      inputSchema: toInputSchema(document, parameters, operation) as ToolDefinition['inputSchema'],
      annotations: {
        readOnlyHint: method === 'get',
        destructiveHint: !isAdditive(method, operation),
        idempotentHint: ['get', 'put', 'delete'].includes(method),
        openWorldHint: false,
      },
    },
  }
}

/** Returns whether an operation only reads, or only creates a record. All others can change or end something. */
const isAdditive = (method: string, { responses }: DocumentOperation): boolean =>
  method === 'get' || (method === 'post' && '201' in responses)

const describe = ({ summary, description }: DocumentOperation): string => {
  const text = `${summary}. ${description}`
    .replaceAll('API keys cannot call it.', '')
    .replaceAll(/[ \n]+/g, ' ')
    .trim()
  if (text.length <= maxDescription) return text
  // Ends after a complete sentence.
  const cut = text.slice(0, maxDescription)
  return cut.slice(0, cut.lastIndexOf('. ') + 1)
}

const toInputSchema = (
  document: ApiDocument,
  parameters: Parameter[],
  { requestBody }: DocumentOperation,
): JsonSchema => {
  const properties: Record<string, JsonSchema> = {}
  const required = parameters.filter(parameter => parameter.required).map(({ name }) => name)
  for (const { name, schema, description } of parameters)
    properties[name] = { ...schema, ...(description && { description }) }
  const body = requestBody?.content['application/json']?.schema
  if (body) properties.body = { description: 'Body of the request.', ...body }
  if (body && requestBody?.required) required.push('body')
  const { $defs, ...schema } = resolveSchema(document, { properties })
  return {
    type: 'object',
    ...schema,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...($defs !== undefined && { $defs }),
  }
}
