/** Step `send_template`: queues a rendered template for the customer. */
import { type Static, Type } from '@sinclair/typebox'
import { message } from '../../schema.ts'
import { fillTemplate, givesAll } from '../../templates/index.ts'
import { render, type SeenFacts } from '../facts.ts'
import { Next } from '../ids.ts'
import { faultOfPlaceholders, stepVocabulary } from '../vocabulary.ts'
import { ChannelId, queued } from './message.ts'
import type { StepType } from './step.ts'

const maxVariables = 50
/** Maximum length of a value, before and after rendering. */
const maxValue = 1024

const SendTemplateStep = Type.Object(
  {
    type: Type.Literal('send_template', { description: 'Sends a template.' }),
    templateId: Type.String({
      format: 'uuid',
      description: 'ID of the template. Publishing is rejected if the workspace has no such template.',
      ...message('Must be the id of a template, a UUID.'),
    }),
    variables: Type.Record(
      Type.String(),
      Type.String({
        maxLength: maxValue,
        ...message(`Must be a text of at most ${maxValue} characters; it may hold {{customer.name}} and the like.`),
      }),
      {
        maxProperties: maxVariables,
        description: `A text for each variable of the template, at most ${maxVariables}. Texts can contain placeholders, as in the text of \`send_message\`.`,
        ...message(`Must be an object of at most ${maxVariables} texts by the names of the variables.`),
      },
    ),
    channelId: ChannelId,
    next: Next,
  },
  { additionalProperties: false, $id: 'SendTemplateStep' },
)
type SendTemplateStep = Static<typeof SendTemplateStep>

export const sendTemplate: StepType<SendTemplateStep> = {
  schema: SendTemplateStep,
  pointers: ({ next }) => ({ next }),
  *faults({ variables }) {
    for (const [name, text] of Object.entries(variables)) {
      const fault = faultOfPlaceholders(text, stepVocabulary)
      if (fault !== null) yield [`variables.${name.slice(0, 100)}`, fault]
    }
  },
  *unfinished({ variables }) {
    for (const [name, text] of Object.entries(variables))
      if (text.trim() === '')
        yield [`variables.${name.slice(0, 100)}`, 'Is empty. Write a text, or a placeholder such as {{customer.name}}.']
  },
  *references({ templateId, channelId, variables }) {
    yield { kind: 'template', id: templateId, field: 'templateId', variables, variablesField: 'variables' }
    if (channelId !== undefined) yield { kind: 'channel', id: channelId, field: 'channelId' }
  },
  enter(step, visit) {
    const { templates } = visit.facts
    const id = step.templateId.toLowerCase()
    const template = Object.hasOwn(templates, id) ? templates[id] : undefined
    if (!template || !givesAll(step.variables, template))
      return { outcome: 'skipped', detail: { reason: 'no_template' }, next: step.next }
    const { text, provider } = fillTemplate(template, valuesOf(step, visit.facts))
    const written = { text, template: { id, marketing: template.category === 'marketing', provider } }
    return queued(written, step.channelId, step.next, visit)
  },
}

const valuesOf = ({ variables }: SendTemplateStep, facts: SeenFacts): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).map(([name, text]) => [name, render(text, facts, maxValue)]))
