import { useTranslate } from '../../texts/index.tsx'
import { Status } from '../../ui/Status.tsx'
import { hasExpired, type Member } from './members.ts'

/** Status of a member: active, invited, or invitation expired. */
export const MemberStatus = ({ member }: { member: Member }) => {
  const t = useTranslate()
  if (member.status === 'active') return <Status tone="done">{t('team.active')}</Status>
  return hasExpired(member) ? (
    <Status tone="off">{t('team.expired')}</Status>
  ) : (
    <Status tone="moving">{t('team.invited')}</Status>
  )
}

/** Whether a member has a second factor. Empty for an invitation, a service account, and if the reader is not an owner. */
export const SecondFactor = ({ member: { secondFactor } }: { member: Member }) => {
  const t = useTranslate()
  if (secondFactor === null) return null
  return (
    <Status tone={secondFactor ? 'done' : 'off'}>
      {t(secondFactor ? 'team.secondFactorOn' : 'team.secondFactorOff')}
    </Status>
  )
}
