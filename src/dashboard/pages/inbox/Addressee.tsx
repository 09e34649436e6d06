import type { Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'

/** Customer of a conversation: the name if known, otherwise the address. */
export const Addressee = ({ conversation: { customerName, handle } }: { conversation: Schemas['Conversation'] }) => {
  const t = useTranslate()
  return <bdi>{customerName || handle || t('inbox.erased')}</bdi>
}
