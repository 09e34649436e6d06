import { type Static, Type } from '@sinclair/typebox'
import type { JsonText } from '../json-text.ts'
import { described, Id, message, Nullable, PageQuery, Time } from '../schema.ts'
import { amountWanted, currencyWanted } from './amount.ts'

const amount = { minimum: 0, maximum: 999999999999.999 }

const Words = (max: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength: max,
    pattern: '\\S',
    description,
    ...message(`Must be a text of 1 to ${max} characters that is not all white space.`),
  })

export const MarkSale = Type.Object(
  {
    amount: Type.Number({
      ...amount,
      description:
        'A decimal number, exact: kept and told with the digits that are sent. No more decimals than the currency has, and 3 at most.',
      ...message(amountWanted),
    }),
    currency: Type.String({
      pattern: '^[A-Z]{3}$',
      description: 'ISO 4217, of the list that holds today.',
      ...message(currencyWanted),
    }),
    note: Type.Optional(Nullable(Words(1000, 'For people.'))),
  },
  { additionalProperties: false, $id: 'MarkSale' },
)
export type MarkSale = Static<typeof MarkSale>

export const VoidSale = Type.Object(
  { reason: Words(500, 'Why, in words a person will understand later.') },
  { additionalProperties: false, $id: 'VoidSale' },
)
export type VoidSale = Static<typeof VoidSale>

export const Sale = Type.Object(
  {
    id: described(Id, 'The sale.'),
    conversationId: described(Id, 'The conversation that led to it.'),
    customerId: described(Id, 'Who bought.'),
    amount: Type.Number({ ...amount, description: 'Decimal, exact, with the digits that were sent.' }),
    currency: Type.String({ description: 'ISO 4217.' }),
    note: described(
      Nullable(Type.String()),
      'What was noted with it; null where nothing was, and once the customer was erased.',
    ),
    markedBy: Type.Object(
      {
        type: described(
          Type.Union([Type.Literal('user'), Type.Literal('workflow')]),
          'A person of the team, or a step of a workflow.',
        ),
        id: Type.String({ format: 'uuid', description: 'Of the user, or of the workflow whose run marked it.' }),
      },
      { description: 'Who marked it.' },
    ),
    voidedAt: described(Nullable(Time), 'When somebody said that it was no sale; null while it is one.'),
    voidReason: described(Nullable(Type.String()), 'Why it was voided, in their words.'),
    createdAt: described(Time, 'When it was marked.'),
  },
  { $id: 'Sale' },
)
/** The sale as returned. The amount is JSON text, because a double may not hold its digits. */
export type Sale = Omit<Static<typeof Sale>, 'amount'> & { amount: JsonText | number }

const moment = (description: string) =>
  Type.Optional(
    Type.String({ format: 'date-time', description, ...message('Must be a time such as 2026-03-01T09:30:02Z.') }),
  )

const idOf = (noun: string) =>
  Type.Optional(
    Type.String({ format: 'uuid', description: `Only those of this ${noun}.`, ...message('Must be a UUID.') }),
  )

export const SaleQuery = Type.Object({
  ...PageQuery.properties,
  customerId: idOf('customer'),
  conversationId: idOf('conversation'),
  from: moment('Only those marked at this time or later.'),
  to: moment('Only those marked before this time.'),
})
export type SaleQuery = Static<typeof SaleQuery>
