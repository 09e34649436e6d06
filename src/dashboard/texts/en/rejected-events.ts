export const notAccepted = {
  'notAccepted.title': 'Rejected events',
  'notAccepted.text':
    'Rejected API requests, with the error that the sender received. Repeats within 10 minutes are counted together.',
  'notAccepted.last': 'Last seen',
  'notAccepted.first': 'First seen',
  'notAccepted.message': 'Error',
  'notAccepted.fields': 'Invalid fields',
  'notAccepted.sender': 'Sender',
  'notAccepted.apiKey': 'API key',
  'notAccepted.count': 'Occurrences',
  'notAccepted.times': '{count, plural, one {# time} other {# times}}',
  'notAccepted.example':
    'phone must be an E.164 number: + and 7 to 15 digits, the first not 0, for example +4915112345678.',
  'notAccepted.emptyTitle': 'No rejected events',
  'notAccepted.emptyText': 'Requests that the API rejects appear here. The newest 500 are kept for 30 days.',
  'notAccepted.id': 'Rejected with {status}',
  'notAccepted.warning': 'Warning',
  'notAccepted.result': 'Result',
  'notAccepted.event': 'Event',
  'notAccepted.openEvent': 'Open first event',
  'notAccepted.problem': 'Rejected event',
  'notAccepted.status': 'Response',
  'notAccepted.call': 'API call',
  'notAccepted.request': 'Latest request ID',
  'notAccepted.body': 'Request',
  'notAccepted.gone': 'Rejected event not found',
  'notAccepted.goneText': 'The newest 500 are kept for 30 days.',
  'notAccepted.check': 'Validate an event',
  'notAccepted.checkCorrected': 'Validate corrected event',
  'notAccepted.checkHint':
    'The structure of the request is not stored. This example leaves the invalid fields empty. Enter the values that your system sends, then validate.',
  'notAccepted.checkSampleHint':
    'This body has the fields of the rejected event with example values. The invalid fields are empty. Correct them, then validate.',
  'notAccepted.checkAppliedHint':
    'The suggested names are applied. The values are examples, because the values of a request are not stored.',
  'notAccepted.sample': 'Event structure',
  'notAccepted.sampleText':
    'Field names and types of the newest request. Except for the event type, values are not stored: string(4) is a text of 4 characters.',
  'notAccepted.rename': 'Rename {field} to {name}.',
  'notAccepted.applySuggestion': 'Apply and validate',
  'notAccepted.chart': 'Rejected',
  'notAccepted.trend': 'Trend',
  'notAccepted.otherProblems': 'Other errors',
  'notAccepted.chartAll': 'The chart counts the requests of all senders and API keys.',
  'notAccepted.chartRare':
    'The chart omits rare occurrences of this error: only the 20 most frequent problems of the time range are counted alone.',
  'notAccepted.emptyFiltered': 'No rejected events match these filters.',
} as const
