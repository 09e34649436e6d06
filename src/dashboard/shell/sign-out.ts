/** Ends the session of the person. */
import { api, Failure } from '../api/client.ts'
import { clearPersonData } from '../api/workspace.ts'

/** Signs the person out and opens the sign-in. Throws if the API does not answer. */
export const signOut = async (): Promise<void> => {
  try {
    await api.POST('/v1/auth/sign-out')
  } catch (error) {
    // A 401 means that the person is already signed out.
    if (!(error instanceof Failure && error.status === 401)) throw error
  }
  clearPersonData()
  // Reloads the page, so that the next person sees no cached data.
  location.assign('/sign-in')
}
