/** Hooks and components for the texts of the dashboard, which are in `texts/<language>/`. */
import { type ReactNode, useCallback, useMemo } from 'react'
import { FormattedMessage, IntlProvider, useIntl } from 'react-intl'
import { firstMessages } from './compiled.ts' with { type: 'macro' }
import type { laterMessages } from './compiled.ts'
import type { first } from './en/first.ts'
import type { later } from './en/later.ts'
import { isolate } from './isolate.ts'

export type TextId = keyof typeof first | keyof typeof later
type Values = Record<string, string | number | Date | null | undefined>

/**
 * Messages loaded so far. A page renders only once its texts are loaded. Created by a call, because the bundler would
 * inline the macro's result wherever the constant is used.
 */
const messages: ReturnType<typeof firstMessages> & Partial<ReturnType<typeof laterMessages>> = Object.assign(
  {},
  firstMessages(),
)

let loading: Promise<void> | undefined

/** Loads the texts of all other pages once. A failed load is tried again on the next call. */
export const loadTexts = (): Promise<void> => {
  loading ??= import('./later.ts').then(
    ({ later }) => void Object.assign(messages, later),
    error => {
      loading = undefined
      throw error
    },
  )
  return loading
}

/** Returns true if there is a text for a name from the API. */
export const isText = (id: string): id is TextId => id in messages

/** Provider of texts. Numbers and dates follow `locale` or the browser; the texts are English for now. */
export const Texts = ({ locale, children }: { locale?: string | null | undefined; children: ReactNode }) => (
  <IntlProvider locale={locale ?? browserLocale} defaultLocale="en" messages={messages} onError={ignoreLocale}>
    {children}
  </IntlProvider>
)

/** First valid language of the browser. Some systems report invalid ones such as `en-US@posix`. */
const browserLocale =
  navigator.languages.find(language => {
    try {
      return Intl.NumberFormat.supportedLocalesOf(language).length > 0
    } catch {
      return false
    }
  }) ?? 'en'

/** Ignores missing translations, because texts exist only in English. */
const ignoreLocale = (error: { code: string; message: string }) => {
  if (error.code !== 'MISSING_DATA') throw error
}

/** Returns the text function: `t('events.title')`, `t('list.new', {count: 12})`. Names in a text are isolated. */
export const useTranslate = (): ((id: TextId, values?: Values) => string) => {
  const intl = useIntl()
  return useCallback(
    (id, values) => intl.formatMessage({ id }, values && (isolateTexts(values) as Record<string, string>)),
    [intl],
  )
}

const isolateTexts = (values: Record<string, ReactNode | Date>): Record<string, ReactNode | Date> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? isolate(value) : value]),
  )

/** Renders a text that contains elements, which isolate the names in them: `<Sentence id="..." values={{ since: <Time at={since} /> }} />`. */
export const Sentence = ({ id, values }: { id: TextId; values: Record<string, ReactNode> }) => (
  <FormattedMessage id={id} values={isolateTexts(values) as Record<string, ReactNode>} />
)

/** Returns a function that formats numbers with the reader's separators. */
export const useNumbers = (): ((value: number, options?: Intl.NumberFormatOptions) => string) => {
  const { locale } = useIntl()
  return useMemo(() => (value, options) => new Intl.NumberFormat(locale, options).format(value), [locale])
}
