import { type Static, Type } from '@sinclair/typebox'
import { dateTime, errorMessage, Id, Nullable, PageQuery, Sort, Time, withDescription } from '../../core/schema.ts'
import type { JsonText } from '../../platform/json-text.ts'
import { amountMessage, currencyMessage } from './amount.ts'

const amount = { minimum: 0, maximum: 999999999999.999 }

const RequiredText = (max: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength: max,
    pattern: '\\S',
    description,
    ...errorMessage(`Must be a text of 1 to ${max} characters that is not all white space.`),
  })

export const MarkSale = Type.Object(
  {
    amount: Type.Number({
      ...amount,
      description:
        'Exact decimal number, stored and returned with the digits that were sent. At most as many decimal places as the currency has, and at most 3.',
      ...errorMessage(amountMessage),
    }),
    currency: Type.String({
      pattern: '^[A-Z]{3}$',
      description: 'Currency code of the current ISO 4217 list.',
      ...errorMessage(currencyMessage),
    }),
    note: Type.Optional(Nullable(RequiredText(1000, 'Note for people.'))),
  },
  { additionalProperties: false, $id: 'MarkSale' },
)
export type MarkSale = Static<typeof MarkSale>

export const VoidSale = Type.Object(
  { reason: RequiredText(500, 'Reason, in words that people will understand later.') },
  { additionalProperties: false, $id: 'VoidSale' },
)
export type VoidSale = Static<typeof VoidSale>

export const Sale = Type.Object(
  {
    id: withDescription(Id, 'ID of the sale.'),
    conversationId: withDescription(Id, 'ID of the conversation that led to the sale.'),
    customerId: withDescription(Id, 'ID of the customer.'),
    amount: Type.Number({ ...amount, description: 'Exact decimal number, with the digits that were sent.' }),
    currency: Type.String({ description: 'Currency code (ISO 4217).' }),
    note: withDescription(
      Nullable(Type.String()),
      'Note of the sale. Null if there is none, and after the customer is erased.',
    ),
    markedBy: Type.Object(
      {
        type: withDescription(
          Type.Union([Type.Literal('user'), Type.Literal('workflow')]),
          '`user`: a person of the team. `workflow`: a step of a workflow.',
        ),
        id: Type.String({
          format: 'uuid',
          description: 'ID of the user, or of the workflow whose run marked the sale.',
        }),
      },
      { description: 'User or workflow that marked the sale.' },
    ),
    voidedAt: withDescription(Nullable(Time), 'Time when the sale was voided. Null if it was not voided.'),
    voidReason: withDescription(
      Nullable(Type.String()),
      'Why the sale was voided, in the words of the person. Null if it was not voided, and after the customer is erased.',
    ),
    createdAt: withDescription(Time, 'Time when the sale was marked.'),
  },
  { $id: 'Sale' },
)
/** The sale as returned. The amount is JSON text, because a double may not hold its digits. */
export type Sale = Omit<Static<typeof Sale>, 'amount'> & { amount: JsonText | number }

const idFilter = (noun: string) =>
  Type.Optional(
    Type.String({ format: 'uuid', description: `Only sales of this ${noun}.`, ...errorMessage('Must be a UUID.') }),
  )

export const SaleQuery = Type.Object({
  ...PageQuery.properties,
  sort: Type.Optional(Sort),
  customerId: idFilter('customer'),
  conversationId: idFilter('conversation'),
  from: Type.Optional(dateTime('Only sales marked at this time or later.')),
  to: Type.Optional(dateTime('Only sales marked before this time.')),
  markedBy: Type.Optional(
    Type.Union([Type.Literal('user'), Type.Literal('workflow')], {
      description: 'Only sales that people, or steps of workflows, marked.',
      ...errorMessage('Must be one of user, workflow.'),
    }),
  ),
  voided: Type.Optional(
    Type.Boolean({
      description: 'True returns only voided sales, and false only the others.',
      ...errorMessage('Must be true or false.'),
    }),
  ),
})
export type SaleQuery = Static<typeof SaleQuery>
