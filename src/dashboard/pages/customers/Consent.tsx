import type { Schemas } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { Status } from '../../ui/Status.tsx'

/** Whether somebody may be written to of one's own accord. An opt-out holds whatever was agreed to. */
export const ConsentStatus = ({ of }: { of: Pick<Schemas['Customer'], 'optedInAt' | 'optedOutAt'> }) => {
  const say = useTexts()
  if (of.optedOutAt !== null) return <Status tone="failed">{say('customers.optedOut')}</Status>
  if (of.optedInAt !== null) return <Status tone="done">{say('customers.optedIn')}</Status>
  return <Status tone="off">{say('customers.noConsent')}</Status>
}
