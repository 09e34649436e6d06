/** What is sent of an outbound event: the body of its deliveries (contract 12.1). Pure. */
import type { EventText } from './sql.ts'

/** The body: the same bytes at every attempt, since they are made of the stored event alone. */
export const deliveryBody = (workspaceId: string, { id, type, createdAt, dataText }: EventText): string =>
  `{"id":"${id}","type":"${type}","createdAt":"${createdAt.toISOString()}","workspaceId":"${workspaceId}","data":${dataText}}`
