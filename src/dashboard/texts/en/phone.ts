export const phone = {
  'phone.title': 'The customer’s phone',
  'phone.text': 'Nothing leaves the sandbox.',
  'phone.number': 'Number of the customer',
  'phone.numberForm': 'With + and country code, such as +12025550123',
  'phone.screen': 'What the customer sees',
  'phone.nothing': 'Nothing has come to this number yet. Write as the customer, or have a workflow write to it.',
  'phone.write': 'Write as the customer',
  'phone.send': 'Send',
  'phone.stop': 'Send STOP',
  'phone.close': 'Close the phone',
} as const
