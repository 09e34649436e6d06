/** What a plan can include, in the words of its row. What is in use of it is asked of `entitlements`. */

/** Something that a plan includes or does not (contract 15.1). */
export type Feature = 'api' | 'webhooks' | 'workflows' | 'campaigns' | 'ai'

/** Something that a plan counts. */
export type Allowance = 'activeWorkflows' | 'teamSeats' | 'connectedNumbers' | 'templates' | 'monthlyEvents'

/** Of each feature whether it is included; nothing said = it is not. */
export type Features = Partial<Record<Feature, boolean>>

/** The most a plan allows of each; null, or nothing said, = without limit. */
export type Allowances = Partial<Record<Allowance, number | null>>

/** The plan of a workspace, as of the request. */
export interface Plan {
  features: Features
  allowances: Allowances
}
