import { Alert, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslate } from '../../../texts/index.tsx'
import { NoSymbolIcon } from '../../../ui/page-icons.ts'
import { Time } from '../../../ui/Time.tsx'
import { findTextRestriction, isWindowClosed, type ReplyContext } from './restrictions.ts'

/** Notice above the composer: what cannot be sent and why, or when the window for free text closes. */
export const ReplyNotice = ({ context }: { context: ReplyContext }) => {
  const t = useTranslate()
  const { conversation, customer, isOpenedByCustomer } = context
  const restriction = findTextRestriction(context)
  const notice = (children: ReactNode) => (
    <Alert color="gray" variant="light" p="sm" icon={<NoSymbolIcon width={16} />}>
      <Text size="sm">{children}</Text>
    </Alert>
  )
  if (restriction === 'channel_disconnected' || restriction === 'no_address')
    return notice(t(`inbox.why.${restriction}`))
  const hasOptedOut = customer?.optedOutAt != null
  if (hasOptedOut && (restriction !== null || isOpenedByCustomer === false)) return notice(t('inbox.why.nothing'))
  if (hasOptedOut) return notice(t(isOpenedByCustomer ? 'inbox.why.textOnly' : 'inbox.why.textIfOpened'))
  if (isWindowClosed(context)) return notice(t('inbox.why.window_closed'))
  if (conversation.windowClosesAt === null) return null
  return (
    <Text size="xs" c="dimmed">
      {t('inbox.windowCloses')} <Time at={conversation.windowClosesAt} />
    </Text>
  )
}
