import { ActionIcon, Button, Menu, Skeleton, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { useLiveRefresh } from '../../api/useLive.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Confirm } from '../../ui/form/Confirm.tsx'
import { shortName } from '../../ui/formats.ts'
import { InboxIcon } from '../../ui/icons.ts'
import { Body, type Crumb, Page } from '../../ui/Page.tsx'
import { Section } from '../../ui/Panel.tsx'
import { EllipsisHorizontalIcon, TrashIcon } from '../../ui/page-icons.ts'
import { useNotify } from '../../ui/useNotify.tsx'
import { Conversations, useConversations } from './Conversations.tsx'
import { Activity, CustomerHead } from './CustomerHead.tsx'
import styles from './customers.module.css'
import { Ledger } from './Ledger.tsx'
import { customerName } from './name.ts'
import { Attributes, Profile } from './Profile.tsx'
import { Sales } from './Sales.tsx'
import { Timeline } from './Timeline.tsx'

const route = getRouteApi('/signed/customers/$id')

/** Customer page: the profile, the consent and the timeline. */
export const Customer = () => {
  const t = useTranslate()
  const { id } = route.useParams()
  const query = hooks.useQuery('get', '/v1/customers/{id}', { params: { path: { id } } })
  const customer = query.data
  useLiveRefresh(
    ['event', 'message', 'run', 'conversation'],
    ['/v1/customers/{id}', '/v1/customers/{id}/timeline', '/v1/customers/{id}/consents', '/v1/conversations'],
    ({ fields }) => fields.customerId === undefined || fields.customerId === id,
  )
  useLiveRefresh(['outbound_event'], ['/v1/sales'], ({ fields }) => fields.type === 'sale.created')
  const name = customer ? (customerName(customer) ?? t('customers.nameless')) : t('customers.id')
  const crumb: Crumb = { label: t('customers.title'), link: { to: '/customers' } }
  return (
    <Page
      title={name}
      crumbs={[crumb]}
      lead={<Avatar name={customer?.name} size={40} />}
      actions={
        customer && (
          <>
            <OpenConversation customerId={id} />
            <Actions customer={customer} name={name} />
          </>
        )
      }
    >
      <Body>
        {query.error && !customer && (
          <Failure error={query.error} retry={() => void query.refetch()} record={t('customers.id')} list={crumb} />
        )}
        {query.isPending && <Skeletons />}
        {customer && (
          <div className={styles.columns}>
            <CustomerHead customer={customer} />
            <div className={styles.side}>
              <Profile customer={customer} />
              <Ledger customer={customer} name={name} />
              <Attributes customer={customer} />
              <Conversations customerId={id} />
              <Sales customerId={id} />
            </div>
            <div className={styles.timelines}>
              <Activity customerId={id} />
              <Timeline customerId={id} />
            </div>
          </div>
        )}
      </Body>
    </Page>
  )
}

const Skeletons = () => {
  const t = useTranslate()
  return (
    <div className={styles.columns} aria-busy="true">
      <div className={styles.head}>
        <Skeleton height={42} />
      </div>
      <div className={styles.side}>
        <Section title={t('customers.profile')}>
          <Skeleton height={140} />
        </Section>
      </div>
      <div className={styles.timelines}>
        <Section title={t('customers.timeline')}>
          <Skeleton height={320} />
        </Section>
      </div>
    </div>
  )
}

/** Opens the newest conversation of the customer in the inbox. */
const OpenConversation = ({ customerId }: { customerId: string }) => {
  const t = useTranslate()
  const { data, isPending } = useConversations(customerId)
  // Keeps the space of the button, because a long name has other lines beside it.
  if (isPending) return <Skeleton height={30} width={166} />
  const conversation = data?.data[0]
  if (!conversation) return null
  return (
    <Button
      leftSection={<InboxIcon width={16} />}
      renderRoot={(props: object) => <Link {...props} to="/inbox/$id" params={{ id: conversation.id }} />}
    >
      {t('customers.openConversation')}
    </Button>
  )
}

const Actions = ({ customer, name }: { customer: Schemas['Customer']; name: string }) => {
  const t = useTranslate()
  const notify = useNotify()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [isConfirming, dialog] = useDisclosure(false)
  const erase = async () => {
    await api.DELETE('/v1/customers/{id}', { params: { path: { id: customer.id } } })
    await navigate({ to: '/customers', replace: true })
    queries.removeQueries({ predicate: ({ queryKey }) => JSON.stringify(queryKey).includes(customer.id) })
    void queries.invalidateQueries()
    notify(t('customers.erased'))
  }
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={t('customers.menu', { name })}>
            <EllipsisHorizontalIcon width={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item color="red" leftSection={<TrashIcon width={16} />} onClick={dialog.open}>
            {t('customers.erase')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Confirm
        opened={isConfirming}
        title={t('customers.eraseTitle', { name: shortName(name) })}
        action={t('customers.erase')}
        typeName={name}
        onClose={dialog.close}
        onConfirm={erase}
      >
        <Stack gap="sm">
          {(['eraseDeleted', 'eraseKept', 'eraseElsewhere'] as const).map(part => (
            <span key={part}>
              <strong>{t(`customers.${part}`)}</strong> {t(`customers.${part}Text`)}
            </span>
          ))}
        </Stack>
      </Confirm>
    </>
  )
}
