import { Alert, Text } from '@mantine/core'
import { useTexts } from '../../texts/index.tsx'
import { Status } from '../../ui/Status.tsx'
import type { Fault } from './definition/types.ts'
import { FaultList } from './FaultList.tsx'
import styles from './workflows.module.css'

/** List of what a draft still lacks, with links. `refused` = the draft was not run because of it. */
export const Incomplete = ({
  faults,
  refused,
  edit,
}: {
  faults: Fault[]
  refused: boolean
  edit: (fault: Fault) => void
}) => {
  const say = useTexts()
  if (faults.length === 0) return null
  return (
    <Alert
      className={styles.incomplete!}
      variant="default"
      role={refused ? 'alert' : 'status'}
      title={<Status tone={refused ? 'failed' : 'care'}>{say('workflows.incomplete')}</Status>}
    >
      <Text size="sm" mb="sm">
        {say(refused ? 'workflows.incomplete.refused' : 'workflows.incomplete.text')}
      </Text>
      <FaultList faults={faults} open={edit} />
    </Alert>
  )
}
