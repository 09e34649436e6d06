export const bulk = {
  'bulk.items': 'Records',
  'bulk.more': '{count, plural, one {and # more} other {and # more}}',
  'bulk.repeated': '{name} ({count, number})',
  'bulk.skipped': '{count, plural, one {# record is left out:} other {# records are left out:}}',
  'bulk.progress': '{done} of {total} done',
  'bulk.stop': 'Stop',
  'bulk.interrupted': '{action}: stopped. {succeeded, number} of {total, number} succeeded.',
  'bulk.stopped':
    '{count, plural, one {Stopped. # record was not changed.} other {Stopped. # records were not changed.}}',
  'bulk.succeeded': '{count, plural, =0 {0 succeeded.} one {# succeeded.} other {# succeeded.}}',
  'bulk.failed': '{count, plural, one {# failed:} other {# failed:}}',
  'bulk.retryFailed': 'Try the failed ones again',
  'bulk.close': 'Close',
} as const
