/** Kinds of work that can be paused. */
export const pausableKinds = ['deliveries', 'messages', 'runs', 'campaigns'] as const
export type PausableKind = (typeof pausableKinds)[number]

/** Returns whether this is a kind of work that can be paused. */
export const isPausable = (kind: string): kind is PausableKind => (pausableKinds as readonly string[]).includes(kind)
