/** Icons of the categories of templates. */
import { MegaphoneIcon } from '../../ui/icons.ts'
import { WrenchScrewdriverIcon } from '../../ui/page-icons.ts'

export const categories = ['utility', 'marketing'] as const
export const categoryIcons = { utility: WrenchScrewdriverIcon, marketing: MegaphoneIcon }
