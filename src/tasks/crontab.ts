/** Every schedule of the service. */
import { type ParsedCronItem, parseCronItems } from 'graphile-worker'

export const crontab: ParsedCronItem[] = parseCronItems([
  // Sessions that ended, refusals of long ago, used-up limits and dead processes are forgotten; nothing waits for it.
  { task: 'prune', match: '*/10 * * * *', identifier: 'prune', options: { backfillPeriod: 0, jobKey: 'prune' } },
])
