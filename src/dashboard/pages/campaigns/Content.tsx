import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { pathOf } from '../../shell/paths.ts'
import { useNumbers, useTexts } from '../../texts/index.tsx'
import { ConditionWords } from '../../ui/condition/ConditionWords.tsx'
import { Facts } from '../../ui/Panel.tsx'
import { attributes, usePathNames } from './AudienceFields.tsx'
import { useKnown } from './CampaignFields.tsx'
import styles from './campaigns.module.css'
import type { Campaign } from './status.ts'

/** Read-only view of the message and the audience of a campaign. */
export const Content = ({ campaign }: { campaign: Campaign }) => {
  const say = useTexts()
  const { channels, templates } = useKnown()
  const { channelId, templateId } = campaign
  const template = templates?.find(({ id }) => id === templateId)
  return (
    <>
      <Facts
        of={{
          [say('campaigns.channel')]: (
            <To type="channel" id={channelId} name={channels?.find(({ id }) => id === channelId)?.name} />
          ),
          [say('campaigns.template')]: <To type="template" id={templateId} name={template?.name} />,
          ...Object.fromEntries(
            Object.entries(campaign.variables as Record<string, string>).map(([name, value]) => [
              say('campaigns.value', { name }),
              <bdi key={name}>{value}</bdi>,
            ]),
          ),
          [say('campaigns.who')]: <Audience campaign={campaign} />,
        }}
      />
      {template && (
        <div className={styles.bubble} dir="auto">
          {template.body}
        </div>
      )}
    </>
  )
}

const To = ({ type, id, name }: { type: 'channel' | 'template'; id: string; name: string | undefined }) => (
  <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to={pathOf(type, id)!} />}>
    <bdi>{name ?? `…${id.slice(-8)}`}</bdi>
  </Anchor>
)

const Audience = ({ campaign: { audience } }: { campaign: Campaign }) => {
  const say = useTexts()
  const number = useNumbers()
  const names = usePathNames()
  if ('all' in audience) return say('campaigns.who.all')
  if ('customerIds' in audience) return `${say('campaigns.who.customerIds')}: ${number(audience.customerIds.length)}`
  return <ConditionWords of={audience.where} names={names} under={attributes} />
}
