import { hooks } from '../../api/client.ts'

/** Reads the purpose of the link of this page. An invalid link fails with 422. */
export const useLink = (token: string) =>
  hooks.useQuery('post', '/v1/auth/link', { body: { token } }, { enabled: token !== '', retry: false })
