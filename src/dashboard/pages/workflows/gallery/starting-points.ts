/** Starting points of new workflows: complete definitions that run in the sandbox as they are. */
import type { ComponentType, SVGProps } from 'react'
import type { Schemas } from '../../../api/client.ts'
import type { TextId } from '../../../texts/index.tsx'
import { CakeIcon, CalendarIcon, HeartIcon, ShoppingCartIcon, StarIcon } from '../../../ui/page-icons.ts'
import type { Definition } from '../definition/types.ts'

type Translate = (id: TextId, values?: Record<string, string>) => string

export interface StartingPoint {
  key: 'cart' | 'review' | 'appointment' | 'birthday' | 'winBack'
  icon: ComponentType<SVGProps<SVGSVGElement>>
  /** Template of its first message. Its body uses each variable. */
  template: Pick<Schemas['CreateTemplate'], 'category'> & { variables: { name: string; sample: string }[] }
  define: (templateId: string, t: Translate) => Definition
}

const name = { name: 'name', sample: 'Ana' }
const nameValue = '{{customer.name|there}}'

export const startingPoints: readonly StartingPoint[] = [
  {
    key: 'cart',
    icon: ShoppingCartIcon,
    template: { category: 'marketing', variables: [name, { name: 'item', sample: 'Lamp' }] },
    define: (templateId, t) => ({
      trigger: { eventType: 'cart.abandoned' },
      entry: { reentry: 'not_while_active' },
      exitOn: [{ event: 'order.created', reason: t('workflows.gallery.cart.ordered') }, { optOut: true }],
      start: 'wait',
      steps: {
        wait: { type: 'delay', for: '1h', next: 'reminder' },
        reminder: {
          type: 'send_template',
          templateId,
          variables: { name: nameValue, item: t('workflows.gallery.cart.item', { open: '{{', close: '}}' }) },
          next: null,
        },
      },
    }),
  },
  {
    key: 'review',
    icon: StarIcon,
    template: { category: 'utility', variables: [name] },
    define: (templateId, t) => ({
      trigger: { eventType: 'order.delivered' },
      start: 'wait',
      steps: {
        wait: { type: 'delay', for: '2d', next: 'request' },
        request: { type: 'send_template', templateId, variables: { name: nameValue }, next: 'rating' },
        rating: {
          type: 'wait_for',
          timeout: '3d',
          onTimeout: null,
          any: [
            { reply: { in: ['4', '5'] }, next: 'thanks' },
            { reply: {}, next: 'sorry' },
          ],
        },
        thanks: { type: 'send_message', text: t('workflows.gallery.review.thanks'), next: null },
        sorry: { type: 'send_message', text: t('workflows.gallery.review.sorry'), next: null },
      },
    }),
  },
  {
    key: 'appointment',
    icon: CalendarIcon,
    template: { category: 'utility', variables: [name, { name: 'time', sample: 'Friday, 10:30' }] },
    define: (templateId, t) => ({
      trigger: { eventType: 'appointment.upcoming' },
      exitOn: [{ event: 'appointment.cancelled', reason: t('workflows.gallery.appointment.cancelled') }],
      start: 'reminder',
      steps: {
        reminder: {
          type: 'send_template',
          templateId,
          variables: { name: nameValue, time: t('workflows.gallery.appointment.time', { open: '{{', close: '}}' }) },
          next: 'answer',
        },
        answer: {
          type: 'wait_for',
          timeout: '1d',
          onTimeout: null,
          any: [
            { reply: { in: ['yes'] }, next: 'confirmed' },
            { reply: { in: ['no'] }, next: 'change' },
          ],
        },
        confirmed: { type: 'send_message', text: t('workflows.gallery.appointment.confirmed'), next: null },
        change: { type: 'send_message', text: t('workflows.gallery.appointment.change'), next: null },
      },
    }),
  },
  {
    key: 'birthday',
    icon: CakeIcon,
    template: { category: 'marketing', variables: [name, { name: 'code', sample: 'BDAY10' }] },
    define: templateId => ({
      trigger: { eventType: 'customer.birthday' },
      start: 'morning',
      steps: {
        morning: { type: 'delay', until: { time: '09:00' }, next: 'wishes' },
        wishes: {
          type: 'send_template',
          templateId,
          variables: { name: nameValue, code: '{{data.code|BDAY10}}' },
          next: null,
        },
      },
    }),
  },
  {
    key: 'winBack',
    icon: HeartIcon,
    template: { category: 'marketing', variables: [name, { name: 'code', sample: 'BACK10' }] },
    define: (templateId, t) => ({
      trigger: { eventType: 'order.created' },
      // A new order ends the wait of the one before, and starts its own.
      entry: { reentry: 'always' },
      start: 'wait',
      steps: {
        wait: {
          type: 'wait_for',
          timeout: '60d',
          onTimeout: 'offer',
          any: [{ event: 'order.created', next: 'ordered' }],
        },
        ordered: { type: 'exit', reason: t('workflows.gallery.winBack.ordered') },
        offer: {
          type: 'send_template',
          templateId,
          variables: { name: nameValue, code: '{{data.code|BACK10}}' },
          next: null,
        },
      },
    }),
  },
]
