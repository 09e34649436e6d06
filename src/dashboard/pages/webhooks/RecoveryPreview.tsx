/** Parts of the dialog that retries deliveries: their number by event type, and the rules of a bulk retry. */
import { Table, Text } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import styles from './webhooks.module.css'

export const recoveryKinds = ['failed', 'missing', 'all'] as const
export type RecoveryKind = (typeof recoveryKinds)[number]

/** Number of deliveries by event type. */
export const RecoveryCounts = ({ byType }: { byType: Schemas['RecoveryPreview']['byType'] }) => {
  const numbers = useNumbers()
  return (
    <Table className="tabular" horizontalSpacing={0}>
      <Table.Tbody>
        {byType.map(({ type, deliveries }) => (
          <Table.Tr key={type}>
            <Table.Td>{type}</Table.Td>
            <Table.Td ta="right">{numbers(deliveries)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** Rules of a bulk retry, one per line of their text. */
export const RecoveryRules = ({ kind }: { kind: RecoveryKind }) => {
  const t = useTranslate()
  return (
    <Text component="ul" size="sm" className={styles.bullets}>
      {t(`webhooks.recoverText.${kind}`)
        .split('\n')
        .map(rule => (
          <li key={rule}>{rule}</li>
        ))}
    </Text>
  )
}
