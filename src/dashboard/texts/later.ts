import { laterMessages } from './compiled.ts' with { type: 'macro' }

/** Of the pages that are not seen first. */
export const later = laterMessages()
