import { Anchor, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { hooks } from '../../api/client.ts'
import { recordPath } from '../../shell/paths.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Section } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { tones } from '../../ui/tones.ts'
import styles from './templates.module.css'

const firstPage = { params: { query: { limit: 100 } } }

/**
 * Workflows and campaigns that use the template: among the drafts of the newest 100 workflows and the newest 100
 * campaigns.
 */
export const Usage = ({ id }: { id: string }) => {
  const t = useTranslate()
  const workflows = hooks.useQuery('get', '/v1/workflows', firstPage)
  const campaigns = hooks.useQuery('get', '/v1/campaigns', firstPage)
  if (!workflows.data || !campaigns.data) return null
  const usingWorkflows = workflows.data.data.filter(({ draft }) => JSON.stringify(draft).includes(id))
  const usingCampaigns = campaigns.data.data.filter(({ templateId }) => templateId === id)
  return (
    <div className={styles.use}>
      <Section title={t('templates.use')}>
        {usingWorkflows.length + usingCampaigns.length === 0 && <Text size="sm">{t('templates.useNone')}</Text>}
        {usingWorkflows.map(({ id, name, enabled }) => (
          <UsageList key={id} type="workflow" id={id} name={name}>
            <Status tone={enabled ? 'done' : 'off'}>{t(enabled ? 'templates.use.on' : 'templates.use.off')}</Status>
          </UsageList>
        ))}
        {usingCampaigns.map(({ id, name, status }) => (
          <UsageList key={id} type="campaign" id={id} name={name}>
            <Status tone={tones.campaign[status]}>{t(`campaigns.status.${status}`)}</Status>
          </UsageList>
        ))}
      </Section>
    </div>
  )
}

const UsageList = ({
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
  const t = useTranslate()
  return (
    <Group gap="sm" justify="space-between" wrap="nowrap">
      <Text size="sm" truncate>
        <Text span size="sm" c="dimmed">
          {t(`templates.use.${type}`)}
        </Text>{' '}
        <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to={recordPath(type, id)!} />}>
          <bdi>{name}</bdi>
        </Anchor>
      </Text>
      {children}
    </Group>
  )
}
