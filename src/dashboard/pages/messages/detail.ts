/** Returns the reason of a status without the code of the API before it. Codes of providers are numbers, and stay. */
export const withoutCode = (detail: string): string => detail.replace(/^[a-z_]+: (?=[A-Z])/, '')
