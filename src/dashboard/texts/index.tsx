/** The words of the dashboard, all in `texts/<language>/`, and the hook that says them. */
import { type ReactNode, useCallback, useMemo } from 'react'
import { FormattedMessage, IntlProvider, useIntl } from 'react-intl'
import { firstMessages } from './compiled.ts' with { type: 'macro' }
import type { laterMessages } from './compiled.ts'
import type { first } from './en/first.ts'
import type { later } from './en/later.ts'

export type TextId = keyof typeof first | keyof typeof later
type Values = Record<string, string | number | Date | null | undefined>

/**
 * What can be said by now: a page is drawn once its words are here. Made by a call, since the bundler would put what a
 * macro returns wherever the constant stands.
 */
const messages: ReturnType<typeof firstMessages> & Partial<ReturnType<typeof laterMessages>> = Object.assign(
  {},
  firstMessages(),
)

let loading: Promise<void> | undefined

/** The words of all pages that are not seen first; once, unless that fails. */
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

/** Whether there are words for what the interface names. */
export const isText = (id: string): id is TextId => id in messages

/** Numbers and dates by the reader's own habits, or as they chose (`locale`); words in English for now. */
export const Texts = ({ locale, children }: { locale?: string | null | undefined; children: ReactNode }) => (
  <IntlProvider locale={locale ?? readersLocale} defaultLocale="en" messages={messages} onError={ignoreLocale}>
    {children}
  </IntlProvider>
)

/** The first of the browser's languages that is one: some systems name what is none (`en-US@posix`). */
const readersLocale =
  navigator.languages.find(language => {
    try {
      return Intl.NumberFormat.supportedLocalesOf(language).length > 0
    } catch {
      return false
    }
  }) ?? 'en'

/** Words exist in English alone: that a reader's language has none is no fault worth a line in the console. */
const ignoreLocale = (error: { code: string; message: string }) => {
  if (error.code !== 'MISSING_DATA') throw error
}

/** `say('events.title')`, `say('list.new', {count: 12})`. */
export const useTexts = (): ((id: TextId, values?: Values) => string) => {
  const intl = useIntl()
  return useCallback((id, values) => intl.formatMessage({ id }, values as Record<string, string>), [intl])
}

/** The same where a part of the sentence is drawn: `<Sentence id="..." of={{ since: <Time at={since} /> }} />`. */
export const Sentence = ({ id, of }: { id: TextId; of: Record<string, ReactNode> }) => (
  <FormattedMessage id={id} values={of} />
)

/** Numbers with the reader's separators. */
export const useNumbers = (): ((value: number, options?: Intl.NumberFormatOptions) => string) => {
  const { locale } = useIntl()
  return useMemo(() => (value, options) => new Intl.NumberFormat(locale, options).format(value), [locale])
}
