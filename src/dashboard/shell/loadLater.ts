/** Loads what all pages except the first need: their texts and styles. */
import { loadTexts } from '../texts/index.tsx'

let styles: Promise<void> | undefined

/** Loads both once. A failed load is tried again on the next call. */
export const loadLater = async (): Promise<void> => {
  styles ??= loadStyles().catch(error => {
    styles = undefined
    throw error
  })
  await Promise.all([loadTexts(), styles])
}

/** Does nothing if the page was built with a single style sheet. */
const loadStyles = (): Promise<void> => {
  const href = document.querySelector<HTMLMetaElement>('meta[name=later-styles]')?.content
  if (href === undefined) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      reject(new Error('The styles were not loaded.'))
    }
    document.head.append(link)
  })
}
