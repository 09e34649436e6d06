/**
 * What tells of a customer in our own tables: each noun declares the columns of its tables beside the statements that
 * erase them.
 */

/** A customer that is marked as erased. */
export interface ErasedCustomer {
  workspaceId: string
  customerId: string
}

/** Table -> those of its columns that tell of a customer. */
export type PersonalColumns = Readonly<Record<string, readonly string[]>>
