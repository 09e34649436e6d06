import type { Schemas } from '../../api/client.ts'
import type { Tone } from '../../ui/Status.tsx'

export type CampaignStatus = Schemas['Campaign']['status']

export const toneOf: Record<CampaignStatus, Tone> = {
  draft: 'off',
  scheduled: 'moving',
  running: 'moving',
  paused: 'care',
  completed: 'done',
  cancelled: 'off',
}
