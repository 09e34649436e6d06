/** Moments of the history of the demo, and its fixed random numbers. */

/** Days that the history covers. */
export const historyDays = 30
/** Hours (UTC) with activity: one on the older days, so that the demo starts quickly. */
const hours = { older: [11], newer: [9, 13, 15, 19] }
const newerDays = 7
const dayMs = 86_400_000
/** The newest moment is at least this old, because today's activity follows. */
const minAgeMs = 40 * 60_000

/** The shop grows by 6 % a day, until its days are nearly as busy as the demo of today. */
const eventsPerDay = (daysAgo: number): number => 200 * 0.94 ** daysAgo

/** The endpoint of the shop system fails on this day, at these hours. */
const badAfternoon = { daysAgo: 3, hours: [13, 15] }

export interface Moment {
  at: Date
  /** Number of events. */
  events: number
  /** The second endpoint answers 503. */
  isOutage: boolean
  /** The first moment after an outage, at which the failed deliveries are attempted again. */
  isRecovery: boolean
  /** A campaign is sent at this moment. */
  isCampaign: boolean
  /** Times of the replies to the campaign. */
  isAfterCampaign: boolean
}

const campaignDaysAgo = 5

/** Returns the moments of the history in order. The last one is before `now`. */
export const momentsUntil = (now: Date, random: () => number): Moment[] => {
  const today = Math.floor(now.getTime() / dayMs) * dayMs
  const days = Array.from({ length: historyDays }, (_, index) => historyDays - 1 - index)
  return days
    .flatMap(daysAgo =>
      (daysAgo > newerDays ? hours.older : hours.newer).map(hour => {
        const at = new Date(today - daysAgo * dayMs + hour * 3_600_000 + Math.floor(random() * 40 * 60_000))
        const isWeekend = [0, 6].includes(at.getUTCDay())
        const isOutage = daysAgo === badAfternoon.daysAgo && badAfternoon.hours.includes(hour)
        return {
          at,
          events: Math.round(
            (eventsPerDay(daysAgo) * (isWeekend ? 0.7 : 1) * (0.85 + random() * 0.3)) /
              (daysAgo > newerDays ? hours.older : hours.newer).length,
          ),
          isOutage,
          isRecovery: daysAgo === badAfternoon.daysAgo && hour === 19,
          isCampaign: daysAgo === campaignDaysAgo && hour === 9,
          isAfterCampaign: daysAgo === campaignDaysAgo && hour > 9,
        }
      }),
    )
    .filter(({ at }) => at.getTime() < now.getTime() - minAgeMs)
}

/** Returns random numbers from 0 to 1, the same for the same seed. */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
