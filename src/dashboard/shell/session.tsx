/** Session of the signed-in person, and the dialog for when it ends. */
import { Center, Loader, Modal, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { createContext, lazy, type ReactNode, Suspense, useContext, useEffect, useRef, useState } from 'react'
import { Failure as ApiFailure, hooks, type Schemas, setSessionLostHandler } from '../api/client.ts'
import { reconnect } from '../api/live.ts'
import { useRefetchOnReconnect } from '../api/useLive.ts'
import { clearWorkspace, pinWorkspace, selectedWorkspace } from '../api/workspace.ts'
import { Texts, useTranslate } from '../texts/index.tsx'
import { Failure } from '../ui/Failure.tsx'
import { setDraftScope } from '../ui/hooks/draft.ts'
import { browserZone, Zone } from '../ui/zone.ts'

/** Loaded when it is needed, because the first view has no form. */
const SignInForm = lazy(() => import('./SignInForm.tsx').then(({ SignInForm }) => ({ default: SignInForm })))

export type Session = Schemas['Session']

const SessionContext = createContext<Session | null>(null)

/** Returns the person, the workspace and the role. Throws outside of `RequireSession`. */
export const useSession = (): Session => {
  const session = useContext(SessionContext)
  if (!session) throw new Error('No session.')
  return session
}

/** Returns whether to show owner actions. The API decides what is allowed. */
export const useIsOwner = (): boolean => useSession().role === 'owner'

/** Z-index above other dialogs and notifications, which may be open when the session ends. */
const topZIndex = 1_000

/** Blocks Escape, which would close a dialog below and lose its input. The listener is registered before all others. */
const useBlockEscape = (isBlocked: boolean): void => {
  const current = useRef(isBlocked)
  current.current = isBlocked
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (current.current && event.key === 'Escape') event.stopImmediatePropagation()
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])
}

/** Calls `callback` when `watched` changes to another value. */
const useOnChange = (watched: string | undefined, callback: () => void): void => {
  const previous = useRef<string>(undefined)
  const current = useRef(callback)
  current.current = callback
  useEffect(() => {
    if (watched === undefined) return
    if (previous.current !== undefined && previous.current !== watched) current.current()
    previous.current = watched
  }, [watched])
}

/**
 * Renders its children for a signed-in person. Others are redirected to the sign-in page and then back to this address.
 * If the session ends later, a sign-in dialog opens over the page, and everything typed there is kept.
 */
export const RequireSession = ({ children }: { children: ReactNode }) => {
  const t = useTranslate()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { href } = useLocation()
  const [isSessionLost, setIsSessionLost] = useState(false)
  const session = hooks.useQuery(
    'get',
    '/v1/auth/session',
    {},
    // The person may have signed in or out in another tab.
    { staleTime: 60_000, retry: 1, refetchOnWindowFocus: 'always' },
  )
  const user = hooks.useQuery('get', '/v1/auth/user', {}, { staleTime: 60_000, enabled: session.isSuccess })
  const status = session.error instanceof ApiFailure ? (session.error as ApiFailure).status : null

  const { refetch, dataUpdatedAt } = session
  useRefetchOnReconnect()
  useBlockEscape(isSessionLost)
  useEffect(
    () =>
      setSessionLostHandler(() => {
        setIsSessionLost(true)
        // The 401 can come from a request sent before the person signed in again, so the session is checked.
        void refetch()
      }),
    [refetch],
  )
  // Closes the dialog after a sign-in here or in another tab.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each successful response proves a valid session.
  useEffect(() => setIsSessionLost(false), [dataUpdatedAt])
  const workspaceId = session.data?.workspace.id
  useEffect(() => {
    if (workspaceId !== undefined) pinWorkspace(workspaceId)
  }, [workspaceId])
  useOnChange(session.data && `${session.data.user.id}/${workspaceId}`, () => void queries.resetQueries())
  useEffect(() => {
    // The chosen workspace is no longer accessible. Without a choice, the API uses the one that the person joined
    // first.
    if (status === 404 && selectedWorkspace()) {
      clearWorkspace()
      void queries.resetQueries()
    }
    if (session.data) {
      if (status === 401) setIsSessionLost(true)
      return
    }
    // Redirects only once: this effect can run again while the address is already the sign-in page.
    if (status === 401 && !href.startsWith('/sign-in'))
      void navigate({ to: '/sign-in', search: { to: href }, replace: true })
  }, [session.data, status, href, navigate, queries])

  if (!session.data) {
    return (
      <Center h="100%" p="lg">
        {session.error && status !== 401 ? (
          <Failure error={session.error} retry={() => void session.refetch()} />
        ) : (
          <Loader size="sm" aria-label={t('list.loadingMore')} />
        )}
      </Center>
    )
  }
  setDraftScope(session.data.user.id, session.data.workspace.id)
  return (
    <SessionContext.Provider value={session.data}>
      <Zone.Provider value={user.data?.timezone ?? browserZone}>
        <Texts locale={user.data?.locale}>{children}</Texts>
        <Modal
          opened={isSessionLost}
          onClose={() => {}}
          withCloseButton={false}
          closeOnEscape={false}
          zIndex={topZIndex}
          closeOnClickOutside={false}
          title={t('lost.title')}
        >
          <Text size="sm" mb="md">
            {t('lost.text')}
          </Text>
          <Suspense>
            <SignInForm
              email={session.data.user.email ?? undefined}
              onSignedIn={() => {
                setIsSessionLost(false)
                reconnect()
                void queries.invalidateQueries()
              }}
            />
          </Suspense>
        </Modal>
      </Zone.Provider>
    </SessionContext.Provider>
  )
}
