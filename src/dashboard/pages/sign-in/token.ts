/** Behind the # of the link, which a browser sends to no server by itself. */
export const tokenOfLink = (hash: string): string => new URLSearchParams(hash).get('token') ?? ''
