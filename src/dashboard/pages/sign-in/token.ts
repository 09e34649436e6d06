/** Returns the token from the fragment of a link, which browsers do not send to the server. */
export const readLinkToken = (hash: string): string => new URLSearchParams(hash).get('token') ?? ''
