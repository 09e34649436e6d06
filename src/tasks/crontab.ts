/** Every schedule of the service. */
import { type ParsedCronItem, parseCronItems } from 'graphile-worker'
import { retaining } from '../domain/tasks.ts'

export const crontab: ParsedCronItem[] = parseCronItems([
  // Sessions that ended, refusals of long ago, used-up limits and dead processes are forgotten; nothing waits for it.
  { task: 'prune', match: '*/10 * * * *', identifier: 'prune', options: { backfillPeriod: 0, jobKey: 'prune' } },
  // What is older than its kind is kept; a walk that is not at its end goes on by itself.
  { task: 'retain', match: '7 * * * *', identifier: 'retain', options: { backfillPeriod: 0, ...retaining } },
  // What was counted joins its hour; until then it is read as it was written.
  { task: 'add_up', match: '* * * * *', identifier: 'add_up', options: { backfillPeriod: 0, jobKey: 'add_up' } },
])
