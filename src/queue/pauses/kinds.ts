/** Kinds of work that can be paused. */
export const pausableKinds = ['deliveries', 'messages', 'runs', 'campaigns'] as const
export type PausableKind = (typeof pausableKinds)[number]
