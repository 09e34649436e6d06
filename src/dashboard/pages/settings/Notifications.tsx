import { Skeleton, Stack, Switch, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
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
  const toggle = async (name: AlertEmail, isOn: boolean) => {
    setFailure(null)
    const next = isOn ? mutedEmails.filter(one => one !== name) : [...mutedEmails, name]
    try {
      const { data } = await api.PATCH('/v1/auth/user', { body: { mutedEmails: next } })
      queries.setQueriesData({ predicate: ({ queryKey }) => queryKey[1] === '/v1/auth/user' }, data)
    } catch (error) {
      setFailure(error)
    }
  }
  return (
    <Stack gap={0}>
      {alertEmails.map(name => (
        <div key={name} className={styles.row}>
          <Switch
            label={t(`settings.alert.${name}`)}
            description={t(`settings.alertText.${name}`)}
            checked={!mutedEmails.includes(name)}
            onChange={event => void toggle(name, event.currentTarget.checked)}
          />
        </div>
      ))}
      {failure !== null && <Failure error={failure} />}
    </Stack>
  )
}
