/** An endpoint in as few words as tell it apart: its host. */
export const hostOf = (url: string): string => {
  try {
    return new URL(url).host
  } catch {
    return url
  }
}
