import { Progress, Skeleton, Stack, Text } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useIntl } from 'react-intl'
import { hooks, type Schemas } from '../../api/client.ts'
import { useNumbers, useTexts } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Body, Page } from '../../ui/Page.tsx'
import { Facts, Section } from '../../ui/Panel.tsx'
import { Status, type Tone } from '../../ui/Status.tsx'
import { useZone } from '../../ui/zone.ts'
import { fullAt } from './pace.ts'
import styles from './plan.module.css'

type Allowances = Schemas['Entitlements']['allowances']
type Name = keyof Allowances

/** Allowances in display order, with the page where each is used. Those that people notice first come first. */
const order: [Name, where: LinkProps['to']][] = [
  ['monthlyEvents', '/events'],
  ['activeWorkflows', '/workflows'],
  ['connectedNumbers', '/channels'],
  ['templates', '/templates'],
  ['teamSeats', '/team'],
]
const features = ['api', 'webhooks', 'workflows', 'campaigns', 'ai'] as const

/** Plan page: the usage of each allowance, and what is rejected once the limit is reached. */
export const Plan = () => {
  const say = useTexts()
  const query = hooks.useQuery('get', '/v1/entitlements')
  const plan = query.data
  return (
    <Page title={say('plan.title')} text={plan ? say('plan.text', { name: plan.plan.name }) : say('plan.textUnknown')}>
      <Body>
        {query.error && !plan && <Failure of={query.error} retry={() => void query.refetch()} />}
        <div className={styles.plan}>
          {(plan || query.isPending) && (
            <Section title={say('plan.allowances')}>
              <Stack gap="lg" aria-busy={query.isPending}>
                {order.map(([name, where]) =>
                  plan ? (
                    <Allowance key={name} name={name} where={where} of={plan.allowances} />
                  ) : (
                    <Skeleton key={name} height={58} />
                  ),
                )}
              </Stack>
            </Section>
          )}
          {plan && (
            <Section title={say('plan.features')}>
              <Facts
                of={Object.fromEntries(
                  features.map(feature => [
                    say(`plan.feature.${feature}`),
                    <Status key={feature} tone={plan.features[feature] ? 'done' : 'off'}>
                      {say(plan.features[feature] ? 'plan.included' : 'plan.notIncluded')}
                    </Status>,
                  ]),
                )}
              />
              <Text size="sm" c="dimmed" mt="md">
                {say('plan.more')}
              </Text>
            </Section>
          )}
        </div>
      </Body>
    </Page>
  )
}

/** Share of an allowance from which the page shows a warning. */
const nearly = 0.8

const toneOf = (limit: number | null, used: number): Tone | null => {
  if (limit === null) return null
  if (used >= limit) return 'failed'
  return used >= limit * nearly ? 'care' : null
}

const Allowance = ({ name, where, of }: { name: Name; where: LinkProps['to']; of: Allowances }) => {
  const say = useTexts()
  const number = useNumbers()
  const { limit, used } = of[name]
  const tone = toneOf(limit, used)
  const label = say(`plan.allowance.${name}`)
  return (
    <div>
      <div className={styles.head}>
        <Link className={styles.name} to={where}>
          {label}
        </Link>
        <span className={styles.standing}>
          {tone && limit !== null && (
            <Status tone={tone}>
              {say(used > limit ? 'plan.over' : used === limit ? 'plan.full' : 'plan.nearlyFull')}
            </Status>
          )}
          <span className="tabular">
            {limit === null
              ? say('plan.usedUnlimited', { used: number(used) })
              : say('plan.used', { used: number(used), limit: number(limit) })}
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
        {limit !== null && say(`plan.refuses.${name}`)} {name === 'monthlyEvents' && <Month of={of.monthlyEvents} />}
      </Text>
    </div>
  )
}

const Month = ({ of }: { of: Allowances['monthlyEvents'] }) => {
  const say = useTexts()
  const { locale } = useIntl()
  const timeZone = useZone()
  const full = fullAt(of, new Date())
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', timeZone })
  return (
    <>
      {of.limit !== null && of.used < of.limit && (
        <>{full ? say('plan.pace', { day: day.format(full) }) : say('plan.paceEnough')} </>
      )}
      {say('plan.resets', { when: day.format(new Date(of.resetsAt)) })}
    </>
  )
}
