/** Step `send_template`: queues a rendered template for the customer. */
import { type Static, Type } from '@sinclair/typebox'
import { errorMessage } from '../../core/schema.ts'
import { faultOfPlaceholders, isBlank, render } from '../../core/texts.ts'
import { fillTemplate, hasAllValues } from '../../messaging/templates/index.ts'
import { Next } from '../ids.ts'
import type { ReadableFacts } from '../runs/facts.ts'

import { stepVocabulary } from '../vocabulary.ts'

import { ChannelId, queueMessage } from './message.ts'
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
      ...errorMessage('Must be the id of a template, a UUID.'),
    }),
    variables: Type.Record(
      Type.String(),
      Type.String({
        maxLength: maxValue,
        ...errorMessage(
          `Must be a text of at most ${maxValue} characters; it can contain placeholders such as {{customer.name}}.`,
        ),
      }),
      {
        maxProperties: maxVariables,
        description: `A text for each variable of the template, at most ${maxVariables}. Texts can contain placeholders, as in the text of \`send_message\`.`,
        ...errorMessage(`Must be an object of at most ${maxVariables} texts by the names of the variables.`),
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
      if (isBlank(text))
        yield [`variables.${name.slice(0, 100)}`, 'Is empty. Enter a text or a placeholder such as {{customer.name}}.']
  },
  *references({ templateId, channelId, variables }) {
    yield { kind: 'template', id: templateId, field: 'templateId', variables, variablesField: 'variables' }
    if (channelId !== undefined) yield { kind: 'channel', id: channelId, field: 'channelId' }
  },
  enter(step, context) {
    const { templates } = context.facts
    const id = step.templateId.toLowerCase()
    const template = Object.hasOwn(templates, id) ? templates[id] : undefined
    if (!template || !hasAllValues(step.variables, template))
      return { outcome: 'skipped', detail: { reason: 'no_template' }, next: step.next }
    const { text, provider } = fillTemplate(template, valuesOf(step, context.facts))
    const content = { text, template: { id, marketing: template.category === 'marketing', provider } }
    return queueMessage(content, step.channelId, step.next, context)
  },
}

const valuesOf = ({ variables }: SendTemplateStep, facts: ReadableFacts): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).map(([name, text]) => [name, render(text, facts, maxValue)]))
