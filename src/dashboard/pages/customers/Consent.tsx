import type { Schemas } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { Status } from '../../ui/Status.tsx'

/** Consent status of a customer for unsolicited messages. An opt-out overrides any opt-in. */
export const ConsentStatus = ({ of }: { of: Pick<Schemas['Customer'], 'optedInAt' | 'optedOutAt'> }) => {
  const say = useTexts()
  if (of.optedOutAt !== null) return <Status tone="failed">{say('customers.optedOut')}</Status>
  if (of.optedInAt !== null) return <Status tone="done">{say('customers.optedIn')}</Status>
  return <Status tone="off">{say('customers.noConsent')}</Status>
}
