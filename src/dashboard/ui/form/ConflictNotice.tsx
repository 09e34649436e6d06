import { Alert, Button, Stack, Text } from '@mantine/core'
import { useTranslate } from '../../texts/index.tsx'
import { Status } from '../Status.tsx'

/** Says that another person saved the record while it was edited in a form. Saving again keeps their other fields. */
export const ConflictNotice = ({ onDiscard }: { onDiscard: () => void }) => {
  const t = useTranslate()
  return (
    <Alert variant="default" role="alert" title={<Status tone="care">{t('form.conflict')}</Status>}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{t('form.conflictText')}</Text>
        <Button variant="default" onClick={onDiscard}>
          {t('form.discardMine')}
        </Button>
      </Stack>
    </Alert>
  )
}
