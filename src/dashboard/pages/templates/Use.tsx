import { Anchor, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { hooks } from '../../api/client.ts'
import { pathOf } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'
import { Section } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { toneOf } from '../campaigns/status.ts'
import styles from './templates.module.css'

const many = { params: { query: { limit: 100 } } }

/**
 * Workflows and campaigns that use the template: among the drafts of the newest 100 workflows and the newest 100
 * campaigns.
 */
export const Use = ({ id }: { id: string }) => {
  const say = useTexts()
  const workflows = hooks.useQuery('get', '/v1/workflows', many)
  const campaigns = hooks.useQuery('get', '/v1/campaigns', many)
  if (!workflows.data || !campaigns.data) return null
  const naming = workflows.data.data.filter(({ draft }) => JSON.stringify(draft).includes(id))
  const sending = campaigns.data.data.filter(({ templateId }) => templateId === id)
  return (
    <div className={styles.use}>
      <Section title={say('templates.use')}>
        {naming.length + sending.length === 0 && <Text size="sm">{say('templates.useNone')}</Text>}
        {naming.map(({ id, name, enabled }) => (
          <Named key={id} type="workflow" id={id} name={name}>
            <Status tone={enabled ? 'done' : 'off'}>{say(enabled ? 'templates.use.on' : 'templates.use.off')}</Status>
          </Named>
        ))}
        {sending.map(({ id, name, status }) => (
          <Named key={id} type="campaign" id={id} name={name}>
            <Status tone={toneOf[status]}>{say(`campaigns.status.${status}`)}</Status>
          </Named>
        ))}
      </Section>
    </div>
  )
}

const Named = ({
  type,
  id,
  name,
  children,
}: {
  type: 'workflow' | 'campaign'
  id: string
  name: string
  children: React.ReactNode
}) => {
  const say = useTexts()
  return (
    <Group gap="sm" justify="space-between" wrap="nowrap">
      <Text size="sm" truncate>
        <Text span size="sm" c="dimmed">
          {say(`templates.use.${type}`)}
        </Text>{' '}
        <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to={pathOf(type, id)!} />}>
          <bdi>{name}</bdi>
        </Anchor>
      </Text>
      {children}
    </Group>
  )
}
