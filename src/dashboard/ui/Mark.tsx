import {
  siBigcommerce,
  siPrestashop,
  siShopify,
  siShopware,
  siSquarespace,
  siVtex,
  siWhatsapp,
  siWix,
  siWoo,
} from 'simple-icons'
import { ChatBubbleLeftRightIcon } from './icons.ts'
import { BuildingStorefrontIcon, CodeBracketIcon, DevicePhoneMobileIcon } from './page-icons.ts'
import styles from './ui.module.css'

/** Marks of providers and store systems, by their name in the API. */
const marks: Readonly<Record<string, { path: string; hex: string }>> = {
  whatsapp_cloud: siWhatsapp,
  shopify: siShopify,
  woocommerce: siWoo,
  bigcommerce: siBigcommerce,
  prestashop: siPrestashop,
  shopware: siShopware,
  squarespace: siSquarespace,
  vtex: siVtex,
  wix: siWix,
}

/** Icons for names without a mark. */
const icons = { custom: CodeBracketIcon, sandbox: DevicePhoneMobileIcon, twilio_sms: ChatBubbleLeftRightIcon }

/** Mark of a channel kind or an event sender. Decorative, beside the name. */
export const Mark = ({ of, size = 16 }: { of: string; size?: number }) => {
  const mark = marks[of]
  const Icon = icons[of as keyof typeof icons] ?? BuildingStorefrontIcon
  return (
    <span className={styles.mark} aria-hidden="true">
      {mark ? (
        <svg
          viewBox="0 0 24 24"
          aria-hidden="true"
          width={size}
          height={size}
          style={{ '--mark': `#${mark.hex}` } as object}
        >
          <path d={mark.path} />
        </svg>
      ) : (
        <Icon width={size} />
      )}
    </span>
  )
}
