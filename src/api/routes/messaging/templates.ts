import { Page, PageQuery } from '../../../core/schema.ts'
import {
  ChangeTemplate,
  CreateTemplate,
  createTemplate,
  listTemplates,
  PreviewTemplate,
  readTemplate,
  Template,
  TemplatePreview,
} from '../../../messaging/templates/index.ts'
import { changeTemplate, previewTemplate, removeTemplate } from '../../../workflows/template-use/index.ts'
import { type Operation, operation } from '../../operation.ts'

const tag = 'Templates'

export const templateRoutes = (): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/templates',
    id: 'createTemplate',
    versioned: true,
    verb: createTemplate,
    tag,
    summary: 'Create a template',
    description:
      'Creates a template: a text with a placeholder such as `{{name}}` for each variable. Every placeholder must be a declared variable, and every declared variable must be used.',
    body: CreateTemplate,
    example: {
      name: example().name,
      category: 'utility',
      body: example().body,
      variables: example().variables,
      provider: example().provider,
    },
    answers: { 201: { description: 'The template.', schema: Template, example: example() } },
    allowance: 'templates',
    args: ({ body }) => [body],
  }),
  operation({
    method: 'GET',
    path: '/v1/templates',
    id: 'listTemplates',
    verb: listTemplates,
    tag,
    summary: 'List templates',
    query: PageQuery,
    answers: {
      200: {
        description: 'A page of templates.',
        schema: Page(Template),
        example: { data: [example()], nextCursor: null },
      },
    },
    args: ({ query }) => [query],
  }),
  operation({
    method: 'GET',
    path: '/v1/templates/:id',
    id: 'readTemplate',
    versioned: true,
    verb: readTemplate,
    tag,
    summary: 'Read a template',
    answers: { 200: { description: 'The template.', schema: Template, example: example() } },
    args: ({ params }) => [params.id!],
  }),
  operation({
    method: 'PATCH',
    path: '/v1/templates/:id',
    id: 'changeTemplate',
    versioned: true,
    verb: changeTemplate,
    tag,
    summary: 'Change a template',
    description:
      'Changes the fields that are given. The body and the variables must match after the change. Returns 409 for a new variable while an enabled workflow or an active campaign uses the template without that variable.',
    errors: {
      conflict:
        'an enabled workflow or an active campaign uses the template without the new variable. `details` contains their IDs.',
    },
    body: ChangeTemplate,
    example: { name: 'Order on its way, short', provider: null },
    answers: {
      200: {
        description: 'The template after the change.',
        schema: Template,
        example: {
          ...example(),
          name: 'Order on its way, short',
          provider: null,
          updatedAt: '2026-03-02T10:00:00.000Z',
        },
      },
    },
    args: ({ params, body }) => [params.id!, body],
  }),
  operation({
    method: 'DELETE',
    path: '/v1/templates/:id',
    id: 'deleteTemplate',
    versioned: true,
    verb: removeTemplate,
    tag,
    summary: 'Remove a template',
    description:
      'Removes the template. Returns 409 while the published version of an enabled workflow uses it. Returns 409 while a scheduled, running or paused campaign uses it. The error names the workflows and campaigns. Messages from the template stay.',
    answers: { 204: { description: 'The template is removed.' } },
    errors: {
      conflict: 'an enabled workflow or an active campaign uses the template. `details` contains their IDs.',
    },
    args: ({ params }) => [params.id!],
  }),
  operation({
    method: 'POST',
    path: '/v1/templates/:id/preview',
    id: 'previewTemplate',
    verb: previewTemplate,
    tag,
    summary: 'Preview a template',
    description:
      'Returns the text with the given values. Without values, the text contains the samples, and all variables are listed as missing. Nothing is sent.',
    body: PreviewTemplate,
    mayBeEmpty: true,
    example: { variables: { name: 'Ana' } },
    answers: {
      200: {
        description: 'The text, and the variables without a value.',
        schema: TemplatePreview,
        example: { text: 'Hello Ana, your order {{order}} is on its way.', missing: ['order'] },
      },
    },
    args: ({ params, body }) => [params.id!, body],
  }),
]

function example(): Template {
  return {
    id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7b01',
    name: 'Order on its way',
    category: 'utility',
    body: 'Hello {{name}}, your order {{order}} is on its way.',
    variables: [
      { name: 'name', sample: 'Ana' },
      { name: 'order', sample: 'A-1042' },
    ],
    provider: { name: 'order_shipped', language: 'en_US' },
    createdAt: '2026-03-01T09:30:00.000Z',
    updatedAt: '2026-03-01T09:30:00.000Z',
  }
}
