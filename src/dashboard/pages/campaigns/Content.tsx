import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { recordLink } from '../../shell/paths.ts'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { ConditionText } from '../../ui/condition/ConditionText.tsx'
import { Facts } from '../../ui/Panel.tsx'
import { splitPlaceholders } from '../templates/body.ts'
import { TemplateText } from '../templates/TemplateText.tsx'
import { attributePrefix } from './AudienceFields.tsx'
import styles from './campaigns.module.css'
import { useChoices } from './choices.ts'
import type { Campaign } from './status.ts'

/** Read-only view of the message and the audience of a campaign. */
export const Content = ({ campaign }: { campaign: Campaign }) => {
  const t = useTranslate()
  const { channels, templates } = useChoices()
  const { channelId, templateId } = campaign
  const template = templates?.find(({ id }) => id === templateId)
  return (
    <>
      <Facts
        items={{
          [t('campaigns.channel')]: (
            <RecordLink type="channel" id={channelId} name={channels?.find(({ id }) => id === channelId)?.name} />
          ),
          [t('campaigns.template')]: <RecordLink type="template" id={templateId} name={template?.name} />,
          ...Object.fromEntries(
            Object.entries(campaign.variables as Record<string, string>).map(([name, value]) => [
              t('campaigns.value', { name }),
              <bdi key={name}>
                <VariableValue>{value}</VariableValue>
              </bdi>,
            ]),
          ),
          [t('campaigns.audienceType')]: <Audience campaign={campaign} />,
        }}
      />
      {template && (
        <div className={styles.message}>
          <span id="campaign-message" className={styles.quiet}>
            {t('campaigns.message')}
          </span>
          <section className={styles.bubble} dir="auto" aria-labelledby="campaign-message">
            <TemplateText>{template.body}</TemplateText>
          </section>
        </div>
      )}
    </>
  )
}

/** Value of a variable. A placeholder is its field in words, with the text for customers without a value. */
const VariableValue = ({ children }: { children: string }) => {
  const fieldText = useFieldText()
  const parts = splitPlaceholders(children)
  const isOnlyField = parts.length === 3 && parts[0] === '' && parts[2] === ''
  return parts.map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is identified by its position.
      <span key={index} className={isOnlyField ? undefined : styles.field}>
        {fieldText(part)}
      </span>
    ),
  )
}

const namedFields = ['name', 'phone', 'externalId'] as const

/** Returns a function that puts a placeholder into words: “Customer’s city; if empty, “your town””. */
const useFieldText = (): ((placeholder: string) => string) => {
  const t = useTranslate()
  return placeholder => {
    const [path = '', fallback] = placeholder.slice(2, -2).split('|', 2)
    const name = path.trim().replace(attributePrefix, '')
    const known = namedFields.find(field => path.trim() === `customer.${field}`)
    const field = known ? t(`campaigns.field.${known}`) : name
    return fallback === undefined
      ? t('campaigns.fieldValue', { field })
      : t('campaigns.fieldValueOr', { field, text: fallback.trim() })
  }
}

const RecordLink = ({ type, id, name }: { type: 'channel' | 'template'; id: string; name: string | undefined }) => (
  <Anchor size="sm" renderRoot={(props: object) => <Link {...props} {...recordLink(type, id)} />}>
    <bdi>{name ?? `…${id.slice(-8)}`}</bdi>
  </Anchor>
)

/** Customers that the campaign is for, in words. */
export const Audience = ({ campaign: { audience } }: { campaign: Campaign }) => {
  const t = useTranslate()
  const number = useNumbers()
  const names = namedFields.map(field => ({ path: `customer.${field}`, label: t(`campaigns.field.${field}`) }))
  if ('all' in audience) return t('campaigns.audienceType.all')
  if ('customerIds' in audience)
    return `${t('campaigns.audienceType.customerIds')}: ${number(audience.customerIds.length)}`
  return (
    <ConditionText
      condition={audience.where}
      names={names}
      prefix={attributePrefix}
      sentence={condition => t('campaigns.audienceWhose', { condition })}
    />
  )
}
