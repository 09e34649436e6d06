import { Group, Progress, Skeleton, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../api/client.ts'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import { Failure } from '../../ui/Failure.tsx'
import {
  ArrowsRightLeftIcon,
  DocumentTextIcon,
  KeyIcon,
  MegaphoneIcon,
  ShareIcon,
  SignalIcon,
  UserGroupIcon,
} from '../../ui/icons.ts'
import { Status } from '../../ui/Status.tsx'
import styles from './plan.module.css'
import { UsageChart } from './UsageChart.tsx'
import { usageStatus } from './usage.ts'

type Allowances = Schemas['Entitlements']['allowances']

/** Allowances beside the events, with the page where each is used. */
const allowances = [
  { name: 'activeWorkflows', to: '/workflows', icon: ShareIcon },
  { name: 'connectedNumbers', to: '/channels', icon: SignalIcon },
  { name: 'templates', to: '/templates', icon: DocumentTextIcon },
  { name: 'teamSeats', to: '/team', icon: UserGroupIcon },
] as const
/** Features, with the page where each is used. */
const features = [
  { name: 'api', to: '/api-keys', icon: KeyIcon },
  { name: 'webhooks', to: '/webhooks', icon: ArrowsRightLeftIcon },
  { name: 'workflows', to: '/workflows', icon: ShareIcon },
  { name: 'campaigns', to: '/campaigns', icon: MegaphoneIcon },
] as const

/** Plan of the workspace: the usage of each allowance, and what is rejected once the limit is reached. */
export const Plan = () => {
  const t = useTranslate()
  const query = hooks.useQuery('get', '/v1/entitlements')
  const plan = query.data
  const isUnlimited = plan !== undefined && Object.values(plan.allowances).every(({ limit }) => limit === null)
  return (
    <>
      <div>
        <Title order={2}>{plan ? t('plan.text', { name: plan.plan.name }) : t('plan.title')}</Title>
        <Text size="sm" c="dimmed">
          {t(isUnlimited ? 'plan.unlimited' : 'plan.textUnknown')}
        </Text>
      </div>
      {query.error && !plan && (
        <Failure error={query.error} what={t('plan.yours')} retry={() => void query.refetch()} />
      )}
      <div className={styles.plan} aria-busy={query.isPending}>
        {query.isPending && (
          <>
            <Skeleton height={340} />
            <Skeleton height={130} />
          </>
        )}
        {plan && (
          <>
            <UsageChart usage={plan.allowances.monthlyEvents} isUnlimited={isUnlimited} />
            <section className={styles.group} aria-labelledby="plan-allowances">
              <Title order={2} size="h3" id="plan-allowances">
                {t('plan.allowances')}
              </Title>
              <div className={styles.cards}>
                {allowances.map(allowance => (
                  <Allowance
                    key={allowance.name}
                    {...allowance}
                    value={plan.allowances[allowance.name]}
                    isUnlimited={isUnlimited}
                  />
                ))}
              </div>
            </section>
            <section className={styles.group} aria-labelledby="plan-features">
              <Title order={2} size="h3" id="plan-features">
                {t('plan.features')}
              </Title>
              <div className={styles.cards}>
                {features.map(({ name, to, icon: Icon }) => (
                  <Card key={name}>
                    <Group justify="space-between" gap="xs">
                      <Link className={styles.name} to={to}>
                        <Icon width={18} aria-hidden="true" />
                        {t(`plan.feature.${name}`)}
                      </Link>
                      <Status tone={plan.features[name] ? 'done' : 'off'}>
                        {t(plan.features[name] ? 'plan.included' : 'plan.notIncluded')}
                      </Status>
                    </Group>
                    <Text size="sm" c="dimmed" mt="sm">
                      {t(`plan.featureText.${name}`)}
                    </Text>
                  </Card>
                ))}
              </div>
              <Text size="sm" c="dimmed">
                {t('plan.more')}
              </Text>
            </section>
          </>
        )}
      </div>
    </>
  )
}

const Allowance = ({
  name,
  to,
  icon: Icon,
  value,
  isUnlimited,
}: (typeof allowances)[number] & {
  value: Allowances[keyof Allowances]
  /** Whether the whole plan has no limits, which the page says once. */
  isUnlimited: boolean
}) => {
  const t = useTranslate()
  const number = useNumbers()
  const { limit, used } = value
  const status = usageStatus(value)
  const label = t(`plan.allowance.${name}`)
  return (
    <Card>
      <Link className={styles.name} to={to}>
        <Icon width={18} aria-hidden="true" />
        {label}
      </Link>
      <div className={styles.total} data-small>
        <strong className="tabular">{number(used)}</strong>
        {!isUnlimited && (
          <span className="tabular">{limit === null ? t('plan.noLimit') : t('plan.of', { limit: number(limit) })}</span>
        )}
        {status && <Status tone={status.tone}>{t(status.text)}</Status>}
      </div>
      {limit !== null && (
        <Progress
          data-tone={status?.tone ?? 'accent'}
          size="sm"
          value={limit === 0 ? 100 : Math.min(100, (used / limit) * 100)}
          color="var(--tone-mark)"
          aria-label={label}
        />
      )}
      <Text size="sm" c="dimmed" mt="sm">
        {limit === null ? t(`plan.counts.${name}`) : t(`plan.refuses.${name}`)}
      </Text>
    </Card>
  )
}
