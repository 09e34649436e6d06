/** Anything that runs until told to stop. Both calls may be repeated, and stop() may come first. */
export interface Service {
  readonly name: string
  /** Returns once it works; throws when it cannot. */
  start(): Promise<void>
  /** Takes no new work and lets what is under way finish, until `deadline` aborts. */
  stop(deadline: AbortSignal): Promise<void>
}
