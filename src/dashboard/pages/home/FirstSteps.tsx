import { Anchor, Text, Title } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { hooks } from '../../api/client.ts'
import { useLiveRefresh } from '../../api/useLive.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Status } from '../../ui/Status.tsx'
import styles from './home.module.css'

interface Step {
  text: 'home.step.key' | 'home.step.event' | 'home.step.channel' | 'home.step.workflow' | 'home.step.webhook'
  /** Page on which the step is done. */
  to: LinkProps['to']
  done: boolean
}

/** Setup checklist of a new workspace, for owners. It disappears when all steps are done. */
export const FirstSteps = () => {
  const t = useTranslate()
  const steps = useSteps(useIsOwner())
  if (!steps || steps.every(({ done }) => done)) return null
  return (
    <section aria-labelledby="first-steps">
      <Title order={2} id="first-steps">
        {t('home.steps')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('home.stepsText')}
      </Text>
      <ol className={styles.steps}>
        {steps.map(({ text, to, done }) => (
          <li key={text}>
            <Status tone={done ? 'done' : 'off'}>{t(done ? 'home.step.done' : 'home.step.open')}</Status>
            <span>{t(text)}</span>
            {!done && (
              <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to={to} />}>
                {t(`${text}.do`)}
              </Anchor>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** null until everything is loaded, and for agents. */
const useSteps = (owner: boolean): Step[] | null => {
  // Always refetches, so that a person who returns from a step sees it as done.
  const enabled = { enabled: owner, staleTime: 0 }
  const keys = hooks.useQuery('get', '/v1/api-keys', {}, enabled)
  const events = hooks.useQuery('get', '/v1/activity/events', { params: { query: { limit: 1 } } }, enabled)
  const channels = hooks.useQuery('get', '/v1/channels', {}, enabled)
  const workflows = hooks.useQuery('get', '/v1/workflows', {}, enabled)
  const deliverySummary = hooks.useQuery('get', '/v1/activity/summary', { params: { query: { by: 'day' } } }, enabled)
  useLiveRefresh(['event', 'delivery'], ['/v1/activity/events', '/v1/api-keys', '/v1/channels', '/v1/workflows'])
  if (!keys.data || !events.data || !channels.data || !workflows.data || !deliverySummary.data) return null
  return [
    { text: 'home.step.key', to: '/api-keys', done: keys.data.data.length > 0 },
    { text: 'home.step.event', to: '/events/send', done: events.data.data.length > 0 },
    { text: 'home.step.channel', to: '/channels/new', done: channels.data.data.length > 0 },
    { text: 'home.step.workflow', to: '/workflows', done: workflows.data.data.some(({ enabled }) => enabled) },
    {
      text: 'home.step.webhook',
      to: '/webhooks/new',
      done: deliverySummary.data.data.some(({ deliveries }) => deliveries.delivered > 0),
    },
  ]
}
