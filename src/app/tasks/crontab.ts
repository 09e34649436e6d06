/** All schedules of the service. */
import { type ParsedCronItem, parseCronItems } from 'graphile-worker'
import { allowanceJob, retentionJob } from '../../queue/tasks.ts'

export const crontab: ParsedCronItem[] = parseCronItems([
  // Deletes ended sessions, old rejected requests, unused rate limits and dead processes. No other work depends on it.
  { task: 'prune', match: '*/10 * * * *', identifier: 'prune', options: { backfillPeriod: 0, jobKey: 'prune' } },
  // Deletes records beyond their retention. A run that is not finished schedules its continuation.
  { task: 'retain', match: '7 * * * *', identifier: 'retain', options: { backfillPeriod: 0, ...retentionJob } },
  // Reports used allowances. A run schedules the next one; this covers a lost run.
  {
    task: 'check_allowances',
    match: '* * * * *',
    identifier: 'allowances',
    options: { backfillPeriod: 0, ...allowanceJob },
  },
  // Runs the tasks of a process that died.
  {
    task: 'release_tasks',
    match: '* * * * *',
    identifier: 'release_tasks',
    options: { backfillPeriod: 0, jobKey: 'release_tasks' },
  },
  // Rolls new counts up into hourly stats. Until then, they are read individually.
  { task: 'add_up', match: '* * * * *', identifier: 'add_up', options: { backfillPeriod: 0, jobKey: 'add_up' } },
])
