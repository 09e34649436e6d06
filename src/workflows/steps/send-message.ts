/** Step `send_message`: queues a text for the customer. */
import { type Static, Type } from '@sinclair/typebox'
import { maxCharacters } from '../../core/placeholders.ts'
import { faultOfText, render } from '../../core/texts.ts'
import { Next } from '../ids.ts'

import { stepVocabulary } from '../vocabulary.ts'

import { ChannelId, queueMessage } from './message.ts'
import type { StepType } from './step.ts'

const SendMessageStep = Type.Object(
  {
    type: Type.Literal('send_message', { description: 'Sends a text.' }),
    text: Type.String({
      minLength: 1,
      maxLength: maxCharacters,
      description:
        'Text of the message. It must contain more than white space and can contain placeholders such as `{{customer.name}}` and `{{data.total}}`. `{{customer.name|there}}` gives a default for an absent value. Available: `data.…`, `event.id`, `event.type`, `customer.id`, `customer.name`, `customer.phone`, `customer.externalId` and `customer.attributes.…`. The sent message has at most 4096 characters: the text around the placeholders is kept in full. The values share the rest in their order, and a value that does not fit is cut.',
    }),
    channelId: ChannelId,
    next: Next,
  },
  { additionalProperties: false, $id: 'SendMessageStep' },
)
type SendMessageStep = Static<typeof SendMessageStep>

export const sendMessage: StepType<SendMessageStep> = {
  schema: SendMessageStep,
  pointers: ({ next }) => ({ next }),
  *faults({ text }) {
    const fault = faultOfText(text, stepVocabulary)
    if (fault !== null) yield ['text', fault]
  },
  *references({ channelId }) {
    if (channelId !== undefined) yield { kind: 'channel', id: channelId, field: 'channelId' }
  },
  enter: ({ text, channelId, next }, context) =>
    queueMessage({ text: render(text, context.facts), template: null }, channelId, next, context),
}
