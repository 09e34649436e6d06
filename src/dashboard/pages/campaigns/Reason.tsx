import { useTexts } from '../../texts/index.tsx'
import { isReason } from './status.ts'

/** Why somebody is passed over, in words; the code itself where there are none. */
export const useReason = (): ((code: string) => string) => {
  const say = useTexts()
  return code => (isReason(code) ? say(`campaigns.reason.${code}`) : code)
}
