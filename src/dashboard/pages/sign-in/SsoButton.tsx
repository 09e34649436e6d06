import { Button, Stack } from '@mantine/core'
import { api, hooks } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { storeTarget } from './local-path.ts'

/** Button that opens the identity provider, if the operator has configured one. `to` is the page to open afterwards. */
export const SsoButton = ({ to }: { to: string }) => {
  const t = useTranslate()
  const { data: sso } = hooks.useQuery('get', '/v1/auth/sso', {}, { retry: false })
  if (!sso?.enabled) return null
  return <SsoForm to={to} label={t('signIn.sso', { provider: sso.provider! })} variant="default" />
}

/** Form with the button that opens the identity provider. Without `to`, the stored page stays. */
export const SsoForm = ({ to, label, variant }: { to?: string; label: string; variant: 'default' | 'filled' }) => {
  const { submit, busy, failure } = useApiForm({
    draft: null,
    initial: {},
    onSubmit: async () => {
      const { data } = await api.POST('/v1/auth/sso')
      if (to !== undefined) storeTarget(to)
      location.assign(data!.url)
    },
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {failure !== null && <Failure error={failure} />}
        <Button type="submit" variant={variant} size="sm" fullWidth loading={busy}>
          {label}
        </Button>
      </Stack>
    </form>
  )
}
