/** Returns the host of an endpoint URL, as a short label. */
export const hostOf = (url: string): string => {
  try {
    return new URL(url).host
  } catch {
    return url
  }
}
