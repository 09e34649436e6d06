import { Button } from '@mantine/core'
import { api, hooks } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { storeTarget } from './local-path.ts'

/** Button that opens the identity provider, if the operator has configured one. `to` is the page to open afterwards. */
export const SsoButton = ({ to }: { to: string }) => {
  const t = useTranslate()
  const { data: sso } = hooks.useQuery('get', '/v1/auth/sso', {}, { retry: false })
  const { submit, busy, failure } = useApiForm({
    draft: null,
    initial: {},
    onSubmit: async () => {
      const { data } = await api.POST('/v1/auth/sso')
      storeTarget(to)
      location.assign(data!.url)
    },
  })
  if (!sso?.enabled) return null
  return (
    <form onSubmit={submit} noValidate>
      {failure !== null && <Failure error={failure} />}
      <Button type="submit" variant="default" size="sm" fullWidth loading={busy}>
        {t('signIn.sso', { provider: sso.provider! })}
      </Button>
    </form>
  )
}
