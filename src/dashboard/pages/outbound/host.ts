/** Returns the host of an endpoint URL, as a short label. */
export const getHost = (url: string): string => {
  try {
    return new URL(url).host
  } catch {
    return url
  }
}
