export interface paths {
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Newest first, of the whole workspace, of one type or about one customer.
         */
        get: operations["listEvents"];
        put?: never;
        /**
         * Record a business event
         * @description Workflows whose trigger equals `type` start for the customer. One of `phone`, `customerId` and `externalId` is needed; `customerId` identifies first, then `externalId`, then `phone`, and only a `phone` alone enrols a new customer. With an `idempotencyKey` a retried call records nothing twice; without one it does.
         */
        post: operations["recordEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record up to 500 events
         * @description In their order, each judged alone: `data` holds at each position what POST /v1/events would have answered, with its `status`. A refused event does not hold up the others. The whole is refused only when the body itself is: no JSON, an unknown field, a character that cannot be stored, or `events` that is no list of 1 to 500. Counts as many calls for the rate limit as it has events: one batch is admitted whatever its size, and what it took beyond the allowance is waited for by the calls after it (429 with `Retry-After`). The body may be 1 MiB. Once the answer has 4 MiB, `data` of events that had been recorded before is left out (`dataLeftOut`), and so are `outcomes` (`outcomesLeftOut`).
         */
        post: operations["recordEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Judge an event without recording it
         * @description Says what POST /v1/events would answer to this body at this moment, and what the event would do. Nothing is recorded, counted or started. What is wrong with the event is told in the answer; only a body that is no JSON object, or that holds a character that cannot be stored, is refused.
         */
        post: operations["checkEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an event
         * @description With what became of each workflow that named its type when it was recorded.
         */
        get: operations["readEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/activity/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events with what they did
         * @description Every event received, newest first: the automations it started, or the reason why none ran. The reason is the one that held when the event was recorded.
         */
        get: operations["listActivityEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/activity/not-accepted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List refused events
         * @description What was refused of the events pushed in, with the exact message the sender received, newest problem first. The same problem within ten minutes of its first occurrence is one entry with a count. The newest 500 of 30 days are kept. Nothing is replayed from this list.
         */
        get: operations["listNotAccepted"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List and search customers */
        get: operations["listCustomers"];
        put?: never;
        /**
         * Create a customer
         * @description With a phone, an external id or both. Events find the customer by either; a customer with only an external id is written to once a phone is known.
         */
        post: operations["createCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a customer */
        get: operations["readCustomer"];
        put?: never;
        post?: never;
        /**
         * Erase a customer
         * @description Erases the person: name, phone, external id, attributes, evidence and reasons, message texts and the data of events, also in what endpoints were told. Runs under way end and queued messages are not sent. What is counted stays, without a person. From now on the customer is not found, and its phone and external id are free.
         */
        delete: operations["eraseCustomer"];
        options?: never;
        head?: never;
        /**
         * Change a customer
         * @description Changes what is given; null clears. Attributes are merged. Of phone and external id at least one remains.
         */
        patch: operations["changeCustomer"];
        trace?: never;
    };
    "/v1/customers/{id}/opt-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Opt a customer in
         * @description Records your declaration that the customer agreed, with the evidence. It never lifts an opt-out.
         */
        post: operations["optInCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}/opt-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Opt a customer out
         * @description No message goes to the customer from here on, and endpoints are told by `customer.opted_out`. Opting out again changes nothing.
         */
        post: operations["optOutCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a customer's timeline
         * @description Events, messages, workflow runs, opt-ins and opt-outs in one list, newest first.
         */
        get: operations["readTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List workflows */
        get: operations["listWorkflows"];
        put?: never;
        /**
         * Create a workflow
         * @description A draft, switched off. Events start runs once it is published and switched on.
         */
        post: operations["createWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a workflow */
        get: operations["readWorkflow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a workflow
         * @description Its name, its draft, or the switch `enabled`. Runs under way and the published version stay as they are.
         */
        patch: operations["changeWorkflow"];
        trace?: never;
    };
    "/v1/workflows/{id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish the draft
         * @description Events start runs of this version from now on; runs under way keep theirs.
         */
        post: operations["publishWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a workflow
         * @description Newest first, each with what its steps did.
         */
        get: operations["listRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List channels */
        get: operations["listChannels"];
        put?: never;
        /** Connect a channel */
        post: operations["connectChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List messages
         * @description Newest first, of the whole workspace or of one customer.
         */
        get: operations["listMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List webhook endpoints */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description At most 10 per workspace. The secret is in this answer and in no other.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find out why a signature does not hold
         * @description For whoever writes a receiver: give it what your receiver got and the secret it uses, and it says which part is wrong: the header, the clock, the secret, or a body that is no longer the one that was sent. Nothing given is kept. Examples of receivers are under [/docs/receivers](/docs/receivers).
         */
        post: operations["verifyWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a webhook endpoint */
        get: operations["readWebhook"];
        put?: never;
        post?: never;
        /**
         * Remove a webhook endpoint
         * @description What was still to be delivered to it is dropped.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description Switched off, it holds its pending deliveries and new events are not queued for it; switched on again, it gets what was held.
         */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret
         * @description For 24 hours deliveries carry two signatures, `t=…,v1=<new>,v1=<old>`; a receiver accepts either.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a ping
         * @description To this endpoint alone, whatever it subscribed to. Held while the endpoint is switched off.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the last 50 deliveries */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery
         * @description With the request that was sent and every attempt.
         */
        get: operations["readDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{deliveryId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a failed delivery
         * @description Makes one new attempt, at once or, where the endpoint is switched off, when it is switched on again.
         */
        post: operations["retryDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/outbound-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what your endpoints are told
         * @description Everything that happened in the workspace and is, or would be, told to webhook endpoints.
         */
        get: operations["listOutboundEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/outbound-events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an outbound event
         * @description With the endpoints it went to and, for each of the others, why it did not.
         */
        get: operations["readOutboundEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Newest first; revoked keys stay listed.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Issue an API key
         * @description The key is in this answer and in no other; only its SHA-256 is kept.
         */
        post: operations["issueApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description Takes effect at once, everywhere. Revoking a revoked key changes nothing.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in
         * @description The token is for `Authorization: Bearer`; the same answer sets it as the cookie `session`.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/accept-invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description Joins the team with a new account; where the invited address has an account already, with that one, and `password` must be its password (401 otherwise). Signs in like `sign-in`, whose tries per 10 minutes count here too; `workspace` is the one just joined, which a person of several workspaces names in `X-Workspace-Id`. A link that is unknown, used, taken back or expired is 422.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who am I */
        get: operations["readSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the workspaces I am in
         * @description What `X-Workspace-Id` may name.
         */
        get: operations["listMyWorkspaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description The session ends at once.
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the team
         * @description Newest first; pending invitations are among them.
         */
        get: operations["listMembers"];
        put?: never;
        /**
         * Invite somebody to the team
         * @description The link is in this answer and in no other: pass it on. It is good for 7 days and one use. Inviting an address whose invitation has expired replaces it.
         */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member or an invitation
         * @description Their sessions no longer reach this workspace, at once; their account stays. A link that was not used is void. The last owner cannot leave.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change the role of a member
         * @description From the next request on; of an invitation, once it is accepted. The last owner stays owner.
         */
        patch: operations["changeMember"];
        trace?: never;
    };
    "/v1/entitlements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the plan includes
         * @description Features, and how much of each allowance is in use. Invitations take team seats; monthly events are those of the calendar month in UTC.
         */
        get: operations["readEntitlements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "message.received": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A customer sent a message.
         * @description Answer with any 2xx within 10 seconds. Otherwise it is sent again after 1 and 5 minutes, half an hour, 2, 6, 12 and 24 hours. Delivery is at least once and in no certain order: remember `id`, and compare `createdAt` where order matters.
         */
        post: operations["on_message_received"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A message the workspace sent was delivered, read or failed.
         * @description Answer with any 2xx within 10 seconds. Otherwise it is sent again after 1 and 5 minutes, half an hour, 2, 6, 12 and 24 hours. Delivery is at least once and in no certain order: remember `id`, and compare `createdAt` where order matters.
         */
        post: operations["on_message_status"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "sale.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A conversation was marked as a sale.
         * @description Answer with any 2xx within 10 seconds. Otherwise it is sent again after 1 and 5 minutes, half an hour, 2, 6, 12 and 24 hours. Delivery is at least once and in no certain order: remember `id`, and compare `createdAt` where order matters.
         */
        post: operations["on_sale_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.opted_out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A customer said STOP, or was opted out.
         * @description Answer with any 2xx within 10 seconds. Otherwise it is sent again after 1 and 5 minutes, half an hour, 2, 6, 12 and 24 hours. Delivery is at least once and in no certain order: remember `id`, and compare `createdAt` where order matters.
         */
        post: operations["on_customer_opted_out"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A campaign finished.
         * @description Answer with any 2xx within 10 seconds. Otherwise it is sent again after 1 and 5 minutes, half an hour, 2, 6, 12 and 24 hours. Delivery is at least once and in no certain order: remember `id`, and compare `createdAt` where order matters.
         */
        post: operations["on_campaign_completed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    ping: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sent by the test operation to one endpoint, whatever it subscribed to.
         * @description Answer with any 2xx within 10 seconds. Otherwise it is sent again after 1 and 5 minutes, half an hour, 2, 6, 12 and 24 hours. Delivery is at least once and in no certain order: remember `id`, and compare `createdAt` where order matters.
         */
        post: operations["on_ping"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Error: {
            error: {
                /** @enum {string} */
                code: "invalid_request" | "malformed_request" | "unauthorized" | "forbidden" | "feature_not_available" | "not_found" | "method_not_allowed" | "conflict" | "plan_limit_reached" | "unsupported_media_type" | "unprocessable" | "rate_limited" | "internal_error";
                /** @description For a person. */
                message: string;
                /** @description The path of each offending field and the reason; `body` for the whole. */
                details?: {
                    [key: string]: string;
                };
            };
            /** @description The same as the header X-Request-Id. */
            request_id: string;
        };
        RecordEvent: {
            /** @description Free text. A workflow starts when its trigger equals it to the letter, case and punctuation included. */
            type: string;
            /** @description E.164: + and 7 to 15 digits. */
            phone?: string;
            /**
             * Format: uuid
             * @description The service's own customer id.
             */
            customerId?: string;
            /** @description Your own id of an existing customer; it never enrols a new one. */
            externalId?: string;
            /** @description Used only when this call creates the customer. */
            name?: string;
            /** @description Input for workflows; at most 50 top-level fields. */
            data?: {
                [key: string]: unknown;
            };
            /** @description Describes the occurrence, not the attempt: a repeat records nothing and returns the first event. */
            idempotencyKey?: string;
            /** @description Recorded before the event. It never lifts an opt-out. */
            optIn?: {
                /** @description How the customer agreed to messages on your site. */
                evidence: string;
            };
        };
        RecordedEvent: {
            /** @description false: the idempotency key had been seen, and `event` is the first event. */
            recorded: boolean;
            /** @description Workflows that were waiting on this type; 0 is no error. */
            matchedWorkflows: number;
            /** @description What became of each workflow that names the type; empty where nothing listens. */
            outcomes: components["schemas"]["WorkflowOutcome"][];
            /** @description Where nothing listens: the nearest type that something does listen to, if one is near. */
            didYouMean: components["schemas"]["DidYouMean"] | null;
            event: components["schemas"]["Event"];
        };
        WorkflowOutcome: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            workflowId: string;
            name: string;
            /**
             * @description As of the moment the event was recorded.
             * @enum {string}
             */
            verdict: "started" | "switched_off" | "never_published" | "not_run_for_customer";
            runId: string | null;
            /** @description A sentence for a person. */
            explanation: string;
        };
        DidYouMean: {
            type: string;
            /** @description How many workflows name it. */
            workflows: number;
        };
        Event: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            id: string;
            type: string;
            /**
             * @description `api` for a key, `dashboard` for a person.
             * @enum {string}
             */
            source: "api" | "dashboard";
            /** @description The store plugin recognised from User-Agent, else `custom`. */
            sender: string;
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            customerId: string;
            data: {
                [key: string]: unknown;
            };
            idempotencyKey: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
        };
        RecordEvents: {
            /** @description Each as the body of POST /v1/events. */
            events: unknown[];
        };
        RecordedEvents: {
            /** @description By position: what POST /v1/events would have answered to each. */
            data: ({
                /** @enum {integer} */
                status: 201 | 200;
                /** @description false: the idempotency key had been seen, and `event` is the first event. */
                recorded: boolean;
                /** @description Workflows that were waiting on this type; 0 is no error. */
                matchedWorkflows: number;
                /** @description What became of each workflow that names the type; empty where nothing listens. */
                outcomes?: components["schemas"]["WorkflowOutcome"][];
                /** @description Where nothing listens: the nearest type that something does listen to, if one is near. */
                didYouMean: components["schemas"]["DidYouMean"] | null;
                /**
                 * @description `outcomes` would have made the answer too large: read them with `GET /v1/events/{id}`.
                 * @constant
                 */
                outcomesLeftOut?: true;
                event: {
                    /**
                     * Format: uuid
                     * @description UUIDv7.
                     */
                    id: string;
                    type: string;
                    /**
                     * @description `api` for a key, `dashboard` for a person.
                     * @enum {string}
                     */
                    source: "api" | "dashboard";
                    /** @description The store plugin recognised from User-Agent, else `custom`. */
                    sender: string;
                    /**
                     * Format: uuid
                     * @description UUIDv7.
                     */
                    customerId: string;
                    data?: {
                        [key: string]: unknown;
                    };
                    idempotencyKey: string | null;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, milliseconds.
                     */
                    createdAt: string;
                };
                /**
                 * @description The event had been recorded before, and its `data` would have made the answer too large, or could not be read at this moment: read it with `GET /v1/events/{id}`.
                 * @constant
                 */
                dataLeftOut?: true;
            } | {
                /** @description 400, 409, 500 or 503. */
                status: number;
                error: components["schemas"]["EventRefusal"];
            })[];
        };
        /** @description As in the error envelope. */
        EventRefusal: {
            code: string;
            message: string;
            details?: {
                [key: string]: string;
            };
        };
        /** @description Meant as the body of POST /v1/events. What is wrong with it is told in the answer. */
        EventToCheck: {
            [key: string]: unknown;
        };
        CheckedEvent: {
            /** @description POST /v1/events would answer 201 or 200. */
            valid: boolean;
            /** @description The status that POST /v1/events would answer. */
            status: number;
            error: components["schemas"]["EventRefusal"] | null;
            /**
             * @description `would_enrol`: the phone is new, and recording the event would create the customer.
             * @enum {string}
             */
            customer: "known" | "would_enrol" | "not_identified";
            customerId: string | null;
            /** @description The event that was recorded with this idempotency key, which would be the answer. */
            replay: string | null;
            /** @description Workflows that were waiting on this type; 0 is no error. */
            matchedWorkflows: number;
            /** @description What became of each workflow that names the type; empty where nothing listens. */
            outcomes: components["schemas"]["WorkflowOutcome"][];
            /** @description Where nothing listens: the nearest type that something does listen to, if one is near. */
            didYouMean: components["schemas"]["DidYouMean"] | null;
        };
        EventWithOutcomes: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            id: string;
            type: string;
            /**
             * @description `api` for a key, `dashboard` for a person.
             * @enum {string}
             */
            source: "api" | "dashboard";
            /** @description The store plugin recognised from User-Agent, else `custom`. */
            sender: string;
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            customerId: string;
            data: {
                [key: string]: unknown;
            };
            idempotencyKey: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /** @description Workflows that were waiting on this type; 0 is no error. */
            matchedWorkflows: number;
            /** @description What became of each workflow that names the type; empty where nothing listens. */
            outcomes: components["schemas"]["WorkflowOutcome"][];
            /** @description Where nothing listens: the nearest type that something does listen to, if one is near. */
            didYouMean: components["schemas"]["DidYouMean"] | null;
        };
        ActivityEvent: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            id: string;
            type: string;
            /**
             * @description `api` for a key, `dashboard` for a person.
             * @enum {string}
             */
            source: "api" | "dashboard";
            /** @description The store plugin recognised from User-Agent, else `custom`. */
            sender: string;
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            customerId: string;
            data: {
                [key: string]: unknown;
            };
            idempotencyKey: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /** @description As the customer is today; all null once erased. */
            customer: {
                /**
                 * Format: uuid
                 * @description UUIDv7.
                 */
                id: string;
                name: string | null;
                phone: string | null;
                externalId: string | null;
            };
            /** @description Those that the event started. */
            automations: {
                /**
                 * Format: uuid
                 * @description UUIDv7.
                 */
                workflowId: string;
                name: string;
                /**
                 * Format: uuid
                 * @description UUIDv7.
                 */
                runId: string;
            }[];
            /** @description Why none was started, as of the moment the event was recorded; null when one was. */
            reason: ("no_listener" | "switched_off" | "never_published" | "not_run_for_customer") | null;
            explanation: string | null;
            didYouMean: components["schemas"]["DidYouMean"] | null;
        };
        /** @description A problem because of which events were refused: the same one within ten minutes of its first is counted. */
        NotAccepted: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            firstAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            lastAt: string;
            /** @description How often this was refused from `firstAt` to `lastAt`. */
            count: number;
            /** @description The store plugin recognised by its User-Agent, else `custom`. */
            sender: string;
            method: string;
            path: string;
            /** @description Of the answer, as are `code`, `message` and `details`. */
            status: number;
            code: string;
            /** @description Exactly what the sender was told. */
            message: string;
            details: {
                [key: string]: string;
            } | null;
            /** @description `request_id` of the newest of them. */
            requestId: string;
        };
        CreateCustomer: {
            /** @description E.164. Of phone and externalId at least one is needed. */
            phone?: string | null;
            /** @description The id the customer has in your own system. */
            externalId?: string | null;
            name?: string | null;
            /** @description At most 50 fields with names of up to 100 characters, together at most 16 KiB. */
            attributes?: {
                [key: string]: unknown;
            };
        };
        Customer: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            id: string;
            phone: string | null;
            externalId: string | null;
            name: string | null;
            attributes: {
                [key: string]: unknown;
            };
            optedInAt: string | null;
            optedOutAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
        };
        ChangeCustomer: {
            /** @description null clears it; a customer keeps at least one of phone and externalId. */
            phone?: string | null;
            /** @description null clears it. */
            externalId?: string | null;
            /** @description null clears it. */
            name?: string | null;
            /** @description Merged into those there are: a field that is given replaces its like, null removes it. At most 50 fields remain, with names of up to 100 characters, together at most 16 KiB. */
            attributes?: {
                [key: string]: unknown;
            };
        };
        OptIn: {
            /** @description How the customer agreed to messages. */
            evidence: string;
        };
        OptOut: {
            /** @description Why, in words a person will understand later. */
            reason: string;
        };
        TimelineItem: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            id: string;
            /** @constant */
            kind: "event";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            at: string;
            type: string;
            /**
             * @description `api` for a key, `dashboard` for a person.
             * @enum {string}
             */
            source: "api" | "dashboard";
            sender: string;
            data: {
                [key: string]: unknown;
            };
            matchedWorkflows: number;
        } | {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            id: string;
            /** @constant */
            kind: "message";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            at: string;
            /** @enum {string} */
            direction: "outbound" | "inbound";
            text: string | null;
            status: string;
            detail: string | null;
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            conversationId: string;
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            channelId: string;
        } | {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            id: string;
            /** @constant */
            kind: "run";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            at: string;
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            workflowId: string;
            workflowName: string | null;
            version: number;
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            eventId: string;
            status: string;
            endReason: string | null;
            endedAt: string | null;
        } | {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            id: string;
            /** @constant */
            kind: "opt_in";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            at: string;
            /**
             * @description A key, a person, or the customer in words of their own.
             * @enum {string}
             */
            source: "api" | "dashboard" | "customer";
            words: string | null;
            eventId: string | null;
        } | {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            id: string;
            /** @constant */
            kind: "opt_out";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            at: string;
            /**
             * @description A key, a person, or the customer in words of their own.
             * @enum {string}
             */
            source: "api" | "dashboard" | "customer";
            words: string | null;
            eventId: string | null;
        };
        CreateWorkflow: {
            name: string;
            definition: components["schemas"]["WorkflowDefinition"];
        };
        WorkflowDefinition: {
            trigger: {
                /** @description Equal to the event type to the letter, case and punctuation included. */
                eventType: string;
                where?: components["schemas"]["Condition"];
            };
            start: string;
            steps: {
                [key: string]: {
                    /** @constant */
                    type: "delay";
                    /** @description ISO 8601 (`PT1H`, `P2D`) or short (`500ms`, `30s`, `5m`, `1h`, `2d`), at most 90 days. The first delay of a run is measured from the moment the event was recorded. A circle of steps must hold a delay of at least 1 second. */
                    for: string;
                    next: string | null;
                } | {
                    /** @constant */
                    type: "condition";
                    if: components["schemas"]["Condition"];
                    then: string | null;
                    else: string | null;
                } | {
                    /** @constant */
                    type: "send_message";
                    /** @description Not white space alone. May hold `{{customer.name}}`, `{{data.total}}` and the like; `{{customer.name|there}}` says what stands there when the value is absent. There are `data.…`, `event.id`, `event.type`, `customer.id`, `customer.name`, `customer.phone`, `customer.externalId` and `customer.attributes.…`. The message that is sent has at most 4096 characters: what stands around the placeholders is kept whole, the values share the rest in their order, and one that does not fit is cut. */
                    text: string;
                    /**
                     * Format: uuid
                     * @description Without it: the channel connected first. Publishing is refused where the workspace has no such channel; one that is gone later skips the message.
                     */
                    channelId?: string;
                    next: string | null;
                };
            };
        };
        /** @description At most 200 comparisons, and 10 levels of `all`, `any` and `not` within one another. One that would have to look at more than about 50,000 values is false, and the trace says so. */
        Condition: {
            all: components["schemas"]["Condition"][];
        } | {
            any: components["schemas"]["Condition"][];
        } | {
            not: components["schemas"]["Condition"];
        } | {
            /** @description `data.…` (a field of the event, `data.items.0.sku` one within), `event.type`, `event.id`, `customer.name`, `customer.phone`, `customer.externalId`, `customer.id` or `customer.attributes.…`. The filter of a trigger knows `data.…` and `event.type` alone. */
            path: string;
            /** @enum {string} */
            op: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "contains" | "exists";
            /** @description `eq`, `ne`, `contains`: a text, a number, true or false. `gt`, `gte`, `lt`, `lte`: a number, or a text that is one. `in`: a list of 1 to 1,000 texts, numbers, true or false. `exists`: false asks that nothing be there; true or nothing asks that something be. */
            value?: unknown;
        };
        Workflow: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            id: string;
            name: string;
            /** @description Switched on: arriving events start runs of the published version. */
            enabled: boolean;
            /** @description The event type it listens for: of the published version, else of the draft. */
            triggerType: string;
            publishedVersion: number | null;
            draft: components["schemas"]["WorkflowDefinition"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
        };
        ChangeWorkflow: {
            name?: string;
            definition?: components["schemas"]["WorkflowDefinition"];
            enabled?: boolean;
        };
        Run: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            id: string;
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            workflowId: string;
            version: number;
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            customerId: string;
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            eventId: string;
            /** @enum {string} */
            status: "active" | "done" | "failed";
            stepId: string | null;
            wakeAt: string | null;
            endReason: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            endedAt: string | null;
            /** @description What each step did, in order. */
            steps: {
                stepId: string;
                outcome: string;
                detail: unknown;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds.
                 */
                at: string;
            }[];
        };
        ConnectChannel: {
            /**
             * @description `sandbox`: a provider inside the service. It delivers every message at once, except to numbers that end in 0000: those fail.
             * @constant
             */
            kind: "sandbox";
            name: string;
        };
        Channel: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            id: string;
            /**
             * @description `sandbox`: a provider inside the service. It delivers every message at once, except to numbers that end in 0000: those fail.
             * @constant
             */
            kind: "sandbox";
            name: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
        };
        Message: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            id: string;
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            conversationId: string;
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            channelId: string;
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            customerId: string;
            /** @enum {string} */
            direction: "outbound" | "inbound";
            text: string | null;
            /**
             * @description `skipped`: not sent, `detail` says why (the customer had opted out). `unknown`: handed to the provider, and no answer came: the customer may have got it or not, so it is never sent again by itself.
             * @enum {string}
             */
            status: "queued" | "sent" | "delivered" | "read" | "failed" | "skipped" | "unknown" | "received";
            providerMessageId: string | null;
            detail: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
        };
        CreateWebhook: {
            /** @description https, a public host name (no IP address), port 443 or an unreserved port from 1024 up. */
            url: string;
            description?: string | null;
            /** @description Event types to be told of; no repeats. */
            events: ("message.received" | "message.status" | "sale.created" | "customer.opted_out" | "campaign.completed")[];
        };
        WebhookWithSecret: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            id: string;
            url: string;
            description: string | null;
            events: string[];
            enabled: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            created: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updated: string;
            /** @description Keys the signatures; its UTF-8 bytes, prefix included, are the HMAC key. Shown only in this answer. */
            secret: string;
        };
        VerifyWebhook: {
            /** @description The endpoint’s secret, as your receiver has it. It is neither kept nor logged. */
            secret: string;
            /** @description The headers that came with it, or those that begin with X-Service-. Names in any case. */
            headers: {
                [key: string]: string;
            };
            /** @description The raw body, as it came in. */
            body: string;
            /**
             * Format: date-time
             * @description When it came in; now, if left out.
             */
            at?: string;
        };
        Verification: {
            valid: boolean;
            /** @description Empty where it is valid. */
            problems: {
                /** @enum {string} */
                code: "header_missing" | "timestamp_missing" | "timestamp_repeated" | "timestamp_malformed" | "timestamp_too_old" | "timestamp_in_future" | "digest_missing" | "digest_malformed" | "digest_mismatch" | "body_changed" | "time_not_signed" | "secret_padded" | "secret_without_prefix" | "key_without_prefix" | "key_base64_decoded" | "secret_rotated" | "secret_of_other_endpoint";
                /** @description What is wrong and what to do about it. */
                message: string;
            }[];
            timestamp: number | null;
            secondsOff: number | null;
            matched: number | null;
            expected: string | null;
        };
        Webhook: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            id: string;
            url: string;
            description: string | null;
            events: string[];
            enabled: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            created: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updated: string;
        };
        ChangeWebhook: {
            /** @description https, a public host name (no IP address), port 443 or an unreserved port from 1024 up. */
            url?: string;
            description?: string | null;
            /** @description Event types to be told of; no repeats. */
            events?: ("message.received" | "message.status" | "sale.created" | "customer.opted_out" | "campaign.completed")[];
            /** @description false holds pending deliveries until it is true again. */
            enabled?: boolean;
        };
        Delivery: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            id: string;
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            eventId: string;
            eventType: string;
            /**
             * @description `pending`: the first attempt is not finished; `retrying`: another attempt follows.
             * @enum {string}
             */
            status: "pending" | "retrying" | "delivered" | "failed";
            attempts: number;
            statusCode: number | null;
            error: string | null;
            durationMs: number | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            lastAttemptAt: string | null;
            nextAttemptAt: string | null;
        };
        DeliveryList: {
            data: components["schemas"]["Delivery"][];
        };
        DeliveryDetail: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            id: string;
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            eventId: string;
            eventType: string;
            /**
             * @description `pending`: the first attempt is not finished; `retrying`: another attempt follows.
             * @enum {string}
             */
            status: "pending" | "retrying" | "delivered" | "failed";
            attempts: number;
            statusCode: number | null;
            error: string | null;
            durationMs: number | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            lastAttemptAt: string | null;
            nextAttemptAt: string | null;
            request: {
                /** @description Of the last attempt; empty before the first. */
                headers: {
                    [key: string]: string;
                };
                /** @description The raw body, as it was signed. */
                body: string;
            };
            attemptLog: {
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds.
                 */
                at: string;
                statusCode: number | null;
                error: string | null;
                durationMs: number;
                responseBody: string | null;
            }[];
        };
        OutboundEvent: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            id: string;
            /** @enum {string} */
            type: "message.received" | "message.status" | "sale.created" | "customer.opted_out" | "campaign.completed" | "ping";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            fannedOutAt: string | null;
            /** @description As it is sent. */
            data: {
                [key: string]: unknown;
            };
            /** @description Endpoints it went to. */
            sentTo: number;
            /** @description Endpoints that lived then and did not get it. */
            passedOver: number;
        };
        OutboundEventDetail: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            id: string;
            /** @enum {string} */
            type: "message.received" | "message.status" | "sale.created" | "customer.opted_out" | "campaign.completed" | "ping";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            fannedOutAt: string | null;
            /** @description As it is sent. */
            data: {
                [key: string]: unknown;
            };
            /** @description Endpoints it went to. */
            sentTo: number;
            /** @description Endpoints that lived then and did not get it. */
            passedOver: number;
            /** @description Those it went to first; deleted ones last, and not all of them where there are more than fifty. */
            destinations: components["schemas"]["Destination"][];
        };
        Destination: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            webhookId: string;
            /** @description As it is today; people who are no owners see it without its path. */
            url: string;
            deliveryId: string | null;
            /** @description Of the delivery, now; `dropped`: the endpoint was deleted before it had it. */
            status: "pending" | "retrying" | "delivered" | "failed" | "dropped" | null;
            /** @description Why it did not go there, as it was when it was fanned out; null where it did. `other_endpoint`: a ping, sent to another one. */
            reason: "not_subscribed" | "disabled" | "deleted" | "created_later" | "other_endpoint" | null;
        };
        IssueApiKey: {
            /** @description The system that will use the key. */
            name: string;
        };
        IssuedApiKey: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            id: string;
            name: string;
            /** @description The first 12 characters of the key. */
            prefix: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            created: string;
            revoked: string | null;
            lastUsedAt: string | null;
            /** @description The key itself, shown only in this answer. */
            key: string;
        };
        ApiKey: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            id: string;
            name: string;
            /** @description The first 12 characters of the key. */
            prefix: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            created: string;
            revoked: string | null;
            lastUsedAt: string | null;
        };
        SignIn: {
            /** @description E-mail address of the account. */
            email: string;
            password: string;
        };
        NewSession: {
            /** @description Sent as `Authorization: Bearer <token>`. Shown only here. */
            token: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            expiresAt: string;
            user: {
                /**
                 * Format: uuid
                 * @description UUIDv7.
                 */
                id: string;
                email: string;
                name: string;
            };
            workspace: {
                /**
                 * Format: uuid
                 * @description UUIDv7.
                 */
                id: string;
                name: string;
            };
            /** @enum {string} */
            role: "owner" | "agent";
        };
        AcceptInvitation: {
            /** @description From the invitation link. */
            token: string;
            /** @description What the new account is called; without it, as the invitation says, else what stands before the @. An existing account keeps its name. */
            name?: string;
            /** @description Of the new account; where the address has an account already, the password of that account. */
            password: string;
        };
        /** @description Who is signed in, in which workspace, and until when. */
        Session: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            expiresAt: string;
            user: {
                /**
                 * Format: uuid
                 * @description UUIDv7.
                 */
                id: string;
                email: string;
                name: string;
            };
            workspace: {
                /**
                 * Format: uuid
                 * @description UUIDv7.
                 */
                id: string;
                name: string;
            };
            /** @enum {string} */
            role: "owner" | "agent";
        };
        MyWorkspaces: {
            /** @description The one joined first in front: the one meant where X-Workspace-Id is not sent. */
            data: {
                /**
                 * Format: uuid
                 * @description UUIDv7.
                 */
                id: string;
                name: string;
                /** @enum {string} */
                role: "owner" | "agent";
            }[];
        };
        InviteMember: {
            /** @description However its letters are cased, an address is in a team once. */
            email: string;
            /**
             * @description `owner` manages everything; `agent` reads everything, answers conversations and marks sales.
             * @enum {string}
             */
            role: "owner" | "agent";
            name?: string;
        };
        InvitedMember: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            id: string;
            email: string;
            name: string | null;
            /**
             * @description `owner` manages everything; `agent` reads everything, answers conversations and marks sales.
             * @enum {string}
             */
            role: "owner" | "agent";
            /** @enum {string} */
            status: "active" | "invited";
            /** @description Null for whom nobody invited: the first owner. */
            invitedAt: string | null;
            joinedAt: string | null;
            /** @description Shown only in this answer; good for one use. */
            invitation: {
                /**
                 * Format: uri
                 * @description The link for the person invited.
                 */
                url: string;
                /** @description For `POST /v1/auth/accept-invitation`; the link carries the same. */
                token: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds.
                 */
                expiresAt: string;
            };
        };
        Member: {
            /**
             * Format: uuid
             * @description UUIDv7.
             */
            id: string;
            email: string;
            name: string | null;
            /**
             * @description `owner` manages everything; `agent` reads everything, answers conversations and marks sales.
             * @enum {string}
             */
            role: "owner" | "agent";
            /** @enum {string} */
            status: "active" | "invited";
            /** @description Null for whom nobody invited: the first owner. */
            invitedAt: string | null;
            joinedAt: string | null;
        };
        ChangeMember: {
            /**
             * @description `owner` manages everything; `agent` reads everything, answers conversations and marks sales.
             * @enum {string}
             */
            role: "owner" | "agent";
        };
        /** @description What the plan includes. An allowance that is full answers 409 plan_limit_reached. */
        Entitlements: {
            plan: {
                id: string;
                name: string;
            };
            features: {
                api: boolean;
                webhooks: boolean;
                workflows: boolean;
                campaigns: boolean;
                ai: boolean;
            };
            allowances: {
                activeWorkflows: {
                    limit: number | null;
                    /** @description How many there are; more than the limit after a change to a smaller plan. */
                    used: number;
                };
                teamSeats: {
                    limit: number | null;
                    /** @description How many there are; more than the limit after a change to a smaller plan. */
                    used: number;
                };
                connectedNumbers: {
                    limit: number | null;
                    /** @description How many there are; more than the limit after a change to a smaller plan. */
                    used: number;
                };
                templates: {
                    limit: number | null;
                    /** @description How many there are; more than the limit after a change to a smaller plan. */
                    used: number;
                };
                monthlyEvents: {
                    limit: number | null;
                    /** @description How many there are; more than the limit after a change to a smaller plan. */
                    used: number;
                    /**
                     * Format: date-time
                     * @description ISO 8601, UTC, milliseconds.
                     */
                    resetsAt: string;
                };
            };
        };
    };
    responses: {
        /** @description `invalid_request`: a field failed validation, `details` says which and why. `malformed_request`: the body is no JSON. Do not retry unchanged. */
        Error400: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "invalid_request",
                 *         "message": "phone: Must be an E.164 number: + and 7 to 15 digits, the first not 0, for example +4915112345678.",
                 *         "details": {
                 *           "phone": "Must be an E.164 number: + and 7 to 15 digits, the first not 0, for example +4915112345678."
                 *         }
                 *       },
                 *       "request_id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e99"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `unauthorized`: no credential, or one that is not valid. Do not retry. */
        Error401: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "unauthorized",
                 *         "message": "This API key is not valid: it is malformed, unknown or revoked. Check the X-API-Key header."
                 *       },
                 *       "request_id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e99"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `forbidden`: known, and the answer is no. `feature_not_available`: the plan does not include it. */
        Error403: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "forbidden",
                 *         "message": "Only an owner of the workspace may do this."
                 *       },
                 *       "request_id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e99"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `not_found`: no such record in the workspace. */
        Error404: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "not_found",
                 *         "message": "No such workflow in this workspace."
                 *       },
                 *       "request_id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e99"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `conflict`: something unique already exists, or changed meanwhile. `plan_limit_reached`: an allowance is full, the message names it. */
        Error409: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "conflict",
                 *         "message": "The draft changed while it was being published. Read it again and publish what you see."
                 *       },
                 *       "request_id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e99"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `unsupported_media_type`: the body is not declared as JSON. */
        Error415: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "unsupported_media_type",
                 *         "message": "Send the body as JSON, with the header Content-Type: application/json."
                 *       },
                 *       "request_id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e99"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `unprocessable`: well-formed, but impossible in the current state. */
        Error422: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "unprocessable",
                 *         "message": "Only a failed delivery can be retried; this one is delivered."
                 *       },
                 *       "request_id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e99"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `rate_limited`: wait for `Retry-After`. */
        Error429: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                /** @description Whole seconds to wait. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "rate_limited",
                 *         "message": "An API key may make 200 calls a second, 400 at once. Wait as many seconds as the header Retry-After says."
                 *       },
                 *       "request_id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e99"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `internal_error`: a fault of ours. Retry with backoff; quote request_id to support. */
        Error500: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "internal_error",
                 *         "message": "Something went wrong on our side. Try again with backoff, and quote request_id to support."
                 *       },
                 *       "request_id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e99"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `internal_error`: not now. The database is away or too busy, or too many calls wait for it. Come back after `Retry-After`; a list that took too long is read faster with filters or a smaller limit. */
        Error503: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                /** @description Whole seconds to wait. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "internal_error",
                 *         "message": "The service cannot reach its database at the moment. Wait as many seconds as the header Retry-After says."
                 *       },
                 *       "request_id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e99"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Identifies the request; quote it to support. */
        RequestId: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listEvents: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description Only events of this type, equal to the letter. */
                type?: string;
                /** @description Only events about this customer. */
                customerId?: string;
            };
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7c01",
                     *           "type": "order.created",
                     *           "source": "api",
                     *           "sender": "custom",
                     *           "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *           "data": {
                     *             "orderId": "A-1042",
                     *             "total": 129.9,
                     *             "currency": "EUR"
                     *           },
                     *           "idempotencyKey": "order-A-1042-created",
                     *           "createdAt": "2026-03-01T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Event"][];
                        /** @description Send it as `cursor` for the next page; null at the end. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    recordEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "order.created",
                 *       "phone": "+4915112345678",
                 *       "name": "Ana Beispiel",
                 *       "data": {
                 *         "orderId": "A-1042",
                 *         "total": 129.9,
                 *         "currency": "EUR"
                 *       },
                 *       "idempotencyKey": "order-A-1042-created"
                 *     }
                 */
                "application/json": components["schemas"]["RecordEvent"];
            };
        };
        responses: {
            /** @description The idempotency key had been seen: nothing is recorded, and this is the first event. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recorded": false,
                     *       "matchedWorkflows": 1,
                     *       "outcomes": [
                     *         {
                     *           "workflowId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b01",
                     *           "name": "Thank you",
                     *           "verdict": "started",
                     *           "runId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7c02",
                     *           "explanation": "\"Thank you\" (version 3) started."
                     *         }
                     *       ],
                     *       "didYouMean": null,
                     *       "event": {
                     *         "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7c01",
                     *         "type": "order.created",
                     *         "source": "api",
                     *         "sender": "custom",
                     *         "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *         "data": {
                     *           "orderId": "A-1042",
                     *           "total": 129.9,
                     *           "currency": "EUR"
                     *         },
                     *         "idempotencyKey": "order-A-1042-created",
                     *         "createdAt": "2026-03-01T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RecordedEvent"];
                };
            };
            /** @description The event is recorded: it is on disk, and so are the runs it started. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recorded": true,
                     *       "matchedWorkflows": 1,
                     *       "outcomes": [
                     *         {
                     *           "workflowId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b01",
                     *           "name": "Thank you",
                     *           "verdict": "started",
                     *           "runId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7c02",
                     *           "explanation": "\"Thank you\" (version 3) started."
                     *         }
                     *       ],
                     *       "didYouMean": null,
                     *       "event": {
                     *         "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7c01",
                     *         "type": "order.created",
                     *         "source": "api",
                     *         "sender": "custom",
                     *         "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *         "data": {
                     *           "orderId": "A-1042",
                     *           "total": 129.9,
                     *           "currency": "EUR"
                     *         },
                     *         "idempotencyKey": "order-A-1042-created",
                     *         "createdAt": "2026-03-01T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RecordedEvent"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    recordEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "events": [
                 *         {
                 *           "type": "order.created",
                 *           "phone": "+4915112345678",
                 *           "name": "Ana Beispiel",
                 *           "data": {
                 *             "orderId": "A-1042",
                 *             "total": 129.9,
                 *             "currency": "EUR"
                 *           },
                 *           "idempotencyKey": "order-A-1042-created"
                 *         },
                 *         {
                 *           "type": "order.created",
                 *           "externalId": "nobody"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RecordEvents"];
            };
        };
        responses: {
            /** @description What became of each event. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "status": 201,
                     *           "recorded": true,
                     *           "matchedWorkflows": 1,
                     *           "outcomes": [
                     *             {
                     *               "workflowId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b01",
                     *               "name": "Thank you",
                     *               "verdict": "started",
                     *               "runId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7c02",
                     *               "explanation": "\"Thank you\" (version 3) started."
                     *             }
                     *           ],
                     *           "didYouMean": null,
                     *           "event": {
                     *             "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7c01",
                     *             "type": "order.created",
                     *             "source": "api",
                     *             "sender": "custom",
                     *             "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *             "data": {
                     *               "orderId": "A-1042",
                     *               "total": 129.9,
                     *               "currency": "EUR"
                     *             },
                     *             "idempotencyKey": "order-A-1042-created",
                     *             "createdAt": "2026-03-01T09:30:00.000Z"
                     *           }
                     *         },
                     *         {
                     *           "status": 400,
                     *           "error": {
                     *             "code": "invalid_request",
                     *             "message": "externalId: No customer has this external id, and an external id never enrols one. Where the customer is known by phone, PATCH /v1/customers/{id} gives them this id; else create them first, or send the phone alone.",
                     *             "details": {
                     *               "externalId": "No customer has this external id, and an external id never enrols one. Where the customer is known by phone, PATCH /v1/customers/{id} gives them this id; else create them first, or send the phone alone."
                     *             }
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RecordedEvents"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    checkEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "order.created",
                 *       "phone": "+4915112345678",
                 *       "name": "Ana Beispiel",
                 *       "data": {
                 *         "orderId": "A-1042",
                 *         "total": 129.9,
                 *         "currency": "EUR"
                 *       },
                 *       "idempotencyKey": "order-A-1042-created"
                 *     }
                 */
                "application/json": components["schemas"]["EventToCheck"];
            };
        };
        responses: {
            /** @description The judgement. In `outcomes`, `started` means that the workflow would start; there is no run. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "valid": true,
                     *       "status": 201,
                     *       "error": null,
                     *       "customer": "would_enrol",
                     *       "customerId": null,
                     *       "replay": null,
                     *       "matchedWorkflows": 1,
                     *       "outcomes": [
                     *         {
                     *           "workflowId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b01",
                     *           "name": "Thank you",
                     *           "verdict": "started",
                     *           "runId": null,
                     *           "explanation": "\"Thank you\" (version 3) would start."
                     *         }
                     *       ],
                     *       "didYouMean": null
                     *     }
                     */
                    "application/json": components["schemas"]["CheckedEvent"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    readEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7c01",
                     *       "type": "order.created",
                     *       "source": "api",
                     *       "sender": "custom",
                     *       "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "data": {
                     *         "orderId": "A-1042",
                     *         "total": 129.9,
                     *         "currency": "EUR"
                     *       },
                     *       "idempotencyKey": "order-A-1042-created",
                     *       "createdAt": "2026-03-01T09:30:00.000Z",
                     *       "matchedWorkflows": 1,
                     *       "outcomes": [
                     *         {
                     *           "workflowId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b01",
                     *           "name": "Thank you",
                     *           "verdict": "started",
                     *           "runId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7c02",
                     *           "explanation": "\"Thank you\" (version 3) started."
                     *         }
                     *       ],
                     *       "didYouMean": null
                     *     }
                     */
                    "application/json": components["schemas"]["EventWithOutcomes"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listActivityEvents: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description Only events of this type, equal to the letter. */
                type?: string;
                /** @description Why nothing ran: nothing listens for the type; an automation listens but is switched off; one is switched on but never published; one was ready but did not run for this customer. */
                reason?: "no_listener" | "switched_off" | "never_published" | "not_run_for_customer";
            };
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7c01",
                     *           "type": "Order.Created",
                     *           "source": "api",
                     *           "sender": "custom",
                     *           "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *           "data": {
                     *             "orderId": "A-1042",
                     *             "total": 129.9,
                     *             "currency": "EUR"
                     *           },
                     *           "idempotencyKey": "order-A-1042-created",
                     *           "createdAt": "2026-03-01T09:30:00.000Z",
                     *           "customer": {
                     *             "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *             "name": "Ana Beispiel",
                     *             "phone": "+4915112345678",
                     *             "externalId": null
                     *           },
                     *           "automations": [],
                     *           "reason": "no_listener",
                     *           "explanation": "Nothing listens for Order.Created. Did you mean order.created (2 automations)?",
                     *           "didYouMean": {
                     *             "type": "order.created",
                     *             "workflows": 2
                     *           }
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ActivityEvent"][];
                        /** @description Send it as `cursor` for the next page; null at the end. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listNotAccepted: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of problems. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7f01",
                     *           "firstAt": "2026-03-01T09:30:00.000Z",
                     *           "lastAt": "2026-03-01T09:36:12.480Z",
                     *           "count": 3,
                     *           "sender": "woocommerce",
                     *           "method": "POST",
                     *           "path": "/v1/events",
                     *           "status": 400,
                     *           "code": "invalid_request",
                     *           "message": "externalId: No customer has this external id, and an external id never enrols one.",
                     *           "details": {
                     *             "externalId": "No customer has this external id, and an external id never enrols one."
                     *           },
                     *           "requestId": "01981b81-6f40-7c11-8a1e-6c1d0e7f9b02"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["NotAccepted"][];
                        /** @description Send it as `cursor` for the next page; null at the end. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description Only the customer with exactly this number; write its + as %2B. */
                phone?: string;
                /** @description Only the customer with exactly this id. */
                externalId?: string;
                /** @description Only customers whose name, phone or external id holds this text, however it is cased. Behind the newest 20,000 customers, a text without three letters (a to z) or digits in a row, or one that thousands of customers hold, is looked for in steps of 20,000: a page may then be short or empty, and `nextCursor` goes on. */
                q?: string;
            };
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of customers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *           "phone": "+4915112345678",
                     *           "externalId": "C-1042",
                     *           "name": "Ana Beispiel",
                     *           "attributes": {
                     *             "tier": "gold",
                     *             "newsletter": true
                     *           },
                     *           "optedInAt": null,
                     *           "optedOutAt": null,
                     *           "createdAt": "2026-03-01T09:30:00.000Z",
                     *           "updatedAt": "2026-03-01T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Customer"][];
                        /** @description Send it as `cursor` for the next page; null at the end. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "phone": "+4915112345678",
                 *       "externalId": "C-1042",
                 *       "name": "Ana Beispiel",
                 *       "attributes": {
                 *         "tier": "gold",
                 *         "newsletter": true
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateCustomer"];
            };
        };
        responses: {
            /** @description The customer. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "phone": "+4915112345678",
                     *       "externalId": "C-1042",
                     *       "name": "Ana Beispiel",
                     *       "attributes": {
                     *         "tier": "gold",
                     *         "newsletter": true
                     *       },
                     *       "optedInAt": null,
                     *       "optedOutAt": null,
                     *       "createdAt": "2026-03-01T09:30:00.000Z",
                     *       "updatedAt": "2026-03-01T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Customer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    readCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "phone": "+4915112345678",
                     *       "externalId": "C-1042",
                     *       "name": "Ana Beispiel",
                     *       "attributes": {
                     *         "tier": "gold",
                     *         "newsletter": true
                     *       },
                     *       "optedInAt": null,
                     *       "optedOutAt": null,
                     *       "createdAt": "2026-03-01T09:30:00.000Z",
                     *       "updatedAt": "2026-03-01T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Customer"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    eraseCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person is erased. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ana Muster",
                 *       "attributes": {
                 *         "tier": "platinum",
                 *         "newsletter": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ChangeCustomer"];
            };
        };
        responses: {
            /** @description The customer as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "phone": "+4915112345678",
                     *       "externalId": "C-1042",
                     *       "name": "Ana Muster",
                     *       "attributes": {
                     *         "tier": "platinum"
                     *       },
                     *       "optedInAt": null,
                     *       "optedOutAt": null,
                     *       "createdAt": "2026-03-01T09:30:00.000Z",
                     *       "updatedAt": "2026-03-02T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Customer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    optInCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "evidence": "Ticked the box at checkout, order A-1042"
                 *     }
                 */
                "application/json": components["schemas"]["OptIn"];
            };
        };
        responses: {
            /** @description The customer, opted in; where `optedOutAt` is set, opted out all the same. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "phone": "+4915112345678",
                     *       "externalId": "C-1042",
                     *       "name": "Ana Beispiel",
                     *       "attributes": {
                     *         "tier": "gold",
                     *         "newsletter": true
                     *       },
                     *       "optedInAt": "2026-03-02T10:00:00.000Z",
                     *       "optedOutAt": null,
                     *       "createdAt": "2026-03-01T09:30:00.000Z",
                     *       "updatedAt": "2026-03-01T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Customer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    optOutCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "Asked on the phone"
                 *     }
                 */
                "application/json": components["schemas"]["OptOut"];
            };
        };
        responses: {
            /** @description The customer, opted out. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "phone": "+4915112345678",
                     *       "externalId": "C-1042",
                     *       "name": "Ana Beispiel",
                     *       "attributes": {
                     *         "tier": "gold",
                     *         "newsletter": true
                     *       },
                     *       "optedInAt": null,
                     *       "optedOutAt": "2026-03-02T10:00:00.000Z",
                     *       "createdAt": "2026-03-01T09:30:00.000Z",
                     *       "updatedAt": "2026-03-01T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Customer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    readTimeline: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of what happened. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01981b7e-4400-7a51-9a64-1f0f5c3d7e06",
                     *           "kind": "message",
                     *           "at": "2026-03-01T09:30:02.048Z",
                     *           "direction": "outbound",
                     *           "text": "Thank you, Ana Beispiel! Your order over 129.9 has arrived.",
                     *           "status": "delivered",
                     *           "detail": null,
                     *           "conversationId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01",
                     *           "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d01"
                     *         },
                     *         {
                     *           "id": "01981b7e-3c05-7a51-9a64-1f0f5c3d7f02",
                     *           "kind": "run",
                     *           "at": "2026-03-01T09:30:00.005Z",
                     *           "workflowId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7f01",
                     *           "workflowName": "Thank for the order",
                     *           "version": 1,
                     *           "eventId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7c01",
                     *           "status": "done",
                     *           "endReason": "completed",
                     *           "endedAt": "2026-03-01T09:30:02.050Z"
                     *         },
                     *         {
                     *           "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7c01",
                     *           "kind": "event",
                     *           "at": "2026-03-01T09:30:00.000Z",
                     *           "type": "order.created",
                     *           "source": "api",
                     *           "sender": "custom",
                     *           "data": {
                     *             "orderId": "A-1042",
                     *             "total": 129.9,
                     *             "currency": "EUR"
                     *           },
                     *           "matchedWorkflows": 1
                     *         },
                     *         {
                     *           "id": "01981b7e-3bff-7a51-9a64-1f0f5c3d7c00",
                     *           "kind": "opt_in",
                     *           "at": "2026-03-01T09:30:00.000Z",
                     *           "source": "api",
                     *           "words": "Ticked the box at checkout, order A-1042",
                     *           "eventId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7c01"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TimelineItem"][];
                        /** @description Send it as `cursor` for the next page; null at the end. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listWorkflows: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of workflows. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7f01",
                     *           "name": "Thank for the order",
                     *           "enabled": false,
                     *           "triggerType": "order.created",
                     *           "publishedVersion": null,
                     *           "draft": {
                     *             "trigger": {
                     *               "eventType": "order.created"
                     *             },
                     *             "start": "wait",
                     *             "steps": {
                     *               "wait": {
                     *                 "type": "delay",
                     *                 "for": "PT2S",
                     *                 "next": "big"
                     *               },
                     *               "big": {
                     *                 "type": "condition",
                     *                 "if": {
                     *                   "path": "data.total",
                     *                   "op": "gte",
                     *                   "value": 200
                     *                 },
                     *                 "then": "vip",
                     *                 "else": "thanks"
                     *               },
                     *               "vip": {
                     *                 "type": "send_message",
                     *                 "text": "Dear {{customer.name|customer}}, thank you for your order of {{data.total}}. A gift is on its way.",
                     *                 "next": null
                     *               },
                     *               "thanks": {
                     *                 "type": "send_message",
                     *                 "text": "Thank you, {{customer.name|dear customer}}! Your order over {{data.total}} has arrived.",
                     *                 "next": null
                     *               }
                     *             }
                     *           },
                     *           "createdAt": "2026-03-01T09:00:00.000Z",
                     *           "updatedAt": "2026-03-01T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Workflow"][];
                        /** @description Send it as `cursor` for the next page; null at the end. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Thank for the order",
                 *       "definition": {
                 *         "trigger": {
                 *           "eventType": "order.created"
                 *         },
                 *         "start": "wait",
                 *         "steps": {
                 *           "wait": {
                 *             "type": "delay",
                 *             "for": "PT2S",
                 *             "next": "big"
                 *           },
                 *           "big": {
                 *             "type": "condition",
                 *             "if": {
                 *               "path": "data.total",
                 *               "op": "gte",
                 *               "value": 200
                 *             },
                 *             "then": "vip",
                 *             "else": "thanks"
                 *           },
                 *           "vip": {
                 *             "type": "send_message",
                 *             "text": "Dear {{customer.name|customer}}, thank you for your order of {{data.total}}. A gift is on its way.",
                 *             "next": null
                 *           },
                 *           "thanks": {
                 *             "type": "send_message",
                 *             "text": "Thank you, {{customer.name|dear customer}}! Your order over {{data.total}} has arrived.",
                 *             "next": null
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateWorkflow"];
            };
        };
        responses: {
            /** @description The workflow. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7f01",
                     *       "name": "Thank for the order",
                     *       "enabled": false,
                     *       "triggerType": "order.created",
                     *       "publishedVersion": null,
                     *       "draft": {
                     *         "trigger": {
                     *           "eventType": "order.created"
                     *         },
                     *         "start": "wait",
                     *         "steps": {
                     *           "wait": {
                     *             "type": "delay",
                     *             "for": "PT2S",
                     *             "next": "big"
                     *           },
                     *           "big": {
                     *             "type": "condition",
                     *             "if": {
                     *               "path": "data.total",
                     *               "op": "gte",
                     *               "value": 200
                     *             },
                     *             "then": "vip",
                     *             "else": "thanks"
                     *           },
                     *           "vip": {
                     *             "type": "send_message",
                     *             "text": "Dear {{customer.name|customer}}, thank you for your order of {{data.total}}. A gift is on its way.",
                     *             "next": null
                     *           },
                     *           "thanks": {
                     *             "type": "send_message",
                     *             "text": "Thank you, {{customer.name|dear customer}}! Your order over {{data.total}} has arrived.",
                     *             "next": null
                     *           }
                     *         }
                     *       },
                     *       "createdAt": "2026-03-01T09:00:00.000Z",
                     *       "updatedAt": "2026-03-01T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    readWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workflow. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7f01",
                     *       "name": "Thank for the order",
                     *       "enabled": false,
                     *       "triggerType": "order.created",
                     *       "publishedVersion": null,
                     *       "draft": {
                     *         "trigger": {
                     *           "eventType": "order.created"
                     *         },
                     *         "start": "wait",
                     *         "steps": {
                     *           "wait": {
                     *             "type": "delay",
                     *             "for": "PT2S",
                     *             "next": "big"
                     *           },
                     *           "big": {
                     *             "type": "condition",
                     *             "if": {
                     *               "path": "data.total",
                     *               "op": "gte",
                     *               "value": 200
                     *             },
                     *             "then": "vip",
                     *             "else": "thanks"
                     *           },
                     *           "vip": {
                     *             "type": "send_message",
                     *             "text": "Dear {{customer.name|customer}}, thank you for your order of {{data.total}}. A gift is on its way.",
                     *             "next": null
                     *           },
                     *           "thanks": {
                     *             "type": "send_message",
                     *             "text": "Thank you, {{customer.name|dear customer}}! Your order over {{data.total}} has arrived.",
                     *             "next": null
                     *           }
                     *         }
                     *       },
                     *       "createdAt": "2026-03-01T09:00:00.000Z",
                     *       "updatedAt": "2026-03-01T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["ChangeWorkflow"];
            };
        };
        responses: {
            /** @description The workflow as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7f01",
                     *       "name": "Thank for the order",
                     *       "enabled": true,
                     *       "triggerType": "order.created",
                     *       "publishedVersion": null,
                     *       "draft": {
                     *         "trigger": {
                     *           "eventType": "order.created"
                     *         },
                     *         "start": "wait",
                     *         "steps": {
                     *           "wait": {
                     *             "type": "delay",
                     *             "for": "PT2S",
                     *             "next": "big"
                     *           },
                     *           "big": {
                     *             "type": "condition",
                     *             "if": {
                     *               "path": "data.total",
                     *               "op": "gte",
                     *               "value": 200
                     *             },
                     *             "then": "vip",
                     *             "else": "thanks"
                     *           },
                     *           "vip": {
                     *             "type": "send_message",
                     *             "text": "Dear {{customer.name|customer}}, thank you for your order of {{data.total}}. A gift is on its way.",
                     *             "next": null
                     *           },
                     *           "thanks": {
                     *             "type": "send_message",
                     *             "text": "Thank you, {{customer.name|dear customer}}! Your order over {{data.total}} has arrived.",
                     *             "next": null
                     *           }
                     *         }
                     *       },
                     *       "createdAt": "2026-03-01T09:00:00.000Z",
                     *       "updatedAt": "2026-03-01T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    publishWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workflow with its new published version. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7f01",
                     *       "name": "Thank for the order",
                     *       "enabled": false,
                     *       "triggerType": "order.created",
                     *       "publishedVersion": 1,
                     *       "draft": {
                     *         "trigger": {
                     *           "eventType": "order.created"
                     *         },
                     *         "start": "wait",
                     *         "steps": {
                     *           "wait": {
                     *             "type": "delay",
                     *             "for": "PT2S",
                     *             "next": "big"
                     *           },
                     *           "big": {
                     *             "type": "condition",
                     *             "if": {
                     *               "path": "data.total",
                     *               "op": "gte",
                     *               "value": 200
                     *             },
                     *             "then": "vip",
                     *             "else": "thanks"
                     *           },
                     *           "vip": {
                     *             "type": "send_message",
                     *             "text": "Dear {{customer.name|customer}}, thank you for your order of {{data.total}}. A gift is on its way.",
                     *             "next": null
                     *           },
                     *           "thanks": {
                     *             "type": "send_message",
                     *             "text": "Thank you, {{customer.name|dear customer}}! Your order over {{data.total}} has arrived.",
                     *             "next": null
                     *           }
                     *         }
                     *       },
                     *       "createdAt": "2026-03-01T09:00:00.000Z",
                     *       "updatedAt": "2026-03-01T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listRuns: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of runs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7f02",
                     *           "workflowId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7f01",
                     *           "version": 1,
                     *           "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *           "eventId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7c01",
                     *           "status": "done",
                     *           "stepId": null,
                     *           "wakeAt": null,
                     *           "endReason": "completed",
                     *           "createdAt": "2026-03-01T09:30:00.000Z",
                     *           "endedAt": "2026-03-01T09:30:02.000Z",
                     *           "steps": [
                     *             {
                     *               "stepId": "wait",
                     *               "outcome": "waiting",
                     *               "detail": {
                     *                 "until": "2026-03-01T09:30:02.000Z"
                     *               },
                     *               "at": "2026-03-01T09:30:00.000Z"
                     *             },
                     *             {
                     *               "stepId": "big",
                     *               "outcome": "else",
                     *               "detail": null,
                     *               "at": "2026-03-01T09:30:02.000Z"
                     *             },
                     *             {
                     *               "stepId": "thanks",
                     *               "outcome": "queued",
                     *               "detail": null,
                     *               "at": "2026-03-01T09:30:02.000Z"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Run"][];
                        /** @description Send it as `cursor` for the next page; null at the end. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listChannels: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of channels. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d01",
                     *           "kind": "sandbox",
                     *           "name": "Sandbox",
                     *           "createdAt": "2026-03-01T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Channel"][];
                        /** @description Send it as `cursor` for the next page; null at the end. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    connectChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "sandbox",
                 *       "name": "Sandbox"
                 *     }
                 */
                "application/json": components["schemas"]["ConnectChannel"];
            };
        };
        responses: {
            /** @description The channel. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d01",
                     *       "kind": "sandbox",
                     *       "name": "Sandbox",
                     *       "createdAt": "2026-03-01T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Channel"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listMessages: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                customerId?: string;
            };
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of messages. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e06",
                     *           "conversationId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01",
                     *           "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d01",
                     *           "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *           "direction": "outbound",
                     *           "text": "Thank you, Ana! Your order is on its way.",
                     *           "status": "delivered",
                     *           "providerMessageId": "sandbox-01981b7e-3c00-7a51-9a64-1f0f5c3d7e06",
                     *           "detail": null,
                     *           "createdAt": "2026-03-01T09:30:02.000Z",
                     *           "updatedAt": "2026-03-01T09:30:02.040Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Message"][];
                        /** @description Send it as `cursor` for the next page; null at the end. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of endpoints. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e05",
                     *           "url": "https://hooks.example.com/engagement",
                     *           "description": "order system",
                     *           "events": [
                     *             "message.status",
                     *             "customer.opted_out"
                     *           ],
                     *           "enabled": true,
                     *           "created": "2026-03-01T09:00:00.000Z",
                     *           "updated": "2026-03-01T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Webhook"][];
                        /** @description Send it as `cursor` for the next page; null at the end. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://hooks.example.com/engagement",
                 *       "description": "order system",
                 *       "events": [
                 *         "message.status",
                 *         "customer.opted_out"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebhook"];
            };
        };
        responses: {
            /** @description The endpoint with its secret. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e05",
                     *       "url": "https://hooks.example.com/engagement",
                     *       "description": "order system",
                     *       "events": [
                     *         "message.status",
                     *         "customer.opted_out"
                     *       ],
                     *       "enabled": true,
                     *       "created": "2026-03-01T09:00:00.000Z",
                     *       "updated": "2026-03-01T09:00:00.000Z",
                     *       "secret": "whsec_ZXhhbXBsZSBzZWNyZXQgb2YgMzIgYnl0ZXMgaGVyZSE"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    verifyWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "secret": "whsec_ZXhhbXBsZSBzZWNyZXQgb2YgMzIgYnl0ZXMgaGVyZSE",
                 *       "headers": {
                 *         "X-Service-Signature": "t=1772357402,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd"
                 *       },
                 *       "body": "{\"type\": \"ping\"}",
                 *       "at": "2026-03-01T09:30:03Z"
                 *     }
                 */
                "application/json": components["schemas"]["VerifyWebhook"];
            };
        };
        responses: {
            /** @description The verdict; `valid` says whether a receiver should accept it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "valid": false,
                     *       "problems": [
                     *         {
                     *           "code": "digest_mismatch",
                     *           "message": "No v1 is the digest of this body with this secret: the secret is another one, or the body was changed."
                     *         }
                     *       ],
                     *       "timestamp": 1772357402,
                     *       "secondsOff": 1,
                     *       "matched": null,
                     *       "expected": "12f4240df991ed3928833a0a82ec047d4e03bcf8cbcbcbec669ea86ea6ae5aee"
                     *     }
                     */
                    "application/json": components["schemas"]["Verification"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    readWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e05",
                     *       "url": "https://hooks.example.com/engagement",
                     *       "description": "order system",
                     *       "events": [
                     *         "message.status",
                     *         "customer.opted_out"
                     *       ],
                     *       "enabled": true,
                     *       "created": "2026-03-01T09:00:00.000Z",
                     *       "updated": "2026-03-01T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint is gone. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": false
                 *     }
                 */
                "application/json": components["schemas"]["ChangeWebhook"];
            };
        };
        responses: {
            /** @description The endpoint as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e05",
                     *       "url": "https://hooks.example.com/engagement",
                     *       "description": "order system",
                     *       "events": [
                     *         "message.status",
                     *         "customer.opted_out"
                     *       ],
                     *       "enabled": false,
                     *       "created": "2026-03-01T09:00:00.000Z",
                     *       "updated": "2026-03-01T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint with its new secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e05",
                     *       "url": "https://hooks.example.com/engagement",
                     *       "description": "order system",
                     *       "events": [
                     *         "message.status",
                     *         "customer.opted_out"
                     *       ],
                     *       "enabled": true,
                     *       "created": "2026-03-01T09:00:00.000Z",
                     *       "updated": "2026-03-01T09:00:00.000Z",
                     *       "secret": "whsec_ZXhhbXBsZSBzZWNyZXQgb2YgMzIgYnl0ZXMgaGVyZSE"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery of the ping; read it again to see how it went. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e07",
                     *       "eventId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e08",
                     *       "eventType": "ping",
                     *       "status": "pending",
                     *       "attempts": 0,
                     *       "statusCode": null,
                     *       "error": null,
                     *       "durationMs": null,
                     *       "createdAt": "2026-03-01T09:30:02.050Z",
                     *       "lastAttemptAt": null,
                     *       "nextAttemptAt": "2026-03-01T09:30:02.050Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The newest 50, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e07",
                     *           "eventId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e08",
                     *           "eventType": "message.status",
                     *           "status": "delivered",
                     *           "attempts": 1,
                     *           "statusCode": 200,
                     *           "error": null,
                     *           "durationMs": 31,
                     *           "createdAt": "2026-03-01T09:30:02.050Z",
                     *           "lastAttemptAt": "2026-03-01T09:30:02.060Z",
                     *           "nextAttemptAt": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    readDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                id: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e07",
                     *       "eventId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e08",
                     *       "eventType": "message.status",
                     *       "status": "delivered",
                     *       "attempts": 1,
                     *       "statusCode": 200,
                     *       "error": null,
                     *       "durationMs": 31,
                     *       "createdAt": "2026-03-01T09:30:02.050Z",
                     *       "lastAttemptAt": "2026-03-01T09:30:02.060Z",
                     *       "nextAttemptAt": null,
                     *       "request": {
                     *         "headers": {
                     *           "Content-Type": "application/json",
                     *           "X-Service-Event": "message.status",
                     *           "X-Service-Event-Id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e08",
                     *           "X-Service-Delivery": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e07",
                     *           "X-Service-Attempt": "1/8",
                     *           "X-Service-Signature": "t=1772357402,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd"
                     *         },
                     *         "body": "{\"id\":\"01981b7e-3c00-7a51-9a64-1f0f5c3d7e08\",\"type\":\"message.status\", …}"
                     *       },
                     *       "attemptLog": [
                     *         {
                     *           "at": "2026-03-01T09:30:02.060Z",
                     *           "statusCode": 200,
                     *           "error": null,
                     *           "durationMs": 31,
                     *           "responseBody": "ok"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryDetail"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    retryDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                id: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, with the attempt due now. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e07",
                     *       "eventId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e08",
                     *       "eventType": "message.status",
                     *       "status": "retrying",
                     *       "attempts": 8,
                     *       "statusCode": null,
                     *       "error": null,
                     *       "durationMs": null,
                     *       "createdAt": "2026-03-01T09:30:02.050Z",
                     *       "lastAttemptAt": null,
                     *       "nextAttemptAt": "2026-03-01T09:30:02.050Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listOutboundEvents: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description Only events of this type. */
                type?: "message.received" | "message.status" | "sale.created" | "customer.opted_out" | "campaign.completed" | "ping";
            };
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of outbound events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e08",
                     *           "type": "message.status",
                     *           "createdAt": "2026-03-01T09:30:02.050Z",
                     *           "fannedOutAt": "2026-03-01T09:30:02.056Z",
                     *           "data": {
                     *             "conversationId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01",
                     *             "providerMessageId": "sandbox-01981b7e-3c00-7a51-9a64-1f0f5c3d7e06",
                     *             "status": "delivered",
                     *             "detail": null
                     *           },
                     *           "sentTo": 1,
                     *           "passedOver": 1
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["OutboundEvent"][];
                        /** @description Send it as `cursor` for the next page; null at the end. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    readOutboundEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event and its destinations. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e08",
                     *       "type": "message.status",
                     *       "createdAt": "2026-03-01T09:30:02.050Z",
                     *       "fannedOutAt": "2026-03-01T09:30:02.056Z",
                     *       "data": {
                     *         "conversationId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01",
                     *         "providerMessageId": "sandbox-01981b7e-3c00-7a51-9a64-1f0f5c3d7e06",
                     *         "status": "delivered",
                     *         "detail": null
                     *       },
                     *       "sentTo": 1,
                     *       "passedOver": 1,
                     *       "destinations": [
                     *         {
                     *           "webhookId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e05",
                     *           "url": "https://hooks.example.com/engagement",
                     *           "deliveryId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e07",
                     *           "status": "delivered",
                     *           "reason": null
                     *         },
                     *         {
                     *           "webhookId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e06",
                     *           "url": "https://sales.example.com/hook",
                     *           "deliveryId": null,
                     *           "status": null,
                     *           "reason": "not_subscribed"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["OutboundEventDetail"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7a01",
                     *           "name": "web shop",
                     *           "prefix": "ces_Y2FyZWZ1",
                     *           "created": "2026-03-01T09:30:00.000Z",
                     *           "revoked": null,
                     *           "lastUsedAt": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ApiKey"][];
                        /** @description Send it as `cursor` for the next page; null at the end. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    issueApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "web shop"
                 *     }
                 */
                "application/json": components["schemas"]["IssueApiKey"];
            };
        };
        responses: {
            /** @description The new key. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7a01",
                     *       "name": "web shop",
                     *       "prefix": "ces_Y2FyZWZ1",
                     *       "created": "2026-03-01T09:30:00.000Z",
                     *       "revoked": null,
                     *       "lastUsedAt": null,
                     *       "key": "ces_Y2FyZWZ1bGx5IGNob3NlbiBieXRlcyBmb3IgYW4gZXg"
                     *     }
                     */
                    "application/json": components["schemas"]["IssuedApiKey"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key opens nothing from now on. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "owner@example.com",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description A session of 30 days. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "ses_bm90IGEgcmVhbCB0b2tlbiwgb25seSBhbiBleGFtcGw",
                     *       "expiresAt": "2026-03-31T09:30:00.000Z",
                     *       "user": {
                     *         "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b01",
                     *         "email": "owner@example.com",
                     *         "name": "Ana Owner"
                     *       },
                     *       "workspace": {
                     *         "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b02",
                     *         "name": "My workspace"
                     *       },
                     *       "role": "owner"
                     *     }
                     */
                    "application/json": components["schemas"]["NewSession"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "inv_bm90IGEgcmVhbCB0b2tlbiwgb25seSBhbiBleGFtcGw",
                 *       "name": "Ben Agent",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["AcceptInvitation"];
            };
        };
        responses: {
            /** @description A session of 30 days. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "ses_bm90IGEgcmVhbCB0b2tlbiwgb25seSBhbiBleGFtcGw",
                     *       "expiresAt": "2026-03-31T09:30:00.000Z",
                     *       "user": {
                     *         "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b01",
                     *         "email": "owner@example.com",
                     *         "name": "Ana Owner"
                     *       },
                     *       "workspace": {
                     *         "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b02",
                     *         "name": "My workspace"
                     *       },
                     *       "role": "owner"
                     *     }
                     */
                    "application/json": components["schemas"]["NewSession"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    readSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person, the workspace and the role of this session. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "expiresAt": "2026-03-31T09:30:00.000Z",
                     *       "user": {
                     *         "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b01",
                     *         "email": "owner@example.com",
                     *         "name": "Ana Owner"
                     *       },
                     *       "workspace": {
                     *         "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b02",
                     *         "name": "My workspace"
                     *       },
                     *       "role": "owner"
                     *     }
                     */
                    "application/json": components["schemas"]["Session"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listMyWorkspaces: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every workspace of this person. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b02",
                     *           "name": "My workspace",
                     *           "role": "owner"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MyWorkspaces"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of members. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b03",
                     *           "email": "ben@example.com",
                     *           "name": "Ben Agent",
                     *           "role": "agent",
                     *           "status": "active",
                     *           "invitedAt": "2026-03-01T09:30:00.000Z",
                     *           "joinedAt": "2026-03-01T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Member"][];
                        /** @description Send it as `cursor` for the next page; null at the end. */
                        nextCursor: string | null;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ben@example.com",
                 *       "role": "agent",
                 *       "name": "Ben Agent"
                 *     }
                 */
                "application/json": components["schemas"]["InviteMember"];
            };
        };
        responses: {
            /** @description The invitation, which takes a team seat. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b03",
                     *       "email": "ben@example.com",
                     *       "name": "Ben Agent",
                     *       "role": "agent",
                     *       "status": "invited",
                     *       "invitedAt": "2026-03-01T09:30:00.000Z",
                     *       "joinedAt": null,
                     *       "invitation": {
                     *         "url": "https://engage.example.com/accept-invitation#token=inv_bm90IGEgcmVhbCB0b2tlbiwgb25seSBhbiBleGFtcGw",
                     *         "token": "inv_bm90IGEgcmVhbCB0b2tlbiwgb25seSBhbiBleGFtcGw",
                     *         "expiresAt": "2026-03-08T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["InvitedMember"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They are not in the team any more. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "owner"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeMember"];
            };
        };
        responses: {
            /** @description The member as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b03",
                     *       "email": "ben@example.com",
                     *       "name": "Ben Agent",
                     *       "role": "owner",
                     *       "status": "active",
                     *       "invitedAt": "2026-03-01T09:30:00.000Z",
                     *       "joinedAt": "2026-03-01T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    readEntitlements: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plan of the workspace. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "plan": {
                     *         "id": "starter",
                     *         "name": "Starter"
                     *       },
                     *       "features": {
                     *         "api": true,
                     *         "webhooks": true,
                     *         "workflows": true,
                     *         "campaigns": true,
                     *         "ai": false
                     *       },
                     *       "allowances": {
                     *         "activeWorkflows": {
                     *           "limit": 20,
                     *           "used": 4
                     *         },
                     *         "teamSeats": {
                     *           "limit": 5,
                     *           "used": 2
                     *         },
                     *         "connectedNumbers": {
                     *           "limit": 2,
                     *           "used": 1
                     *         },
                     *         "templates": {
                     *           "limit": 50,
                     *           "used": 0
                     *         },
                     *         "monthlyEvents": {
                     *           "limit": 50000,
                     *           "used": 1234,
                     *           "resetsAt": "2026-04-01T00:00:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Entitlements"];
                };
            };
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    on_message_received: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type. */
                "X-Service-Event": "message.received";
                /** @description The same as `id` of the body. */
                "X-Service-Event-Id": string;
                /** @description This delivery; the same at each of its attempts. */
                "X-Service-Delivery": string;
                /** @description Which attempt of how many: `2/8`; those that a person asks for after the last one count on, `9/9`. */
                "X-Service-Attempt": string;
                /** @description Only where a person asked for this attempt. */
                "X-Service-Retry"?: "manual";
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 with the endpoint’s secret over `<t>.<raw body>`. Reject when no `v1` matches in constant time, or when `t` is more than 300 seconds off. After a rotation there are two `v1`. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e08",
                 *       "type": "message.received",
                 *       "createdAt": "2026-03-01T09:30:02.050Z",
                 *       "workspaceId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b02",
                 *       "data": {
                 *         "conversationId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01",
                 *         "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                 *         "from": "+4915112345678",
                 *         "type": "text",
                 *         "text": "Where is my order?",
                 *         "sentAt": "2026-03-01T09:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The event. Ignore ids already handled.
                     */
                    id: string;
                    /** @constant */
                    type: "message.received";
                    /** Format: date-time */
                    createdAt: string;
                    /** Format: uuid */
                    workspaceId: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description UUIDv7.
                         */
                        conversationId: string;
                        /**
                         * Format: uuid
                         * @description UUIDv7.
                         */
                        customerId: string;
                        from: string | null;
                        /** @enum {string} */
                        type: "text" | "image" | "audio" | "video" | "document" | "location" | "other";
                        text: string | null;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC, milliseconds.
                         */
                        sentAt: string;
                    };
                };
            };
        };
        responses: {
            /** @description Received. Nothing is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again by the schedule. Redirects are not followed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_message_status: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type. */
                "X-Service-Event": "message.status";
                /** @description The same as `id` of the body. */
                "X-Service-Event-Id": string;
                /** @description This delivery; the same at each of its attempts. */
                "X-Service-Delivery": string;
                /** @description Which attempt of how many: `2/8`; those that a person asks for after the last one count on, `9/9`. */
                "X-Service-Attempt": string;
                /** @description Only where a person asked for this attempt. */
                "X-Service-Retry"?: "manual";
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 with the endpoint’s secret over `<t>.<raw body>`. Reject when no `v1` matches in constant time, or when `t` is more than 300 seconds off. After a rotation there are two `v1`. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e08",
                 *       "type": "message.status",
                 *       "createdAt": "2026-03-01T09:30:02.050Z",
                 *       "workspaceId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b02",
                 *       "data": {
                 *         "conversationId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01",
                 *         "providerMessageId": "sandbox-01981b7e-3c00-7a51-9a64-1f0f5c3d7e06",
                 *         "status": "delivered",
                 *         "detail": null
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The event. Ignore ids already handled.
                     */
                    id: string;
                    /** @constant */
                    type: "message.status";
                    /** Format: date-time */
                    createdAt: string;
                    /** Format: uuid */
                    workspaceId: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description UUIDv7.
                         */
                        conversationId: string;
                        providerMessageId: string;
                        /** @enum {string} */
                        status: "delivered" | "read" | "failed";
                        detail: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description Received. Nothing is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again by the schedule. Redirects are not followed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_sale_created: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type. */
                "X-Service-Event": "sale.created";
                /** @description The same as `id` of the body. */
                "X-Service-Event-Id": string;
                /** @description This delivery; the same at each of its attempts. */
                "X-Service-Delivery": string;
                /** @description Which attempt of how many: `2/8`; those that a person asks for after the last one count on, `9/9`. */
                "X-Service-Attempt": string;
                /** @description Only where a person asked for this attempt. */
                "X-Service-Retry"?: "manual";
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 with the endpoint’s secret over `<t>.<raw body>`. Reject when no `v1` matches in constant time, or when `t` is more than 300 seconds off. After a rotation there are two `v1`. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e08",
                 *       "type": "sale.created",
                 *       "createdAt": "2026-03-01T09:30:02.050Z",
                 *       "workspaceId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b02",
                 *       "data": {
                 *         "saleId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e03",
                 *         "conversationId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01",
                 *         "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                 *         "amount": 129.9,
                 *         "currency": "EUR",
                 *         "note": "Two pairs"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The event. Ignore ids already handled.
                     */
                    id: string;
                    /** @constant */
                    type: "sale.created";
                    /** Format: date-time */
                    createdAt: string;
                    /** Format: uuid */
                    workspaceId: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description UUIDv7.
                         */
                        saleId: string;
                        /**
                         * Format: uuid
                         * @description UUIDv7.
                         */
                        conversationId: string;
                        /**
                         * Format: uuid
                         * @description UUIDv7.
                         */
                        customerId: string;
                        /** @description Decimal, exact, up to 3 places. */
                        amount: number;
                        /** @description ISO 4217. */
                        currency: string;
                        note: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description Received. Nothing is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again by the schedule. Redirects are not followed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_customer_opted_out: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type. */
                "X-Service-Event": "customer.opted_out";
                /** @description The same as `id` of the body. */
                "X-Service-Event-Id": string;
                /** @description This delivery; the same at each of its attempts. */
                "X-Service-Delivery": string;
                /** @description Which attempt of how many: `2/8`; those that a person asks for after the last one count on, `9/9`. */
                "X-Service-Attempt": string;
                /** @description Only where a person asked for this attempt. */
                "X-Service-Retry"?: "manual";
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 with the endpoint’s secret over `<t>.<raw body>`. Reject when no `v1` matches in constant time, or when `t` is more than 300 seconds off. After a rotation there are two `v1`. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e08",
                 *       "type": "customer.opted_out",
                 *       "createdAt": "2026-03-01T09:30:02.050Z",
                 *       "workspaceId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b02",
                 *       "data": {
                 *         "channel": "sandbox",
                 *         "handle": "+4915112345678",
                 *         "scope": "all",
                 *         "reason": "STOP"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The event. Ignore ids already handled.
                     */
                    id: string;
                    /** @constant */
                    type: "customer.opted_out";
                    /** Format: date-time */
                    createdAt: string;
                    /** Format: uuid */
                    workspaceId: string;
                    data: {
                        channel: string | null;
                        handle: string | null;
                        /** @constant */
                        scope: "all";
                        /** @description The word the customer wrote, or the reason given; `erased` once the customer was. */
                        reason: string;
                    };
                };
            };
        };
        responses: {
            /** @description Received. Nothing is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again by the schedule. Redirects are not followed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_campaign_completed: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type. */
                "X-Service-Event": "campaign.completed";
                /** @description The same as `id` of the body. */
                "X-Service-Event-Id": string;
                /** @description This delivery; the same at each of its attempts. */
                "X-Service-Delivery": string;
                /** @description Which attempt of how many: `2/8`; those that a person asks for after the last one count on, `9/9`. */
                "X-Service-Attempt": string;
                /** @description Only where a person asked for this attempt. */
                "X-Service-Retry"?: "manual";
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 with the endpoint’s secret over `<t>.<raw body>`. Reject when no `v1` matches in constant time, or when `t` is more than 300 seconds off. After a rotation there are two `v1`. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e08",
                 *       "type": "campaign.completed",
                 *       "createdAt": "2026-03-01T09:30:02.050Z",
                 *       "workspaceId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b02",
                 *       "data": {
                 *         "campaignId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e04",
                 *         "name": "Spring sale",
                 *         "sent": 480,
                 *         "skipped": 12,
                 *         "unknown": 0
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The event. Ignore ids already handled.
                     */
                    id: string;
                    /** @constant */
                    type: "campaign.completed";
                    /** Format: date-time */
                    createdAt: string;
                    /** Format: uuid */
                    workspaceId: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description UUIDv7.
                         */
                        campaignId: string;
                        name: string;
                        sent: number;
                        skipped: number;
                        /** @description The send was begun and its outcome never became known. */
                        unknown: number;
                    };
                };
            };
        };
        responses: {
            /** @description Received. Nothing is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again by the schedule. Redirects are not followed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_ping: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type. */
                "X-Service-Event": "ping";
                /** @description The same as `id` of the body. */
                "X-Service-Event-Id": string;
                /** @description This delivery; the same at each of its attempts. */
                "X-Service-Delivery": string;
                /** @description Which attempt of how many: `2/8`; those that a person asks for after the last one count on, `9/9`. */
                "X-Service-Attempt": string;
                /** @description Only where a person asked for this attempt. */
                "X-Service-Retry"?: "manual";
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 with the endpoint’s secret over `<t>.<raw body>`. Reject when no `v1` matches in constant time, or when `t` is more than 300 seconds off. After a rotation there are two `v1`. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e08",
                 *       "type": "ping",
                 *       "createdAt": "2026-03-01T09:30:02.050Z",
                 *       "workspaceId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b02",
                 *       "data": {
                 *         "webhookId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e05"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The event. Ignore ids already handled.
                     */
                    id: string;
                    /** @constant */
                    type: "ping";
                    /** Format: date-time */
                    createdAt: string;
                    /** Format: uuid */
                    workspaceId: string;
                    data: {
                        /**
                         * Format: uuid
                         * @description UUIDv7.
                         */
                        webhookId: string;
                    };
                };
            };
        };
        responses: {
            /** @description Received. Nothing is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again by the schedule. Redirects are not followed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
