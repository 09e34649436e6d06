import type { Schemas } from '../../../api/client.ts'

/** Number of days before the expiry from which a token is marked, as in the alerts (contract 14.5). */
const soonDays = 7

export type Expiry = 'expired' | 'soon' | 'later'

/** Returns whether a token has expired or expires soon. */
export const expiryOf = ({ expiresAt }: Pick<Schemas['AccessToken'], 'expiresAt'>, now = Date.now()): Expiry => {
  const left = new Date(expiresAt).getTime() - now
  if (left <= 0) return 'expired'
  return left < soonDays * 86_400_000 ? 'soon' : 'later'
}
