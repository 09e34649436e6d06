/** Converts the published document to collections of requests for Postman (format 2.1) and Bruno. */
import { exampleUrl } from './markdown.ts'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
}

interface MediaType {
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

interface Operation {
  tags: string[]
  summary: string
  description?: string
  security?: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, MediaType> }
}

interface Document {
  info: { title: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
}

/** A request, independent of the format of a collection. */
interface ExampleRequest {
  name: string
  description: string
  method: string
  /** Path with parameters as `:id`, which both formats use. */
  path: string
  parameters: Parameter[]
  credential: 'apiKey' | 'token' | null
  /** Example body as JSON. Null if the operation has none, or not in JSON. */
  body: string | null
}

interface Variable {
  name: string
  value: string
  isSecret: boolean
}

/** Variables of both collections. The request of an operation that accepts API keys uses `apiKey`, all others `token`. */
const variables: Variable[] = [
  { name: 'baseUrl', value: exampleUrl, isSecret: false },
  { name: 'apiKey', value: '', isSecret: true },
  { name: 'token', value: '', isSecret: true },
  { name: 'workspaceId', value: '', isSecret: false },
]

/** Values of the parameters that a collection knows. */
const values: Record<string, string> = { 'X-Workspace-Id': '{{workspaceId}}' }

const readDocument = (document: string): { name: string; folders: { name: string; requests: ExampleRequest[] }[] } => {
  const { info, tags, paths } = JSON.parse(document) as Document
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0],
      request: requestOf(method.toUpperCase(), path, operation),
    })),
  )
  const folders = tags.map(({ name }) => ({
    name,
    requests: all.filter(({ tag }) => tag === name).map(({ request }) => request),
  }))
  return { name: info.title, folders: folders.filter(({ requests }) => requests.length > 0) }
}

const requestOf = (method: string, path: string, operation: Operation): ExampleRequest => {
  const schemes = (operation.security ?? []).flatMap(scheme => Object.keys(scheme))
  const example = exampleOf(operation.requestBody?.content['application/json'])
  return {
    name: operation.summary,
    description: operation.description ?? '',
    method,
    path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    parameters: operation.parameters ?? [],
    credential: schemes.includes('apiKey') ? 'apiKey' : schemes.includes('bearer') ? 'token' : null,
    body: example === undefined ? null : JSON.stringify(example, null, 2),
  }
}

const exampleOf = ({ example, examples = {} }: MediaType = {}): unknown => example ?? Object.values(examples)[0]?.value

/** Returns the parameters of one kind. Optional ones are disabled, so that a request works without changes. */
const parametersIn = (kind: Parameter['in'], { parameters }: ExampleRequest) =>
  parameters
    .filter(parameter => parameter.in === kind)
    .map(({ name, required = false, description = '' }) => ({
      name,
      value: values[name] ?? '',
      description,
      isEnabled: required,
    }))

/** Returns the collection for Postman as JSON. */
export const postmanCollection = (document: string): string => {
  const { name, folders } = readDocument(document)
  return JSON.stringify({
    info: { name, schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    variable: variables.map(({ name, value }) => ({ key: name, value })),
    item: folders.map(folder => ({ name: folder.name, item: folder.requests.map(postmanItem) })),
  })
}

const postmanItem = (request: ExampleRequest) => {
  const pairsIn = (kind: Parameter['in']) =>
    parametersIn(kind, request).map(({ name, value, description, isEnabled }) => ({
      key: name,
      value,
      description,
      ...(kind !== 'path' && { disabled: !isEnabled }),
    }))
  return {
    name: request.name,
    request: {
      method: request.method,
      description: request.description,
      url: {
        raw: `{{baseUrl}}${request.path}`,
        host: ['{{baseUrl}}'],
        path: request.path.slice(1).split('/'),
        query: pairsIn('query'),
        variable: pairsIn('path'),
      },
      auth: postmanAuth(request),
      header: [
        ...(request.body === null ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
        ...pairsIn('header'),
      ],
      ...(request.body !== null && {
        body: { mode: 'raw', raw: request.body, options: { raw: { language: 'json' } } },
      }),
    },
    response: [],
  }
}

const postmanAuth = ({ credential }: ExampleRequest) => {
  if (credential === null) return { type: 'noauth' }
  if (credential === 'token') return { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] }
  const fields = { key: 'X-API-Key', value: '{{apiKey}}', in: 'header' }
  return { type: 'apikey', apikey: Object.entries(fields).map(([key, value]) => ({ key, value, type: 'string' })) }
}

/** Returns the collection for Bruno as JSON, in the format that Bruno exports. Bruno keeps secrets out of its files. */
export const brunoCollection = (document: string): string => {
  const { name, folders } = readDocument(document)
  return JSON.stringify({
    name,
    version: '1',
    items: folders.map(folder => ({ type: 'folder', name: folder.name, items: folder.requests.map(brunoItem) })),
    environments: [
      {
        name: 'Service',
        variables: variables.map(({ name, value, isSecret }) => ({
          name,
          value,
          secret: isSecret,
          type: 'text',
          enabled: true,
        })),
      },
    ],
  })
}

const brunoItem = (request: ExampleRequest, index: number) => {
  const pairsIn = (kind: Parameter['in']) =>
    parametersIn(kind, request).map(({ name, value, description, isEnabled }) => ({
      name,
      value,
      description,
      enabled: kind === 'path' || isEnabled,
    }))
  const inUrl = (type: 'query' | 'path') => pairsIn(type).map(pair => ({ ...pair, type }))
  return {
    type: 'http',
    name: request.name,
    seq: index + 1,
    request: {
      url: `{{baseUrl}}${request.path}`,
      method: request.method,
      headers: pairsIn('header'),
      params: [...inUrl('query'), ...inUrl('path')],
      auth: brunoAuth(request),
      body: request.body === null ? { mode: 'none' } : { mode: 'json', json: request.body },
      docs: request.description,
    },
  }
}

const brunoAuth = ({ credential }: ExampleRequest) => {
  if (credential === null) return { mode: 'none' }
  if (credential === 'token') return { mode: 'bearer', bearer: { token: '{{token}}' } }
  return { mode: 'apikey', apikey: { key: 'X-API-Key', value: '{{apiKey}}', placement: 'header' } }
}
