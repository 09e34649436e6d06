/** Step `mark_sale`: marks a sale in the customer's newest conversation. Skipped if there is none. */
import { type Static, Type } from '@sinclair/typebox'
import type { Fault } from '../../conditions/index.ts'
import { type JudgedAmount, judgeAmount } from '../../sales/index.ts'
import { message } from '../../schema.ts'
import { holdsPlaceholder, render } from '../facts.ts'
import { Next } from '../ids.ts'
import { faultOfPlaceholders, faultOfText, stepVocabulary } from '../vocabulary.ts'
import type { StepType } from './step.ts'

const maxWritten = 500
const maxNote = 1000

const amountWanted =
  'Must be an amount from 0 to 999999999999.999, such as 129.90, or a text with a placeholder such as {{data.total}}.'

const currencyWanted =
  'Must be a currency of ISO 4217 such as EUR, or a text with a placeholder such as {{data.currency}}.'

const MarkSaleStep = Type.Object(
  {
    type: Type.Literal('mark_sale', { description: 'Marks a sale.' }),
    amount: Type.Union([Type.String({ minLength: 1, maxLength: maxWritten }), Type.Number()], {
      description:
        'Decimal number such as `129.90`, or a text with placeholders such as `{{data.total}}`. The digits of a text are kept exactly. A number of an event has no trailing zeros, so `129.90` is marked as `129.9`. Zeros beyond the decimal places of the currency are removed. If the result is not an amount of the currency, the step is skipped with the reason `no_amount`.',
      ...message(amountWanted),
    }),
    currency: Type.String({
      minLength: 1,
      maxLength: maxWritten,
      description:
        'Currency code (ISO 4217), or a text with placeholders. If the result is not a currency, the step is skipped with the reason `no_currency`.',
      ...message(currencyWanted),
    }),
    note: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: maxNote,
        description: `Note of the sale, with optional placeholders. At most ${maxNote} characters of it are kept.`,
        ...message(`Must be a text of 1 to ${maxNote} characters.`),
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
    const currency = render(step.currency, facts, maxWritten).trim().toUpperCase()
    const judged = judgedAsNumber(render(String(step.amount), facts, maxWritten).trim(), currency)
    if ('faults' in judged) {
      const reason = judged.faults.currency === undefined ? 'no_amount' : 'no_currency'
      return { outcome: 'skipped', detail: { reason }, next: step.next }
    }
    if (!facts.customer.hasConversation)
      return { outcome: 'skipped', detail: { reason: 'no_conversation' }, next: step.next }
    const { amount } = judged
    const note = step.note === undefined ? null : render(step.note, facts, maxNote)
    return { outcome: 'marked', effects: [{ kind: 'mark_sale', amount, currency, note }], next: step.next }
  },
}

/**
 * Validates an amount. If it fails, retries without trailing zeros, which a number of an event has already lost and a
 * text still has. Both are the same amount, even if the currency has fewer decimals.
 */
const judgedAsNumber = (written: string, currency: string): JudgedAmount => {
  const judged = judgeAmount(written, currency)
  // Zeros at the end of an exponent are significant.
  const isPlain = written.includes('.') && !written.toLowerCase().includes('e')
  return 'faults' in judged && isPlain ? judgeAmount(withoutLastZeros(written), currency) : judged
}

const withoutLastZeros = (written: string): string => {
  let end = written.length
  while (written[end - 1] === '0') end--
  return written.slice(0, end < written.length && written[end - 1] === '.' ? end - 1 : end)
}

/** Returns the faults of an amount and a currency without placeholders. */
function* faultsOfMoney(amount: string, currency: string): Generator<Fault> {
  const knowsCurrency = !holdsPlaceholder(currency)
  if (knowsCurrency && faultsOf('0', currency).currency !== undefined) yield ['currency', currencyWanted]
  if (holdsPlaceholder(amount)) return
  if (faultsOf(amount, mostDecimals).amount !== undefined) yield ['amount', amountWanted]
  else if (knowsCurrency && faultsOf(amount, currency).amount !== undefined)
    yield ['amount', faultsOf(amount, currency).amount!]
}

/** Currency with the maximum number of decimals. */
const mostDecimals = 'KWD'

const faultsOf = (amount: string, currency: string): Record<string, string> => {
  const judged = judgeAmount(amount, currency)
  return 'faults' in judged ? judged.faults : {}
}
