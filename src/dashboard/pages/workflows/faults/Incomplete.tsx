import { Alert, Text } from '@mantine/core'
import { useTranslate } from '../../../texts/index.tsx'
import { Status } from '../../../ui/Status.tsx'
import type { Definition, Fault } from '../definition/types.ts'
import { FaultList } from './FaultList.tsx'
import styles from './faults.module.css'

/** List of what a draft still lacks, with links. `isRejected` = the draft was not run because of it. */
export const Incomplete = ({
  faults,
  definition,
  isRejected,
  edit,
}: {
  faults: Fault[]
  definition: Definition
  isRejected: boolean
  edit: (fault: Fault) => void
}) => {
  const t = useTranslate()
  if (faults.length === 0) return null
  return (
    <Alert
      className={styles.incomplete!}
      variant="default"
      role={isRejected ? 'alert' : 'status'}
      title={<Status tone={isRejected ? 'failed' : 'care'}>{t('workflows.incomplete')}</Status>}
    >
      <Text size="sm" mb="sm">
        {t(isRejected ? 'workflows.incomplete.refused' : 'workflows.incomplete.text')}
      </Text>
      <FaultList faults={faults} definition={definition} open={edit} />
    </Alert>
  )
}
