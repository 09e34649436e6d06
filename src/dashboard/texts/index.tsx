/** The words of the dashboard, all in `texts/<language>/`, and the hook that says them. */
import { type ReactNode, useCallback, useMemo } from 'react'
import { FormattedMessage, IntlProvider, useIntl } from 'react-intl'
import { en } from './en/index.ts'

export type TextId = keyof typeof en
type Values = Record<string, string | number | Date | null | undefined>

/** Numbers and dates by the reader's own habits, or as they chose (`locale`); words in English for now. */
export const Texts = ({ locale, children }: { locale?: string | null | undefined; children: ReactNode }) => (
  <IntlProvider locale={locale ?? readersLocale} defaultLocale="en" messages={en} onError={ignoreLocale}>
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
