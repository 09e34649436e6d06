export const notAccepted = {
  'notAccepted.title': 'Not accepted',
  'notAccepted.text':
    'What your systems sent and we refused, in the words that they were told. Nothing of it was recorded.',
  'notAccepted.last': 'Last time',
  'notAccepted.first': 'First time',
  'notAccepted.message': 'What the sender was told',
  'notAccepted.fields': 'Fields at fault',
  'notAccepted.sender': 'Sender',
  'notAccepted.count': 'How often',
  'notAccepted.times': '{count, plural, one {once} other {# times}}',
  'notAccepted.emptyTitle': 'Nothing was refused',
  'notAccepted.emptyText':
    'An event that cannot be taken stands here with the exact sentence that its sender received: the newest 500 problems, for 30 days.',
  'notAccepted.id': 'Refused with {status}',
  'notAccepted.warning': 'Warning',
  'notAccepted.event': 'Event',
  'notAccepted.openEvent': 'Open the first event',
  'notAccepted.problem': 'Not accepted',
  'notAccepted.status': 'Answer',
  'notAccepted.call': 'Call',
  'notAccepted.request': 'Newest request',
  'notAccepted.body': 'The call',
  'notAccepted.gone': 'This problem is no longer kept',
  'notAccepted.goneText': 'Only the newest 500 are, for 30 days.',
  'notAccepted.check': 'Check a body',
  'notAccepted.checkHint':
    'What the sender sent is not kept. This is an example with the fields at fault left open: put in what your system sends, and see what we would say.',
} as const
