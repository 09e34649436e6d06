/** Milliseconds after which every worker knows that a workspace is closed. Workers check it every two seconds. */
export const closingMs = 4000
