/** Returns the default name of a user: the part of the address before the @. */
export const nameFromEmail = (email: string): string => email.split('@', 1)[0]!
