/** Who is signed in, and what becomes of the page when nobody is any more. */
import { Center, Loader, Modal, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { Failure as ApiFailure, hooks, type Schemas, whenSessionIsLost } from '../api/client.ts'
import { listenAnew } from '../api/live.ts'
import { useReturn } from '../api/useLive.ts'
import { chosenWorkspace, forgetWorkspace, keepWorkspace } from '../api/workspace.ts'
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

/** Any other dialog may stand open when a session ends, and what tells of things that were done. */
const aboveAll = 1_000

/** Escape closes nothing that stands open below: what was typed there would be gone. Listens before whatever comes later. */
const useNoEscape = (held: boolean): void => {
  const current = useRef(held)
  current.current = held
  useEffect(() => {
    const hold = (event: KeyboardEvent) => {
      if (current.current && event.key === 'Escape') event.stopImmediatePropagation()
    }
    window.addEventListener('keydown', hold, { capture: true })
    return () => window.removeEventListener('keydown', hold, { capture: true })
  }, [])
}

/** Calls `work` when it is another than before. */
const useAnother = (who: string | undefined, work: () => void): void => {
  const before = useRef<string>(undefined)
  const current = useRef(work)
  current.current = work
  useEffect(() => {
    if (who === undefined) return
    if (before.current !== undefined && before.current !== who) current.current()
    before.current = who
  }, [who])
}

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
  const session = hooks.useQuery(
    'get',
    '/v1/auth/session',
    {},
    // Meanwhile somebody may have signed in, or out, in another tab.
    { staleTime: 60_000, retry: 1, refetchOnWindowFocus: 'always' },
  )
  const user = hooks.useQuery('get', '/v1/auth/user', {}, { staleTime: 60_000, enabled: session.isSuccess })
  const status = session.error instanceof ApiFailure ? (session.error as ApiFailure).status : null

  const { refetch, dataUpdatedAt } = session
  useReturn()
  useNoEscape(lost)
  useEffect(
    () =>
      whenSessionIsLost(() => {
        setLost(true)
        // It may be that of a call from before somebody signed in again.
        void refetch()
      }),
    [refetch],
  )
  // Here, or in another tab.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer says that somebody is signed in.
  useEffect(() => setLost(false), [dataUpdatedAt])
  const workspaceId = session.data?.workspace.id
  useEffect(() => {
    if (workspaceId !== undefined) keepWorkspace(workspaceId)
  }, [workspaceId])
  useAnother(session.data && `${session.data.user.id}/${workspaceId}`, () => void queries.resetQueries())
  useEffect(() => {
    // The workspace that was chosen is no longer one's own: the one joined first is meant then.
    if (status === 404 && chosenWorkspace()) {
      forgetWorkspace()
      void queries.resetQueries()
    }
    if (session.data) {
      if (status === 401) setLost(true)
      return
    }
    // Once: until the sign-in is drawn this is still here, and the address is that of the sign-in already.
    if (status === 401 && !href.startsWith('/sign-in'))
      void navigate({ to: '/sign-in', search: { to: href }, replace: true })
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
          zIndex={aboveAll}
          closeOnClickOutside={false}
          title={say('lost.title')}
        >
          <Text size="sm" mb="md">
            {say('lost.text')}
          </Text>
          <SignInForm
            email={session.data.user.email}
            onSignedIn={() => {
              setLost(false)
              listenAnew()
              void queries.invalidateQueries()
            }}
          />
        </Modal>
      </Zone.Provider>
    </Current.Provider>
  )
}
