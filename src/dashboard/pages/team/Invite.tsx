import { Button, CopyButton, Group, Modal, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { api, type Schemas } from '../../api/client.ts'
import { useTexts } from '../../texts/index.tsx'
import { useDraft } from '../../ui/draft.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useTell } from '../../ui/told.tsx'
import { useZone } from '../../ui/zone.ts'
import { type Member, useMembersAnew } from './members.ts'

type Invited = Schemas['InvitedMember']
type Role = Invited['role']

/** Dialog that invites a member. It shows the link if the person must pass it on. */
export const Invite = ({
  opened,
  again,
  onClose,
}: {
  opened: boolean
  /** Member whose invitation has expired. */
  again?: Member
  onClose: () => void
}) => {
  const [invited, setInvited] = useState<Invited | null>(null)
  return (
    <>
      <Form opened={opened} again={again} onClose={onClose} onInvited={setInvited} />
      <InvitationLink invited={invited} onClose={() => setInvited(null)} />
    </>
  )
}

const Form = ({
  opened,
  again,
  onClose,
  onInvited,
}: {
  opened: boolean
  again: Member | undefined
  onClose: () => void
  onInvited: (invited: Invited) => void
}) => {
  const say = useTexts()
  const tell = useTell()
  const anew = useMembersAnew()
  const draft = `team.invite.${again?.id ?? 'new'}`
  const [email, setEmail, clearEmail] = useDraft(`${draft}.email`, again?.email)
  const [name, setName, clearName] = useDraft(`${draft}.name`, again?.name ?? '')
  const [role, setRole] = useState<Role>(again?.role ?? 'agent')
  const invite = async () => {
    const { data } = await api.POST('/v1/members', {
      body: { email: email.trim(), role, ...(name.trim() && { name: name.trim() }) },
    })
    clearEmail()
    clearName()
    void anew()
    if (data!.invitation.mailed) tell(say('team.mailed', { email: data!.email }))
    else onInvited(data!)
  }
  return (
    <FormDialog
      opened={opened}
      title={say('team.invite')}
      text={say('team.inviteText')}
      action={say('team.inviteSend')}
      onClose={onClose}
      onSubmit={invite}
    >
      <TextInput
        label={say('team.email')}
        type="email"
        required
        withAsterisk={false}
        autoComplete="off"
        data-autofocus
        value={email}
        onChange={event => setEmail(event.currentTarget.value)}
      />
      <TextInput
        label={`${say('team.name')} (${say('team.optional')})`}
        maxLength={100}
        autoComplete="off"
        value={name}
        onChange={event => setName(event.currentTarget.value)}
      />
      <Radio.Group label={say('team.role')} value={role} onChange={value => setRole(value as Role)}>
        <Stack gap="sm" mt="xs">
          {(['agent', 'owner'] as const).map(value => (
            <Radio
              key={value}
              value={value}
              label={say(`team.role.${value}`)}
              description={say(`team.roleHint.${value}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
    </FormDialog>
  )
}

/** Invitation link. It is shown only once, and the dialog closes only with its button. */
const InvitationLink = ({ invited, onClose }: { invited: Invited | null; onClose: () => void }) => {
  const say = useTexts()
  const { locale } = useIntl()
  const zone = useZone()
  const [shown, setShown] = useState(invited)
  if (invited !== null && invited !== shown) setShown(invited)
  const until = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone })
  const url = shown?.invitation.url ?? ''
  return (
    <Modal
      opened={invited !== null}
      onClose={onClose}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={say('team.linkTitle')}
    >
      {shown && (
        <Stack gap="md">
          <Text size="sm">
            {say('team.linkText', {
              email: shown.email,
              role: shown.role,
              until: until.format(new Date(shown.invitation.expiresAt)),
            })}
          </Text>
          <Textarea
            label={say('team.link')}
            readOnly
            autosize
            data-autofocus
            value={url}
            onFocus={event => event.currentTarget.select()}
          />
          <Group justify="flex-end">
            <CopyButton value={url}>
              {({ copied, copy }) => <Button onClick={copy}>{copied ? say('id.copied') : say('team.linkCopy')}</Button>}
            </CopyButton>
            <Button variant="default" onClick={onClose}>
              {say('team.linkDone')}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}
