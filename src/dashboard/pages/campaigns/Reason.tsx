import { useTexts } from '../../texts/index.tsx'
import { isReason } from './status.ts'

/** Returns the text of a skip reason, or the code itself if it has no text. */
export const useReason = (): ((code: string) => string) => {
  const say = useTexts()
  return code => (isReason(code) ? say(`campaigns.reason.${code}`) : code)
}
