/** Warnings about an allowance that is nearly used up. */
import type { TextId } from '../../texts/index.tsx'
import type { Tone } from '../../ui/Status.tsx'

/** Share of an allowance from which the page shows a warning. */
const warningRatio = 0.8

/** Returns the warning of an allowance. Null without one, also without a limit. */
export const usageStatus = ({
  limit,
  used,
}: {
  limit: number | null
  used: number
}): { tone: Tone; text: TextId } | null => {
  if (limit === null || used < limit * warningRatio) return null
  if (used < limit) return { tone: 'care', text: 'plan.nearlyFull' }
  return { tone: 'failed', text: used > limit ? 'plan.over' : 'plan.full' }
}
