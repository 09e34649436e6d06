import { useIntl } from 'react-intl'
import { useTranslate } from '../../texts/index.tsx'
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
export const WaitingTime = ({ since }: { since: string }) => {
  const t = useTranslate()
  const { locale } = useIntl()
  const seconds = Math.max(Math.round((useNow() - new Date(since).getTime()) / 1000), 1)
  const [unit, length] = units.find(([, length]) => seconds >= length)!
  const format = numberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' })
  return <Status tone="moving">{t('inbox.waits', { time: format.format(Math.trunc(seconds / length)) })}</Status>
}
