/** Kinds of channels as the API describes them, so that clients can draw their forms. */
import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import { Nullable, withDescription } from '../../core/schema.ts'
import { verb } from '../../core/verb.ts'
import { channelKinds, providers } from './providers/index.ts'
import { type ConnectChannel, Kind } from './schema.ts'

const CredentialField = Type.Object(
  {
    name: Type.String({ description: 'Name of the field in `credentials`.' }),
    label: Type.String({ description: 'Label of the field for people.' }),
    description: Type.String({ description: 'Purpose of the value and where to find it at the provider.' }),
    secret: Type.Boolean({ description: 'Whether forms hide the value.' }),
    required: Type.Boolean({ description: 'Whether the field is always required.' }),
    alternatives: Type.Array(Type.String(), {
      description:
        'Fields that exclude this field. If it is not empty, exactly one of this field and its alternatives is required.',
    }),
    pattern: Nullable(Type.String({ description: 'Regular expression that the value must match.' })),
    minLength: Nullable(Type.Integer({ description: 'Minimum number of characters.' })),
    maxLength: Nullable(Type.Integer({ description: 'Maximum number of characters.' })),
    example: Nullable(Type.String({ description: 'An example value.' })),
  },
  { $id: 'CredentialField' },
)
type CredentialField = Static<typeof CredentialField>

export const KindDetails = Type.Object(
  {
    kind: Kind,
    name: Type.String({ description: 'Name of the product for people.' }),
    description: Type.String({ description: 'Description for people.' }),
    capabilities: Type.Object(
      {
        maxCharacters: Type.Integer({ description: 'Maximum number of characters of a message.' }),
        freeFormWindowHours: Nullable(
          Type.Integer({
            description:
              'Hours after the last message of a customer in which any text is accepted. Null if there is no such limit.',
          }),
        ),
        templates: Type.Boolean({ description: 'Whether the provider has approved templates.' }),
        media: Type.Boolean({ description: 'Whether messages can contain media.' }),
      },
      { description: 'Features and limits of the channels.' },
    ),
    credentials: Type.Array(CredentialField, {
      description: 'Fields of `credentials`, in the order of the form. Empty if the kind has no credentials.',
    }),
    setup: withDescription(
      Nullable(Type.String()),
      'Instructions for people: where to enter the `inboundUrl` of the channel at the provider. Null if the kind has no callbacks.',
    ),
  },
  { $id: 'AvailableChannelKind', description: 'A kind of channel, with its features and the form to connect it.' },
)
export type KindDetails = Static<typeof KindDetails>

/** Returns the forms of the credentials: one object schema, or one for each member of a union. */
const formsOf = (schema: TSchema): TObject[] => {
  if (schema.type === 'null') return []
  return (schema.anyOf as TObject[] | undefined) ?? [schema as TObject]
}

const listCredentialFields = (schema: TSchema): CredentialField[] => {
  const forms = formsOf(schema)
  const fields: Record<string, TSchema> = Object.assign({}, ...forms.map(({ properties }) => properties))
  const names = Object.keys(fields)
  return Object.entries(fields).map(([name, field]) => {
    const own = forms.filter(({ properties }) => name in properties)
    return {
      name,
      label: field.title ?? name,
      description: field.description ?? '',
      secret: field.format === 'password',
      required: forms.every(({ required }) => required?.includes(name)),
      alternatives: names.filter(other => !own.some(({ properties }) => other in properties)),
      pattern: field.pattern ?? null,
      minLength: field.minLength ?? null,
      maxLength: field.maxLength ?? null,
      example: field.examples?.[0] ?? null,
    }
  })
}

/** All kinds, in the order of the published document. */
export const kinds: KindDetails[] = channelKinds.map(kind => {
  const { name, description, capabilities, credentials, callbacks } = providers[kind]
  const { maxCharacters, freeFormWindowHours, templates, media } = capabilities
  return {
    kind,
    name,
    description,
    capabilities: { maxCharacters, freeFormWindowHours, templates, media },
    credentials: listCredentialFields(credentials),
    setup: callbacks?.setup ?? null,
  }
})

export const listChannelKinds = verb({ by: 'member' }, async (): Promise<{ data: KindDetails[] }> => ({ data: kinds }))

/** Returns the example credentials of a kind, with the first of its alternatives; empty if it has none. */
const exampleCredentials = ({ credentials }: KindDetails): Record<string, string> => {
  const given = credentials.filter(
    ({ alternatives }, index) => !credentials.slice(0, index).some(({ name }) => alternatives.includes(name)),
  )
  return Object.fromEntries(given.map(({ name, example }) => [name, example ?? '']))
}

/** Example requests that connect a channel, by kind. */
export const connectExamples: Record<string, { summary: string; value: ConnectChannel }> = Object.fromEntries(
  kinds.map(details => {
    const { kind, name } = details
    const credentials = exampleCredentials(details)
    const hasNone = details.credentials.length === 0
    return [kind, { summary: name, value: { kind, name, ...(!hasNone && { credentials }) } }]
  }),
)
