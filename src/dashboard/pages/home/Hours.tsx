import { Sparkline } from '@mantine/charts'
import '@mantine/charts/styles.css'

/** A small line of the last hours; loaded by itself, since charts are large. */
const Hours = ({ values }: { values: number[] }) => (
  <Sparkline h={36} data={values} color="accent.6" strokeWidth={1.5} fillOpacity={0.15} curveType="linear" />
)
export default Hours
