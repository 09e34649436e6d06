import { TextInput } from '@mantine/core'
import { isEmail } from '@mantine/form'
import { useState } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { useNotify } from '../../ui/useNotify.tsx'
import { InvitationLinks } from './InvitationLinks.tsx'
import { type Invited, inviteAgain, inviteMember, type Member, useInvalidateMembers } from './members.ts'
import { RoleChoice } from './Role.tsx'

/** Dialog that invites a member. It shows the link if the person must pass it on. */
export const Invite = ({
  opened,
  member,
  onClose,
  onInvited,
}: {
  opened: boolean
  /** Member whose invitation is replaced. */
  member?: Member
  onClose: () => void
  /** Called after the invitation, and after its link was copied if there is one. */
  onInvited?: (invited: Invited) => void
}) => {
  const t = useTranslate()
  const notify = useNotify()
  const invalidate = useInvalidateMembers()
  const [invited, setInvited] = useState<Invited | null>(null)
  const apiForm = useApiForm({
    draft: `team.invite.${member?.id ?? 'new'}`,
    initial: { email: member?.email ?? '', name: member?.name ?? '', role: member?.role ?? 'agent' },
    validate: { email: value => isEmail(t('signIn.emailInvalid'))(value.trim()) },
    onSubmit: async ({ email, name, role }) => {
      const body = { email: email.trim(), role, ...(name.trim() && { name: name.trim() }) }
      const result = await (member ? inviteAgain(member, body) : inviteMember(body))
      apiForm.reset()
      onClose()
      void invalidate()
      if (result.invitation.url !== null) return setInvited(result)
      notify(t('team.mailed', { email: result.email }))
      onInvited?.(result)
    },
  })
  const { form } = apiForm
  return (
    <>
      <FormDialog
        opened={opened}
        title={t(member ? 'team.inviteAgain' : 'team.invite')}
        text={t(member ? 'team.inviteAgainText' : 'team.inviteText')}
        action={t('team.inviteSend')}
        onClose={onClose}
        form={apiForm}
      >
        <TextInput
          {...form.getInputProps('email')}
          label={t('team.email')}
          type="email"
          required
          withAsterisk={false}
          autoComplete="off"
          readOnly={member !== undefined}
          data-autofocus
        />
        <TextInput
          {...form.getInputProps('name')}
          label={`${t('team.name')} (${t('team.optional')})`}
          maxLength={100}
          autoComplete="off"
        />
        <RoleChoice
          label={t('team.role')}
          value={form.values.role}
          onChange={role => form.setFieldValue('role', role)}
        />
      </FormDialog>
      <InvitationLinks
        invited={invited ? [invited] : []}
        onClose={() => {
          setInvited(null)
          if (invited) onInvited?.(invited)
        }}
      />
    </>
  )
}
