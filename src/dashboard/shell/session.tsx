/** Who is signed in, and what becomes of the page when nobody is any more. */
import { Center, Loader, Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { Failure as ApiFailure, hooks, type Schemas, whenSessionIsLost } from '../api/client.ts'
import { chosenWorkspace, forgetWorkspace } from '../api/workspace.ts'
import { Texts, useTexts } from '../texts/index.tsx'
import { keepDraftsOf } from '../ui/draft.ts'
import { Failure } from '../ui/Failure.tsx'
import { browserZone, Zone } from '../ui/zone.ts'
import { SignInForm } from './SignInForm.tsx'

export type Session = Schemas['Session']

const Current = createContext<Session | null>(null)

/** The person, the workspace and the role. Only below `Signed`. */
export const useSession = (): Session => {
  const session = useContext(Current)
  if (!session) throw new Error('Nobody is signed in here.')
  return session
}

/** Whether to show what an owner alone may do; the interface decides what is allowed. */
export const useIsOwner = (): boolean => useSession().role === 'owner'

/**
 * Shows its children to somebody who is signed in, and leads everybody else to the sign-in and back to this address. A
 * session that ends midway is replaced in a dialog over the page, which stays as it is with all that was typed.
 */
export const Signed = ({ children }: { children: ReactNode }) => {
  const say = useTexts()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { href } = useLocation()
  const [lost, setLost] = useState(false)
  const session = hooks.useQuery('get', '/v1/auth/session', {}, { staleTime: 60_000, retry: 1 })
  const user = hooks.useQuery('get', '/v1/auth/user', {}, { staleTime: 60_000, enabled: session.isSuccess })
  const status = session.error instanceof ApiFailure ? (session.error as ApiFailure).status : null

  useEffect(() => whenSessionIsLost(() => setLost(true)), [])
  useEffect(() => {
    if (session.data) return
    // Once: until the sign-in is drawn this is still here, and the address is that of the sign-in already.
    if (status === 401 && !href.startsWith('/sign-in'))
      void navigate({ to: '/sign-in', search: { to: href }, replace: true })
    // The workspace that was chosen is no longer one's own: the one joined first is meant then.
    if (status === 404 && chosenWorkspace()) {
      forgetWorkspace()
      void queries.resetQueries()
    }
  }, [session.data, status, href, navigate, queries])

  if (!session.data) {
    return (
      <Center h="100%" p="lg">
        {session.error && status !== 401 ? (
          <Failure of={session.error} retry={() => void session.refetch()} />
        ) : (
          <Loader size="sm" aria-label={say('list.loadingMore')} />
        )}
      </Center>
    )
  }
  keepDraftsOf(session.data.user.id, session.data.workspace.id)
  return (
    <Current.Provider value={session.data}>
      <Zone.Provider value={user.data?.timezone ?? browserZone}>
        <Texts locale={user.data?.locale}>{children}</Texts>
        <Modal
          opened={lost}
          onClose={() => {}}
          withCloseButton={false}
          closeOnEscape={false}
          closeOnClickOutside={false}
          title={say('lost.title')}
        >
          <p>{say('lost.text')}</p>
          <SignInForm
            email={session.data.user.email}
            onSignedIn={() => {
              setLost(false)
              void queries.invalidateQueries()
            }}
          />
        </Modal>
      </Zone.Provider>
    </Current.Provider>
  )
}
