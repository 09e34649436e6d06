import { Anchor, Button, CloseButton, Group, Skeleton, Text, Title } from '@mantine/core'
import { useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { byCursor, pageSize } from '../../api/pages.ts'
import { useFresh, useUnheard } from '../../api/useLive.ts'
import { useTexts } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Status } from '../../ui/Status.tsx'
import { useTell } from '../../ui/told.tsx'
import { usePhone } from '../../ui/usePhone.ts'
import { Addressee } from './Addressee.tsx'
import { Assign } from './Assign.tsx'
import { Composer } from './Composer.tsx'
import { CustomerColumn } from './CustomerColumn.tsx'
import { inboxSearch } from './filters.ts'
import styles from './inbox.module.css'
import { LooksLikeOptOut } from './LooksLikeOptOut.tsx'
import { Messages } from './Messages.tsx'
import { useBeside } from './opener.ts'
import { useAnew, useChannels, useCustomer } from './queries.ts'
import { SaleDialog } from './SaleDialog.tsx'
import { Waits } from './Waits.tsx'

/** Width from which the customer column fits next to the thread. */
const wide = '(min-width: 75em)'

/** Conversation of the address. */
export const Thread = () => {
  const { id } = useParams({ strict: false }) as { id: string }
  return <OneThread key={id} id={id} />
}

const OneThread = ({ id }: { id: string }) => {
  const say = useTexts()
  const unheard = useUnheard()
  const query = hooks.useQuery(
    'get',
    '/v1/conversations/{id}',
    { params: { path: { id } } },
    { refetchInterval: unheard },
  )
  useFresh(
    ['conversation', 'message'],
    ['/v1/conversations/{id}', '/v1/conversations/{id}/messages'],
    news => news.id === id || news.fields.conversationId === id,
  )
  if (query.data) return <Opened conversation={query.data} />
  return (
    <section className={styles.thread} aria-label={say('inbox.thread')}>
      <BackToList />
      {query.error ? (
        <div className={styles.failed}>
          <Failure of={query.error} retry={() => void query.refetch()} />
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

const BackToList = () => {
  const say = useTexts()
  const search = inboxSearch(useSearch({ strict: false }))
  return (
    <Anchor
      size="sm"
      className={styles.back}
      renderRoot={(props: object) => <Link {...props} to="/inbox" search={search} aria-label={say('inbox.back')} />}
    >
      ←
    </Anchor>
  )
}

const Opened = ({ conversation }: { conversation: Schemas['Conversation'] }) => {
  const say = useTexts()
  const navigate = useNavigate()
  const search = inboxSearch(useSearch({ strict: false }))
  const { id } = conversation
  const anew = useAnew()
  const beside = useBeside()
  const tell = useTell()
  const unheard = useUnheard()
  const customer = useCustomer(conversation.customerId)
  const channel = useChannels()?.find(one => one.id === conversation.channelId)
  const messages = hooks.useInfiniteQuery(
    'get',
    '/v1/conversations/{id}/messages',
    { params: { path: { id }, query: { limit: pageSize } } },
    { ...byCursor, refetchInterval: unheard },
  )
  const newestFirst = messages.data?.pages.flatMap(page => page.data)
  const oldest = messages.data && !messages.hasNextPage ? newestFirst?.at(-1) : undefined
  // On a phone the thread fills the whole page.
  const phone = usePhone()
  const hasRoom = useMediaQuery(wide, true, { getInitialValueInEffect: false })
  const [aside, asideSwitch] = useDisclosure(false)
  const [sale, saleDialog] = useDisclosure(false)
  const [assigning, setAssigning] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const reply = useRef<HTMLElement>(null)
  useRead(conversation)

  const change = async (body: Schemas['ChangeConversation']) => {
    await api.PATCH('/v1/conversations/{id}', { params: { path: { id } }, body })
    await anew('/v1/conversations', '/v1/conversations/{id}')
  }
  const tryTo = async (work: () => Promise<void>) => {
    setFailure(null)
    try {
      await work()
    } catch (error) {
      setFailure(error)
    }
  }
  const setStatus = async (status: 'open' | 'closed') => {
    const after = { ...conversation, status }
    await change({ status })
    if (status === 'open') return
    tell(say('inbox.closedNow'), () => change({ status: 'open' }))
    if (beside.isLeftOut(after)) beside.goOn(id)
  }
  const isOpen = conversation.status === 'open'
  const toggle = () => tryTo(() => setStatus(isOpen ? 'closed' : 'open'))
  const toList = () => void navigate({ to: '/inbox', search })
  // Disables the shortcuts while a dialog or a menu is open.
  const alone = (work: () => void) => () => {
    if (!document.querySelector('[role=dialog]:not([data-corner]), [role=menu]')) work()
  }
  useHotkeys([
    ['r', alone(() => reply.current?.focus())],
    ['e', alone(() => void toggle())],
    ['a', alone(() => setAssigning(true))],
    ['s', alone(saleDialog.open)],
    ['Escape', alone(aside && !hasRoom ? asideSwitch.close : toList)],
  ])

  return (
    <>
      <section className={styles.thread} aria-labelledby="thread-title">
        <header className={styles.threadHead}>
          <BackToList />
          <div className={styles.threadTitle}>
            <Title order={phone ? 1 : 2} size="h2" id="thread-title">
              <Addressee of={conversation} />
            </Title>
            <Text size="xs" c="dimmed" component="div">
              <Group gap="sm">
                {channel?.name}
                {channel?.status === 'failing' && <Status tone="care">{say('inbox.channelFailing')}</Status>}
                {!isOpen && <Status tone="off">{say('inbox.closed')}</Status>}
                {isOpen && conversation.waitingSince && <Waits since={conversation.waitingSince} />}
              </Group>
            </Text>
          </div>
          <Group gap="xs" className={styles.threadActions}>
            <Assign
              assigneeId={conversation.assigneeId}
              opened={assigning}
              onChange={setAssigning}
              onAssign={assigneeId => void tryTo(() => change({ assigneeId }))}
            />
            <Button variant="default" onClick={saleDialog.open}>
              {say('inbox.sale')}
            </Button>
            <Button variant="default" onClick={() => void toggle()}>
              {say(isOpen ? 'inbox.close' : 'inbox.reopen')}
            </Button>
            {!hasRoom && (
              <Button variant="default" aria-expanded={aside} onClick={asideSwitch.toggle}>
                {say('inbox.customer')}
              </Button>
            )}
          </Group>
        </header>
        {failure !== null && (
          <div className={styles.notice}>
            <Failure of={failure} />
          </div>
        )}
        {conversation.looksLikeOptOut && <LooksLikeOptOut conversation={conversation} />}
        {messages.error && !newestFirst ? (
          <div className={styles.failed}>
            <Failure of={messages.error} retry={() => void messages.refetch()} />
          </div>
        ) : (
          <Messages
            newestFirst={newestFirst}
            earlier={messages.hasNextPage ? () => void messages.fetchNextPage() : null}
            loadingEarlier={messages.isFetchingNextPage}
          />
        )}
        <Composer
          conversation={conversation}
          customer={customer}
          channel={channel}
          customerOpened={oldest ? oldest.direction === 'inbound' : null}
          field={reply}
        />
      </section>
      {(hasRoom || aside) && (
        <aside className={styles.aside} data-over={!hasRoom || undefined} aria-label={say('inbox.customer')}>
          {!hasRoom && (
            <CloseButton className={styles.asideClose} aria-label={say('panel.close')} onClick={asideSwitch.close} />
          )}
          <CustomerColumn conversation={conversation} customer={customer} />
        </aside>
      )}
      <SaleDialog conversation={conversation} opened={sale} onClose={saleDialog.close} />
    </>
  )
}

/** Marks the conversation as read once the page is visible. */
const useRead = ({ id, unread }: Schemas['Conversation']): void => {
  const anew = useAnew()
  const tell = useRef(() => {})
  tell.current = () => {
    if (unread === 0 || document.visibilityState !== 'visible') return
    api
      .POST('/v1/conversations/{id}/read', { params: { path: { id } } })
      .then(() => anew('/v1/conversations', '/v1/conversations/{id}'))
      // Ignored: the conversation stays unread, and the next message triggers this again.
      .catch(() => {})
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new message must be marked as read.
  useEffect(() => tell.current(), [id, unread])
  useEffect(() => {
    const seen = () => tell.current()
    document.addEventListener('visibilitychange', seen)
    return () => document.removeEventListener('visibilitychange', seen)
  }, [])
}
