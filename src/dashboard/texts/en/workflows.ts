export const workflows = {} as const
