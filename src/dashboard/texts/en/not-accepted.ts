export const notAccepted = {} as const
