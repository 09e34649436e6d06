/** Contents of a plan, named as in its database row. `entitlements` returns how much of it is used. */

/** A feature that a plan includes or not (contract 15.1). */
export type Feature = 'api' | 'webhooks' | 'workflows' | 'campaigns' | 'ai'

/** A resource that a plan limits. */
export type Allowance = 'activeWorkflows' | 'teamSeats' | 'connectedNumbers' | 'templates' | 'monthlyEvents'

/** Features by name. A missing feature is not included. */
export type Features = Partial<Record<Feature, boolean>>

/** Limits by name. Null or missing means unlimited. */
export type Allowances = Partial<Record<Allowance, number | null>>

/** The plan of a workspace at the time of the request. */
export interface Plan {
  features: Features
  allowances: Allowances
}
