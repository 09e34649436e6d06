import { Button, CloseButton, Group, Skeleton, Text, Title } from '@mantine/core'
import { useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { useCustomer } from '../../api/customers.ts'
import { cursorPagination, pageSize } from '../../api/pages.ts'
import { useLiveRefresh, usePollInterval } from '../../api/useLive.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { outsideOverlays, useEscape } from '../../ui/hooks/useEscape.ts'
import { usePhone } from '../../ui/hooks/usePhone.ts'
import { CheckIcon, UserIcon } from '../../ui/icons.ts'
import { ArrowPathIcon, BanknotesIcon } from '../../ui/page-icons.ts'
import { Status } from '../../ui/Status.tsx'
import { useNotify } from '../../ui/useNotify.tsx'
import { Addressee } from './Addressee.tsx'
import { Assign } from './Assign.tsx'
import { BackToList } from './BackToList.tsx'
import { CustomerAvatar } from './CustomerAvatar.tsx'
import { CustomerColumn } from './CustomerColumn.tsx'
import { Composer } from './composer/Composer.tsx'
import { useInbox } from './inbox-context.ts'
import { Messages } from './Messages.tsx'
import { OptOutSuggestion } from './OptOutSuggestion.tsx'
import { useChannels, useRefreshConversation } from './queries.ts'
import { SaleDialog } from './SaleDialog.tsx'
import styles from './thread.module.css'
import { WaitingTime } from './WaitingTime.tsx'

/** Width from which the customer column fits next to the thread. */
const wideQuery = '(min-width: 75em)'

const route = getRouteApi('/signed/inbox/$id')

/** Conversation of the address. */
export const Thread = () => {
  const { id } = route.useParams()
  return <LoadedThread key={id} id={id} />
}

const LoadedThread = ({ id }: { id: string }) => {
  const t = useTranslate()
  const pollInterval = usePollInterval()
  const query = hooks.useQuery(
    'get',
    '/v1/conversations/{id}',
    { params: { path: { id } } },
    { refetchInterval: pollInterval },
  )
  useLiveRefresh(
    ['conversation', 'message'],
    ['/v1/conversations/{id}', '/v1/conversations/{id}/messages'],
    news => news.id === id || news.fields.conversationId === id,
  )
  if (query.data) return <ConversationThread conversation={query.data} />
  return (
    <section className={styles.thread} aria-label={t('inbox.thread')}>
      <BackToList />
      {query.error ? (
        <div className={styles.failed}>
          <Failure error={query.error} retry={() => void query.refetch()} />
        </div>
      ) : (
        <div className={styles.failed}>
          <Skeleton height={36} mb="lg" />
          <Skeleton height={240} />
        </div>
      )}
    </section>
  )
}

const ConversationThread = ({ conversation }: { conversation: Schemas['Conversation'] }) => {
  const t = useTranslate()
  const navigate = useNavigate()
  const search = route.useSearch()
  const { id } = conversation
  const refresh = useRefreshConversation()
  const inbox = useInbox()
  const notify = useNotify()
  const pollInterval = usePollInterval()
  const customer = useCustomer(conversation.customerId).data
  const channel = useChannels()?.find(one => one.id === conversation.channelId)
  const messages = hooks.useInfiniteQuery(
    'get',
    '/v1/conversations/{id}/messages',
    { params: { path: { id }, query: { limit: pageSize } } },
    { ...cursorPagination, refetchInterval: pollInterval },
  )
  const newestFirst = messages.data?.pages.flatMap(page => page.data)
  const oldest = messages.data && !messages.hasNextPage ? newestFirst?.at(-1) : undefined
  // On a phone the thread fills the whole page.
  const phone = usePhone()
  const isWide = useMediaQuery(wideQuery, true, { getInitialValueInEffect: false })
  const [isColumnOpen, columnSwitch] = useDisclosure(false)
  const [isSaleOpen, saleDialog] = useDisclosure(false)
  const [isAssigning, setIsAssigning] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const reply = useRef<HTMLElement>(null)
  const assign = useRef<HTMLButtonElement>(null)
  useMarkRead(conversation)

  const change = async (body: Schemas['ChangeConversation']) => {
    await api.PATCH('/v1/conversations/{id}', { params: { path: { id } }, body })
    await refresh()
  }
  const runAction = async (action: () => Promise<void>) => {
    setFailure(null)
    try {
      await action()
    } catch (error) {
      setFailure(error)
    }
  }
  const setStatus = async (status: 'open' | 'closed') => {
    await change({ status })
    if (status === 'open') return
    notify(t('inbox.closedNow'), () => change({ status: 'open' }))
    inbox.openNext(id)
  }
  // After an opt-out, only a person's text in a conversation that the customer opened can be sent.
  const canResend = ({ sentBy, templateId }: Schemas['Message']) =>
    customer?.optedOutAt == null || (oldest?.direction === 'inbound' && sentBy?.type === 'user' && templateId === null)
  const isOpen = conversation.status === 'open'
  const toggle = () => runAction(() => setStatus(isOpen ? 'closed' : 'open'))
  const backToList = () => void navigate({ to: '/inbox', search })
  useHotkeys([
    ['r', outsideOverlays(() => reply.current?.focus())],
    ['e', outsideOverlays(() => void toggle())],
    [
      'a',
      outsideOverlays(() => {
        assign.current?.focus()
        setIsAssigning(true)
      }),
    ],
    ['s', outsideOverlays(saleDialog.open)],
  ])
  useEscape(isColumnOpen && !isWide ? columnSwitch.close : backToList)

  return (
    <>
      <section className={styles.thread} aria-labelledby="thread-title">
        <header className={styles.threadHead}>
          <BackToList />
          <CustomerAvatar conversation={conversation} />
          <div className={styles.threadTitle}>
            <Title order={phone ? 1 : 2} size="h2" id="thread-title">
              <Addressee conversation={conversation} />
            </Title>
            <Text size="xs" c="dimmed" component="div">
              <Group gap="sm" wrap={phone ? 'wrap' : 'nowrap'} className={styles.threadState}>
                {channel && <bdi className={styles.channel}>{channel.name}</bdi>}
                {channel?.status === 'failing' && <Status tone="care">{t('inbox.channelFailing')}</Status>}
                {!isOpen && <Status tone="off">{t('inbox.closed')}</Status>}
                {customer?.optedOutAt != null && <Status tone="care">{t('inbox.optedOut')}</Status>}
                {isOpen && conversation.waitingSince && <WaitingTime since={conversation.waitingSince} />}
              </Group>
            </Text>
          </div>
          <Group gap="xs" className={styles.threadActions}>
            <Assign
              assigneeId={conversation.assigneeId}
              button={assign}
              opened={isAssigning}
              onChange={setIsAssigning}
              onAssign={assigneeId => void runAction(() => change({ assigneeId }))}
            />
            <Button
              variant="default"
              leftSection={<BanknotesIcon width={16} aria-hidden="true" />}
              onClick={saleDialog.open}
            >
              {t('inbox.sale')}
            </Button>
            <Button
              variant="default"
              leftSection={isOpen ? <CheckIcon width={16} /> : <ArrowPathIcon width={16} />}
              onClick={() => void toggle()}
            >
              {t(isOpen ? 'inbox.close' : 'inbox.reopen')}
            </Button>
            {!isWide && (
              <Button
                variant="default"
                leftSection={<UserIcon width={16} aria-hidden="true" />}
                aria-expanded={isColumnOpen}
                onClick={columnSwitch.toggle}
              >
                {t('inbox.customer')}
              </Button>
            )}
          </Group>
        </header>
        {failure !== null && (
          <div className={styles.notice}>
            <Failure error={failure} />
          </div>
        )}
        <OptOutSuggestion key={conversation.id} conversation={conversation} close={() => setStatus('closed')} />
        {messages.error && !newestFirst ? (
          <div className={styles.failed}>
            <Failure error={messages.error} retry={() => void messages.refetch()} />
          </div>
        ) : (
          <Messages
            customerName={conversation.customerName}
            newestFirst={newestFirst}
            loadEarlier={messages.hasNextPage ? () => void messages.fetchNextPage() : null}
            isLoadingEarlier={messages.isFetchingNextPage}
            canResend={canResend}
          />
        )}
        <Composer
          conversation={conversation}
          customer={customer}
          channel={channel}
          isOpenedByCustomer={oldest ? oldest.direction === 'inbound' : null}
          field={reply}
        />
      </section>
      {(isWide || isColumnOpen) && (
        <aside className={styles.aside} data-over={!isWide || undefined} aria-label={t('inbox.customer')}>
          {!isWide && (
            <CloseButton className={styles.asideClose} aria-label={t('panel.close')} onClick={columnSwitch.close} />
          )}
          <CustomerColumn conversation={conversation} customer={customer} />
        </aside>
      )}
      <SaleDialog conversation={conversation} opened={isSaleOpen} onClose={saleDialog.close} />
    </>
  )
}

/** Marks the conversation as read once the page is visible. */
const useMarkRead = ({ id, unread }: Schemas['Conversation']): void => {
  const refresh = useRefreshConversation()
  const markRead = useRef(() => {})
  markRead.current = () => {
    if (unread === 0 || document.visibilityState !== 'visible') return
    api
      .POST('/v1/conversations/{id}/read', { params: { path: { id } } })
      .then(refresh)
      // Ignored: the conversation stays unread, and the next message triggers this again.
      .catch(() => {})
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new message must be marked as read.
  useEffect(() => markRead.current(), [id, unread])
  useEffect(() => {
    const onVisible = () => markRead.current()
    document.addEventListener('visibilitychange', onVisible)
    return () => document.removeEventListener('visibilitychange', onVisible)
  }, [])
}
