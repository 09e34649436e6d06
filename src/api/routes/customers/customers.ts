import { Page, PageQuery } from '../../../core/schema.ts'
import {
  ChangeCustomer,
  Consent,
  CreateCustomer,
  Customer,
  CustomerQuery,
  changeCustomer,
  createCustomer,
  LiftOptOut,
  listCustomers,
  OptIn,
  OptOut,
  readCustomer,
  readTimeline,
  TimelineItem,
  UpsertCustomer,
  upsertCustomer,
} from '../../../customers/index.ts'
import { liftCustomerOptOut, listConsents, optInCustomer, optOutCustomer } from '../../../messaging/consent/index.ts'
import { eraseCustomer } from '../../../privacy/erasure/index.ts'
import { type Operation, operation } from '../../operation.ts'

const tag = 'Customers'

export const customerRoutes = (): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/customers',
    id: 'createCustomer',
    verb: createCustomer,
    tag,
    summary: 'Create a customer',
    description:
      'Creates a customer with a phone, an external ID or both. Events find the customer by either. A customer with only an external ID gets messages when a phone is known.',
    body: CreateCustomer,
    example: {
      phone: '+4915112345678',
      externalId: 'C-1042',
      name: 'Ana Beispiel',
      attributes: { tier: 'gold', newsletter: true },
    },
    answers: { 201: { description: 'The customer.', schema: Customer, example: example() } },
    errors: {
      conflict: 'another customer has this phone or external ID. `details` names the field and the customer.',
      unprocessable: 'the workspace has 5,000,000 customers. Erase customers that you no longer need.',
    },
    args: ({ body }) => [body],
  }),
  operation({
    method: 'PUT',
    path: '/v1/customers',
    id: 'upsertCustomer',
    verb: upsertCustomer,
    tag,
    summary: 'Create or update a customer',
    description:
      'Finds the customer by `externalId`, then by `phone`, and changes the given fields like PATCH. Creates a customer if none is found. Adds an identifier that the customer does not have yet. You can repeat the call safely.',
    body: UpsertCustomer,
    example: { externalId: 'C-1042', phone: '+4915112345678', email: 'ana@example.com', attributes: { tier: 'gold' } },
    answers: {
      200: { description: 'The customer after the change.', schema: Customer, example: example() },
      201: { description: 'The new customer.', schema: Customer, example: example() },
    },
    errors: {
      conflict: 'the identifiers belong to two customers. `details` names the field and the customer.',
      unprocessable:
        'the workspace has 5,000,000 customers, and none of them matches. Erase customers that you no longer need.',
    },
    args: ({ body }) => [body],
    answer: ({ customer, isNew }) => ({ status: isNew ? 201 : 200, body: customer }),
  }),
  operation({
    method: 'GET',
    path: '/v1/customers',
    id: 'listCustomers',
    verb: listCustomers,
    tag,
    summary: 'List and search customers',
    query: CustomerQuery,
    answers: {
      200: {
        description: 'A page of customers.',
        schema: Page(Customer),
        example: { data: [example()], nextCursor: null },
      },
    },
    args: ({ query, request }) => [query, request.signal],
  }),
  operation({
    method: 'GET',
    path: '/v1/customers/:id',
    id: 'readCustomer',
    verb: readCustomer,
    tag,
    summary: 'Read a customer',
    answers: { 200: { description: 'The customer.', schema: Customer, example: example() } },
    args: ({ params }) => [params.id!],
  }),
  operation({
    method: 'PATCH',
    path: '/v1/customers/:id',
    id: 'changeCustomer',
    verb: changeCustomer,
    tag,
    summary: 'Change a customer',
    description:
      'Changes the fields that are given. Null clears a field. Attributes are merged. A customer must keep a phone or an external ID.',
    body: ChangeCustomer,
    example: { name: 'Ana Muster', attributes: { tier: 'platinum', newsletter: null } },
    answers: {
      200: {
        description: 'The customer after the change.',
        schema: Customer,
        example: {
          ...example(),
          name: 'Ana Muster',
          attributes: { tier: 'platinum' },
          updatedAt: '2026-03-02T10:00:00.000Z',
        },
      },
    },
    errors: {
      conflict: 'another customer has this phone or external ID. `details` names the field and the customer.',
      unprocessable: 'the customer would have neither a phone nor an external ID.',
    },
    args: ({ params, body }) => [params.id!, body],
  }),
  operation({
    method: 'DELETE',
    path: '/v1/customers/:id',
    id: 'eraseCustomer',
    verb: eraseCustomer,
    tag,
    summary: 'Erase a customer',
    description:
      'Erases the personal data of the customer: name, phone, external ID, attributes, consent evidence and reasons, message texts and event data. This includes the data in outbound events. Active runs end, and queued messages are not sent. Counts stay, without personal data. The customer can no longer be found. Its phone and external ID can be used again.',
    answers: { 204: { description: 'The customer is erased.' } },
    args: ({ params }) => [params.id!],
  }),
  operation({
    method: 'POST',
    path: '/v1/customers/:id/opt-in',
    id: 'optInCustomer',
    verb: optInCustomer,
    tag,
    summary: 'Opt a customer in',
    description:
      'Records your declaration that the customer agreed to messages, with the evidence. An opt-in does not lift an opt-out.',
    body: OptIn,
    example: { evidence: 'Ticked the box at checkout, order A-1042' },
    answers: {
      200: {
        description: 'The customer with the opt-in. If `optedOutAt` is set, the customer is still opted out.',
        schema: Customer,
        example: { ...example(), optedInAt: '2026-03-02T10:00:00.000Z' },
      },
    },
    args: ({ params, body }) => [params.id!, body],
  }),
  operation({
    method: 'POST',
    path: '/v1/customers/:id/opt-out',
    id: 'optOutCustomer',
    verb: optOutCustomer,
    tag,
    summary: 'Opt a customer out',
    description:
      'Stops all messages to the customer and emits `customer.opted_out` to endpoints. A repeated opt-out has no effect.',
    body: OptOut,
    example: { reason: 'Asked on the phone' },
    answers: {
      200: {
        description: 'The opted-out customer.',
        schema: Customer,
        example: { ...example(), optedOutAt: '2026-03-02T10:00:00.000Z' },
      },
    },
    runsWithoutConnection: true,
    args: ({ params, body }) => [params.id!, body],
  }),
  operation({
    method: 'POST',
    path: '/v1/customers/:id/opt-out/lift',
    id: 'liftOptOut',
    verb: liftCustomerOptOut,
    tag,
    summary: "Lift a customer's opt-out",
    description:
      'Lifts the opt-out when an owner knows that the customer wants messages again. This is the only operation that lifts an opt-out. The consent history records the owner and the reason.',
    body: LiftOptOut,
    example: { reason: 'Asked for messages again on the phone' },
    answers: { 200: { description: 'The customer without the opt-out.', schema: Customer, example: example() } },
    errors: {
      unprocessable: 'the customer has not opted out.',
    },
    args: ({ params, body }) => [params.id!, body],
  }),
  operation({
    method: 'GET',
    path: '/v1/customers/:id/consents',
    id: 'listConsents',
    verb: listConsents,
    tag,
    summary: "List a customer's consents",
    description: 'Returns opt-ins with their evidence, opt-outs with their reason, and lifted opt-outs, newest first.',
    query: PageQuery,
    answers: {
      200: {
        description: 'A page of consents.',
        schema: Page(Consent),
        example: { data: [exampleConsent()], nextCursor: null },
      },
    },
    args: ({ params, query }) => [params.id!, query],
  }),
  operation({
    method: 'GET',
    path: '/v1/customers/:id/timeline',
    id: 'readTimeline',
    verb: readTimeline,
    tag,
    summary: "Read a customer's timeline",
    description:
      'Returns events, messages, workflow runs, opt-ins, opt-outs and lifted opt-outs in one list, newest first.',
    query: PageQuery,
    answers: {
      200: {
        description: 'A page of the timeline.',
        schema: Page(TimelineItem),
        example: { data: exampleItems(), nextCursor: null },
      },
    },
    args: ({ params, query }) => [params.id!, query],
  }),
]

function example(): Customer {
  return {
    id: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e02',
    phone: '+4915112345678',
    externalId: 'C-1042',
    name: 'Ana Beispiel',
    email: 'ana@example.com',
    attributes: { tier: 'gold', newsletter: true },
    optedInAt: null,
    optedOutAt: null,
    createdAt: '2026-03-01T09:30:00.000Z',
    updatedAt: '2026-03-01T09:30:00.000Z',
  }
}

function exampleConsent(): Consent {
  return {
    id: '01981b7e-4400-7a51-9a64-1f0f5c3d7c02',
    kind: 'opt_out',
    source: 'customer',
    words: 'STOP',
    eventId: null,
    userId: null,
    at: '2026-03-02T10:00:00.000Z',
  }
}

function exampleItems(): TimelineItem[] {
  const eventId = '01981b7e-3c00-7a51-9a64-1f0f5c3d7c01'
  return [
    {
      id: '01981b7e-4400-7a51-9a64-1f0f5c3d7e06',
      kind: 'message',
      at: '2026-03-01T09:30:02.048Z',
      direction: 'outbound',
      text: 'Thank you, Ana Beispiel! Your order over 129.9 has arrived.',
      status: 'delivered',
      detail: null,
      conversationId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7e01',
      channelId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7d01',
    },
    {
      id: '01981b7e-3c05-7a51-9a64-1f0f5c3d7f02',
      kind: 'run',
      at: '2026-03-01T09:30:00.005Z',
      workflowId: '01981b7e-3c00-7a51-9a64-1f0f5c3d7f01',
      workflowName: 'Order thank-you',
      version: 1,
      eventId,
      status: 'done',
      endReason: 'completed',
      endedAt: '2026-03-01T09:30:02.050Z',
    },
    {
      id: eventId,
      kind: 'event',
      at: '2026-03-01T09:30:00.000Z',
      type: 'order.created',
      source: 'api',
      sender: 'custom',
      data: { orderId: 'A-1042', total: 129.9, currency: 'EUR' },
      matchedWorkflows: 1,
    },
    {
      id: '01981b7e-3bff-7a51-9a64-1f0f5c3d7c00',
      kind: 'opt_in',
      at: '2026-03-01T09:30:00.000Z',
      source: 'api',
      words: 'Ticked the box at checkout, order A-1042',
      eventId,
    },
  ]
}
