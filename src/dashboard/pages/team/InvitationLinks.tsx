import { Button, CopyButton, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { useTranslate } from '../../texts/index.tsx'
import { useZone } from '../../ui/zone.ts'
import type { Invited } from './members.ts'

/**
 * Invitation links that the person must pass on, because email is not set up. They are shown only once, and the dialog
 * closes only with its button.
 */
export const InvitationLinks = ({ invited, onClose }: { invited: readonly Invited[]; onClose: () => void }) => {
  const t = useTranslate()
  const { locale } = useIntl()
  const zone = useZone()
  // The dialog keeps its content while it closes.
  const [shown, setShown] = useState(invited)
  if (invited.length > 0 && invited !== shown && invited[0] !== shown[0]) setShown(invited)
  const until = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone })
  const [first] = shown
  return (
    <Modal
      opened={invited.length > 0}
      onClose={onClose}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={t('team.linkTitle', { count: shown.length })}
    >
      {first && (
        <Stack gap="md">
          <Text size="sm">
            {shown.length === 1
              ? t('team.linkText', {
                  email: first.email,
                  role: first.role,
                  until: until.format(new Date(first.invitation.expiresAt)),
                })
              : t('team.linksText', { until: until.format(new Date(first.invitation.expiresAt)) })}
          </Text>
          {shown.map(({ id, email, invitation: { url } }, index) => (
            <Textarea
              key={id}
              label={shown.length === 1 ? t('team.link') : email}
              readOnly
              autosize
              {...(index === 0 && { 'data-autofocus': true })}
              value={url ?? ''}
              onFocus={event => event.currentTarget.select()}
            />
          ))}
          <Group justify="flex-end">
            <CopyButton value={toText(shown)}>
              {({ copied, copy }) => (
                <Button onClick={copy}>{copied ? t('id.copied') : t('team.linkCopy', { count: shown.length })}</Button>
              )}
            </CopyButton>
            <Button variant="default" onClick={onClose}>
              {t('team.linkDone', { count: shown.length })}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}

/** A link alone, or a line for each person. */
const toText = (invited: readonly Invited[]): string =>
  invited.length === 1
    ? (invited[0]!.invitation.url ?? '')
    : invited.map(({ email, invitation }) => `${email} ${invitation.url}`).join('\n')
