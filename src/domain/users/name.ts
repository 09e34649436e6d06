/** What a person is called until they say otherwise: what stands before the @ of their address. */
export const nameFromEmail = (email: string): string => email.split('@', 1)[0]!
