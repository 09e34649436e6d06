import { Button, CopyButton, Group, Modal, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { api, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { useDraft } from '../../ui/hooks/draft.ts'
import { useNotify } from '../../ui/useNotify.tsx'
import { useZone } from '../../ui/zone.ts'
import { type Member, useInvalidateMembers } from './members.ts'

type Invited = Schemas['InvitedMember']
type Role = Invited['role']

/** Dialog that invites a member. It shows the link if the person must pass it on. */
export const Invite = ({
  opened,
  member,
  onClose,
}: {
  opened: boolean
  /** Member whose invitation has expired. */
  member?: Member
  onClose: () => void
}) => {
  const [invited, setInvited] = useState<Invited | null>(null)
  return (
    <>
      <Form opened={opened} member={member} onClose={onClose} onInvited={setInvited} />
      <InvitationLink invited={invited} onClose={() => setInvited(null)} />
    </>
  )
}

const Form = ({
  opened,
  member,
  onClose,
  onInvited,
}: {
  opened: boolean
  member: Member | undefined
  onClose: () => void
  onInvited: (invited: Invited) => void
}) => {
  const t = useTranslate()
  const notify = useNotify()
  const invalidate = useInvalidateMembers()
  const draft = `team.invite.${member?.id ?? 'new'}`
  const [email, setEmail, clearEmail] = useDraft(`${draft}.email`, member?.email)
  const [name, setName, clearName] = useDraft(`${draft}.name`, member?.name ?? '')
  const [role, setRole] = useState<Role>(member?.role ?? 'agent')
  const invite = async () => {
    const { data } = await api.POST('/v1/members', {
      body: { email: email.trim(), role, ...(name.trim() && { name: name.trim() }) },
    })
    clearEmail()
    clearName()
    void invalidate()
    if (data!.invitation.mailed) notify(t('team.mailed', { email: data!.email }))
    else onInvited(data!)
  }
  return (
    <FormDialog
      opened={opened}
      title={t('team.invite')}
      text={t('team.inviteText')}
      action={t('team.inviteSend')}
      onClose={onClose}
      onSubmit={invite}
    >
      <TextInput
        label={t('team.email')}
        type="email"
        required
        withAsterisk={false}
        autoComplete="off"
        data-autofocus
        value={email}
        onChange={event => setEmail(event.currentTarget.value)}
      />
      <TextInput
        label={`${t('team.name')} (${t('team.optional')})`}
        maxLength={100}
        autoComplete="off"
        value={name}
        onChange={event => setName(event.currentTarget.value)}
      />
      <Radio.Group label={t('team.role')} value={role} onChange={value => setRole(value as Role)}>
        <Stack gap="sm" mt="xs">
          {(['agent', 'owner'] as const).map(value => (
            <Radio
              key={value}
              value={value}
              label={t(`team.role.${value}`)}
              description={t(`team.roleHint.${value}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
    </FormDialog>
  )
}

/** Invitation link. It is shown only once, and the dialog closes only with its button. */
const InvitationLink = ({ invited, onClose }: { invited: Invited | null; onClose: () => void }) => {
  const t = useTranslate()
  const { locale } = useIntl()
  const zone = useZone()
  const [lastInvited, setLastInvited] = useState(invited)
  if (invited !== null && invited !== lastInvited) setLastInvited(invited)
  const until = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone })
  const url = lastInvited?.invitation.url ?? ''
  return (
    <Modal
      opened={invited !== null}
      onClose={onClose}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={t('team.linkTitle')}
    >
      {lastInvited && (
        <Stack gap="md">
          <Text size="sm">
            {t('team.linkText', {
              email: lastInvited.email,
              role: lastInvited.role,
              until: until.format(new Date(lastInvited.invitation.expiresAt)),
            })}
          </Text>
          <Textarea
            label={t('team.link')}
            readOnly
            autosize
            data-autofocus
            value={url}
            onFocus={event => event.currentTarget.select()}
          />
          <Group justify="flex-end">
            <CopyButton value={url}>
              {({ copied, copy }) => <Button onClick={copy}>{copied ? t('id.copied') : t('team.linkCopy')}</Button>}
            </CopyButton>
            <Button variant="default" onClick={onClose}>
              {t('team.linkDone')}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}
