/** Types and calls that the scenarios of `trigger` share. */
import { randomInt } from 'node:crypto'

/** The tools and values of a scenario. */
export interface Stage {
  /** Calls the API. Throws ApiError. */
  call<T = Identified>(method: string, path: string, body?: unknown): Promise<T>
  /** Values of the scenario, with those of `--data`. */
  values: Record<string, unknown>
  /** Prints a sentence about what was created. */
  say(text: string): void
  /** Waits until there is an event of the type whose data has these values. Throws ClientError. */
  waitForEvent(type: string, expected: Record<string, unknown>): Promise<unknown>
}

export interface Identified {
  id: string
}

export interface Cause {
  /** Values in the `data` of the event that identify it. */
  expected: Record<string, unknown>
  /** Removes what is only needed for the event. Called after the event, or if none arrives. */
  cleanUp?(): Promise<unknown>
}

export interface Scenario {
  /** Names of the values in `--data`, with their defaults. */
  values: Record<string, unknown>
  /** Milliseconds to wait for the event. Defaults to 10 seconds. */
  waitMs?: number
  run(stage: Stage): Promise<Cause>
}

/** A number that belongs to no phone. */
export const phone = '+15550104477'

/** Returns a number of the same kind that no earlier customer has. The sandbox fails numbers that end in 0000. */
export const newPhone = (): string => `+1555${randomInt(100, 1000)}${randomInt(1, 10_000).toString().padStart(4, '0')}`

/** Returns the customer with the number, or creates one. */
export const createCustomer = async (
  stage: Stage,
  number: unknown,
): Promise<Identified & { optedOutAt: string | null }> => {
  const customer = await stage.call<Identified & { optedOutAt: string | null }>('PUT', '/v1/customers', {
    phone: number,
  })
  stage.say(`Uses the customer ${customer.id} (${number}).`)
  return customer
}

/** Creates an endpoint that receives nothing, because the host name does not exist and the endpoint is disabled. */
export const createDisabledEndpoint = async (stage: Stage): Promise<Identified> => {
  const body = { url: 'https://unreachable.example/', name: 'trigger', events: ['message.status'], enabled: false }
  const endpoint = await stage.call('POST', '/v1/webhooks', body)
  stage.say(`Created the disabled endpoint ${endpoint.id}. It is removed again.`)
  return endpoint
}
