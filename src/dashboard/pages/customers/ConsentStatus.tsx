import type { Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Status } from '../../ui/Status.tsx'

/** Consent status of a customer for unsolicited messages. An opt-out overrides any opt-in. */
export const ConsentStatus = ({ customer }: { customer: Pick<Schemas['Customer'], 'optedInAt' | 'optedOutAt'> }) => {
  const t = useTranslate()
  if (customer.optedOutAt !== null) return <Status tone="care">{t('customers.optedOut')}</Status>
  if (customer.optedInAt !== null) return <Status tone="done">{t('customers.optedIn')}</Status>
  return <Status tone="off">{t('customers.noConsent')}</Status>
}
