/** Texts of the statistics and the bulk actions of webhook endpoints. */
export const endpoints = {
  'webhooks.stats.attemptsOf': 'Attempts',
  'webhooks.stats.attempts': 'Attempts · {range}',
  'webhooks.stats.delivered': 'Succeeded',
  'webhooks.stats.failed': 'Failed',
  'webhooks.stats.retried': 'Failed, will retry',
  'webhooks.stats.latency': 'Latency',
  'webhooks.stats.p50': 'p50',
  'webhooks.stats.p95': 'p95',
  'webhooks.stats.p95Recent': 'p95 of last 50',
  'webhooks.stats.all': 'The charts count attempts of every event type, status and response code.',
  'webhooks.stats.codes': 'Response codes',
  'webhooks.stats.rate': 'Success',
  'webhooks.stats.results': 'Results',
  'webhooks.stats.succeeded': '{share} succeeded',
  'webhooks.stats.noAttempts': 'No attempts',
  'webhooks.stats.describe':
    '{range}: {attempts, plural, =0 {no attempts} one {# attempt} other {# attempts}}, {delivered, number} succeeded',

  'webhooks.guide': 'About deliveries',
  'webhooks.guide.signed': 'Signed requests',
  'webhooks.guide.signedText':
    'Verify the X-Service-Signature header with the secret of the endpoint before you process a request.',
  'webhooks.guide.retried': 'Automatic retries',
  'webhooks.guide.retriedText':
    'Answer with 2xx within 10 seconds. A failed delivery has up to eight attempts over about two days.',
  'webhooks.guide.paused': 'Pause for maintenance',
  'webhooks.guide.pausedText': 'Deliveries to a paused endpoint are queued. Resume it to send them, oldest first.',

  'webhooks.bulk.pause': 'Pause',
  'webhooks.bulk.pauseTitle': 'Pause endpoints',
  'webhooks.bulk.pauseText': 'New deliveries are queued until you resume the endpoints. No delivery is lost.',
  'webhooks.bulk.pauseDo': '{count, plural, one {Pause # endpoint} other {Pause # endpoints}}',
  'webhooks.bulk.resume': 'Resume',
  'webhooks.bulk.resumeTitle': 'Resume endpoints',
  'webhooks.bulk.resumeText':
    '{waiting, plural, =0 {No deliveries are queued.} one {# queued delivery continues its schedule.} other {# queued deliveries continue their schedules.}}',
  'webhooks.bulk.resumeDo': '{count, plural, one {Resume # endpoint} other {Resume # endpoints}}',
  'webhooks.bulk.turnOn': 'Turn on',
  'webhooks.bulk.turnOnTitle': 'Turn on endpoints',
  'webhooks.bulk.turnOnText': 'The endpoints receive new events again.',
  'webhooks.bulk.turnOnDo': '{count, plural, one {Turn on # endpoint} other {Turn on # endpoints}}',
  'webhooks.bulk.turnOff': 'Turn off',
  'webhooks.bulk.turnOffTitle': 'Turn off endpoints',
  'webhooks.bulk.turnOffText':
    'Events that happen while an endpoint is off are not queued. Recover them later as missed events, or pause the endpoint instead to keep them.',
  'webhooks.bulk.turnOffDo': '{count, plural, one {Turn off # endpoint} other {Turn off # endpoints}}',
  'webhooks.bulk.isOn': 'already on',
  'webhooks.bulk.isOff': 'off',
  'webhooks.bulk.isPaused': 'already paused',
  'webhooks.bulk.isRunning': 'not paused',
  'webhooks.bulk.isDelivered': 'already delivered',
  'webhooks.bulk.isDue': 'being sent now',

  'webhooks.retrySelectedOpen': 'Retry selected',
  'webhooks.retrySelected': 'Retry selected deliveries',
  'webhooks.retrySelectedText':
    'Each delivery is attempted once now. If it fails again, a retrying one keeps its schedule.',
  'webhooks.retrySelectedDo': '{count, plural, one {Retry # delivery} other {Retry # deliveries}}',
} as const
