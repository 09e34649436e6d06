import { useIntl } from 'react-intl'
import { useTexts } from '../../texts/index.tsx'
import { numberFormat } from '../../ui/formats.ts'
import { Status } from '../../ui/Status.tsx'
import { useNow } from '../../ui/Time.tsx'

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** Time since the customer's unanswered message, in the largest unit that fits. */
export const Waits = ({ since }: { since: string }) => {
  const say = useTexts()
  const { locale } = useIntl()
  const seconds = Math.max(Math.round((useNow() - new Date(since).getTime()) / 1000), 1)
  const [unit, length] = units.find(([, length]) => seconds >= length)!
  const format = numberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' })
  return <Status tone="moving">{say('inbox.waits', { time: format.format(Math.trunc(seconds / length)) })}</Status>
}
