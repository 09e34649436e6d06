import { type Static, Type } from '@sinclair/typebox'
import { maxCharacters } from '../../core/placeholders.ts'
import { errorMessage, Id, Nullable, StringMap, Time, withDescription } from '../../core/schema.ts'

/** Limits of a template. */
const templateLimits = {
  variables: 50,
  nameCharacters: 32,
  sampleCharacters: 200,
  valueCharacters: maxCharacters,
}

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'Name of the template.',
  ...errorMessage('Must be a text of 1 to 100 characters that is not all white space.'),
})

const Category = Type.Union([Type.Literal('utility'), Type.Literal('marketing')], {
  description: '`marketing`: sent only to customers who have opted in.',
  ...errorMessage('Must be "utility" or "marketing".'),
})

const Body = Type.String({
  minLength: 1,
  maxLength: maxCharacters,
  pattern: '\\S',
  description: 'Text with placeholders such as `{{name}}` for the values of variables.',
  ...errorMessage(`Must be a text of 1 to ${maxCharacters} characters that is not all white space.`),
})

const Variable = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: templateLimits.nameCharacters,
      pattern: '^[A-Za-z0-9][A-Za-z0-9_]*$',
      description: 'Name of the placeholder. The body contains it as `{{name}}`.',
      ...errorMessage(
        `Must be a name of 1 to ${templateLimits.nameCharacters} letters (a to z), digits and underscores, and must not begin with an underscore.`,
      ),
    }),
    sample: Type.String({
      minLength: 1,
      maxLength: templateLimits.sampleCharacters,
      pattern: '\\S',
      description: 'An example value.',
      ...errorMessage(
        `Must be a text of 1 to ${templateLimits.sampleCharacters} characters that is not all white space.`,
      ),
    }),
  },
  { additionalProperties: false },
)

const Variables = Type.Array(Variable, {
  maxItems: templateLimits.variables,
  description: 'Variables of the template. The body must use each of them and no others.',
  ...errorMessage(`Must be a list of at most ${templateLimits.variables} variables, each with a name and a sample.`),
})

const Provider = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 512,
      pattern: '^[!-~]+$',
      description: 'Name of the template at the provider.',
      ...errorMessage('Must be the name of the template at the provider: 1 to 512 characters without white space.'),
    }),
    language: Type.String({
      minLength: 2,
      maxLength: 20,
      pattern: '^[A-Za-z]{2,3}([_-][A-Za-z0-9]{2,8}){0,2}$',
      description: 'Language code of the provider, for example `en` or `pt_BR`.',
      ...errorMessage('Must be a language code of the provider, such as en or pt_BR.'),
    }),
  },
  {
    additionalProperties: false,
    description: 'Template that a provider has approved. The message is sent by this name, with the values in order.',
    ...errorMessage('Must be an object with name and language; or null.'),
  },
)

export const CreateTemplate = Type.Object(
  {
    name: Name,
    category: Category,
    body: Body,
    variables: Type.Optional(Variables),
    provider: Type.Optional(Nullable(Provider)),
  },
  { additionalProperties: false, $id: 'CreateTemplate' },
)
export type CreateTemplate = Static<typeof CreateTemplate>

export const ChangeTemplate = Type.Object(
  {
    name: Type.Optional(Name),
    category: Type.Optional(Category),
    body: Type.Optional(Body),
    variables: Type.Optional(Variables),
    provider: Type.Optional(Nullable(Provider)),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    $id: 'ChangeTemplate',
    ...errorMessage('Must contain at least one of name, category, body, variables and provider.'),
  },
)
export type ChangeTemplate = Static<typeof ChangeTemplate>

export const Template = Type.Object(
  {
    id: withDescription(Id, 'ID of the template.'),
    name: withDescription(Type.String(), 'Name of the template.'),
    category: Category,
    body: withDescription(Type.String(), 'Text with placeholders such as `{{name}}`.'),
    variables: Type.Array(
      Type.Object({
        name: withDescription(Type.String(), 'Name of the placeholder.'),
        sample: withDescription(Type.String(), 'An example value.'),
      }),
      { description: 'Placeholders of the body.' },
    ),
    provider: Nullable(
      Type.Object(
        {
          name: withDescription(Type.String(), 'Name of the template at the provider.'),
          language: withDescription(Type.String(), 'Language code of the provider, for example `pt_BR`.'),
        },
        { description: 'Template of the provider that is sent. Null for a text without a provider template.' },
      ),
    ),
    createdAt: withDescription(Time, 'Time of creation.'),
    updatedAt: withDescription(Time, 'Time of the last change.'),
  },
  { $id: 'Template' },
)
export type Template = Static<typeof Template>

/** Values of template variables, as given by a sender. */
export const VariableValues = StringMap(
  Type.String({
    maxLength: templateLimits.valueCharacters,
    ...errorMessage(`Must be a text of at most ${templateLimits.valueCharacters} characters.`),
  }),
  {
    maxProperties: templateLimits.variables,
    description: 'Values of the variables, by name.',
    ...errorMessage(`Must be an object of at most ${templateLimits.variables} texts, by the names of the variables.`),
  },
)

export const PreviewTemplate = Type.Object(
  {
    variables: Type.Optional(VariableValues),
    customerId: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'ID of a customer. Placeholders such as `{{customer.name}}` in the values are filled in for this customer.',
        ...errorMessage('Must be a UUID.'),
      }),
    ),
  },
  { additionalProperties: false, $id: 'PreviewTemplate' },
)
export type PreviewTemplate = Static<typeof PreviewTemplate>

export const TemplatePreview = Type.Object(
  {
    text: Type.String({ description: 'Text as it would be sent. Placeholders of missing values remain.' }),
    missing: Type.Array(Type.String(), {
      description: 'Names of the variables without a value, or with an empty one.',
    }),
  },
  { $id: 'TemplatePreview' },
)
export type TemplatePreview = Static<typeof TemplatePreview>
