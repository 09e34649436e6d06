import type { Schemas } from '../../../api/client.ts'

/** Returns true for a run that can still be stopped. */
export const isInProgress = ({ status }: Schemas['Run']): boolean => status === 'active' || status === 'waiting'
