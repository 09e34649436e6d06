import { Progress, Skeleton, Stack, Text } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useIntl } from 'react-intl'
import { hooks, type Schemas } from '../../api/client.ts'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Body, Page } from '../../ui/Page.tsx'
import { Facts, Section } from '../../ui/Panel.tsx'
import { Status, type Tone } from '../../ui/Status.tsx'
import { useZone } from '../../ui/zone.ts'
import { forecastLimitDate } from './forecast.ts'
import styles from './plan.module.css'

type Allowances = Schemas['Entitlements']['allowances']
type Name = keyof Allowances

/** Allowances in display order, with the page where each is used. Those that people notice first come first. */
const allowances: [Name, where: LinkProps['to']][] = [
  ['monthlyEvents', '/events'],
  ['activeWorkflows', '/workflows'],
  ['connectedNumbers', '/channels'],
  ['templates', '/templates'],
  ['teamSeats', '/team'],
]
const features = ['api', 'webhooks', 'workflows', 'campaigns', 'ai'] as const

/** Plan page: the usage of each allowance, and what is rejected once the limit is reached. */
export const Plan = () => {
  const t = useTranslate()
  const query = hooks.useQuery('get', '/v1/entitlements')
  const plan = query.data
  return (
    <Page title={t('plan.title')} text={plan ? t('plan.text', { name: plan.plan.name }) : t('plan.textUnknown')}>
      <Body>
        {query.error && !plan && <Failure error={query.error} retry={() => void query.refetch()} />}
        <div className={styles.plan}>
          {(plan || query.isPending) && (
            <Section title={t('plan.allowances')}>
              <Stack gap="lg" aria-busy={query.isPending}>
                {allowances.map(([name, page]) =>
                  plan ? (
                    <Allowance key={name} name={name} page={page} value={plan.allowances} />
                  ) : (
                    <Skeleton key={name} height={58} />
                  ),
                )}
              </Stack>
            </Section>
          )}
          {plan && (
            <Section title={t('plan.features')}>
              <Facts
                items={Object.fromEntries(
                  features.map(feature => [
                    t(`plan.feature.${feature}`),
                    <Status key={feature} tone={plan.features[feature] ? 'done' : 'off'}>
                      {t(plan.features[feature] ? 'plan.included' : 'plan.notIncluded')}
                    </Status>,
                  ]),
                )}
              />
              <Text size="sm" c="dimmed" mt="md">
                {t('plan.more')}
              </Text>
            </Section>
          )}
        </div>
      </Body>
    </Page>
  )
}

/** Share of an allowance from which the page shows a warning. */
const warningRatio = 0.8

const usageTone = (limit: number | null, used: number): Tone | null => {
  if (limit === null) return null
  if (used >= limit) return 'failed'
  return used >= limit * warningRatio ? 'care' : null
}

const Allowance = ({ name, page, value }: { name: Name; page: LinkProps['to']; value: Allowances }) => {
  const t = useTranslate()
  const number = useNumbers()
  const { limit, used } = value[name]
  const tone = usageTone(limit, used)
  const label = t(`plan.allowance.${name}`)
  return (
    <div>
      <div className={styles.head}>
        <Link className={styles.name} to={page}>
          {label}
        </Link>
        <span className={styles.status}>
          {tone && limit !== null && (
            <Status tone={tone}>
              {t(used > limit ? 'plan.over' : used === limit ? 'plan.full' : 'plan.nearlyFull')}
            </Status>
          )}
          <span className="tabular">
            {limit === null
              ? t('plan.usedUnlimited', { used: number(used) })
              : t('plan.used', { used: number(used), limit: number(limit) })}
          </span>
        </span>
      </div>
      {limit !== null && (
        <Progress
          data-tone={tone ?? undefined}
          size="sm"
          my="xs"
          value={limit === 0 ? 100 : Math.min(100, (used / limit) * 100)}
          color={tone ? 'var(--tone-mark)' : 'var(--hairline-strong)'}
          aria-label={label}
        />
      )}
      <Text size="sm" c="dimmed">
        {limit !== null && t(`plan.refuses.${name}`)}{' '}
        {name === 'monthlyEvents' && <MonthlyForecast value={value.monthlyEvents} />}
      </Text>
    </div>
  )
}

const MonthlyForecast = ({ value }: { value: Allowances['monthlyEvents'] }) => {
  const t = useTranslate()
  const { locale } = useIntl()
  const timeZone = useZone()
  const limitDate = forecastLimitDate(value, new Date())
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', timeZone })
  return (
    <>
      {value.limit !== null && value.used < value.limit && (
        <>{limitDate ? t('plan.pace', { day: day.format(limitDate) }) : t('plan.paceEnough')} </>
      )}
      {t('plan.resets', { when: day.format(new Date(value.resetsAt)) })}
    </>
  )
}
