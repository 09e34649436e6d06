/** The parts of an OpenAPI document that tools need. */

export type JsonSchema = Record<string, unknown>

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: JsonSchema
}

export interface DocumentOperation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema: JsonSchema }> }
  responses: Record<string, unknown>
}

export interface ApiDocument {
  paths: Record<string, Record<string, DocumentOperation>>
  components: { schemas: Record<string, JsonSchema> }
}

const prefix = '#/components/schemas/'

/**
 * Returns a schema that stands alone: references are replaced by their schemas. Only a schema that contains itself stays
 * a reference, into `$defs`. Examples are removed, because they make up half of the text.
 */
export const resolveSchema = (document: ApiDocument, schema: JsonSchema): JsonSchema => {
  const definitions: Record<string, unknown> = {}
  const resolve = (value: unknown, open: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map(item => resolve(item, open))
    if (typeof value !== 'object' || value === null) return value
    const { $ref, ...rest } = value as { $ref?: unknown }
    if (typeof $ref === 'string' && $ref.startsWith(prefix))
      return resolveReference($ref.slice(prefix.length), rest, open)
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, field]) =>
        // `properties` holds names of fields, such as `example`.
        name === 'properties' && typeof field === 'object' && field !== null
          ? [[name, mapValues(field, one => resolve(one, open))]]
          : isExample(name)
            ? []
            : [[name, resolve(field, open)]],
      ),
    )
  }
  const resolveReference = (name: string, rest: object, open: readonly string[]): unknown => {
    if (open.includes(name)) {
      if (!(name in definitions)) {
        definitions[name] = {}
        definitions[name] = resolve(document.components.schemas[name], [...open, name])
      }
      return { $ref: `#/$defs/${name}`, ...rest }
    }
    const resolved = resolve(document.components.schemas[name], [...open, name]) as object
    return { ...resolved, ...rest }
  }
  const resolved = resolve(schema, []) as JsonSchema
  return Object.keys(definitions).length > 0 ? { ...resolved, $defs: definitions } : resolved
}

const isExample = (name: string): boolean => ['example', 'examples', 'discriminator', 'xml'].includes(name)

const mapValues = (fields: object, change: (value: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value)]))
