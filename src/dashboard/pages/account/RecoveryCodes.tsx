import { Button, CopyButton, Group, Modal, Stack, Text } from '@mantine/core'
import { useTranslate } from '../../texts/index.tsx'
import styles from './account.module.css'

/** Recovery codes. They are shown only once, and the dialog closes only with its button. */
export const RecoveryCodes = ({
  codes,
  text,
  onClose,
}: {
  codes: string[] | null
  text: string
  onClose: () => void
}) => {
  const t = useTranslate()
  return (
    <Modal
      opened={codes !== null}
      onClose={onClose}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={t('account.recoveryTitle')}
    >
      <Stack gap="md">
        <Text size="sm">{text}</Text>
        <ol className={styles.codes} aria-label={t('account.recovery')}>
          {codes?.map(code => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <Group justify="flex-end">
          <CopyButton value={codes?.join('\n') ?? ''}>
            {({ copied, copy }) => (
              <Button onClick={copy} data-autofocus>
                {copied ? t('id.copied') : t('account.recoveryCopy')}
              </Button>
            )}
          </CopyButton>
          <Button variant="default" onClick={onClose}>
            {t('account.recoveryDone')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
