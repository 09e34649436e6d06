import type { Schemas } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { customerName } from '../customers/name.ts'
import { useCustomerOfRow } from './queries.ts'

/** With whom a conversation is: the name once it is known, the address until then. */
export const Addressee = ({ of }: { of: Schemas['Conversation'] }) => {
  const say = useTexts()
  const customer = useCustomerOfRow(of.customerId)
  return <bdi>{(customer && customerName(customer)) ?? of.handle ?? say('inbox.erased')}</bdi>
}
