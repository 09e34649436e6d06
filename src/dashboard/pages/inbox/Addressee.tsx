import type { Schemas } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'

/** With whom a conversation is: the name once it is known, the address until then. */
export const Addressee = ({ of: { customerName, handle } }: { of: Schemas['Conversation'] }) => {
  const say = useTexts()
  return <bdi>{customerName || handle || say('inbox.erased')}</bdi>
}
