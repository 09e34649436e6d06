import { useTranslate } from '../../texts/index.tsx'
import { isReason } from './status.ts'

/** Returns the text of a skip reason, or the code itself if it has no text. */
export const useReasonText = (): ((code: string) => string) => {
  const t = useTranslate()
  return code => (isReason(code) ? t(`campaigns.reason.${code}`) : code)
}
