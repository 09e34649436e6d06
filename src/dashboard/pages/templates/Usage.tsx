import { Anchor, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { hooks } from '../../api/client.ts'
import { recordLink } from '../../shell/paths.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import { Status } from '../../ui/Status.tsx'
import { tones } from '../../ui/tones.ts'

const maxSearched = 100
const firstPage = { params: { query: { limit: maxSearched } } }

/**
 * Returns a function for the workflows and campaigns that use a template: among the drafts of the newest 100 workflows
 * and the newest 100 campaigns. `isComplete` is false if there are more. Undefined until they are loaded.
 */
export const useUsage = () => {
  const workflows = hooks.useQuery('get', '/v1/workflows', firstPage).data?.data
  const campaigns = hooks.useQuery('get', '/v1/campaigns', firstPage).data?.data
  const drafts = useMemo(
    () => workflows?.map(workflow => ({ workflow, json: JSON.stringify(workflow.draft) })),
    [workflows],
  )
  if (!drafts || !campaigns) return undefined
  return (id: string) => ({
    workflows: drafts.filter(({ json }) => json.includes(id)).map(({ workflow }) => workflow),
    campaigns: campaigns.filter(({ templateId }) => templateId === id),
    isComplete: drafts.length < maxSearched && campaigns.length < maxSearched,
  })
}

/** Workflows and campaigns that use the template. */
export const Usage = ({ id }: { id: string }) => {
  const t = useTranslate()
  const usage = useUsage()?.(id)
  if (!usage) return null
  const { workflows: usingWorkflows, campaigns: usingCampaigns, isComplete } = usage
  return (
    <Card title={t('templates.use')}>
      {usingWorkflows.length + usingCampaigns.length === 0 && (
        <Text size="sm">{t(isComplete ? 'templates.useNone' : 'templates.useNoneOfNewest')}</Text>
      )}
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
    </Card>
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
        <Anchor size="sm" renderRoot={(props: object) => <Link {...props} {...recordLink(type, id)} />}>
          <bdi>{name}</bdi>
        </Anchor>
      </Text>
      {children}
    </Group>
  )
}
