import type { SVGProps } from 'react'

/** Icon of a branch: one path that splits into two. It has the lines of the other icons, whose family has none. */
export const ForkIcon = (props: SVGProps<SVGSVGElement>) => (
  <svg fill="none" viewBox="0 0 24 24" strokeWidth={1.5} stroke="currentColor" aria-hidden="true" {...props}>
    <path strokeLinecap="round" strokeLinejoin="round" d="M12 4v6m0 0-7 7m7-7 7 7M5 12v5h5m4 0h5v-5" />
  </svg>
)
