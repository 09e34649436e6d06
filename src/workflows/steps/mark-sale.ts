/** Step `mark_sale`: marks a sale in the customer's newest conversation. Skipped if there is none. */
import { type Static, Type } from '@sinclair/typebox'
import type { Fault } from '../../core/conditions/index.ts'
import { errorMessage } from '../../core/schema.ts'
import { faultOfPlaceholders, faultOfText, hasPlaceholder, render } from '../../core/texts.ts'
import { type ValidatedAmount, validateAmount } from '../../customers/sales/index.ts'
import { Next } from '../ids.ts'

import { stepVocabulary } from '../vocabulary.ts'

import type { StepType } from './step.ts'

const maxCharacters = 500
const maxNote = 1000

const amountMessage =
  'Must be an amount from 0 to 999999999999.999, such as 129.90, or a text with a placeholder such as {{data.total}}.'

const currencyMessage =
  'Must be a currency of ISO 4217 such as EUR, or a text with a placeholder such as {{data.currency}}.'

const MarkSaleStep = Type.Object(
  {
    type: Type.Literal('mark_sale', { description: 'Marks a sale.' }),
    amount: Type.Union([Type.String({ minLength: 1, maxLength: maxCharacters }), Type.Number()], {
      description:
        'Decimal number such as `129.90`, or a text with placeholders such as `{{data.total}}`. The digits of a text are kept exactly. A number of an event has no trailing zeros, so `129.90` is marked as `129.9`. Zeros beyond the decimal places of the currency are removed. If the result is not an amount of the currency, the step is skipped with the reason `no_amount`.',
      ...errorMessage(amountMessage),
    }),
    currency: Type.String({
      minLength: 1,
      maxLength: maxCharacters,
      description:
        'Currency code (ISO 4217), or a text with placeholders. If the result is not a currency, the step is skipped with the reason `no_currency`.',
      ...errorMessage(currencyMessage),
    }),
    note: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: maxNote,
        description: `Note of the sale, with optional placeholders. At most ${maxNote} characters of it are kept.`,
        ...errorMessage(`Must be a text of 1 to ${maxNote} characters.`),
      }),
    ),
    next: Next,
  },
  { additionalProperties: false, $id: 'MarkSaleStep' },
)
type MarkSaleStep = Static<typeof MarkSaleStep>

export const markSale: StepType<MarkSaleStep> = {
  schema: MarkSaleStep,
  pointers: ({ next }) => ({ next }),
  *faults({ amount, currency, note }) {
    for (const [field, text] of Object.entries({ amount: String(amount), currency })) {
      const fault = faultOfText(text, stepVocabulary)
      if (fault !== null) yield [field, fault]
    }
    yield* faultsOfMoney(String(amount), currency)
    const fault = note === undefined ? null : faultOfPlaceholders(note, stepVocabulary)
    if (fault !== null) yield ['note', fault]
  },
  enter(step, { facts }) {
    const currency = render(step.currency, facts, maxCharacters).trim().toUpperCase()
    const validated = validateNumberAmount(render(String(step.amount), facts, maxCharacters).trim(), currency)
    if ('faults' in validated) {
      const reason = validated.faults.currency === undefined ? 'no_amount' : 'no_currency'
      return { outcome: 'skipped', detail: { reason }, next: step.next }
    }
    if (!facts.customer.hasConversation)
      return { outcome: 'skipped', detail: { reason: 'no_conversation' }, next: step.next }
    const { amount } = validated
    const note = step.note === undefined ? null : render(step.note, facts, maxNote)
    return {
      outcome: 'marked',
      detail: { amount, currency },
      effects: [{ kind: 'mark_sale', amount, currency, note }],
      next: step.next,
    }
  },
}

/**
 * Validates an amount. If it fails, retries without trailing zeros, which a number of an event has already lost and a
 * text still has. Both are the same amount, even if the currency has fewer decimals.
 */
const validateNumberAmount = (amountText: string, currency: string): ValidatedAmount => {
  const validated = validateAmount(amountText, currency)
  // Zeros at the end of an exponent are significant.
  const isDecimal = amountText.includes('.') && !amountText.toLowerCase().includes('e')
  return 'faults' in validated && isDecimal ? validateAmount(withoutTrailingZeros(amountText), currency) : validated
}

const withoutTrailingZeros = (amountText: string): string => {
  let end = amountText.length
  while (amountText[end - 1] === '0') end--
  return amountText.slice(0, end < amountText.length && amountText[end - 1] === '.' ? end - 1 : end)
}

/** Returns the faults of an amount and a currency without placeholders. */
function* faultsOfMoney(amount: string, currency: string): Generator<Fault> {
  const isFixedCurrency = !hasPlaceholder(currency)
  if (isFixedCurrency && faultsOf('0', currency).currency !== undefined) yield ['currency', currencyMessage]
  if (hasPlaceholder(amount)) return
  if (faultsOf(amount, maxDecimalsCurrency).amount !== undefined) yield ['amount', amountMessage]
  else if (isFixedCurrency && faultsOf(amount, currency).amount !== undefined)
    yield ['amount', faultsOf(amount, currency).amount!]
}

/** Currency with the maximum number of decimals. */
const maxDecimalsCurrency = 'KWD'

const faultsOf = (amount: string, currency: string): Record<string, string> => {
  const validated = validateAmount(amount, currency)
  return 'faults' in validated ? validated.faults : {}
}
