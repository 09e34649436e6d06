import { UnstyledButton } from '@mantine/core'
import { useTranslate } from '../../texts/index.tsx'
import styles from './charts.module.css'

/** Button that shows a chart as a table, or folds it. Its name has the title, because a page has several charts. */
export const ChartToggle = ({
  title,
  text,
  onClick,
}: {
  title: string
  text: 'chart.show' | 'chart.hide' | 'chart.showTable' | 'chart.hideTable'
  onClick: () => void
}) => {
  const t = useTranslate()
  return (
    <UnstyledButton
      className={styles.toggle}
      aria-label={t('chart.toggle', { action: t(text), title })}
      onClick={onClick}
    >
      {t(text)}
    </UnstyledButton>
  )
}
