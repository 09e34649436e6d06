import { Select } from '@mantine/core'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { useSession } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { BulkDialog } from '../../ui/list/BulkDialog.tsx'
import { addresseeOf } from './Addressee.tsx'
import { toAssignees, useTeam } from './queries.ts'

type Conversation = Schemas['Conversation']
export const bulkActions = ['assign', 'close', 'reopen'] as const
type BulkAction = (typeof bulkActions)[number]

/** Value of the option that removes the assignee. */
const unassigned = 'none'

/** Returns true if the conversation already has the status that the action sets. */
export const isUnaffected = (action: BulkAction, { status }: Conversation): boolean =>
  (action === 'close' && status === 'closed') || (action === 'reopen' && status === 'open')

/** Dialog that assigns, closes or reopens the selected conversations (contract 9.5). */
export const ConversationBulkDialog = ({
  action,
  conversations,
  onClose,
}: {
  action: BulkAction
  conversations: readonly Conversation[]
  onClose: (hasRun: boolean) => void
}) => {
  const t = useTranslate()
  const { user } = useSession()
  const team = useTeam()
  const [assignee, setAssignee] = useState(user.id)
  const changes: Record<BulkAction, Schemas['ChangeConversation']> = {
    assign: { assigneeId: assignee === unassigned ? null : assignee },
    close: { status: 'closed' },
    reopen: { status: 'open' },
  }
  return (
    <BulkDialog
      operation={{
        title: t(`inbox.bulk.${action}Title`),
        text: t(`inbox.bulk.${action}Text`),
        confirm: count => t(`inbox.bulk.${action}Do`, { count }),
        items: conversations.map(conversation => ({
          id: conversation.id,
          label: addresseeOf(conversation, t),
          skip: isUnaffected(action, conversation)
            ? t(conversation.status === 'open' ? 'inbox.open' : 'inbox.closed')
            : undefined,
        })),
        send: id => api.PATCH('/v1/conversations/{id}', { params: { path: { id } }, body: changes[action] }),
        changes: path =>
          path === '/v1/conversations' || path === '/v1/conversations/{id}' || path === '/v1/inbox/stats',
      }}
      onClose={onClose}
    >
      {action === 'assign' && (
        <Select
          label={t('inbox.assignee')}
          data={[
            ...toAssignees(team).map(({ userId, name }) => ({
              value: userId,
              label: userId === user.id ? t('team.you', { name }) : name,
            })),
            { value: unassigned, label: t('inbox.unassigned') },
          ]}
          value={assignee}
          onChange={value => value !== null && setAssignee(value)}
          allowDeselect={false}
          data-autofocus
        />
      )}
    </BulkDialog>
  )
}
