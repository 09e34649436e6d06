import { useDuration } from '../../../ui/Time.tsx'

/** Returns a function for a duration in whole seconds. Null is shown as a dash. */
export const useSeconds = (): ((seconds: number | null | undefined) => string) => {
  const duration = useDuration()
  return seconds => (seconds == null ? '–' : duration(Math.max(seconds, 1) * 1000))
}
