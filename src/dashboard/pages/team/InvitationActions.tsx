import { useRef, useState } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { BulkButtons } from '../../ui/list/BulkButtons.tsx'
import { BulkDialog } from '../../ui/list/BulkDialog.tsx'
import { InvitationLinks } from './InvitationLinks.tsx'
import { type Invited, inviteAgain, type Member, memberName, removeMember, useInvalidateMembers } from './members.ts'

type Operation = 'inviteAgain' | 'withdraw'

/** Actions on the invitations among the selected members. Each shows a preview first. */
export const InvitationActions = ({ rows, onDone }: { rows: Member[]; onDone: () => void }) => {
  const t = useTranslate()
  const invalidate = useInvalidateMembers()
  // The rows change while the action runs, so the dialog keeps those of its start.
  const [dialog, setDialog] = useState<{ operation: Operation; rows: Member[] } | null>(null)
  const sent = useRef<Invited[]>([])
  const [links, setLinks] = useState<Invited[]>([])
  const run = async (id: string) => {
    if (dialog?.operation === 'withdraw') return removeMember(id)
    const member = dialog?.rows.find(row => row.id === id)
    if (!member) return
    const { email, role, name } = member
    sent.current.push(await inviteAgain(member, { role, ...(email && { email }), ...(name && { name }) }))
  }
  const finish = () => {
    void invalidate()
    onDone()
  }
  const close = (hasRun: boolean) => {
    setDialog(null)
    const unsent = sent.current.filter(({ invitation }) => invitation.url !== null)
    sent.current = []
    if (unsent.length > 0) setLinks(unsent)
    else if (hasRun) finish()
  }
  return (
    <>
      <BulkButtons
        actions={(['inviteAgain', 'withdraw'] as const).map(operation => ({
          key: operation,
          label: t(`team.${operation}`),
          reason: rows.every(({ status }) => status === 'active') ? t('team.bulk.none') : null,
          run: () => setDialog({ operation, rows }),
        }))}
      />
      {dialog && (
        <BulkDialog
          title={t(`team.bulk.${dialog.operation}Title`)}
          text={t(`team.bulk.${dialog.operation}Text`)}
          action={count => t(`team.bulk.${dialog.operation}Do`, { count })}
          items={dialog.rows.map(row => ({
            id: row.id,
            label: memberName(row),
            ...(row.status === 'active' && { skip: t('team.bulk.hasJoined') }),
          }))}
          run={run}
          onClose={close}
        />
      )}
      <InvitationLinks
        invited={links}
        onClose={() => {
          setLinks([])
          finish()
        }}
      />
    </>
  )
}
