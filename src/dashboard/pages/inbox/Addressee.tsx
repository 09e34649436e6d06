import type { Schemas } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'

/** Customer of a conversation: the name if known, otherwise the address. */
export const Addressee = ({ of: { customerName, handle } }: { of: Schemas['Conversation'] }) => {
  const say = useTexts()
  return <bdi>{customerName || handle || say('inbox.erased')}</bdi>
}
