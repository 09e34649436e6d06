import { Button, Group, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { ConflictNotice } from '../../ui/form/ConflictNotice.tsx'
import { CampaignFields } from './CampaignFields.tsx'
import type { Form } from './form.ts'
import type { Campaign } from './status.ts'

/** Form of a new campaign, or of one that has not started. */
export const Editor = ({
  campaign,
  form: { form, submit, reset, busy, failure, dirty, conflict },
}: {
  campaign: Campaign | null
  form: Form
}) => {
  const t = useTranslate()
  return (
    <form aria-label={campaign?.name ?? t('campaigns.new')} noValidate onSubmit={submit}>
      <Stack gap="md">
        <CampaignFields form={form} />
        {conflict !== undefined && <ConflictNotice key={conflict} onDiscard={reset} />}
        {failure !== null && <Failure error={failure} />}
        <Group gap="sm">
          <Button type="submit" variant={campaign && !dirty ? 'default' : 'filled'} loading={busy}>
            {t(campaign ? 'campaigns.save' : 'campaigns.create')}
          </Button>
          {dirty && (
            <Button variant="default" onClick={reset}>
              {t('campaigns.discard')}
            </Button>
          )}
          {!dirty && !campaign && (
            <Button variant="default" renderRoot={(props: object) => <Link {...props} to="/campaigns" />}>
              {t('confirm.cancel')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
