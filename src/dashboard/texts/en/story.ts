export const story = {} as const
