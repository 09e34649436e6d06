import { Skeleton, Stack, Switch, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import { Failure } from '../../ui/Failure.tsx'
import styles from './settings.module.css'

const alertEmails = [
  'endpoint_failing',
  'endpoint_paused',
  'channel_failing',
  'monthly_events',
] as const satisfies AlertEmail[]
type AlertEmail = Schemas['User']['mutedEmails'][number]

/** Emails that the signed-in person receives from their workspaces. */
export const Notifications = () => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const query = hooks.useQuery('get', '/v1/auth/user')
  return (
    <>
      <Card title={t('settings.alertEmails')}>
        <Text size="sm" c="dimmed">
          {t(isOwner ? 'settings.alertEmailsText' : 'settings.alertEmailsAgent')}
        </Text>
        {query.error && !query.data && <Failure error={query.error} retry={() => void query.refetch()} />}
        {query.isPending && <Skeleton height={140} mt="md" />}
        {query.data && <AlertEmails mutedEmails={query.data.mutedEmails} />}
      </Card>
      <Card title={t('settings.securityEmails')}>
        <Text size="sm" c="dimmed">
          {t('settings.securityEmailsText')}
        </Text>
      </Card>
    </>
  )
}

const AlertEmails = ({ mutedEmails }: { mutedEmails: AlertEmail[] }) => {
  const t = useTranslate()
  const queries = useQueryClient()
  const [failure, setFailure] = useState<unknown>(null)
  // A second switch can follow before the response to the first one. It adds to that choice, and is sent after it.
  const unsaved = useRef<{ list: AlertEmail[]; request: Promise<unknown> }>(null)
  const [shown, setShown] = useState<AlertEmail[] | null>(null)
  const toggle = async (name: AlertEmail, isOn: boolean) => {
    setFailure(null)
    const { list, request: previous } = unsaved.current ?? { list: mutedEmails, request: Promise.resolve() }
    const others = list.filter(one => one !== name)
    const next = isOn ? others : [...others, name]
    const request = previous.then(() => api.PATCH('/v1/auth/user', { body: { mutedEmails: next } }))
    const change = { list: next, request }
    unsaved.current = change
    setShown(next)
    try {
      const { data } = await request
      queries.setQueriesData({ predicate: ({ queryKey }) => queryKey[1] === '/v1/auth/user' }, data)
    } catch (error) {
      setFailure(error)
    } finally {
      if (unsaved.current === change) {
        unsaved.current = null
        setShown(null)
      }
    }
  }
  return (
    <Stack gap={0}>
      {alertEmails.map(name => (
        <div key={name} className={styles.row}>
          <Switch
            label={t(`settings.alert.${name}`)}
            description={t(`settings.alertText.${name}`)}
            checked={!(shown ?? mutedEmails).includes(name)}
            onChange={event => void toggle(name, event.currentTarget.checked)}
          />
        </div>
      ))}
      {failure !== null && <Failure error={failure} />}
    </Stack>
  )
}
