/** States of lists, charts and JSON. */
import { Stack } from '@mantine/core'
import { useState } from 'react'
import type { Rows } from '../api/pages.ts'
import { Card } from '../ui/Card.tsx'
import { BarTable, useFunnel } from '../ui/charts/BarTable.tsx'
import { Sparkline } from '../ui/charts/Sparkline.tsx'
import type { Series } from '../ui/charts/series.ts'
import { TimeChart } from '../ui/charts/TimeChart.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Json } from '../ui/json/Json.tsx'
import type { BulkAction } from '../ui/list/BulkActions.tsx'
import { type Column, List } from '../ui/list/List.tsx'
import { Status } from '../ui/Status.tsx'
import { tones } from '../ui/tones.ts'
import { failures, type Hour, hours, names, payload, type Row, rows } from './samples.ts'

const columns: Column<Row>[] = [
  {
    key: 'name',
    title: 'Name',
    phone: 'title',
    width: 'minmax(160px, 2fr)',
    cell: row => <bdi>{row.name}</bdi>,
    value: row => row.name,
  },
  {
    key: 'status',
    title: 'Status',
    phone: 'below',
    width: '120px',
    cell: row => <Status tone={tones.delivery[row.status]}>{row.status}</Status>,
  },
  {
    key: 'count',
    title: 'Count',
    align: 'right',
    phone: 'aside',
    width: '100px',
    cell: row => row.count,
    value: row => row.count,
  },
]

const loaded = (all: Row[] | undefined, failure: unknown = null): Rows<Row> => ({
  rows: all,
  failure,
  retry: () => {},
  loadMore: null,
  loadingMore: false,
})

const bulkActions: BulkAction[] = [
  { key: 'retry', label: 'Retry', dialog: () => null },
  { key: 'cancel', label: 'Cancel', reason: 'Select waiting deliveries to cancel.', dialog: () => null },
]

const SampleList = ({ title, rows, selectable = false }: { title: string; rows: Rows<Row>; selectable?: boolean }) => (
  <div style={{ height: 420, display: 'flex', flexDirection: 'column' }}>
    <List
      title={title}
      columns={columns}
      rows={rows}
      getId={row => row.id}
      selected="1"
      open={() => {}}
      empty={<Empty title="No deliveries" text="Deliveries appear here." />}
      selection={selectable ? () => bulkActions : undefined}
      exportName="rows"
    />
  </div>
)

/** Ten thousand rows, with names that break layouts. */
export const Lists = () => <SampleList title="Deliveries" rows={loaded(rows(10_000))} />
export const LoadingList = () => <SampleList title="Deliveries" rows={loaded(undefined)} />
export const RefusedList = () => (
  <Stack>
    <SampleList title="Refused" rows={loaded(undefined, failures.overloaded)} />
    <SampleList title="Empty" rows={loaded([])} />
  </Stack>
)
export const SelectedList = () => <SampleList title="Deliveries" rows={loaded(rows(8))} selectable />

const series: Series<Hour>[] = [
  { key: 'accepted', label: 'Accepted', tone: 'done', value: hour => hour.accepted },
  { key: 'rejected', label: 'Rejected', tone: 'failed', value: hour => hour.rejected },
]
const latency: Series<Hour>[] = [{ key: 'p95', label: 'p95', tone: 'accent', value: hour => hour.latency }]

export const Charts = () => {
  const funnel = useFunnel()
  const [selected, setSelected] = useState('')
  const steps = [
    { key: 'sent', label: 'Sent', value: 1200 },
    { key: 'delivered', label: names.long, value: 1100 },
    { key: 'read', label: 'Read', value: 640 },
  ]
  return (
    <Stack>
      <Card>
        <TimeChart
          title="Events"
          rows={hours(24, 100_000)}
          series={series}
          by="hour"
          onSelect={({ at }) => setSelected(at)}
        />
        {selected}
      </Card>
      <Card>
        <TimeChart title="Latency" rows={hours(168, 10)} series={latency} by="hour" kind="lines" />
      </Card>
      <Card>
        <TimeChart title="Sends" rows={hours(24, 40)} series={series} by="second" />
      </Card>
      <Card title="Results">
        <BarTable title="Results" bars={funnel(steps)} />
      </Card>
      <Card title="Trend">
        <Sparkline label="Trend" values={hours(24, 20).map(({ accepted }) => accepted)} />
      </Card>
    </Stack>
  )
}

const failedQuery = { error: failures.overloaded, refetch: () => {} }

export const EmptyCharts = () => (
  <Stack>
    <Card>
      <TimeChart title="Loading" rows={undefined} series={series} by="hour" />
    </Card>
    <Card>
      <TimeChart title="Failed" rows={undefined} query={failedQuery} series={series} by="hour" height={72} />
    </Card>
    <Card>
      <TimeChart title="No events" rows={hours(24, 0)} series={series} by="hour" />
    </Card>
    <Card>
      <TimeChart title="One hour" rows={hours(1, 3)} series={series} by="hour" />
    </Card>
    <Card title="No results">
      <BarTable title="No results" bars={[]} />
    </Card>
    <Card title="Unknown results">
      <BarTable title="Unknown results" bars={undefined} />
    </Card>
    <Card title="Failed results">
      <BarTable title="Failed results" bars={undefined} query={failedQuery} />
    </Card>
    <Card title="No trend">
      <Sparkline label="No trend" values={[]} />
    </Card>
  </Stack>
)

export const JsonState = () => <Json label="Payload" value={{ data: payload }} />
