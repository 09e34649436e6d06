import { Button, Text, Title, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import { CheckIcon } from '../../ui/icons.ts'
import styles from './first-steps.module.css'
import { type Checklist, steps } from './useFirstSteps.ts'

/** Setup checklist for owners. */
export const FirstSteps = ({ checklist: { done, hide } }: { checklist: Checklist }) => {
  const t = useTranslate()
  const doneCount = steps.filter(({ key }) => done[key]).length
  const isComplete = doneCount === steps.length
  return (
    <section aria-labelledby="first-steps">
      <Card>
        <div className={styles.stepsHead}>
          <div className={styles.stepsTitle}>
            <Title order={2} id="first-steps">
              {t(isComplete ? 'home.stepsDone' : 'home.steps')}
            </Title>
            {!isComplete && (
              <Text size="sm" c="dimmed">
                {t('home.stepsText')}
              </Text>
            )}
          </div>
          <div className={styles.stepsActions}>
            <Text size="sm" c="dimmed" className="tabular">
              {t('home.stepsCount', { done: doneCount, count: steps.length })}
            </Text>
            <Button variant="subtle" color="gray" size="compact-sm" onClick={hide}>
              {t('home.stepsHide')}
            </Button>
          </div>
        </div>
        <div className={styles.progress} aria-hidden="true">
          <span style={{ width: `${(doneCount / steps.length) * 100}%` }} />
        </div>
        <ol className={styles.steps}>
          {steps.map(({ key, link }, index) => (
            <li key={key} data-done={done[key] || undefined}>
              <span className={styles.stepMark}>
                {done[key] ? <CheckIcon width={14} aria-hidden="true" /> : <span aria-hidden="true">{index + 1}</span>}
                <VisuallyHidden>{t(done[key] ? 'home.step.done' : 'home.step.open')}</VisuallyHidden>
              </span>
              <span className={styles.stepText}>{t(`home.step.${key}`)}</span>
              {!done[key] && (
                <Link
                  {...link}
                  className={styles.stepLink}
                  data-next={steps.find(step => !done[step.key])?.key === key || undefined}
                >
                  {t(`home.step.${key}.do`)}
                </Link>
              )}
            </li>
          ))}
        </ol>
      </Card>
    </section>
  )
}
