/** Loaded before any page other than the first. Its styles come before those of the pages. */
import '../styles-later.css'
import { laterMessages } from './compiled.ts' with { type: 'macro' }

/** Texts of the pages that are loaded later. */
export const later = laterMessages()
