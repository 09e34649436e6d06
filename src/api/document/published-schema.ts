/**
 * Converts validation schemas to schemas that client generators understand. Nullable values use `type`, choices use
 * `enum`, and unions have named members with a discriminator.
 */

type Json = Record<string, unknown>

/** Turns schemas with an `$id` into components. All other schemas are inlined. */
export class Components {
  /** `schemas` are components that are published unchanged. */
  constructor(readonly schemas: Json) {}

  /** Returns the published form of a schema, or of a part of one. */
  convert(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(item => this.convert(item))
    if (typeof value !== 'object' || value === null) return value
    const { $id, $ref, ...rest } = value as Json
    if (typeof $ref === 'string') return referenceTo($ref)
    if (typeof $id !== 'string') return this.#convertShape(rest)
    if (!($id in this.schemas)) {
      this.schemas[$id] = {}
      this.schemas[$id] = this.#convertShape(rest)
    }
    return referenceTo($id)
  }

  #convertShape({ 'x-message': _, 'x-published': overrides, ...shape }: Json): unknown {
    const { patternProperties, anyOf, ...schema }: Json = { ...shape, ...(overrides as Json | undefined) }
    // Keys of `properties` are field names, even if they equal a schema keyword.
    const properties = schema.properties as Json | undefined
    const converted = Object.fromEntries(
      Object.entries(schema).map(([keyword, inner]) => [
        keyword,
        keyword === 'properties'
          ? this.#convertProperties(properties!)
          : isValue(keyword)
            ? inner
            : this.convert(inner),
      ]),
    )
    if (schema.const === true) return alwaysTrue(converted)
    if (Array.isArray(anyOf)) return this.#convertUnion(anyOf as Json[], converted)
    const anyNameSchema = (patternProperties as Json | undefined)?.['^(.*)$']
    if (anyNameSchema !== undefined) return { ...converted, additionalProperties: this.convert(anyNameSchema) }
    return properties === undefined ? converted : relaxNullableRequired(converted)
  }

  #convertProperties(properties: Json): Json {
    return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, this.convert(schema)]))
  }

  #convertUnion(alternatives: Json[], outer: Json): Json {
    const nonNull = alternatives.filter(({ type }) => type !== 'null')
    const isNullable = nonNull.length < alternatives.length
    if (nonNull.every(member => 'const' in member)) return enumeration(nonNull, outer, isNullable)
    const discriminator = isNullable ? null : discriminatorOf(nonNull)
    const members = nonNull.map(member => this.convert(member) as Json)
    const [only] = members
    if (members.length === 1 && typeof only!.type === 'string') return makeNullable({ ...only!, ...outer })
    if (discriminator === null) {
      const all = isNullable ? [...members, { type: 'null' }] : members
      return { ...outer, [haveDistinctTypes(all) ? 'oneOf' : 'anyOf']: all }
    }
    const mapping = Object.fromEntries(
      nonNull.map((member, index) => [constOf(member, discriminator), members[index]!.$ref]),
    )
    return { ...outer, oneOf: members, discriminator: { propertyName: discriminator, mapping } }
  }
}

/** Returns whether the keyword contains a value instead of a schema. */
const isValue = (keyword: string): boolean => ['const', 'enum', 'default', 'examples', 'example'].includes(keyword)

const referenceTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

/** Rewrites `const: true`, because a boolean enum does not compile in every language. */
const alwaysTrue = ({ const: _, ...schema }: Json): Json => ({ ...schema, not: { const: false } })

const enumeration = (literals: Json[], outer: Json, isNullable: boolean): Json => {
  const values = literals.map(member => member.const)
  const type = typeof values[0] === 'number' ? 'integer' : 'string'
  return isNullable ? { type: [type, 'null'], ...outer, enum: [...values, null] } : { type, ...outer, enum: values }
}

const makeNullable = (schema: Json): Json => ({
  ...schema,
  type: [schema.type, 'null'],
  ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }),
})

/**
 * Moves nullable components from `required` to `dependentRequired`. A Java client does not check required fields for
 * null and fails. The dependency on a field that is always present has the same effect for validators, and generators
 * ignore it.
 */
const relaxNullableRequired = (schema: Json): Json => {
  const properties = schema.properties as Record<string, Json>
  const required = (schema.required ?? []) as string[]
  const makeNullable = required.filter(name => isComponentOrNull(properties[name]))
  const [always, ...others] = required.filter(name => !makeNullable.includes(name))
  if (makeNullable.length === 0 || always === undefined) return schema
  return { ...schema, required: [always, ...others], dependentRequired: { [always]: makeNullable } }
}

const isComponentOrNull = ({ anyOf, oneOf }: Json = {}): boolean => {
  const members = (anyOf ?? oneOf ?? []) as Json[]
  return members.some(({ $ref }) => $ref !== undefined) && members.some(({ type }) => type === 'null')
}

/** Returns whether all members have different types, so that a value matches at most one of them. */
const haveDistinctTypes = (members: Json[]): boolean =>
  members.every(({ type }) => typeof type === 'string') &&
  new Set(members.map(({ type }) => (type === 'integer' ? 'number' : type))).size === members.length

/**
 * Returns the field whose constant value differs in every member. All members must be components. Null if there is no
 * such field.
 */
const discriminatorOf = (members: Json[]): string | null => {
  if (members.length < 2 || !members.every(({ $id, type }) => typeof $id === 'string' && type === 'object')) return null
  const names = Object.keys(members[0]!.properties as Json)
  return names.find(name => new Set(members.map(member => constOf(member, name) ?? '')).size === members.length) ?? null
}

/** Returns a constant string, because discriminators only support strings. */
const constOf = ({ properties, required }: Json, name: string): string | undefined => {
  const value = (properties as Record<string, Json>)[name]?.const
  return typeof value === 'string' && (required as string[]).includes(name) ? value : undefined
}
