/** Beginning of every access token. */
export const accessTokenPrefix = 'cest_'

/** Returns whether the value can be an access token. Others are not looked up. */
export const isWellFormed = (value: string): boolean => /^cest_[A-Za-z0-9_-]{43}$/.test(value)
