import { Button, CloseButton, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core'
import { useTranslate } from '../../../texts/index.tsx'
import { PlusIcon } from '../../../ui/page-icons.ts'
import styles from './form.module.css'
import type { Pair } from './values.ts'

const maxPairs = 20

/** Returns what is missing: a name, or with `secret` a value. Null if nothing is. An empty row is ignored. */
export const missingInPairs = (pairs: readonly Pair[] | null, secret: boolean): 'name' | 'value' | null => {
  const filled = (pairs ?? []).filter(([name, value]) => name.trim() !== '' || value !== '')
  if (filled.some(([name]) => name.trim() === '')) return 'name'
  return secret && filled.some(([, value]) => value === '') ? 'value' : null
}

/**
 * Fields for name and value pairs. The current values of `secret` pairs are never shown: they are kept, or all
 * replaced.
 */
export const PairsField = ({
  legend,
  hint,
  pairs,
  names = [],
  secret = false,
  error,
  onChange,
}: {
  legend: string
  hint: string
  pairs: Pair[] | null
  names?: string[]
  secret?: boolean
  /** Shown below the rows, and at the fields that are missing. */
  error?: string | undefined
  onChange: (pairs: Pair[] | null) => void
}) => {
  const t = useTranslate()
  const change = (index: number, pair: Pair) =>
    onChange((pairs ?? []).map((one, pairIndex) => (pairIndex === index ? pair : one)))
  return (
    <Fieldset className={styles.fields} variant="unstyled" legend={legend}>
      <Stack gap="sm">
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
        {pairs === null ? (
          <Group gap="sm">
            <Text size="sm">{t('webhooks.headersKept', { names: names.join(', ') })}</Text>
            <Button variant="default" onClick={() => onChange(names.map(name => [name, '']))}>
              {t('webhooks.headersReplace')}
            </Button>
          </Group>
        ) : (
          <>
            {pairs.map(([name, value], index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a pair has no other id.
              <div className={styles.pair} key={index}>
                <TextInput
                  aria-label={t('webhooks.pairName', { legend, number: index + 1 })}
                  placeholder={t('webhooks.pairNameShort')}
                  maxLength={secret ? 200 : 40}
                  error={error !== undefined && name.trim() === '' && value !== ''}
                  value={name}
                  onChange={event => change(index, [event.currentTarget.value, value])}
                />
                <TextInput
                  aria-label={t('webhooks.pairValue', { legend, number: index + 1 })}
                  placeholder={t('webhooks.pairValueShort')}
                  autoComplete="off"
                  maxLength={secret ? 4096 : 500}
                  error={error !== undefined && secret && name.trim() !== '' && value === ''}
                  value={value}
                  onChange={event => change(index, [name, event.currentTarget.value])}
                />
                <CloseButton
                  aria-label={t('webhooks.pairRemove', { legend, number: index + 1 })}
                  onClick={() => onChange(pairs.filter((_, pairIndex) => pairIndex !== index))}
                />
              </div>
            ))}
            {error !== undefined && (
              <Text size="xs" className={styles.fieldError!} data-tone="failed" role="alert">
                {error}
              </Text>
            )}
            <Group gap="sm">
              <Button
                variant="default"
                leftSection={<PlusIcon width={14} />}
                disabled={pairs.length >= maxPairs}
                onClick={() => onChange([...pairs, ['', '']])}
              >
                {t(secret ? 'webhooks.addHeader' : 'webhooks.addNote')}
              </Button>
              {names.length > 0 && (
                <Button variant="subtle" onClick={() => onChange(null)}>
                  {t('webhooks.headersKeep')}
                </Button>
              )}
            </Group>
          </>
        )}
      </Stack>
    </Fieldset>
  )
}
