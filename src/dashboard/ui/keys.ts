/** The key that commands go with, as it is called where the reader sits. */
export const commandKey: string = /Mac/.test(navigator.userAgent) ? '⌘' : 'Ctrl'
