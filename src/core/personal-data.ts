/**
 * Types for erasing personal data. Each module declares the personal columns of its tables next to the statements that
 * erase them.
 */

/** A customer that is marked as erased. */
export interface ErasedCustomer {
  workspaceId: string
  customerId: string
}

/** Maps a table to its columns that contain personal data of a customer. */
export type PersonalColumns = Readonly<Record<string, readonly string[]>>
