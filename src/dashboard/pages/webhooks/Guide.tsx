import { Anchor, Text, Title } from '@mantine/core'
import type { ComponentType, SVGProps } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { PauseIcon } from '../../ui/icons.ts'
import { ArrowPathIcon, ShieldCheckIcon } from '../../ui/page-icons.ts'
import { receiversPath } from './form/receivers.ts'
import styles from './webhooks.module.css'

type Topic = 'signed' | 'retried' | 'paused'

const icons: Record<Topic, ComponentType<SVGProps<SVGSVGElement>>> = {
  signed: ShieldCheckIcon,
  retried: ArrowPathIcon,
  paused: PauseIcon,
}

/** Explanation of deliveries below the list of endpoints. */
export const Guide = () => {
  const t = useTranslate()
  return (
    <ul className={styles.guide} aria-label={t('webhooks.guide')}>
      {(Object.keys(icons) as Topic[]).map(topic => {
        const Icon = icons[topic]
        return (
          <li key={topic}>
            <Icon width={20} aria-hidden="true" />
            <Title order={2} size="h3">
              {t(`webhooks.guide.${topic}`)}
            </Title>
            <Text size="sm" c="dimmed">
              {t(`webhooks.guide.${topic}Text`)}
            </Text>
            {topic === 'signed' && (
              <Anchor size="sm" href={receiversPath}>
                {t('webhooks.receivers')}
              </Anchor>
            )}
          </li>
        )
      })}
    </ul>
  )
}
