/** Which messages can be sent again. */
import type { Schemas } from '../../api/client.ts'

const statuses: ReadonlySet<Schemas['Message']['status']> = new Set(['failed', 'skipped', 'unknown'])

/** Returns true for a message that did not reach the customer, or may not have. */
export const isResendable = ({ status }: Pick<Schemas['Message'], 'status'>): boolean => statuses.has(status)
