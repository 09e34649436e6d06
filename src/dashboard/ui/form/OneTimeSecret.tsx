import { Button, Checkbox, CopyButton, Group, Modal, Stack, Tabs, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import styles from './secret.module.css'

/** Sample code in one language. */
export interface Sample {
  language: string
  code: string
}

/**
 * Dialog for a secret that the API never returns again. Esc, a click outside and the back button do not close it. The
 * person must confirm that the secret is stored.
 */
export const OneTimeSecret = ({
  title,
  label,
  value,
  children,
  onDone,
}: {
  title: string
  label: string
  value: string
  /** Instructions for the secret. */
  children?: ReactNode
  onDone: () => void
}) => {
  const t = useTranslate()
  const [isStored, setIsStored] = useState(false)
  const done = useRef(false)
  useBlocker({ shouldBlockFn: () => !done.current, enableBeforeUnload: () => !done.current })
  return (
    <Modal
      opened
      size="lg"
      title={title}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      onClose={() => {}}
    >
      <Stack gap="md">
        <Text size="sm">{t('once.warning')}</Text>
        <div className={styles.secret}>
          <div>
            <Text size="xs" c="dimmed">
              {label}
            </Text>
            <code className={styles.secretValue}>{value}</code>
          </div>
          <Copy text={value} label={`${t('id.copy')} ${label}`} />
        </div>
        {children}
        <Group justify="space-between">
          <Checkbox
            label={t('once.stored')}
            checked={isStored}
            onChange={event => setIsStored(event.currentTarget.checked)}
          />
          <Button
            disabled={!isStored}
            onClick={() => {
              done.current = true
              onDone()
            }}
          >
            {t('once.done')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

/** Tabs with the same sample in several languages. A single sample has no tabs. */
export const Samples = ({ title, samples }: { title: string; samples: Sample[] }) => {
  const [first, ...others] = samples
  if (first && others.length === 0) return <SampleCode code={first.code} />
  return (
    <Tabs defaultValue={first?.language ?? null} keepMounted={false}>
      <Tabs.List aria-label={title}>
        {samples.map(({ language }) => (
          <Tabs.Tab key={language} value={language}>
            {language}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {samples.map(({ language, code }) => (
        <Tabs.Panel key={language} value={language} pt="sm">
          <SampleCode code={code} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

const SampleCode = ({ code }: { code: string }) => {
  const t = useTranslate()
  return (
    <div className={styles.sampleFrame}>
      <div className={styles.sampleCopy}>
        <Copy text={code} label={t('once.copyCode')} size="compact-xs" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by the keyboard. */}
      <pre className={styles.sample} tabIndex={0}>
        {code}
      </pre>
    </div>
  )
}

const Copy = ({ text, label, size = 'xs' }: { text: string; label: string; size?: 'xs' | 'compact-xs' }) => {
  const t = useTranslate()
  return (
    <CopyButton value={text} timeout={1500}>
      {({ copied, copy }) => (
        <Button variant="default" size={size} flex="none" aria-label={copied ? t('id.copied') : label} onClick={copy}>
          {copied ? t('id.copied') : t('id.copy')}
        </Button>
      )}
    </CopyButton>
  )
}
