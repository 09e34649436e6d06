/** Detects the system that sent an event from its User-Agent (contract 6.6). Pure functions. */

const plugins: readonly [pattern: RegExp, sender: string][] = [
  [/woocommerce/i, 'woocommerce'],
  [/shopify/i, 'shopify'],
  [/magento|adobe ?commerce/i, 'magento'],
  [/prestashop/i, 'prestashop'],
  [/shopware/i, 'shopware'],
  [/opencart/i, 'opencart'],
  [/bigcommerce/i, 'bigcommerce'],
  [/\bwix/i, 'wix'],
  [/squarespace/i, 'squarespace'],
  [/ecwid/i, 'ecwid'],
  [/vtex/i, 'vtex'],
  [/oxid/i, 'oxid'],
  [/jtl[- ]?(shop|connector)/i, 'jtl'],
]

/** The caller's own code. */
export const customSender = 'custom'

/** All possible senders. */
export const senders = [customSender, ...plugins.map(([, sender]) => sender)]

/** Returns the store plugin of this User-Agent, or `custom`. */
export const senderOf = (userAgent: string | null): string =>
  (userAgent && plugins.find(([pattern]) => pattern.test(userAgent))?.[1]) || customSender
