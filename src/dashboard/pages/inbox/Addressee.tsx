import type { Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { withoutOverrides } from '../../texts/isolate.ts'

type Conversation = Schemas['Conversation']

/** Returns the customer of a conversation: the name if known, otherwise the address. */
export const addresseeOf = ({ customerName, handle }: Conversation, t: ReturnType<typeof useTranslate>): string =>
  customerName || handle || t('inbox.erased')

export const Addressee = ({ conversation }: { conversation: Conversation }) => (
  <bdi>{withoutOverrides(addresseeOf(conversation, useTranslate()))}</bdi>
)
