import type { ComponentType, SVGProps } from 'react'
import type { OutboundType } from '../../api/event-types.ts'
import {
  BoltIcon,
  ChatBubbleLeftRightIcon,
  CheckCircleIcon,
  CreditCardIcon,
  ExclamationTriangleIcon,
  MegaphoneIcon,
  PaperAirplaneIcon,
  PauseIcon,
  SignalIcon,
} from '../../ui/icons.ts'
import { NoSymbolIcon, ShoppingBagIcon, XCircleIcon } from '../../ui/page-icons.ts'
import styles from './outbound.module.css'

const icons: Partial<Record<string, ComponentType<SVGProps<SVGSVGElement>>>> = {
  'message.received': ChatBubbleLeftRightIcon,
  'message.status': PaperAirplaneIcon,
  'sale.created': ShoppingBagIcon,
  'customer.opted_out': NoSymbolIcon,
  'campaign.completed': MegaphoneIcon,
  'endpoint.failing': ExclamationTriangleIcon,
  'endpoint.recovered': CheckCircleIcon,
  'endpoint.held': PauseIcon,
  'delivery.failed': XCircleIcon,
  'channel.failing': ExclamationTriangleIcon,
  'channel.recovered': CheckCircleIcon,
  'run.failed': XCircleIcon,
  'allowance.reached': CreditCardIcon,
  ping: SignalIcon,
} satisfies Record<OutboundType, unknown>

/** Returns the icon of a type of webhook events. */
export const eventIcon = (type: string): ComponentType<SVGProps<SVGSVGElement>> => icons[type] ?? BoltIcon

/** Icon of a type of webhook events. Decorative, beside the name of the type. */
export const EventIcon = ({ type }: { type: string }) => {
  const Icon = eventIcon(type)
  return <Icon className={styles.eventIcon} width={16} aria-hidden="true" />
}
