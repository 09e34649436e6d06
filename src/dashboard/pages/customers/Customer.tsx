import { Anchor, Button, Skeleton, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { useFresh } from '../../api/useLive.ts'
import { useTexts } from '../../texts/index.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Body, Page } from '../../ui/Page.tsx'
import { Section } from '../../ui/Panel.tsx'
import { useTell } from '../../ui/told.tsx'
import { Conversations } from './Conversations.tsx'
import styles from './customers.module.css'
import { Ledger } from './Ledger.tsx'
import { customerName } from './name.ts'
import { Attributes, Profile } from './Profile.tsx'
import { Sales } from './Sales.tsx'
import { Timeline } from './Timeline.tsx'

/** Customer page: the profile, the consent and the timeline. */
export const Customer = () => {
  const say = useTexts()
  const { id } = useParams({ strict: false }) as { id: string }
  const query = hooks.useQuery('get', '/v1/customers/{id}', { params: { path: { id } } })
  const customer = query.data
  useFresh(
    ['event', 'message', 'run', 'conversation'],
    ['/v1/customers/{id}', '/v1/customers/{id}/timeline', '/v1/customers/{id}/consents', '/v1/conversations'],
    ({ fields }) => fields.customerId === undefined || fields.customerId === id,
  )
  const name = customer ? (customerName(customer) ?? say('customers.nameless')) : say('customers.id')
  return (
    <Page title={name} actions={customer && <Erase customer={customer} name={name} />}>
      <Body>
        <Anchor
          size="sm"
          display="inline-block"
          mb="sm"
          renderRoot={(props: object) => <Link {...props} to="/customers" />}
        >
          {say('customers.back')}
        </Anchor>
        {query.error && !customer && <Failure of={query.error} retry={() => void query.refetch()} />}
        {query.isPending && <Skeletons />}
        {customer && (
          <div className={styles.columns}>
            <div>
              <Profile customer={customer} />
              <Ledger customer={customer} name={name} />
              <Attributes customer={customer} />
              <Conversations customerId={id} />
              <Sales customerId={id} />
            </div>
            <div className={styles.timelines}>
              <Timeline customerId={id} />
            </div>
          </div>
        )}
      </Body>
    </Page>
  )
}

const Skeletons = () => {
  const say = useTexts()
  return (
    <div className={styles.columns} aria-busy="true">
      <Section title={say('customers.profile')}>
        <Skeleton height={140} />
      </Section>
      <Section title={say('customers.timeline')}>
        <Skeleton height={320} />
      </Section>
    </div>
  )
}

const Erase = ({ customer, name }: { customer: Schemas['Customer']; name: string }) => {
  const say = useTexts()
  const tell = useTell()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [asking, dialog] = useDisclosure(false)
  const erase = async () => {
    await api.DELETE('/v1/customers/{id}', { params: { path: { id: customer.id } } })
    await navigate({ to: '/customers', replace: true })
    queries.removeQueries({ predicate: ({ queryKey }) => JSON.stringify(queryKey).includes(customer.id) })
    void queries.invalidateQueries()
    tell(say('customers.erased'))
  }
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {say('customers.erase')}
      </Button>
      <Confirm
        opened={asking}
        title={say('customers.eraseTitle', { name })}
        action={say('customers.erase')}
        typeName={name}
        onClose={dialog.close}
        onConfirm={erase}
      >
        <Stack gap="sm">
          <span>{say('customers.eraseGone')}</span>
          <span>{say('customers.eraseStays')}</span>
          <span>{say('customers.eraseYours')}</span>
        </Stack>
      </Confirm>
    </>
  )
}
