/** Icons of the categories of templates. */
import { MegaphoneIcon, WrenchScrewdriverIcon } from '../../ui/icons.ts'

export const categories = ['utility', 'marketing'] as const
export const categoryIcons = { utility: WrenchScrewdriverIcon, marketing: MegaphoneIcon }
