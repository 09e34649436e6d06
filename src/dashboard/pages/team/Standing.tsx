import { useTexts } from '../../texts/index.tsx'
import { Status } from '../../ui/Status.tsx'
import { hasExpired, type Member } from './members.ts'

/** Status of a member: joined, invited, or invitation expired. */
export const Standing = ({ of }: { of: Member }) => {
  const say = useTexts()
  if (of.status === 'active') return <Status tone="done">{say('team.joined')}</Status>
  return hasExpired(of) ? (
    <Status tone="off">{say('team.expired')}</Status>
  ) : (
    <Status tone="moving">{say('team.invited')}</Status>
  )
}
