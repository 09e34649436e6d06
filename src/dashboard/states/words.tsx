/** States of statuses, failures, empty states and names. */
import { Button, Group, Stack } from '@mantine/core'
import { Avatar } from '../ui/Avatar.tsx'
import { Card } from '../ui/Card.tsx'
import { Empty, OwnersOnly } from '../ui/Empty.tsx'
import { Failure } from '../ui/Failure.tsx'
import { Id } from '../ui/Id.tsx'
import { Logo } from '../ui/Logo.tsx'
import { FilteredEmpty } from '../ui/list/FilteredEmpty.tsx'
import { Mark } from '../ui/Mark.tsx'
import { Facts } from '../ui/Panel.tsx'
import { Status, type Tone } from '../ui/Status.tsx'
import { Duration, Time } from '../ui/Time.tsx'
import { Explanation } from '../ui/text/Explanation.tsx'
import { tones } from '../ui/tones.ts'
import { failures, hourMs, names } from './samples.ts'

/** Every status of every record, with its color. */
export const Statuses = () => (
  <Stack>
    {Object.entries(tones).map(([record, map]) => (
      <Card key={record} title={record}>
        <Group>
          {Object.entries<Tone | undefined>(map).map(([status, tone]) => (
            <Status key={status} tone={tone!}>
              {status}
            </Status>
          ))}
        </Group>
      </Card>
    ))}
  </Stack>
)

export const Failures = () => (
  <Stack>
    {Object.entries(failures).map(([name, error]) => (
      <Card key={name} title={name}>
        <Failure error={error} retry={() => {}} />
      </Card>
    ))}
  </Stack>
)

export const EmptyStates = () => (
  <Stack>
    <Empty title="No endpoints" text="Endpoints send events to your systems." docs="/docs/deliveries">
      <Button>Add endpoint</Button>
    </Empty>
    <Empty title="No results" />
    <OwnersOnly what="API keys" />
    {[false, true].map(hasNextPage => (
      <FilteredEmpty
        key={String(hasNextPage)}
        title="No matches"
        text="Remove a filter."
        clear={() => {}}
        query={{ hasNextPage, isFetchingNextPage: false, fetchNextPage: async () => {} }}
      />
    ))}
    <Empty title={names.long} text={names.unbroken} example={<Status tone="done">delivered</Status>} />
  </Stack>
)

export const Names = () => (
  <Stack maw={360}>
    <Logo />
    {Object.entries(names).map(([kind, name]) => (
      <Card key={kind} title={name}>
        <Group wrap="nowrap">
          <Avatar name={name} size={32} />
          <bdi style={{ minWidth: 0, overflowWrap: 'anywhere' }}>{name}</bdi>
        </Group>
      </Card>
    ))}
    <Group>
      {['whatsapp_cloud', 'twilio_sms', 'sandbox', 'shopify', 'custom', 'unknown'].map(name => (
        <Mark key={name} of={name} />
      ))}
    </Group>
    <Facts
      items={{
        [names.long]: names.unbroken,
        ID: <Id value="01a20380-d0cb-7327-93bc-fba9f86b236c" />,
        Time: <Time at={new Date(Date.now() - hourMs).toISOString()} />,
        Duration: <Duration ms={1840} />,
        Explanation: <Explanation>Waiting since 2026-03-12T14:30:00.000Z for a reply.</Explanation>,
        Missing: null,
      }}
    />
  </Stack>
)
