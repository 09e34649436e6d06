import { useRef, useState } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import type { BulkAction } from '../../ui/list/BulkActions.tsx'
import { BulkDialog } from '../../ui/list/BulkDialog.tsx'
import { InvitationLinks } from './InvitationLinks.tsx'
import { changesMembers, type Invited, inviteAgain, type Member, memberName, removeMember } from './members.ts'

type Operation = 'inviteAgain' | 'withdraw'

/** Returns the actions on the invitations among the selected members. */
export const useInvitationActions = () => {
  const t = useTranslate()
  return (members: Member[]): BulkAction[] =>
    (['inviteAgain', 'withdraw'] as const).map(operation => ({
      key: operation,
      label: t(`team.${operation}`),
      reason: members.every(({ status }) => status === 'active') ? t('team.bulk.none') : null,
      dialog: onClose => <InvitationDialog {...{ operation, members, onClose }} />,
    }))
}

/** Dialog that replaces or withdraws invitations, and then shows the links that were not sent by email. */
const InvitationDialog = ({
  operation,
  members,
  onClose,
}: {
  operation: Operation
  members: readonly Member[]
  onClose: (hasRun: boolean) => void
}) => {
  const t = useTranslate()
  const sent = useRef<Invited[]>([])
  const [links, setLinks] = useState<Invited[]>([])
  const send = async (id: string) => {
    if (operation === 'withdraw') return removeMember(id)
    const member = members.find(row => row.id === id)
    if (!member) return
    const { email, role, name } = member
    sent.current.push(await inviteAgain(member, { role, ...(email && { email }), ...(name && { name }) }))
  }
  if (links.length > 0) return <InvitationLinks invited={links} onClose={() => onClose(true)} />
  return (
    <BulkDialog
      operation={{
        title: t(`team.bulk.${operation}Title`),
        text: t(`team.bulk.${operation}Text`),
        confirm: count => t(`team.bulk.${operation}Do`, { count }),
        items: members.map(row => ({
          id: row.id,
          label: memberName(row),
          skip: row.status === 'active' ? t('team.bulk.hasJoined') : undefined,
        })),
        send,
        changes: changesMembers,
      }}
      onClose={hasRun => {
        const unsent = sent.current.filter(({ invitation }) => invitation.url !== null)
        if (unsent.length > 0) setLinks(unsent)
        else onClose(hasRun)
      }}
    />
  )
}
