/**
 * Checks every answer that a test receives, and every delivery to a test receiver, against the published document. The
 * document must name the status and the error code, and the body must match the schema.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js'

type Json = Record<string, unknown>
interface Published {
  responses: Record<string, { $ref?: string; description: string; content?: Record<string, { schema: Json }> }>
}

const document = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../openapi/openapi.json'), 'utf8'))
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema({ $id: 'document', components: document.components })

const paths = Object.entries<Record<string, Published>>(document.paths).map(([path, methods]) => ({
  path,
  // Where two paths match, as webhooks/verify and webhooks/{id}, the path with fewer parameters wins.
  parameters: path.split('{').length,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
  methods,
}))
paths.sort((a, b) => a.parameters - b.parameters)

/** Throws if the answer to an operation differs from the document. Ignores requests that are not an operation. */
export const auditAnswer = (method: string, pathAndQuery: string, status: number, body: unknown): void => {
  const path = pathAndQuery.split(/[?#]/, 1)[0]!
  const found = paths.find(({ pattern }) => pattern.test(path))
  if (!found || !(method.toLowerCase() in found.methods)) return
  const name = `${method} ${found.path} ${status}`
  const response = found.methods[method.toLowerCase()]!.responses[status]
  if (!response) throw new Error(`${name} is not in the published document: ${JSON.stringify(body)}`)
  const code = status < 400 ? null : codeOf(body)
  if (code !== null && !response.description.includes(`\`${code}\``))
    throw new Error(`${name} says nothing of ${code} in the published document: ${JSON.stringify(body)}`)
  const validate = validatorOf(name, response)
  if (validate && !validate(body))
    throw new Error(`${name} does not fit its schema: ${JSON.stringify(validate.errors)} in ${JSON.stringify(body)}`)
}

const codeOf = (body: unknown): string | null => (body as { error?: { code?: string } } | null)?.error?.code ?? null

/** Returns the schema with its references pointing into the document. */
function withinDocument(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'))
}

const compiled = new Map<string, ValidateFunction | null>()

const validatorOf = (name: string, response: Published['responses'][string]): ValidateFunction | null => {
  let validate = compiled.get(name)
  if (validate === undefined) {
    const described = response.$ref ? document.components.responses[response.$ref.split('/').at(-1)!] : response
    const schema = described.content?.['application/json']?.schema
    validate = schema ? ajv.compile(withinDocument(schema)) : null
    compiled.set(name, validate)
  }
  return validate
}

/** Deliveries are also checked for formats and for properties that are not published. */
const strict = new Ajv2020({ strict: false, unicodeRegExp: false })
strict.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
strict.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
strict.addSchema({ $id: 'document', components: document.components })

/** Returns the schema that a reference names. */
function component({ $ref }: Json): Json {
  return document.components.schemas[String($ref).split('/').at(-1)!]
}

const deliveredBodies = new Map(
  Object.entries<{ post: { requestBody: { content: Record<string, { schema: Json }> } } }>(document.webhooks).map(
    ([type, { post }]) => {
      const schema = component(post.requestBody.content['application/json']!.schema)
      const { data, ...properties } = schema.properties as { data: Json }
      const closed = {
        ...schema,
        properties: { ...properties, data: { ...component(data), additionalProperties: false } },
        additionalProperties: false,
      }
      return [type, strict.compile(withinDocument(closed))]
    },
  ),
)

/** Returns why a delivery body differs from the published schema of its event type, or null if it matches. */
export const faultOfDelivery = (type: string, body: string): string | null => {
  const validate = deliveredBodies.get(type)
  if (!validate) return `${type} is not published: ${body}`
  return validate(JSON.parse(body)) ? null : `${type} does not fit: ${JSON.stringify(validate.errors)} in ${body}`
}
