/** Name of the command key on the reader's system. */
export const commandKey: string = /Mac/.test(navigator.userAgent) ? '⌘' : 'Ctrl'
