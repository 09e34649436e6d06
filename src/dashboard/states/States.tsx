import { Anchor, Stack, Title } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import type { ComponentType } from 'react'
import { Buttons, Forms, HalfTyped } from './controls.tsx'
import { Charts, EmptyCharts, JsonState, Lists, LoadingList, RefusedList, SelectedList } from './data.tsx'
import {
  ConfirmFailed,
  ConfirmState,
  FormDialogState,
  MenuState,
  Notification,
  SecretState,
  TimeRangeMenu,
} from './overlays.tsx'
import { NewTokenState, NoTokens, TokenList, TokensRefused } from './tokens.tsx'
import { EmptyStates, Failures, Names, Statuses } from './words.tsx'

/** Components by the name of their state, which is also their address. */
const states: Record<string, ComponentType> = {
  statuses: Statuses,
  failures: Failures,
  empty: EmptyStates,
  names: Names,
  buttons: Buttons,
  forms: Forms,
  'half-typed': HalfTyped,
  list: Lists,
  'list-loading': LoadingList,
  'list-refused': RefusedList,
  'list-selected': SelectedList,
  charts: Charts,
  'charts-empty': EmptyCharts,
  json: JsonState,
  confirm: ConfirmState,
  'confirm-failed': ConfirmFailed,
  'form-dialog': FormDialogState,
  secret: SecretState,
  tokens: TokenList,
  'tokens-empty': NoTokens,
  'tokens-refused': TokensRefused,
  'token-new': NewTokenState,
  menu: MenuState,
  'time-range': TimeRangeMenu,
  notification: Notification,
}

/** One state, or the list of all. */
export const States = () => {
  const name = new URLSearchParams(location.search).get('state')
  const State = name === null ? Index : (states[name] ?? Index)
  return (
    <>
      <main style={{ padding: 16 }}>
        <Title order={1} mb="md">
          {name ?? 'states'}
        </Title>
        <State />
      </main>
      <Notifications position="top-center" />
    </>
  )
}

const Index = () => (
  <Stack gap="xs">
    {Object.keys(states).map(name => (
      <Anchor key={name} href={`/?state=${name}`} data-state={name}>
        {name}
      </Anchor>
    ))}
  </Stack>
)
