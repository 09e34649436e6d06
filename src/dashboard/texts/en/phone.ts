export const phone = {
  'phone.title': 'Sandbox phone',
  'phone.text': 'Messages stay in the sandbox.',
  'phone.number': 'Customer phone number',
  'phone.numberForm': 'Include the country code, for example +12025550123.',
  'phone.screen': 'Customer view',
  'phone.empty': 'No messages yet. Write as the customer, or run a workflow that messages this number.',
  'phone.writeAsCustomer': 'Write as the customer',
  'phone.send': 'Send',
  'phone.stop': 'Send STOP',
  'phone.close': 'Close phone',
} as const
