/** Builds the delivery body of an outbound event (contract 12.1). Pure. */
import type { EventText } from './sql.ts'

/** Returns the body. It depends only on the stored event, so every attempt sends the same bytes. */
export const deliveryBody = (workspaceId: string, { id, type, createdAt, dataText }: EventText): string =>
  `{"id":"${id}","type":"${type}","createdAt":"${createdAt.toISOString()}","workspaceId":"${workspaceId}","data":${dataText}}`
