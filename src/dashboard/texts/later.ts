import { laterMessages } from './compiled.ts' with { type: 'macro' }

/** Texts of the pages that are loaded later. */
export const later = laterMessages()
