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
         * @description Returns events of the workspace, newest first. You can filter by type or by customer.
         *
         *     For API keys and for all members of the workspace. Calls with an API key require the feature `api`.
         */
        get: operations["listEvents"];
        put?: never;
        /**
         * Record an event
         * @description Records the event and starts the workflows whose trigger equals `type` for the customer. Requires `phone`, `customerId` or `externalId`. The service looks up the customer by `customerId`, then `externalId`, then `phone`. Only a `phone` alone enrols a new customer. With an `idempotencyKey`, a retried call records nothing. Without one, a retried call records a second event.
         *
         *     For API keys and for all members of the workspace. Calls with an API key require the feature `api`. Uses the allowance `monthlyEvents`.
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
         * @description Records 1 to 500 events in their order, each independently. Each position of `data` contains the response that POST /v1/events would return, with its `status`. A rejected event does not stop the other events.
         *
         *     The whole batch is rejected only if the body itself is not valid. This happens if the body is not JSON, or has an unknown field or a character that cannot be stored. It also happens if `events` is not a list of 1 to 500.
         *
         *     A batch counts as one call per event for the rate limit. One batch is accepted at any size. If it exceeds the limit, later calls get 429 with `Retry-After`.
         *
         *     The body can have at most 1 MiB. When the response reaches 4 MiB, it omits `data` of events that were recorded before (`dataLeftOut`). It also omits `outcomes` (`outcomesLeftOut`).
         *
         *     For API keys and for all members of the workspace. Calls with an API key require the feature `api`. Uses the allowance `monthlyEvents`.
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
         * Check an event without recording it
         * @description Checks an event and returns the response that POST /v1/events would give now, and the effects of the event. Nothing is recorded, counted or started. The response contains the errors of the event. The call is rejected only if the body is not a JSON object or contains a character that cannot be stored.
         *
         *     For API keys and for all members of the workspace. Calls with an API key require the feature `api`.
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
         * @description Returns the event with the outcome of each workflow that named its type at the time of recording. Also returns the messages of its runs.
         *
         *     For API keys and for all members of the workspace. Calls with an API key require the feature `api`.
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
         * List events with their results
         * @description Returns every received event, newest first. Each event has the automations that it started, or the reason why none ran. The reason is the one at the time of recording.
         *
         *     For all members of the workspace. API keys cannot call it.
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
    "/v1/activity/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Summarize activity by hour or by day
         * @description Returns counts for each hour or day, oldest first. Hours and days without activity are included. Each count is committed in the same transaction as the counted record. Erasing a customer does not change counts.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        get: operations["summariseActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/attention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List alerts
         * @description Returns the current problems of the workspace, at most 50. Alerts are sorted by kind, the most severe first. Within a kind, the oldest alert comes first.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        get: operations["listAttention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search records
         * @description Finds at most 20 records by ID, number or the beginning of a name. Exact matches come first. Only owners find deliveries, and the endpoint of a delivery follows it. A rejected event is found by the `request_id` of its latest occurrence. Erased customers are not found.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        get: operations["search"];
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
         * List rejected events
         * @description Returns rejected events with the exact error message that the sender received, newest first. Repeats of an error within 10 minutes of its first occurrence are one entry with a count. The newest 500 entries of 30 days are kept. Rejected events are not replayed.
         *
         *     For all members of the workspace. API keys cannot call it.
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
    "/v1/activity/not-accepted/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a rejected event
         * @description Returns one entry of the list of rejected events, as long as the list keeps it.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        get: operations["readNotAccepted"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream changes of the workspace
         * @description Streams the changes of the workspace as Server-Sent Events. Each event has `event:`, `id:` and `data:`, and `data` is a JSON object. Events arrive within about a second, or later under load. An event names the changed record. Fetch the record for all other fields. Simultaneous changes are sent in the order of `at`. The same change can be sent twice.
         *
         *     - `event`: An event was recorded. `id` (ID of the event); `at` (Time of creation or of the last change); `type` (Type of the event); `source` (`api` or `dashboard`); `customerId` (ID of the customer); `matchedWorkflows` (Number of workflows that were ready to run for its type); `reason` (Why no workflow ran, or null if one did).
         *     - `not_accepted`: A request was rejected, for the first time or again. `id` (ID of the entry under "Rejected events"); `at` (Time of creation or of the last change); `status` (HTTP status of the response); `code` (Error code); `path` (Path of the request); `count` (Number of rejected requests so far).
         *     - `message`: A message was created or its status changed. `id` (ID of the message); `at` (Time of creation or of the last change); `status` (Current status); `direction` (`inbound` or `outbound`); `channelId` (ID of the channel); `conversationId` (ID of the conversation); `customerId` (ID of the customer); `runId` (ID of the run that created the message, or null if no run did).
         *     - `conversation`: A conversation received a message, was read, or was changed by a team member. `id` (ID of the conversation); `at` (Time of creation or of the last change); `status` (`open` or `closed`); `channelId` (ID of the channel); `customerId` (ID of the customer); `assigneeId` (User ID of the assigned member, or null if nobody is assigned); `unread` (Number of messages that no team member has read); `waitingSince` (Start of the wait of the customer for an answer, or null if the customer is not waiting).
         *     - `run`: A run started, advanced or ended. `id` (ID of the run); `at` (Time of creation or of the last change); `status` (`active`, `waiting`, `done`, `failed` or `stopped`); `workflowId` (ID of the workflow); `customerId` (ID of the customer); `eventId` (ID of the event that started the run); `stepId` (ID of the current step); `endReason` (End reason, or null before the end).
         *     - `outbound_event`: An outbound event was emitted. `id` (ID of the outbound event); `at` (Time of creation or of the last change); `type` (Type of the event).
         *     - `delivery`: A delivery was created or attempted. `id` (ID of the delivery); `at` (Time of creation or of the last change); `status` (Current status); `webhookId` (ID of the endpoint); `eventId` (ID of the outbound event); `attempts` (Number of attempts so far); `statusCode` (HTTP status of the last attempt).
         *     - `campaign`: A campaign was created, changed or made progress. `id` (ID of the campaign); `at` (Time of creation or of the last change); `status` (Current status); `recipients` (Number of recipients); `queued` (Number of queued messages); `sent` (Number of sent messages); `skipped` (Number of skipped recipients); `unknown` (Number of messages whose outcome is not known).
         *     - `attention`: An alert was raised, resolved or changed. `id` (ID of the affected record, or of the workspace for an allowance or an event type); `at` (Time of creation or of the last change); `kind` (Kind of the alert, as in `GET /v1/attention`); `subject` (Affected record, as in `GET /v1/attention`); `over` (Whether the alert is resolved).
         *
         *     `gap: true` in `data` means that there were too many changes of this kind at the same time. The changes before this one were omitted.
         *
         *     To resume, reconnect with the header `Last-Event-ID`, as `EventSource` does automatically. The stream then sends the changes since that id. After more than 5 minutes, or after too many changes, the stream begins with `event: reset`. Fetch all data that you show again. After 15 seconds without changes, the stream sends a comment with an `id:`.
         *
         *     The service closes the stream of a client that reads too slowly. It also closes the stream when the session ends or the person leaves the workspace. The stream sends alerts when they start and end. `GET /v1/attention` lists the alerts that already exist. A person can have 20 open streams, a workspace 1000.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        get: operations["openStream"];
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
        /**
         * List and search customers
         * @description For API keys and for all members of the workspace. Calls with an API key require the feature `api`.
         */
        get: operations["listCustomers"];
        /**
         * Create or update a customer
         * @description Finds the customer by `externalId`, then by `phone`, and changes the given fields like PATCH. Creates a customer if none is found. Adds an identifier that the customer does not have yet. You can repeat the call safely.
         *
         *     For API keys and for all members of the workspace. Calls with an API key require the feature `api`.
         */
        put: operations["upsertCustomer"];
        /**
         * Create a customer
         * @description Creates a customer with a phone, an external ID or both. Events find the customer by either. A customer with only an external ID gets messages when a phone is known.
         *
         *     For API keys and for all members of the workspace. Calls with an API key require the feature `api`.
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
        /**
         * Read a customer
         * @description For API keys and for all members of the workspace. Calls with an API key require the feature `api`.
         */
        get: operations["readCustomer"];
        put?: never;
        post?: never;
        /**
         * Erase a customer
         * @description Erases the personal data of the customer: name, phone, external ID, attributes, consent evidence and reasons, message texts and event data. This includes the data in outbound events. Active runs end, and queued messages are not sent. Counts stay, without personal data. The customer can no longer be found. Its phone and external ID can be used again.
         *
         *     For API keys and for owners of the workspace. Calls with an API key require the feature `api`.
         */
        delete: operations["eraseCustomer"];
        options?: never;
        head?: never;
        /**
         * Change a customer
         * @description Changes the fields that are given. Null clears a field. Attributes are merged. A customer must keep a phone or an external ID.
         *
         *     For API keys and for all members of the workspace. Calls with an API key require the feature `api`.
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
         * @description Records your declaration that the customer agreed to messages, with the evidence. An opt-in does not lift an opt-out.
         *
         *     For API keys and for all members of the workspace. Calls with an API key require the feature `api`.
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
         * @description Stops all messages to the customer and emits `customer.opted_out` to endpoints. A repeated opt-out has no effect.
         *
         *     For API keys and for all members of the workspace. Calls with an API key require the feature `api`.
         */
        post: operations["optOutCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}/opt-out/lift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lift a customer's opt-out
         * @description Lifts the opt-out when an owner knows that the customer wants messages again. This is the only operation that lifts an opt-out. The consent history records the owner and the reason.
         *
         *     For owners of the workspace. API keys cannot call it.
         */
        post: operations["liftOptOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}/consents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a customer's consents
         * @description Returns opt-ins with their evidence, opt-outs with their reason, and lifted opt-outs, newest first.
         *
         *     For API keys and for all members of the workspace. Calls with an API key require the feature `api`.
         */
        get: operations["listConsents"];
        put?: never;
        post?: never;
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
         * @description Returns events, messages, workflow runs, opt-ins, opt-outs and lifted opt-outs in one list, newest first.
         *
         *     For API keys and for all members of the workspace. Calls with an API key require the feature `api`.
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
        /**
         * List workflows
         * @description For all members of the workspace. API keys cannot call it.
         */
        get: operations["listWorkflows"];
        put?: never;
        /**
         * Create a workflow
         * @description Creates a disabled workflow with a draft. Events start runs after you publish and enable the workflow. You can save an incomplete draft. `draftErrors` in the response lists the errors that prevent publishing. An incomplete draft must still have the outline of a `WorkflowDraft`.
         *
         *     For owners of the workspace. API keys cannot call it. The plan must include `workflows`.
         */
        post: operations["createWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Validate a definition without saving it
         * @description Checks whether the definition can be published now, and returns each error with its location. Nothing is written. An incomplete definition can still be saved as a draft.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        post: operations["checkWorkflow"];
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
        /**
         * Read a workflow
         * @description For all members of the workspace. API keys cannot call it.
         */
        get: operations["readWorkflow"];
        put?: never;
        post?: never;
        /**
         * Remove a workflow
         * @description Removes the workflow with its draft and its versions. Events and runs stay, without the name of the workflow.
         *
         *     For owners of the workspace. API keys cannot call it.
         */
        delete: operations["deleteWorkflow"];
        options?: never;
        head?: never;
        /**
         * Change a workflow
         * @description Changes the name, the draft or `enabled`. You can save an incomplete draft. `draftErrors` in the response lists the errors that prevent publishing. An incomplete draft must still have the outline of a `WorkflowDraft`. Active runs and the published version do not change.
         *
         *     For owners of the workspace. API keys cannot call it. The plan must include `workflows`. Uses the allowance `activeWorkflows`.
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
         * @description Publishes the draft as the next version. New events start runs of this version. Active runs keep their version. With `move`, active runs continue with the new version if it still has their step.
         *
         *     For owners of the workspace. API keys cannot call it. The plan must include `workflows`.
         */
        post: operations["publishWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workflow versions
         * @description Returns the published versions, newest first, without their definitions.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        get: operations["listWorkflowVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{id}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a workflow version
         * @description For all members of the workspace. API keys cannot call it.
         */
        get: operations["readWorkflowVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{id}/impact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview the impact of publishing
         * @description Returns the current steps of active runs, and how many of these runs can move to the draft.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        get: operations["readWorkflowImpact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read workflow statistics
         * @description For all members of the workspace. API keys cannot call it.
         */
        get: operations["readWorkflowStats"];
        put?: never;
        post?: never;
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
         * @description Returns runs, newest first, each with the results of its steps.
         *
         *     For all members of the workspace. API keys cannot call it.
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
    "/v1/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a run
         * @description Returns the run with the results of its steps.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        get: operations["readRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a run
         * @description Stops the run at its current step. The effects of completed steps stay, and no more steps are executed.
         *
         *     For owners of the workspace. API keys cannot call it. The plan must include `workflows`.
         */
        post: operations["stopRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{id}/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a workflow with one event
         * @description Simulates the workflow step by step, as if the event were recorded now. The simulated clock skips waiting times. Nothing is written or sent.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        post: operations["tryWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workflows/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay a workflow over past events
         * @description Simulates the workflow over the events of recent days, at most 50,000, newest first. Returns how many runs would have started and which steps they would have reached. Each event uses the current data of its customer. Every step that waits times out. Nothing is written or sent. A workspace runs one replay or test at a time.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        post: operations["replayWorkflow"];
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
        /**
         * List channels
         * @description Returns all channels, including disconnected ones.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        get: operations["listChannels"];
        put?: never;
        /**
         * Connect a channel
         * @description Connects a channel to a messaging provider. Credentials are stored encrypted and never returned. Returns 409 if the number is already connected. Returns 422 if the channel has credentials and the service has no encryption key.
         *
         *     For owners of the workspace. API keys cannot call it. Uses the allowance `connectedNumbers`.
         */
        post: operations["connectChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/channel-kinds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List kinds of channels
         * @description Returns the kinds of channels that can be connected. Each has its features and limits, and the credentials that a form must ask for.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        get: operations["listChannelKinds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/channels/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a channel
         * @description For all members of the workspace. API keys cannot call it.
         */
        get: operations["readChannel"];
        put?: never;
        post?: never;
        /**
         * Disconnect a channel
         * @description Disconnects the channel permanently. Queued messages are skipped. Its number can be used for a new channel, and its history stays readable.
         *
         *     For owners of the workspace. API keys cannot call it.
         */
        delete: operations["disconnectChannel"];
        options?: never;
        head?: never;
        /**
         * Change a channel
         * @description Changes the fields that are given. `credentials` replace all previous credentials. `sandbox` is only for sandbox channels. Returns 422 if the channel is disconnected.
         *
         *     For owners of the workspace. API keys cannot call it.
         */
        patch: operations["changeChannel"];
        trace?: never;
    };
    "/v1/channels/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a channel
         * @description Checks the account with the provider. Sends no message.
         *
         *     For owners of the workspace. API keys cannot call it.
         */
        post: operations["testChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/channels/{id}/sandbox/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a sandbox message as a customer
         * @description Creates an inbound message on a sandbox channel. The message has the same effects as any message of a customer.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        post: operations["writeSandboxMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/channels/{id}/sandbox/statuses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report a sandbox message status as the provider
         * @description Reports the status of a message that was sent over this sandbox, for example with `manual` delivery. A status that is behind the current status has no effect.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        post: operations["tellSandboxStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List conversations
         * @description Returns conversations, the most recently active first. A conversation must match all filters. If few of many conversations match, a page can be short or empty and still have a `nextCursor`.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        get: operations["listConversations"];
        put?: never;
        /**
         * Open a conversation
         * @description Opens a conversation with a customer over a channel before either side has written. Returns the existing conversation if there is one. Returns 422 with `details.reason` if the customer has no address on the channel (`no_address`) or the channel is disconnected (`channel_disconnected`).
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        post: operations["openConversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a conversation
         * @description For all members of the workspace. API keys cannot call it.
         */
        get: operations["readConversation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a conversation
         * @description Opens or closes the conversation, and assigns it to a member of the team. A message of the customer opens it again.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        patch: operations["changeConversation"];
        trace?: never;
    };
    "/v1/conversations/{id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a conversation as read
         * @description Sets the number of unread messages to zero. `looksLikeOptOut` does not change, because it requires a decision.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        post: operations["markConversationRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{id}/opt-out-decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide on a possible opt-out
         * @description Records whether the message that set `looksLikeOptOut` was an opt-out. `opted_out` opts the customer out like `POST /v1/customers/{id}/opt-out`. `ignored` does not change the customer and does not lift an opt-out. Both decisions set `looksLikeOptOut` to false until the customer writes another such message. Repeating a decision has no effect. If `looksLikeOptOut` is false, `ignored` has no effect, but `opted_out` still opts the customer out.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        post: operations["decideOptOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the messages of a conversation
         * @description Returns inbound and outbound messages, newest first.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        get: operations["listConversationMessages"];
        put?: never;
        /**
         * Send a message to the customer
         * @description Queues a text, or a template with its variables, and sends it immediately. Returns 422 if the message cannot be sent, with the reason in `details.reason`:
         *
         *     - `channel_disconnected`: the channel is disconnected.
         *     - `no_address`: the customer has no address on the channel.
         *     - `opted_out`: the customer has opted out. A template cannot be sent. A text is possible if the customer opened the conversation.
         *     - `no_opt_in`: a marketing template requires an opt-in.
         *     - `window_closed`: the time for free text is over.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        post: operations["writeMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message again
         * @description Creates a new message with the same text as a message that is failed, unknown or skipped. The rules for new messages apply. If the first message is unknown, the customer can get both. A repeated call returns the new message, unless that message did not arrive either.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        post: operations["resendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbound/whatsapp/{channelId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Confirm the callback URL for WhatsApp
         * @description The provider calls this operation once during callback setup, with the verify token of the channel.
         *
         *     Called by the provider, which signs its requests. No credential is needed.
         */
        get: operations["challengeWhatsapp"];
        put?: never;
        /**
         * Receive messages and statuses of WhatsApp
         * @description Receives callbacks from Meta, signed in X-Hub-Signature-256. Returns 200 after all messages and statuses are recorded. Content that cannot be understood is listed as a rejected event.
         *
         *     Called by the provider, which signs its requests. No credential is needed.
         */
        post: operations["receiveWhatsapp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbound/twilio/{channelId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive messages and statuses of SMS with Twilio
         * @description Receives callbacks from Twilio, signed in X-Twilio-Signature. The signature covers the public URL of the service (`PUBLIC_URL`). Returns 200 after all messages and statuses are recorded. Content that cannot be understood is listed as a rejected event.
         *
         *     Called by the provider, which signs its requests. No credential is needed.
         */
        post: operations["receiveTwilio"];
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
         * @description Returns messages of the workspace, newest first. You can filter by customer or by run.
         *
         *     For all members of the workspace. API keys cannot call it.
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
    "/v1/messages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a message
         * @description Returns the message with its status history, in the order in which the service received it.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        get: operations["readMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List templates
         * @description For all members of the workspace. API keys cannot call it.
         */
        get: operations["listTemplates"];
        put?: never;
        /**
         * Create a template
         * @description Creates a template: a text with a placeholder such as `{{name}}` for each variable. Every placeholder must be a declared variable, and every declared variable must be used.
         *
         *     For owners of the workspace. API keys cannot call it. Uses the allowance `templates`.
         */
        post: operations["createTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a template
         * @description For all members of the workspace. API keys cannot call it.
         */
        get: operations["readTemplate"];
        put?: never;
        post?: never;
        /**
         * Remove a template
         * @description Removes the template. Returns 409 while the published version of an enabled workflow uses it. Returns 409 while a scheduled, running or paused campaign uses it. The error names the workflows and campaigns. Messages from the template stay.
         *
         *     For owners of the workspace. API keys cannot call it.
         */
        delete: operations["deleteTemplate"];
        options?: never;
        head?: never;
        /**
         * Change a template
         * @description Changes the fields that are given. The body and the variables must match after the change. Returns 409 for a new variable while an enabled workflow or an active campaign uses the template without that variable.
         *
         *     For owners of the workspace. API keys cannot call it.
         */
        patch: operations["changeTemplate"];
        trace?: never;
    };
    "/v1/templates/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a template
         * @description Returns the text with the given values. Without values, the text contains the samples, and all variables are listed as missing. Nothing is sent.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        post: operations["previewTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{id}/sale": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a conversation as a sale
         * @description Marks the conversation as a sale and emits `sale.created` to endpoints. The amount is a JSON number. The service stores, returns and emits exactly the digits that you send.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        post: operations["markSale"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sales": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sales
         * @description Returns sales, newest first. Voided sales are included.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        get: operations["listSales"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sales/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a sale
         * @description For all members of the workspace. API keys cannot call it.
         */
        get: operations["readSale"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sales/{id}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Void a sale
         * @description Marks the sale as void. The sale stays in the list, and no event is emitted to endpoints.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        post: operations["voidSale"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/opt-out-words": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the workspace's opt-out words
         * @description Returns the opt-out words that the workspace added. These words apply in every workspace: `STOP`, `STOPALL`, `STOP ALL`, `UNSUBSCRIBE`, `CANCEL`, `END`, `QUIT`, `REVOKE`, `OPTOUT`, `OPT OUT`, `OPT-OUT`, `REMOVE`, `ARRET`, `ARRÊT`, `STOPP`, `ABMELDEN`, `BAJA`, `SAIR`, `PARAR`, `CANCELAR`.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        get: operations["readOptOutWords"];
        /**
         * Replace the workspace's opt-out words
         * @description Replaces the list of opt-out words. A customer whose whole message is one of these words is opted out. Upper and lower case, and surrounding punctuation, quotes and emoji, are ignored. Two words that are equal under these rules are rejected.
         *
         *     For owners of the workspace. API keys cannot call it.
         */
        put: operations["replaceOptOutWords"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List campaigns
         * @description For all members of the workspace. API keys cannot call it.
         */
        get: operations["listCampaigns"];
        put?: never;
        /**
         * Create a campaign
         * @description Creates a campaign as a draft. Nothing is sent until you start it.
         *
         *     For owners of the workspace. API keys cannot call it. The plan must include `campaigns`.
         */
        post: operations["createCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a campaign
         * @description Returns the campaign with its progress.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        get: operations["readCampaign"];
        put?: never;
        post?: never;
        /**
         * Remove a campaign
         * @description Removes the campaign. Only a draft or a scheduled campaign can be removed.
         *
         *     For owners of the workspace. API keys cannot call it.
         */
        delete: operations["deleteCampaign"];
        options?: never;
        head?: never;
        /**
         * Change a campaign
         * @description Changes the fields that are given. Only a draft or a scheduled campaign can be changed.
         *
         *     For owners of the workspace. API keys cannot call it. The plan must include `campaigns`.
         */
        patch: operations["changeCampaign"];
        trace?: never;
    };
    "/v1/campaigns/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview the audience of a campaign
         * @description Returns the current size of the audience, the number of skipped customers by reason, and three sample messages. Sends nothing.
         *
         *     For owners of the workspace. API keys cannot call it. The plan must include `campaigns`.
         */
        post: operations["previewCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a campaign
         * @description Starts the campaign immediately, or schedules it for the given time. The audience is fixed when the campaign starts. You can call it again to reschedule a scheduled campaign.
         *
         *     For owners of the workspace. API keys cannot call it. The plan must include `campaigns`.
         */
        post: operations["startCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a campaign
         * @description Stops queueing messages on the channel. Messages that are already on the channel are still sent.
         *
         *     For owners of the workspace. API keys cannot call it. The plan must include `campaigns`.
         */
        post: operations["pauseCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a campaign
         * @description For owners of the workspace. API keys cannot call it. The plan must include `campaigns`.
         */
        post: operations["resumeCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a campaign
         * @description Cancels the campaign permanently. Customers without a message do not get one, and queued messages are skipped. No `campaign.completed` event is emitted.
         *
         *     For owners of the workspace. API keys cannot call it.
         */
        post: operations["cancelCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/recipients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the recipients of a campaign
         * @description Returns recipients, the newest customer first. The list is empty until the campaign starts.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        get: operations["listCampaignRecipients"];
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
        /**
         * List webhook endpoints
         * @description For all members of the workspace. API keys cannot call it.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description Creates a webhook endpoint. A workspace can have at most 10 endpoints. Only this response contains the secret.
         *
         *     For owners of the workspace. API keys cannot call it. The plan must include `webhooks`.
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
         * Verify a webhook signature
         * @description Explains why a signature is not valid. Send the request that your receiver got and the secret that it uses. The response names the wrong part: the header, the clock, the secret, or a changed body. The service does not store the data of this call. See [/docs/receivers](/docs/receivers) for sample receivers.
         *
         *     For owners of the workspace. API keys cannot call it.
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
        /**
         * Read a webhook endpoint
         * @description For all members of the workspace. API keys cannot call it.
         */
        get: operations["readWebhook"];
        put?: never;
        post?: never;
        /**
         * Remove a webhook endpoint
         * @description Removes the endpoint and drops its pending deliveries.
         *
         *     For owners of the workspace. API keys cannot call it.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description Changes the fields that are given. A disabled endpoint keeps its pending deliveries, but new events are not queued for it. When you enable it again, it gets the pending deliveries. To pause an endpoint without losing events, put it on hold.
         *
         *     For owners of the workspace. API keys cannot call it. The plan must include `webhooks`.
         */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{id}/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the health of a webhook endpoint
         * @description Returns the recent attempts of the endpoint, its pending deliveries, its state and the start of that state. The data can be one second old.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        get: operations["readWebhookHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put a webhook endpoint on hold
         * @description Pauses delivery to the endpoint. New deliveries are still queued and stay pending until you release the endpoint. No delivery is dropped. In-flight attempts run to completion.
         *
         *     For owners of the workspace. API keys cannot call it.
         */
        post: operations["holdWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release a webhook endpoint
         * @description Resumes delivery to an endpoint on hold, whether an owner or the service put it on hold. Pending deliveries are sent oldest first, within the rate limit of the endpoint.
         *
         *     For owners of the workspace. API keys cannot call it. The plan must include `webhooks`.
         */
        post: operations["releaseWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/recoveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a recovery
         * @description Attempts all failed and retrying deliveries of a time range again, at most 100,000, oldest first. New deliveries have priority. An endpoint can have one recovery at a time. With `preview`, no recovery is started.
         *
         *     For owners of the workspace. API keys cannot call it. The plan must include `webhooks`.
         */
        post: operations["startRecovery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/recoveries/{recoveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a recovery
         * @description For owners of the workspace. API keys cannot call it.
         */
        get: operations["readRecovery"];
        put?: never;
        post?: never;
        /**
         * Cancel a recovery
         * @description Cancels the recovery. Failed deliveries without a new attempt stay failed. Retrying deliveries keep their remaining attempts. Cancelling a recovery that has ended has no effect.
         *
         *     For owners of the workspace. API keys cannot call it.
         */
        delete: operations["cancelRecovery"];
        options?: never;
        head?: never;
        patch?: never;
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
         * Rotate the secret of a webhook endpoint
         * @description Creates a new secret. For 24 hours, deliveries carry two signatures: `t=…,v1=<new>,v1=<old>`. A receiver must accept either signature.
         *
         *     For owners of the workspace. API keys cannot call it. The plan must include `webhooks`.
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
         * Send a test ping
         * @description Sends a `ping` event to this endpoint only, even if it is not subscribed to it. The delivery stays pending while the endpoint is disabled or on hold.
         *
         *     For owners of the workspace. API keys cannot call it. The plan must include `webhooks`.
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
        /**
         * List deliveries
         * @description Returns deliveries, newest first. Without query parameters, returns the newest 50 and a `nextCursor` for older deliveries.
         *
         *     For owners of the workspace. API keys cannot call it.
         */
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
         * @description Returns the delivery with the sent request and every attempt.
         *
         *     For owners of the workspace. API keys cannot call it.
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
         * Retry a delivery
         * @description Makes one new attempt of a failed delivery, or the next attempt of a retrying delivery early. The rest of its schedule follows. The attempt is made immediately. If the endpoint is disabled or on hold, the attempt is made when it is enabled or released.
         *
         *     For owners of the workspace. API keys cannot call it. The plan must include `webhooks`.
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
         * List outbound events
         * @description Returns the events that are sent to subscribed webhook endpoints. Events without a subscribed endpoint are included.
         *
         *     For all members of the workspace. API keys cannot call it.
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
         * @description Returns the outbound event with the endpoints that it was sent to. For every other endpoint, it gives the reason why not.
         *
         *     For all members of the workspace. API keys cannot call it.
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
    "/v1/outbound-events/{id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an outbound event to an endpoint
         * @description Creates a new delivery of the event, whatever the result of earlier deliveries. The endpoint can be newer than the event or not subscribed to its type. The delivery stays pending while the endpoint is disabled or on hold.
         *
         *     For owners of the workspace. API keys cannot call it. The plan must include `webhooks`.
         */
        post: operations["sendOutboundEvent"];
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
         * @description Returns API keys, newest first. Revoked keys are included.
         *
         *     For owners of the workspace. API keys cannot call it.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Creates an API key. Only this response contains the key; the service stores only its SHA-256 hash. A workspace can have at most 100 active keys (422). Active keys are keys that are not revoked.
         *
         *     For owners of the workspace. API keys cannot call it. The plan must include `api`.
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
         * @description Revokes the key immediately and everywhere. Revoking a revoked key has no effect.
         *
         *     For owners of the workspace. API keys cannot call it.
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
         * @description Returns a session token for `Authorization: Bearer`. The response also sets the token as a cookie: `__Host-session` over https, otherwise `session`. For an account with a second factor, the response contains `secondFactor` and a ticket instead. Send the ticket to `sign-in/second-factor`.
         *
         *     Anybody can call it. No credential is needed.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sign-in/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with the second factor
         * @description Completes a sign-in that returned a ticket. Each code of the app works once. After ten wrong codes within an hour, only a recovery code is accepted (429 otherwise). All code attempts are rate limited like sign-in attempts, but counted separately.
         *
         *     Anybody can call it. No credential is needed.
         */
        post: operations["signInWithCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sign-in/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a link
         * @description Signs in with a link that the operator creates with `user sign-in-link`. The link works once and expires after 10 minutes. The response is the same as for `sign-in`, including the cookie and the second factor. Returns 422 if the link is unknown, used, replaced or expired.
         *
         *     Anybody can call it. No credential is needed.
         */
        post: operations["signInByLink"];
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
         * @description Adds a new account to the team and signs it in like `sign-in`. If the invited address already has an account, that account joins the team. Its holder is signed in and omits `password`, or sends the password of the account (401 otherwise). Attempts count towards the sign-in limit per 10 minutes. `workspace` is the joined workspace. A person with several workspaces sends its ID in `X-Workspace-Id`. Returns 422 if the link is unknown, used, withdrawn or expired.
         *
         *     Anybody can call it. No credential is needed.
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
        /**
         * Read your session
         * @description For all members of the workspace. API keys cannot call it.
         */
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
         * List your workspaces
         * @description Returns the workspaces that you can name in `X-Workspace-Id`.
         *
         *     For all members of the workspace. API keys cannot call it.
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
         * @description Ends the session immediately.
         *
         *     For signed-in persons, with or without a workspace.
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions
         * @description Returns your active sessions, newest first. Ended sessions are not included.
         *
         *     For signed-in persons, with or without a workspace.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * End all your other sessions
         * @description Ends all of your sessions immediately, except the session of this call.
         *
         *     For signed-in persons, with or without a workspace.
         */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions/{id}": {
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
         * End one of your sessions
         * @description Ends the session immediately. If it is the session of this call, the effect is the same as signing out.
         *
         *     For signed-in persons, with or without a workspace.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change your password
         * @description Sets a new password and ends all of your other sessions. Returns 422 if the current password is wrong, which counts as a sign-in attempt. Returns 400 if the new password is too short or among the most common.
         *
         *     For signed-in persons, with or without a workspace.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read your profile
         * @description For signed-in persons, with or without a workspace.
         */
        get: operations["readUser"];
        put?: never;
        post?: never;
        /**
         * Delete your account
         * @description Removes you from every workspace and ends all of your sessions. Records of your actions stay. Returns 422 if you are the last owner of a workspace. Returns 422 if the password is wrong, which counts as a sign-in attempt.
         *
         *     For signed-in persons, with or without a workspace.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Change your profile
         * @description Changes the fields that are given. Null removes `locale` and `timezone`.
         *
         *     For signed-in persons, with or without a workspace.
         */
        patch: operations["changeUser"];
        trace?: never;
    };
    "/v1/auth/forgot-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a password reset link
         * @description Sends a password reset link by e-mail. The link works once and expires after 1 hour. The response is the same for addresses with and without an account. If no mail is configured, the operator of the service is notified.
         *
         *     Anybody can call it. No credential is needed.
         */
        post: operations["forgotPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset the password with an e-mailed link
         * @description Sets a new password and ends every session of the account. The second factor stays. Returns 422 if the link is unknown, used, replaced or expired.
         *
         *     Anybody can call it. No credential is needed.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/confirm-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm the e-mail address with an e-mailed link
         * @description Confirms the e-mail address of the account. Returns 422 if the link is unknown, used or expired.
         *
         *     Anybody can call it. No credential is needed.
         */
        post: operations["confirmEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read your second factor
         * @description For signed-in persons, with or without a workspace.
         */
        get: operations["readTotp"];
        put?: never;
        /**
         * Start the setup of a second factor
         * @description Returns a secret for an authenticator app. Sign-in requires a code only after `confirm` has accepted one. Another call creates another secret. Returns 422 if the password is wrong or a second factor is already in use. A wrong password counts as a sign-in attempt.
         *
         *     For signed-in persons, with or without a workspace.
         */
        post: operations["beginTotp"];
        /**
         * Remove your second factor
         * @description Removes the second factor of your account. Requires the password and a code. Returns 422 if either is wrong. Returns 422 if one of your workspaces requires a second factor.
         *
         *     For signed-in persons, with or without a workspace.
         */
        delete: operations["removeTotp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Activate the second factor
         * @description Checks a code of the app and activates the second factor. Ends your other sessions. Sign-in then requires a code. Returns 422 if the code is wrong.
         *
         *     For signed-in persons, with or without a workspace.
         */
        post: operations["confirmTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/totp/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace your recovery codes
         * @description Returns ten new recovery codes. The previous codes stop working immediately. Requires the password and a code of the app or a recovery code. Returns 422 if either is wrong.
         *
         *     For signed-in persons, with or without a workspace.
         */
        post: operations["renewRecoveryCodes"];
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
         * List team members
         * @description Returns members and pending invitations, newest first.
         *
         *     For all members of the workspace. API keys cannot call it.
         */
        get: operations["listMembers"];
        put?: never;
        /**
         * Invite a person to the team
         * @description Creates an invitation link that works once and expires after 7 days. If mail is configured, the link is sent only to the invited address. If mail is not configured, only this response contains the link, and you must pass it on. Inviting an address with an expired invitation replaces that invitation.
         *
         *     With mail, all workspaces together can invite an address 3 times a day. A workspace can send 50 invitations a day. Calls over these limits get 429.
         *
         *     For owners of the workspace. API keys cannot call it. Uses the allowance `teamSeats`.
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
         * @description Removes the member from the workspace. Their sessions lose access to the workspace immediately, but their account stays. An unused invitation link stops working. The last owner cannot be removed.
         *
         *     For owners of the workspace. API keys cannot call it.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change the role of a member
         * @description Changes the role from the next request of the member. For an invitation, the role applies when it is accepted. The last owner must stay an owner.
         *
         *     For owners of the workspace. API keys cannot call it.
         */
        patch: operations["changeMember"];
        trace?: never;
    };
    "/v1/workspace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the workspace
         * @description For all members of the workspace. API keys cannot call it.
         */
        get: operations["readWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the workspace
         * @description For owners of the workspace. API keys cannot call it.
         */
        patch: operations["changeWorkspace"];
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
         * Read the plan and its usage
         * @description Returns the features of the plan and the usage of each allowance. Pending invitations use team seats. Monthly events are counted per calendar month in UTC.
         *
         *     For all members of the workspace. API keys cannot call it.
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
    "/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit entries
         * @description Returns audit entries, newest first. Each entry is written in the same transaction as its action and never changes. With several filters, a page can contain fewer entries than `limit` and still have a `nextCursor`.
         *
         *     For owners of the workspace. API keys cannot call it.
         */
        get: operations["listAuditEntries"];
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
         * @description Respond with any 2xx status within 10 seconds. Otherwise the service retries after 1, 5 and 30 minutes, then after 2, 6, 12 and 24 hours. Delivery is at least once, and the order is not guaranteed. Store each `id` to ignore duplicates. Compare `createdAt` if the order matters.
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
         * A message of the workspace was delivered, read or failed.
         * @description Respond with any 2xx status within 10 seconds. Otherwise the service retries after 1, 5 and 30 minutes, then after 2, 6, 12 and 24 hours. Delivery is at least once, and the order is not guaranteed. Store each `id` to ignore duplicates. Compare `createdAt` if the order matters.
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
         * @description Respond with any 2xx status within 10 seconds. Otherwise the service retries after 1, 5 and 30 minutes, then after 2, 6, 12 and 24 hours. Delivery is at least once, and the order is not guaranteed. Store each `id` to ignore duplicates. Compare `createdAt` if the order matters.
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
         * A customer opted out, or was opted out.
         * @description Respond with any 2xx status within 10 seconds. Otherwise the service retries after 1, 5 and 30 minutes, then after 2, 6, 12 and 24 hours. Delivery is at least once, and the order is not guaranteed. Store each `id` to ignore duplicates. Compare `createdAt` if the order matters.
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
         * @description Respond with any 2xx status within 10 seconds. Otherwise the service retries after 1, 5 and 30 minutes, then after 2, 6, 12 and 24 hours. Delivery is at least once, and the order is not guaranteed. Store each `id` to ignore duplicates. Compare `createdAt` if the order matters.
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
         * A test event, sent by the test operation to one endpoint regardless of its subscribed events.
         * @description Respond with any 2xx status within 10 seconds. Otherwise the service retries after 1, 5 and 30 minutes, then after 2, 6, 12 and 24 hours. Delivery is at least once, and the order is not guaranteed. Store each `id` to ignore duplicates. Compare `createdAt` if the order matters.
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
        /** @description The body of every error response. */
        Error: {
            /** @description The error. */
            error: {
                /**
                 * @description The error code for programs.
                 * @enum {string}
                 */
                code: "invalid_request" | "malformed_request" | "unauthorized" | "forbidden" | "feature_not_available" | "not_found" | "method_not_allowed" | "conflict" | "plan_limit_reached" | "unsupported_media_type" | "unprocessable" | "rate_limited" | "internal_error";
                /** @description The error message for people. */
                message: string;
                /** @description Maps the path of each wrong field to the reason. `body` stands for the whole body. `reason` of a 503 is `overloaded` or `database_unavailable`. */
                details?: {
                    [key: string]: string;
                };
            };
            /** @description ID of the request, as in the header `X-Request-Id`. */
            request_id: string;
        };
        /** @description An event to record and the customer that it is about. */
        RecordEvent: {
            /** @description Free text. A workflow starts if its trigger equals the type exactly, including case and punctuation. */
            type: string;
            /** @description E.164 format: + and 7 to 15 digits. */
            phone?: string;
            /**
             * Format: uuid
             * @description ID of the customer in this service.
             */
            customerId?: string;
            /** @description ID of an existing customer in your own system. It never creates a customer. */
            externalId?: string;
            /** @description Name of the customer. Only used if this call creates the customer. */
            name?: string;
            /** @description Input for workflows. At most 50 top-level fields. */
            data?: {
                [key: string]: unknown;
            };
            /** @description Key that identifies the occurrence, not the attempt. A repeat records nothing and returns the first event. */
            idempotencyKey?: string;
            /**
             * Format: date-time
             * @description Time of the occurrence, if it is not now. At most 30 days in the past and 5 minutes in the future. Workflow delays always count from the time of recording.
             */
            occurredAt?: string;
            /** @description Opt-in that is recorded before the event. It never lifts an opt-out. */
            optIn?: {
                /** @description Evidence of the opt-in, for example where the customer agreed on your site. The text must contain more than white space. */
                evidence: string;
            };
        };
        RecordedEvent: {
            /** @description false: the idempotency key was used before. `event` is then the first event, or the remaining part of an event that is no longer stored. */
            recorded: boolean;
            /** @description Fields in which this repeat differs from the first event. Omitted if nothing differs. The first event is returned, and nothing of the repeat was recorded. Use a new key for each occurrence. */
            mismatch?: ("type" | "customer" | "occurredAt" | "data")[];
            /** @description Number of workflows that were ready to run for this type. 0 is not an error. */
            matchedWorkflows: number;
            /** @description Result for each workflow that has the type as its trigger. Empty if there is none. */
            outcomes: components["schemas"]["WorkflowOutcome"][];
            /** @description If no workflow has the type as its trigger: the most similar type that one has. Null if no type is similar. */
            didYouMean?: components["schemas"]["DidYouMean"] | null;
            event: components["schemas"]["Event"];
        };
        WorkflowOutcome: {
            /**
             * Format: uuid
             * @description ID of the workflow that has the type as its trigger.
             */
            workflowId: string;
            /** @description Name of the workflow at that time. */
            name: string;
            /**
             * @description Result at the time when the event was recorded.
             * @enum {string}
             */
            verdict: "started" | "switched_off" | "never_published" | "not_run_for_customer";
            /**
             * Format: uuid
             * @description ID of the started run. If a `rule` prevented the start: ID of the existing run.
             */
            runId: string | null;
            /**
             * @description Rule of `entry.reentry` that prevented the run.
             * @enum {string}
             */
            rule?: "once" | "not_while_active";
            /** @description With `rule`: the existing run and its start. For `switched_off`: when and by whom the workflow was switched off. Omitted if the workflow was never switched on. */
            detail?: {
                /**
                 * Format: date-time
                 * @description Start of the existing run, or time when the workflow was switched off.
                 */
                since: string;
                /** @description Rule that prevented the run. */
                rule?: string;
                /**
                 * Format: uuid
                 * @description ID of the existing run.
                 */
                runId?: string;
                /**
                 * Format: uuid
                 * @description ID of the user who switched off the workflow.
                 */
                by?: string | null;
            };
            /** @description Explanation in one sentence, for people. */
            explanation: string;
        };
        /** @description Most similar type that a workflow has as its trigger. */
        DidYouMean: {
            /** @description Similar type that was possibly intended. */
            type: string;
            /** @description Number of workflows that have the type as their trigger. */
            workflows: number;
        };
        /** @description A recorded event. */
        Event: {
            /**
             * Format: uuid
             * @description ID of the event, used to read it.
             */
            id: string;
            /** @description Type of the event, as sent. */
            type: string;
            /**
             * @description `api`: sent with an API key. `dashboard`: sent by a person.
             * @enum {string}
             */
            source: "api" | "dashboard";
            /** @description Store plugin detected from the User-Agent. Otherwise `custom`. */
            sender: string;
            /**
             * Format: uuid
             * @description ID of the customer that the event is about.
             */
            customerId: string;
            /** @description Data of the event. Integers keep all their digits. */
            data: {
                [key: string]: unknown;
            };
            /** @description Idempotency key of the request. Null if none was sent, or after the customer is erased. */
            idempotencyKey: string | null;
            /**
             * Format: date-time
             * @description Time of the occurrence, as sent. Null if it was not sent.
             */
            occurredAt: string | null;
            /**
             * Format: date-time
             * @description Time when the event was recorded.
             */
            createdAt: string;
        };
        RecordEvents: {
            /** @description Events to record, each in the format of the body of `POST /v1/events`. */
            events: unknown[];
        };
        RecordedEvents: {
            /** @description Results in the order of the request. Each is the response of `POST /v1/events`. */
            data: components["schemas"]["EventInBatch"][];
        };
        EventInBatch: components["schemas"]["RecordedInBatch"] | components["schemas"]["RefusedInBatch"];
        RecordedInBatch: {
            /**
             * @description 201, or 200 if the idempotency key was used before.
             * @enum {integer}
             */
            status: 201 | 200;
            /** @description false: the idempotency key was used before. `event` is then the first event, or the remaining part of an event that is no longer stored. */
            recorded: boolean;
            /** @description Fields in which this repeat differs from the first event. Omitted if nothing differs. The first event is returned, and nothing of the repeat was recorded. Use a new key for each occurrence. */
            mismatch?: ("type" | "customer" | "occurredAt" | "data")[];
            /** @description Number of workflows that were ready to run for this type. 0 is not an error. */
            matchedWorkflows: number;
            /** @description Result for each workflow that has the type as its trigger. Empty if there is none. */
            outcomes?: components["schemas"]["WorkflowOutcome"][];
            /** @description If no workflow has the type as its trigger: the most similar type that one has. Null if no type is similar. */
            didYouMean?: components["schemas"]["DidYouMean"] | null;
            /** @description `outcomes` was omitted because the response would be too large. Read it with `GET /v1/events/{id}`. */
            outcomesLeftOut?: boolean;
            /** @description The event. `data` is omitted if `dataLeftOut` is true. */
            event: {
                /**
                 * Format: uuid
                 * @description ID of the event, used to read it.
                 */
                id: string;
                /** @description Type of the event, as sent. */
                type: string;
                /**
                 * @description `api`: sent with an API key. `dashboard`: sent by a person.
                 * @enum {string}
                 */
                source: "api" | "dashboard";
                /** @description Store plugin detected from the User-Agent. Otherwise `custom`. */
                sender: string;
                /**
                 * Format: uuid
                 * @description ID of the customer that the event is about.
                 */
                customerId: string;
                /** @description Data of the event. Integers keep all their digits. */
                data?: {
                    [key: string]: unknown;
                };
                /** @description Idempotency key of the request. Null if none was sent, or after the customer is erased. */
                idempotencyKey: string | null;
                /**
                 * Format: date-time
                 * @description Time of the occurrence, as sent. Null if it was not sent.
                 */
                occurredAt: string | null;
                /**
                 * Format: date-time
                 * @description Time when the event was recorded.
                 */
                createdAt: string;
            };
            /** @description `data` of a previously recorded event was omitted. The response would be too large, or the data could not be read at this moment. Read it with `GET /v1/events/{id}`. */
            dataLeftOut?: boolean;
        };
        RefusedInBatch: {
            /** @description HTTP status of the error: 400, 409, 500 or 503. */
            status: number;
            error: components["schemas"]["EventRefusal"];
        };
        /** @description Error of an event, as in the error envelope. */
        EventRefusal: {
            /**
             * @description Error code, for programs.
             * @enum {string}
             */
            code: "invalid_request" | "malformed_request" | "unauthorized" | "forbidden" | "feature_not_available" | "plan_limit_reached" | "not_found" | "method_not_allowed" | "conflict" | "unsupported_media_type" | "unprocessable" | "rate_limited" | "internal_error";
            /** @description Explanation in one sentence, for people. */
            message: string;
            /** @description Path of each invalid field, with the reason. */
            details?: {
                [key: string]: string;
            };
        };
        /** @description Body for `POST /v1/events`. It can be invalid: the response lists the errors. */
        EventToCheck: {
            [key: string]: unknown;
        };
        CheckedEvent: {
            /** @description Whether `POST /v1/events` would return 201 or 200. */
            valid: boolean;
            /** @description HTTP status that `POST /v1/events` would return. */
            status: number;
            /** @description Error that would be returned. Null if the event would be accepted. */
            error?: components["schemas"]["EventRefusal"] | null;
            /**
             * @description `would_enrol`: the phone number is new, and recording the event would create the customer.
             * @enum {string}
             */
            customer: "known" | "would_enrol" | "not_identified";
            /**
             * Format: uuid
             * @description ID of the customer that the event would be about. Null if the customer is not known yet.
             */
            customerId: string | null;
            /**
             * Format: uuid
             * @description ID of the event already recorded with this idempotency key, which would be returned. Null if there is none.
             */
            replay: string | null;
            /** @description Number of workflows that were ready to run for this type. 0 is not an error. */
            matchedWorkflows: number;
            /** @description Result for each workflow that has the type as its trigger. Empty if there is none. */
            outcomes: components["schemas"]["WorkflowOutcome"][];
            /** @description If no workflow has the type as its trigger: the most similar type that one has. Null if no type is similar. */
            didYouMean?: components["schemas"]["DidYouMean"] | null;
        };
        EventPage: {
            /** @description Records of this page. */
            data: components["schemas"]["Event"][];
            /** @description Value of `cursor` for the next page. Null on the last page. */
            nextCursor: string | null;
        };
        EventWithOutcomes: {
            /**
             * Format: uuid
             * @description ID of the event, used to read it.
             */
            id: string;
            /** @description Type of the event, as sent. */
            type: string;
            /**
             * @description `api`: sent with an API key. `dashboard`: sent by a person.
             * @enum {string}
             */
            source: "api" | "dashboard";
            /** @description Store plugin detected from the User-Agent. Otherwise `custom`. */
            sender: string;
            /**
             * Format: uuid
             * @description ID of the customer that the event is about.
             */
            customerId: string;
            /** @description Data of the event. Integers keep all their digits. */
            data: {
                [key: string]: unknown;
            };
            /** @description Idempotency key of the request. Null if none was sent, or after the customer is erased. */
            idempotencyKey: string | null;
            /**
             * Format: date-time
             * @description Time of the occurrence, as sent. Null if it was not sent.
             */
            occurredAt: string | null;
            /**
             * Format: date-time
             * @description Time when the event was recorded.
             */
            createdAt: string;
            /** @description Number of workflows that were ready to run for this type. 0 is not an error. */
            matchedWorkflows: number;
            /** @description Result for each workflow that has the type as its trigger. Empty if there is none. */
            outcomes: components["schemas"]["WorkflowOutcome"][];
            /** @description If no workflow has the type as its trigger: the most similar type that one has. Null if no type is similar. */
            didYouMean?: components["schemas"]["DidYouMean"] | null;
            /** @description Messages that the started runs have created so far. At most the first 50. */
            messages: {
                /**
                 * Format: uuid
                 * @description ID of the message.
                 */
                id: string;
                /**
                 * Format: uuid
                 * @description ID of the run that created the message.
                 */
                runId: string;
                /** @description ID of the message at the provider, as in `message.status`. Null until the provider accepts the message. */
                providerMessageId: string | null;
                /**
                 * @description `skipped`: not sent; `detail` contains the reason, for example that the customer had opted out. `unknown`: passed to the provider without receiving a response. The customer may or may not have received the message, so it is never sent again automatically. `received`: from the customer.
                 * @enum {string}
                 */
                status: "queued" | "sent" | "delivered" | "read" | "failed" | "skipped" | "unknown" | "received";
            }[];
            /** @description Warning: the idempotency key was used again for a different event, which was not recorded. Null if this never happened. */
            idempotencyMismatch: {
                /** @description Fields in which these repeats differed. */
                fields: ("type" | "customer" | "occurredAt" | "data")[];
                /**
                 * Format: date-time
                 * @description Time of the last recorded repeat, accurate to 10 minutes.
                 */
                lastAt: string;
            } | null;
        };
        ActivityEventPage: {
            /** @description Records of this page. */
            data: components["schemas"]["ActivityEvent"][];
            /** @description Value of `cursor` for the next page. Null on the last page. */
            nextCursor: string | null;
        };
        ActivityEvent: {
            /**
             * Format: uuid
             * @description ID of the event, used to read it.
             */
            id: string;
            /** @description Type of the event, as sent. */
            type: string;
            /**
             * @description `api`: sent with an API key. `dashboard`: sent by a person.
             * @enum {string}
             */
            source: "api" | "dashboard";
            /** @description Store plugin detected from the User-Agent. Otherwise `custom`. */
            sender: string;
            /**
             * Format: uuid
             * @description ID of the customer that the event is about.
             */
            customerId: string;
            /** @description Data of the event. Integers keep all their digits. */
            data: {
                [key: string]: unknown;
            };
            /** @description Idempotency key of the request. Null if none was sent, or after the customer is erased. */
            idempotencyKey: string | null;
            /**
             * Format: date-time
             * @description Time of the occurrence, as sent. Null if it was not sent.
             */
            occurredAt: string | null;
            /**
             * Format: date-time
             * @description Time when the event was recorded.
             */
            createdAt: string;
            /** @description Current data of the customer. All fields are null after the customer is erased. */
            customer: {
                /**
                 * Format: uuid
                 * @description ID of the customer.
                 */
                id: string;
                /** @description Name of the customer. Null if unknown. */
                name: string | null;
                /** @description Phone number in E.164 format. Null if unknown. */
                phone: string | null;
                /** @description ID of the customer in your own system. Null if the customer has none. */
                externalId: string | null;
            };
            /** @description Automations that the event started. */
            automations: {
                /**
                 * Format: uuid
                 * @description ID of the workflow that the event started.
                 */
                workflowId: string;
                /** @description Name of the workflow. */
                name: string;
                /**
                 * Format: uuid
                 * @description ID of the started run.
                 */
                runId: string;
            }[];
            /**
             * @description Why no automation was started, at the time the event was recorded. Null if one was started.
             * @enum {string|null}
             */
            reason: "no_listener" | "switched_off" | "never_published" | "not_run_for_customer" | null;
            /** @description The reason as a sentence for people. Null if an automation was started. */
            explanation: string | null;
            /** @description If no workflow has the type as its trigger: the most similar type that one has. Null if no type is similar. */
            didYouMean?: components["schemas"]["DidYouMean"] | null;
        };
        ActivitySummaryList: {
            /** @description All records. */
            data: components["schemas"]["ActivitySummary"][];
        };
        /** @description Totals of one hour or one day. */
        ActivitySummary: {
            /**
             * Format: date-time
             * @description Start of the hour or day, in UTC.
             */
            at: string;
            /** @description Number of recorded events. */
            events: number;
            /** @description Number of entries under "Rejected events". Most of them are rejected calls that would have recorded events. */
            refused: number;
            /** @description Number of workflow runs started. */
            runsStarted: number;
            /** @description Number of messages that reached each status. A message that was sent and delivered is counted in both. */
            messages: {
                /** @description Messages that were queued. */
                queued: number;
                /** @description Messages that the provider accepted. */
                sent: number;
                /** @description Messages that the provider reported as delivered. */
                delivered: number;
                /** @description Messages that the provider reported as read. */
                read: number;
                /** @description Messages that the provider rejected or could not deliver. */
                failed: number;
                /** @description Messages that were not sent, with a reason. */
                skipped: number;
                /** @description Messages that were passed to the provider without receiving a response. */
                unknown: number;
                /** @description Messages that customers sent. */
                received: number;
            };
            /** @description Results of deliveries to webhook endpoints. */
            deliveries: {
                /** @description Deliveries that the endpoint answered with 2xx. */
                delivered: number;
                /** @description Deliveries that failed and are not retried automatically. */
                failed: number;
                /** @description Requests made to endpoints. */
                attempts: number;
            };
        };
        AttentionList: {
            /** @description All records. */
            data: components["schemas"]["Attention"][];
        };
        /** @description A problem that requires action. */
        Attention: {
            /**
             * @description `sending_held`: the service sends nothing, because its database was restored from a backup. `endpoint_failing`: an endpoint fails, or was held because it failed for days. `deliveries_waiting`: deliveries are waiting for an endpoint that is held or slow. `allowance_nearly_full`: most events of the month are used. `channel_failing`: the provider of a channel rejects requests of the service. `events_rejected`: events were rejected in the last 24 hours. `customers_waiting`: customers have received no answer. `runs_failing`: runs of a workflow failed in the last 24 hours. `event_type_unhandled`: events of a type started nothing in the last 24 hours, and no enabled and published workflow handles the type.
             * @enum {string}
             */
            kind: "sending_held" | "endpoint_failing" | "deliveries_waiting" | "allowance_nearly_full" | "channel_failing" | "events_rejected" | "customers_waiting" | "runs_failing" | "event_type_unhandled";
            /**
             * Format: date-time
             * @description Time when the problem began. For an allowance: start of the counting period.
             */
            since: string;
            /** @description The problem in one sentence, for people. */
            title: string;
            /** @description Severity and consequences, in one or two sentences. */
            detail: string;
            /** @description Affected record. */
            subject: {
                /**
                 * @description Type of the affected record.
                 * @enum {string}
                 */
                type: "workspace" | "webhook" | "allowance" | "channel" | "not_accepted" | "conversation" | "workflow" | "event_type";
                /** @description ID of the record. For `customers_waiting`: the conversation with the longest wait. For an allowance: its name, `monthlyEvents`. For rejected events: the newest entry with the most frequent message. For an event type: the type. */
                id: string;
            };
        };
        SearchResultList: {
            /** @description All records. */
            data: components["schemas"]["SearchResult"][];
        };
        /** @description A record that matches the search. */
        SearchResult: {
            /**
             * @description Type of the record. `not_accepted`: a problem because of which events were rejected.
             * @enum {string}
             */
            type: "event" | "customer" | "run" | "message" | "delivery" | "outbound_event" | "not_accepted" | "webhook" | "workflow" | "conversation" | "channel" | "campaign" | "template" | "sale";
            /**
             * Format: uuid
             * @description ID of the record.
             */
            id: string;
            /** @description Title of the record: its name, the type of an event, or the beginning of a message. */
            title: string;
            /** @description Type and status of the record, for people. */
            detail: string;
        };
        NotAcceptedPage: {
            /** @description Records of this page. */
            data: components["schemas"]["NotAccepted"][];
            /** @description Value of `cursor` for the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /** @description A problem because of which events were rejected. Repeats within 10 minutes of the first are counted in the same entry. */
        NotAccepted: {
            /**
             * Format: uuid
             * @description ID of the entry.
             */
            id: string;
            /**
             * Format: date-time
             * @description Time of the first rejected request.
             */
            firstAt: string;
            /**
             * Format: date-time
             * @description Time of the newest rejected request.
             */
            lastAt: string;
            /** @description Number of rejected requests from `firstAt` to `lastAt`. */
            count: number;
            /** @description Store plugin detected from the User-Agent. Otherwise `custom`. */
            sender: string;
            /** @description HTTP method of the request, for example `POST`. */
            method: string;
            /** @description Path of the request. */
            path: string;
            /** @description HTTP status of the response. `code`, `message` and `details` are also those of the response. */
            status: number;
            /**
             * @description Error code, for programs, as in any error.
             * @enum {string}
             */
            code: "invalid_request" | "malformed_request" | "unauthorized" | "forbidden" | "feature_not_available" | "plan_limit_reached" | "not_found" | "method_not_allowed" | "conflict" | "unsupported_media_type" | "unprocessable" | "rate_limited" | "internal_error";
            /** @description Exact error message that the sender received. For a warning: the problem. */
            message: string;
            /** @description Path of each invalid field, with the reason. Null if there are none. */
            details: {
                [key: string]: string;
            } | null;
            /** @description `request_id` of the newest rejected request. */
            requestId: string;
            /**
             * @description `error`: the event was rejected. `warning`: the call succeeded, but its idempotency key was used before for a different event, so nothing was recorded.
             * @enum {string}
             */
            severity: "error" | "warning";
            /**
             * Format: uuid
             * @description For a warning: ID of the event that the key of the newest request belongs to. Null otherwise.
             */
            eventId: string | null;
        };
        /** @description Server-Sent Events (`text/event-stream`). The operation lists the fields of `data:` for each `event:`. */
        Stream: string;
        CreateCustomer: {
            /** @description Phone number in E.164 format. At least one of `phone` and `externalId` is required. */
            phone?: string | null;
            /** @description ID of the customer in your own system. */
            externalId?: string | null;
            /** @description Name of the customer, used for `{{customer.name}}` in messages. */
            name?: string | null;
            /** @description Stored and displayed. The service sends nothing to this address. */
            email?: string | null;
            /** @description At most 50 fields with names of up to 100 characters, at most 16 KiB in total. */
            attributes?: {
                [key: string]: unknown;
            };
        };
        Customer: {
            /**
             * Format: uuid
             * @description ID of the customer.
             */
            id: string;
            /** @description Phone number in E.164 format. Null if unknown. */
            phone: string | null;
            /** @description ID of the customer in your own system. */
            externalId: string | null;
            /** @description Name of the customer. Null if unknown. */
            name: string | null;
            /** @description E-mail address. Null if unknown. Several customers can have the same address. */
            email: string | null;
            /** @description Values that you and your workflows store about the customer, by names that you choose. */
            attributes: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description Time of the latest opt-in. Null if there was none.
             */
            optedInAt: string | null;
            /**
             * Format: date-time
             * @description Time when the customer opted out of messages. Null if messages are allowed.
             */
            optedOutAt: string | null;
            /**
             * Format: date-time
             * @description Time when the customer was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            updatedAt: string;
        };
        UpsertCustomer: {
            /** @description Phone number in E.164 format. Finds the customer if no `externalId` is given or if no customer has it. Null clears it. */
            phone?: string | null;
            /** @description ID of the customer in your own system. Used first to find the customer. Null clears it. */
            externalId?: string | null;
            /** @description Null clears the value. */
            name?: string | null;
            /** @description Null clears the value. */
            email?: string | null;
            /** @description Merged into the existing attributes: a given field replaces the existing one, and null removes it. At most 50 fields can remain, with names of up to 100 characters, at most 16 KiB in total. */
            attributes?: {
                [key: string]: unknown;
            };
        };
        CustomerPage: {
            /** @description Records of this page. */
            data: components["schemas"]["Customer"][];
            /** @description Value of `cursor` for the next page. Null on the last page. */
            nextCursor: string | null;
        };
        ChangeCustomer: {
            /** @description Null clears the value. A customer must keep at least one of `phone` and `externalId`. */
            phone?: string | null;
            /** @description Null clears the value. */
            externalId?: string | null;
            /** @description Null clears the value. */
            name?: string | null;
            /** @description Null clears the value. */
            email?: string | null;
            /** @description Merged into the existing attributes: a given field replaces the existing one, and null removes it. At most 50 fields can remain, with names of up to 100 characters, at most 16 KiB in total. */
            attributes?: {
                [key: string]: unknown;
            };
        };
        OptIn: {
            /** @description Evidence that the customer agreed to receive messages. */
            evidence: string;
        };
        OptOut: {
            /** @description Reason, in words that people will understand later. */
            reason: string;
        };
        LiftOptOut: {
            /** @description Evidence that the customer wants messages again. */
            reason: string;
        };
        ConsentPage: {
            /** @description Records of this page. */
            data: components["schemas"]["Consent"][];
            /** @description Value of `cursor` for the next page. Null on the last page. */
            nextCursor: string | null;
        };
        Consent: {
            /**
             * Format: uuid
             * @description ID of the entry.
             */
            id: string;
            /**
             * @description `lift`: an owner lifted an opt-out.
             * @enum {string}
             */
            kind: "opt_in" | "opt_out" | "lift";
            /**
             * @description `api`: an API key. `dashboard`: a person. `customer`: the customer's own words.
             * @enum {string}
             */
            source: "api" | "dashboard" | "customer";
            /** @description Evidence, reason, or the word that the customer wrote. Null after the customer is erased. */
            words: string | null;
            /**
             * Format: uuid
             * @description ID of the event that contained it. Null if there was none.
             */
            eventId: string | null;
            /**
             * Format: uuid
             * @description ID of the team member who made the entry. Null if no member did.
             */
            userId: string | null;
            /**
             * Format: date-time
             * @description Time when the entry was recorded.
             */
            at: string;
        };
        TimelineItemPage: {
            /** @description Records of this page. */
            data: components["schemas"]["TimelineItem"][];
            /** @description Value of `cursor` for the next page. Null on the last page. */
            nextCursor: string | null;
        };
        TimelineItem: components["schemas"]["TimelineEvent"] | components["schemas"]["TimelineMessage"] | components["schemas"]["TimelineRun"] | components["schemas"]["TimelineOptIn"] | components["schemas"]["TimelineOptOut"] | components["schemas"]["TimelineLift"];
        TimelineEvent: {
            /**
             * Format: uuid
             * @description ID of the event, message, run or consent entry.
             */
            id: string;
            /**
             * @description Type of the item. It determines which fields are present. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "event";
            /**
             * Format: date-time
             * @description Time of the item. Items are sorted newest first.
             */
            at: string;
            /** @description Type of the event. */
            type: string;
            /**
             * @description `api`: sent with an API key. `dashboard`: sent by a person.
             * @enum {string}
             */
            source: "api" | "dashboard";
            /** @description Store plugin detected from the User-Agent. Otherwise `custom`. */
            sender: string;
            /** @description Data of the event. */
            data: {
                [key: string]: unknown;
            };
            /** @description Number of workflows that were ready to run for its type. */
            matchedWorkflows: number;
        };
        TimelineMessage: {
            /**
             * Format: uuid
             * @description ID of the event, message, run or consent entry.
             */
            id: string;
            /**
             * @description Type of the item. It determines which fields are present. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "message";
            /**
             * Format: date-time
             * @description Time of the item. Items are sorted newest first.
             */
            at: string;
            /**
             * @description `inbound`: from the customer. `outbound`: to the customer.
             * @enum {string}
             */
            direction: "outbound" | "inbound";
            /** @description Text of the message. Null for a type without text, and after the customer is erased. */
            text: string | null;
            /**
             * @description Status of the message, as in the message record.
             * @enum {string}
             */
            status: "queued" | "sent" | "delivered" | "read" | "failed" | "skipped" | "unknown" | "received";
            /** @description Why the message failed or was skipped, in words. Null otherwise. */
            detail: string | null;
            /**
             * Format: uuid
             * @description ID of the conversation of the message.
             */
            conversationId: string;
            /**
             * Format: uuid
             * @description ID of the channel of the message.
             */
            channelId: string;
        };
        TimelineRun: {
            /**
             * Format: uuid
             * @description ID of the event, message, run or consent entry.
             */
            id: string;
            /**
             * @description Type of the item. It determines which fields are present. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "run";
            /**
             * Format: date-time
             * @description Time of the item. Items are sorted newest first.
             */
            at: string;
            /**
             * Format: uuid
             * @description ID of the workflow.
             */
            workflowId: string;
            /** @description Name of the workflow. Null after the workflow is deleted. */
            workflowName: string | null;
            /** @description Version of the workflow that the run used. */
            version: number;
            /**
             * Format: uuid
             * @description ID of the event that started the run.
             */
            eventId: string;
            /**
             * @description Status of the run, as in the run record.
             * @enum {string}
             */
            status: "active" | "waiting" | "done" | "failed" | "stopped";
            /**
             * @description End reason. Null before the end.
             * @enum {string|null}
             */
            endReason: "completed" | "exited" | "exit_condition" | "opted_out" | "too_many_steps" | "step_missing" | "stopped" | "customer_erased" | "internal_error" | null;
            /**
             * Format: date-time
             * @description Time of the end. Null before the end.
             */
            endedAt: string | null;
        };
        TimelineOptIn: {
            /**
             * Format: uuid
             * @description ID of the event, message, run or consent entry.
             */
            id: string;
            /**
             * @description Type of the item. It determines which fields are present. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "opt_in";
            /**
             * Format: date-time
             * @description Time of the item. Items are sorted newest first.
             */
            at: string;
            /**
             * @description `api`: an API key. `dashboard`: a person. `customer`: the customer's own words.
             * @enum {string}
             */
            source: "api" | "dashboard" | "customer";
            /** @description Evidence of the opt-in. Null after the customer is erased. */
            words: string | null;
            /**
             * Format: uuid
             * @description ID of the event that contained it. Null if there was none.
             */
            eventId: string | null;
        };
        TimelineOptOut: {
            /**
             * Format: uuid
             * @description ID of the event, message, run or consent entry.
             */
            id: string;
            /**
             * @description Type of the item. It determines which fields are present. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "opt_out";
            /**
             * Format: date-time
             * @description Time of the item. Items are sorted newest first.
             */
            at: string;
            /**
             * @description `api`: an API key. `dashboard`: a person. `customer`: the customer's own words.
             * @enum {string}
             */
            source: "api" | "dashboard" | "customer";
            /** @description Reason of the opt-out. Null after the customer is erased. */
            words: string | null;
            /**
             * Format: uuid
             * @description ID of the event that contained it. Null if there was none.
             */
            eventId: string | null;
        };
        TimelineLift: {
            /**
             * Format: uuid
             * @description ID of the event, message, run or consent entry.
             */
            id: string;
            /**
             * @description Type of the item. It determines which fields are present. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "lift";
            /**
             * Format: date-time
             * @description Time of the item. Items are sorted newest first.
             */
            at: string;
            /**
             * @description `api`: an API key. `dashboard`: a person. `customer`: the customer's own words.
             * @enum {string}
             */
            source: "api" | "dashboard" | "customer";
            /** @description Why an owner lifted the opt-out. Null after the customer is erased. */
            words: string | null;
            /**
             * Format: uuid
             * @description ID of the event that contained it. Null if there was none.
             */
            eventId: string | null;
        };
        CreateWorkflow: {
            /** @description Name of the workflow. */
            name: string;
            definition: components["schemas"]["WorkflowDraft"];
        };
        /** @description An unfinished definition. It has the fields of `WorkflowDefinition`, whose contents can be incomplete. */
        WorkflowDraft: {
            /** @description `trigger` of a definition. Can be incomplete. */
            trigger: {
                [key: string]: unknown;
            };
            /** @description `entry` of a definition. */
            entry?: {
                [key: string]: unknown;
            };
            /** @description `exitOn` of a definition. */
            exitOn?: {
                [key: string]: unknown;
            }[];
            /** @description ID of the first step. Can be empty. */
            start: string;
            /** @description Steps by ID, at most 200. Can be incomplete. */
            steps: {
                [key: string]: {
                    /** @description Type of the step. */
                    type: string;
                    /** @description Exits of a `wait_for` step. */
                    any?: {
                        [key: string]: unknown;
                    }[];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        Workflow: {
            /**
             * Format: uuid
             * @description ID of the workflow.
             */
            id: string;
            /** @description Name of the workflow. */
            name: string;
            /** @description Whether the workflow is switched on: events start runs of the published version. */
            enabled: boolean;
            /** @description Event type of the trigger, from the published version or else the draft. Empty until a draft has a valid one. */
            triggerType: string;
            /** @description Version that new runs use. Null if none was published. */
            publishedVersion: number | null;
            draft: components["schemas"]["WorkflowDraft"];
            /** @description Errors that prevent publishing the draft. At most the first 20. Empty if the draft is complete. Missing channels and templates are not included. Publishing and `POST /v1/workflows/check` detect them. */
            draftErrors: components["schemas"]["DraftError"][];
            /**
             * Format: date-time
             * @description Time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            updatedAt: string;
        };
        DraftError: {
            /** @description Path in the definition, for example `definition.steps.thanks.text`. */
            path: string;
            /** @description The problem, and how to solve it. */
            message: string;
        };
        WorkflowPage: {
            /** @description Records of this page. */
            data: components["schemas"]["Workflow"][];
            /** @description Value of `cursor` for the next page. Null on the last page. */
            nextCursor: string | null;
        };
        WorkflowToCheck: {
            /** @description Definition of a workflow. It can be invalid: the response lists the errors. */
            definition: {
                [key: string]: unknown;
            };
        };
        CheckedWorkflow: {
            /** @description Whether the definition can be published. */
            valid: boolean;
            /** @description Errors by path, for example `definition.steps.thanks.text`. At most the first 20. Null if there are none. */
            details: {
                [key: string]: string;
            } | null;
        };
        ChangeWorkflow: {
            /** @description Name of the workflow. */
            name?: string;
            definition?: components["schemas"]["WorkflowDraft"];
            /** @description Whether events start runs of the published version. */
            enabled?: boolean;
            /**
             * @description Effect on active runs when `enabled` is set to false. `finish` lets them continue and is the default. `stop` ends them within moments with the status `stopped`.
             * @enum {string}
             */
            running?: "finish" | "stop";
        };
        PublishWorkflow: {
            /** @description Moves active runs to the new version within moments, if it still contains their step. Their wait then follows the new version. A changed duration counts from the start of the wait. All other runs finish on their version. */
            move?: boolean;
        };
        WorkflowVersionPage: {
            /** @description Records of this page. */
            data: components["schemas"]["WorkflowVersion"][];
            /** @description Value of `cursor` for the next page. Null on the last page. */
            nextCursor: string | null;
        };
        WorkflowVersion: {
            /** @description Number of the version, counted from 1. */
            version: number;
            /**
             * Format: date-time
             * @description Time when the version was published.
             */
            publishedAt: string;
            /**
             * Format: uuid
             * @description ID of the user who published the version.
             */
            publishedBy: string | null;
        };
        WorkflowVersionWhole: {
            /** @description Number of the version, counted from 1. */
            version: number;
            /**
             * Format: date-time
             * @description Time when the version was published.
             */
            publishedAt: string;
            /**
             * Format: uuid
             * @description ID of the user who published the version.
             */
            publishedBy: string | null;
            definition: components["schemas"]["WorkflowDefinition"];
        };
        /** @description Trigger and steps of a workflow. Each step names the next step. */
        WorkflowDefinition: {
            /** @description Events that start a run: events of the type that match `where`, if it is given. */
            trigger: {
                /** @description Event type. It must match exactly, including case and punctuation. */
                eventType: string;
                where?: components["schemas"]["Condition"];
            };
            /** @description Limit on how often a customer can start the workflow. Defaults to always. */
            entry?: {
                /**
                 * @description `once`: a customer has at most one run of the workflow, ever. `not_while_active`: at most one run at a time. A start that this rule prevents is shown with the event as `not_run_for_customer`.
                 * @enum {string}
                 */
                reentry?: "always" | "once" | "not_while_active";
                /** @description Field of the event. The rule then applies separately to each of its values for the customer. */
                key?: string;
            };
            /** @description Ends a run immediately at any step: an event of its customer with the given reason, or an opt-out. */
            exitOn?: components["schemas"]["ExitOn"][];
            /** @description ID of the first step. */
            start: string;
            /** @description Steps by ID, at most 200. */
            steps: {
                [key: string]: components["schemas"]["WorkflowStep"];
            };
        };
        /** @description At most 200 comparisons and 10 nested levels of `all`, `any` and `not`. A condition that would read more than about 50,000 values is false, and the trace records this. */
        Condition: components["schemas"]["AllConditions"] | components["schemas"]["AnyCondition"] | components["schemas"]["NotCondition"] | components["schemas"]["Comparison"];
        AllConditions: {
            /** @description All of these conditions must hold. */
            all: components["schemas"]["Condition"][];
        };
        AnyCondition: {
            /** @description At least one of these conditions must hold. */
            any: components["schemas"]["Condition"][];
        };
        NotCondition: {
            not: components["schemas"]["Condition"];
        };
        Comparison: {
            /** @description Path to a value. `data.…`: a field of the event; `data.items.0.sku` reads a nested field. Also: `event.type`, `event.id`, `customer.name`, `customer.phone`, `customer.externalId`, `customer.id`, `customer.attributes.…` and `now`. `answer.text` and `answer.data.…` read the reply or event that ended the last wait. `trigger.data.…` is an alias of `data.…`. The filter of a trigger supports only `data.…` and `event.type`. */
            path: string;
            /**
             * @description Operator that compares the value at the path with `value`.
             * @enum {string}
             */
            op: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "contains" | "exists";
            /** @description `eq`, `ne`, `contains`: a string, number or boolean. `gt`, `gte`, `lt`, `lte`: a number, or a string that contains one. `in`: a list of 1 to 1,000 strings, numbers or booleans. `exists`: false requires that no value exists; true or no value requires that one exists. */
            value?: unknown;
        };
        ExitOn: components["schemas"]["ExitOnEvent"] | components["schemas"]["ExitOnOptOut"];
        ExitOnEvent: {
            /** @description Event type. It must match exactly, including case and punctuation. */
            event: string;
            /** @description Which event matches. `{"data.cartId": "trigger.data.cartId"}` requires that the arriving event has the same `cartId` as the event that started the run. At most 10 pairs. All pairs must be equal as JSON values. A value that is absent on either side equals nothing. */
            match?: {
                [key: string]: string;
            };
            /** @description Your own reason for the end of the run. */
            reason?: string;
        };
        ExitOnOptOut: {
            /** @description Ends the run when the customer opts out. */
            optOut: boolean;
        };
        /** @description One of the steps `delay`, `condition`, `send_message`, `send_template`, `wait_for`, `mark_sale`, `set_attribute`, `exit`. */
        WorkflowStep: components["schemas"]["DelayStep"] | components["schemas"]["ConditionStep"] | components["schemas"]["SendMessageStep"] | components["schemas"]["SendTemplateStep"] | components["schemas"]["WaitForStep"] | components["schemas"]["MarkSaleStep"] | components["schemas"]["SetAttributeStep"] | components["schemas"]["ExitStep"];
        DelayStep: {
            /**
             * @description Waits. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "delay";
            /** @description Duration in ISO 8601 (`PT1H`, `P2D`) or short format (`500ms`, `30s`, `5m`, `1h`, `2d`), at most 90 days. The first delay of a run counts from the recording of the event. The waits in a cycle of steps must add up to at least 1 second. One of `for` and `until` is required. */
            for?: string;
            /** @description Next local `time` on one of the `weekdays`. If a clock change skips the time, the moment of the change is used. If the time occurs twice, the first one is used. */
            until?: {
                /** @description Local time in 24-hour format. */
                time: string;
                /** @description IANA time zone. Defaults to the attribute `timezone` of the customer if it names a time zone, then to that of the workspace. */
                zone?: string;
                /** @description Days of the week. Defaults to every day. */
                weekdays?: components["schemas"]["Weekday"][];
            };
            /** @description ID of the next step. Null ends the run. */
            next: string | null;
        };
        /** @enum {string} */
        Weekday: "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun";
        ConditionStep: {
            /**
             * @description Chooses the next step by a condition. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "condition";
            if: components["schemas"]["Condition"];
            /** @description ID of the next step. Null ends the run. */
            then: string | null;
            /** @description ID of the next step. Null ends the run. */
            else: string | null;
        };
        SendMessageStep: {
            /**
             * @description Sends a text. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "send_message";
            /** @description Text of the message. It must contain more than white space and can contain placeholders such as `{{customer.name}}` and `{{data.total}}`. `{{customer.name|there}}` gives a default for an absent value. Available: `data.…`, `event.id`, `event.type`, `customer.id`, `customer.name`, `customer.phone`, `customer.externalId` and `customer.attributes.…`. The sent message has at most 4096 characters: the text around the placeholders is kept in full. The values share the rest in their order, and a value that does not fit is cut. */
            text: string;
            /**
             * Format: uuid
             * @description ID of the channel. Defaults to the channel that was connected first. Publishing is rejected if the workspace has no such channel. If the channel is removed later, the message is skipped.
             */
            channelId?: string;
            /** @description ID of the next step. Null ends the run. */
            next: string | null;
        };
        SendTemplateStep: {
            /**
             * @description Sends a template. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "send_template";
            /**
             * Format: uuid
             * @description ID of the template. Publishing is rejected if the workspace has no such template.
             */
            templateId: string;
            /** @description A text for each variable of the template, at most 50. Texts can contain placeholders, as in the text of `send_message`. */
            variables: {
                [key: string]: string;
            };
            /**
             * Format: uuid
             * @description ID of the channel. Defaults to the channel that was connected first. Publishing is rejected if the workspace has no such channel. If the channel is removed later, the message is skipped.
             */
            channelId?: string;
            /** @description ID of the next step. Null ends the run. */
            next: string | null;
        };
        WaitForStep: {
            /**
             * @description Waits for an event or a reply. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "wait_for";
            /** @description Maximum wait, at most 90 days, in the format of `for` of a delay. */
            timeout: string;
            /** @description ID of the next step. Null ends the run. */
            onTimeout: string | null;
            /** @description Exits that end the wait. Arrivals since the start of the run also count, once each. The first arrival that matches any exit is used, then the first exit that it matches. */
            any: components["schemas"]["WaitForExit"][];
        };
        WaitForExit: components["schemas"]["ReplyExit"] | components["schemas"]["EventExit"];
        ReplyExit: {
            /** @description Waits for a message of the customer. The whole message must equal an entry of `in`. Case, and white space and punctuation around it, are ignored. */
            reply: {
                /** @description Accepted replies. Defaults to any reply. */
                in?: string[];
            };
            /** @description ID of the next step. Null ends the run. */
            next: string | null;
        };
        EventExit: {
            /** @description Event type. It must match exactly, including case and punctuation. */
            event: string;
            /** @description Which event matches. `{"data.cartId": "trigger.data.cartId"}` requires that the arriving event has the same `cartId` as the event that started the run. At most 10 pairs. All pairs must be equal as JSON values. A value that is absent on either side equals nothing. */
            match?: {
                [key: string]: string;
            };
            /** @description ID of the next step. Null ends the run. */
            next: string | null;
        };
        MarkSaleStep: {
            /**
             * @description Marks a sale. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "mark_sale";
            /** @description Decimal number such as `129.90`, or a text with placeholders such as `{{data.total}}`. The digits of a text are kept exactly. A number of an event has no trailing zeros, so `129.90` is marked as `129.9`. Zeros beyond the decimal places of the currency are removed. If the result is not an amount of the currency, the step is skipped with the reason `no_amount`. */
            amount: string | number;
            /** @description Currency code (ISO 4217), or a text with placeholders. If the result is not a currency, the step is skipped with the reason `no_currency`. */
            currency: string;
            /** @description Note of the sale, with optional placeholders. At most 1000 characters of it are kept. */
            note?: string;
            /** @description ID of the next step. Null ends the run. */
            next: string | null;
        };
        SetAttributeStep: {
            /**
             * @description Sets attributes of the customer. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "set_attribute";
            /** @description Merged into the attributes of the customer. At most 20, with names of letters, digits, _ and -. Later steps read the new values. */
            set: {
                [key: string]: components["schemas"]["AttributeValue"];
            };
            /** @description ID of the next step. Null ends the run. */
            next: string | null;
        };
        /** @description A string, number or boolean. Null removes the attribute. */
        AttributeValue: string | number | boolean | null;
        ExitStep: {
            /**
             * @description Ends the run. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "exit";
            /** @description Your own reason for the end of the run. */
            reason: string;
        };
        WorkflowImpact: {
            /** @description Number of runs of any version that have not ended. Counted up to 100,000. */
            runsInFlight: number;
            /** @description Number of runs at each step. */
            byStep: {
                [key: string]: number;
            };
            /** @description Steps of the published version or of active runs that the draft does not contain. */
            removedSteps: string[];
            /** @description Number of runs that would move to the draft if it were published with `move`. */
            movable: number;
        };
        WorkflowStats: {
            /** @description Number of runs at each step. */
            waiting: {
                [key: string]: number;
            };
            /** @description Statistics of runs started in the last 7 days. At most the newest 100,000 are counted. */
            last7Days: {
                /** @description Number of runs that started. */
                started: number;
                /** @description Number of runs that completed all their steps. */
                completed: number;
                /** @description Number of runs that could not continue. */
                failed: number;
                /** @description Number of runs that a step, an event or an opt-out ended, as defined. */
                exited: number;
            };
            /** @description With `by=day`: number of these runs that started in each of the 7 periods of 24 hours, oldest first. */
            startedByDay?: number[];
        };
        RunPage: {
            /** @description Records of this page. */
            data: components["schemas"]["Run"][];
            /** @description Value of `cursor` for the next page. Null on the last page. */
            nextCursor: string | null;
        };
        Run: {
            /**
             * Format: uuid
             * @description ID of the run.
             */
            id: string;
            /**
             * Format: uuid
             * @description ID of the workflow.
             */
            workflowId: string;
            /** @description Version of the workflow that the run uses. */
            version: number;
            /**
             * Format: uuid
             * @description ID of the customer of the run.
             */
            customerId: string;
            /**
             * Format: uuid
             * @description ID of the event that started the run.
             */
            eventId: string;
            /**
             * @description `waiting`: at a step, for its time or for an arrival. `active`: moving to the next step.
             * @enum {string}
             */
            status: "active" | "waiting" | "done" | "failed" | "stopped";
            /** @description ID of the current step. */
            stepId: string | null;
            /**
             * Format: date-time
             * @description Time when the run resumes automatically. Null if the run is not waiting for a time.
             */
            wakeAt: string | null;
            /**
             * @description End reason. For `done`: `completed`, `exited` (by an exit step), `exit_condition` (by an event in `exitOn`) or `opted_out`. For `stopped`: by a person, or with the workflow. For `failed`: `too_many_steps` (more than 1000), `step_missing`, `customer_erased` or `internal_error`. `internal_error` is a fault of the service, after up to three attempts.
             * @enum {string|null}
             */
            endReason: "completed" | "exited" | "exit_condition" | "opted_out" | "too_many_steps" | "step_missing" | "stopped" | "customer_erased" | "internal_error" | null;
            /** @description Reason for the end in the definition, if it gives one. After a restore: why the operator stopped the run. */
            endDetail?: string;
            /**
             * Format: date-time
             * @description Time when the run started.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the end. Null before the end.
             */
            endedAt: string | null;
            /** @description Results of the steps, in order. */
            steps: {
                /** @description ID of the step. */
                stepId: string;
                /**
                 * @description Result of the step.
                 * @enum {string}
                 */
                outcome: "queued" | "skipped" | "waiting" | "waited" | "reply" | "event" | "timeout" | "then" | "else" | "set" | "marked" | "exited";
                /** @description Details, depending on the type of the step. For `skipped`: includes the reason. */
                detail: unknown;
                /**
                 * Format: date-time
                 * @description Time when the step was executed.
                 */
                at: string;
            }[];
        };
        TryWorkflow: {
            /**
             * Format: uuid
             * @description ID of an event of the workspace. Exactly one of `eventId` and `event` is required.
             */
            eventId?: string;
            event?: components["schemas"]["RecordEvent"];
            /**
             * Format: uuid
             * @description ID of the customer. Defaults to the customer of `eventId`, or the one that `event` would be about. A customer is simulated if `event` would create one or identifies none.
             */
            customerId?: string;
            /** @description `draft` or the number of a published version. Defaults to `draft`. */
            version?: "draft" | number;
            /** @description Actions of the customer. `after` is the time since the start of the run. A wait without an answer times out. */
            answers?: components["schemas"]["TrialAnswer"][];
        };
        TrialAnswer: components["schemas"]["TrialReply"] | components["schemas"]["TrialEvent"];
        TrialReply: {
            /** @description Time since the start of the run, for example `PT1H` or `2d`. */
            after: string;
            /** @description Reply of the customer at this time. */
            reply: string;
        };
        TrialEvent: {
            /** @description Time since the start of the run. */
            after: string;
            /** @description Event of the customer that arrives at this time. */
            event: {
                /** @description Free text. A workflow starts if its trigger equals the type exactly, including case and punctuation. */
                type: string;
                /** @description Input for workflows. At most 50 top-level fields. */
                data?: {
                    [key: string]: unknown;
                };
            };
        };
        TriedWorkflow: {
            /** @description Whether the event would start the workflow, and why. */
            verdict: {
                /**
                 * Format: uuid
                 * @description ID of the tested workflow.
                 */
                workflowId: string;
                /** @description Name of the workflow. */
                name: string;
                /**
                 * @description `no_listener`: the event has another type. The test ignores `entry` and whether the workflow is switched on.
                 * @enum {string}
                 */
                verdict: "started" | "not_run_for_customer" | "no_listener";
                /**
                 * Format: uuid
                 * @description Always null, because no run is created.
                 */
                runId: string | null;
                /** @description Explanation in one sentence, for people. */
                explanation: string;
                /** @description Comparisons of the filter that did not match the event. At most three. */
                comparisons: {
                    /** @description Path of the compared value. */
                    path: string;
                    /** @description Operator of the comparison. */
                    op: string;
                    /** @description Value to compare with. */
                    value?: unknown;
                    /** @description Value that was found. Omitted if there was none. */
                    found?: unknown;
                    /** @description Whether the comparison was true but had to be false, because of a `not`. */
                    negated: boolean;
                }[];
            };
            /** @description Results of the steps with their simulated times, as in the trace of a run. */
            steps: {
                /** @description ID of the step. */
                stepId: string;
                /**
                 * @description Result of the step.
                 * @enum {string}
                 */
                outcome: "queued" | "skipped" | "waiting" | "waited" | "reply" | "event" | "timeout" | "then" | "else" | "set" | "marked" | "exited";
                /** @description Details, depending on the type of the step. */
                detail: unknown;
                /**
                 * Format: date-time
                 * @description Time when the step would be executed.
                 */
                at: string;
            }[];
            /** @description Messages that would be sent to the customer. At most the first 200. */
            messages: {
                /** @description ID of the step that created the message. */
                stepId: string;
                /**
                 * Format: uuid
                 * @description ID of the channel that would send the message.
                 */
                channelId: string;
                /** @description Address of the customer on the channel. */
                handle: string;
                /** @description Text that the customer would receive. */
                text: string;
                /**
                 * Format: uuid
                 * @description ID of the template. Null for a text without a template.
                 */
                templateId: string | null;
                /** @description Why the message would not be sent. Null if it would be sent. */
                skipped: string | null;
                /**
                 * Format: date-time
                 * @description Time when the message would be created.
                 */
                at: string;
            }[];
            /** @description Sales that would be marked. At most the first 200. */
            sales: {
                /** @description ID of the step that marked the sale. */
                stepId: string;
                /** @description Decimal number with its exact digits. */
                amount: string;
                /** @description Currency code (ISO 4217). */
                currency: string;
                /** @description Note that would be stored with the sale. Null if there is none. */
                note: string | null;
                /**
                 * Format: date-time
                 * @description Time when the sale would be marked.
                 */
                at: string;
            }[];
            /**
             * @description End reason, as in a run. `unfinished`: the test took too long. Null if no run started.
             * @enum {string|null}
             */
            endReason: "completed" | "exited" | "exit_condition" | "opted_out" | "too_many_steps" | "step_missing" | "stopped" | "customer_erased" | "internal_error" | "unfinished" | null;
        };
        ReplayWorkflow: {
            /** @description Number of days to replay. */
            days: number;
            /** @description `draft` or the number of a published version. Defaults to `draft`. */
            version?: "draft" | number;
        };
        ReplayedWorkflow: {
            /** @description Number of events of the type that were checked, newest first. */
            events: number;
            /** @description Whether all events of these days were checked. false: there are more than 50000, or the replay took too long. */
            complete: boolean;
            /** @description Number of events by verdict. */
            verdicts: {
                [key: string]: number;
            };
            /** @description Number of runs that reached each step. */
            byStep: {
                [key: string]: number;
            };
            /** @description Number of runs by end reason. */
            ends: {
                [key: string]: number;
            };
        };
        ConnectChannel: components["schemas"]["ConnectSandbox"] | components["schemas"]["ConnectWhatsappCloud"] | components["schemas"]["ConnectTwilioSms"];
        /** @description A test provider inside the service, with a phone that you can read and reply on. It sends no real messages. */
        ConnectSandbox: {
            /**
             * @description Kind of the channel. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "sandbox";
            /** @description Name of the channel. */
            name: string;
            /** @description Behavior of a sandbox, which simulates a provider and sends nothing. */
            sandbox?: {
                /**
                 * @description Result of messages: `delivered`, `read` or `failed` immediately, or no result until you report one (`manual`). Messages to numbers that end in 0000 always fail.
                 * @enum {string}
                 */
                delivery: "delivered" | "read" | "failed" | "manual";
            };
        };
        /** @description Uses the Cloud API of Meta. You can send free text for 24 hours after the last message of a customer, and approved templates at any time. */
        ConnectWhatsappCloud: {
            /**
             * @description Kind of the channel. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "whatsapp_cloud";
            /** @description Name of the channel. */
            name: string;
            /** @description Credentials of the app and its phone number. */
            credentials: {
                /**
                 * Phone number ID
                 * @description In the Meta app dashboard under WhatsApp › API Setup. This is not the phone number.
                 * @example 106540352242922
                 */
                phoneNumberId: string;
                /**
                 * Access token
                 * Format: password
                 * @description Use a permanent token: Business settings › System users › Generate token, with the permission whatsapp_business_messaging.
                 * @example EAAGexampleOfAPermanentToken
                 */
                accessToken: string;
                /**
                 * App secret
                 * Format: password
                 * @description In App settings › Basic. Meta signs its callbacks with it.
                 * @example 0f1e2d3c4b5a69788796a5b4c3d2e1f0
                 */
                appSecret: string;
                /**
                 * Verify token
                 * @description Choose at least 16 characters. Keep the token: you enter it at Meta with the callback URL.
                 * @example a-word-of-your-own
                 */
                verifyToken: string;
            };
        };
        /** @description Sends SMS from one of your Twilio numbers, or from a messaging service of Twilio. */
        ConnectTwilioSms: {
            /**
             * @description Kind of the channel. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "twilio_sms";
            /** @description Name of the channel. */
            name: string;
            /** @description Credentials of the account, with the number or the messaging service that sends. */
            credentials: components["schemas"]["TwilioNumberCredentials"] | components["schemas"]["TwilioServiceCredentials"];
        };
        TwilioNumberCredentials: {
            /**
             * Account SID
             * @description In the Twilio Console under Account info. Starts with AC.
             * @example AC00000000000000000000000000000000
             */
            accountSid: string;
            /**
             * Auth token
             * Format: password
             * @description The primary token of the account, below its SID. Twilio signs its callbacks with it.
             * @example 00000000000000000000000000000000
             */
            authToken: string;
            /**
             * Number or sender name
             * @description An E.164 number, a short code or a sender name. For WhatsApp by Twilio, write whatsapp: before the number.
             * @example +15005550006
             */
            from: string;
        };
        TwilioServiceCredentials: {
            /**
             * Account SID
             * @description In the Twilio Console under Account info. Starts with AC.
             * @example AC00000000000000000000000000000000
             */
            accountSid: string;
            /**
             * Auth token
             * Format: password
             * @description The primary token of the account, below its SID. Twilio signs its callbacks with it.
             * @example 00000000000000000000000000000000
             */
            authToken: string;
            /**
             * Messaging service SID
             * @description In the Twilio Console under Messaging › Services. Starts with MG.
             * @example MG00000000000000000000000000000000
             */
            messagingServiceSid: string;
        };
        /** @description A connection to a messaging provider. Responses never contain its credentials. */
        Channel: {
            /**
             * Format: uuid
             * @description ID of the channel.
             */
            id: string;
            /**
             * @description `sandbox`: Sandbox. A test provider inside the service, with a phone that you can read and reply on. It sends no real messages. `whatsapp_cloud`: WhatsApp. Uses the Cloud API of Meta. You can send free text for 24 hours after the last message of a customer, and approved templates at any time. `twilio_sms`: SMS with Twilio. Sends SMS from one of your Twilio numbers, or from a messaging service of Twilio.
             * @enum {string}
             */
            kind: "sandbox" | "whatsapp_cloud" | "twilio_sms";
            /** @description Name of the channel. */
            name: string;
            /** @description Number of the channel at the provider: a phone number, or the ID of one. */
            number: string | null;
            /**
             * @description `failing`: the provider rejects requests of the service; `statusDetail` contains the error. `disconnected`: permanently disconnected.
             * @enum {string}
             */
            status: "connected" | "failing" | "disconnected";
            /** @description Error message of the provider. Null while the provider accepts requests. */
            statusDetail: string | null;
            /** @description URL to which the provider must send messages and statuses. Null if the channel does not use one. */
            inboundUrl: string | null;
            /** @description Behavior of the sandbox. Null for other kinds of channels. */
            sandbox: {
                /**
                 * @description Result of messages: `delivered`, `read` or `failed` immediately, or no result until you report one (`manual`). Messages to numbers that end in 0000 always fail.
                 * @enum {string}
                 */
                delivery: "delivered" | "read" | "failed" | "manual";
            } | null;
            /**
             * Format: date-time
             * @description Time when the channel was connected.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            updatedAt: string;
        };
        ChannelPage: {
            /** @description Records of this page. */
            data: components["schemas"]["Channel"][];
            /** @description Value of `cursor` for the next page. Null on the last page. */
            nextCursor: string | null;
        };
        ChannelKindList: {
            /** @description All records. */
            data: components["schemas"]["ChannelKind"][];
        };
        /** @description A kind of channel, with its features and the form to connect it. */
        ChannelKind: {
            /**
             * @description `sandbox`: Sandbox. A test provider inside the service, with a phone that you can read and reply on. It sends no real messages. `whatsapp_cloud`: WhatsApp. Uses the Cloud API of Meta. You can send free text for 24 hours after the last message of a customer, and approved templates at any time. `twilio_sms`: SMS with Twilio. Sends SMS from one of your Twilio numbers, or from a messaging service of Twilio.
             * @enum {string}
             */
            kind: "sandbox" | "whatsapp_cloud" | "twilio_sms";
            /** @description Name of the product for people. */
            name: string;
            /** @description Description for people. */
            description: string;
            /** @description Features and limits of the channels. */
            capabilities: {
                /** @description Maximum number of characters of a message. */
                maxCharacters: number;
                /** @description Hours after the last message of a customer in which any text is accepted. Null if there is no such limit. */
                freeFormWindowHours: number | null;
                /** @description Whether the provider has approved templates. */
                templates: boolean;
                /** @description Whether messages can contain media. */
                media: boolean;
            };
            /** @description Fields of `credentials`, in the order of the form. Empty if the kind has no credentials. */
            credentials: components["schemas"]["CredentialField"][];
            /** @description Instructions for people: where to enter the `inboundUrl` of the channel at the provider. Null if the kind has no callbacks. */
            setup: string | null;
        };
        CredentialField: {
            /** @description Name of the field in `credentials`. */
            name: string;
            /** @description Label of the field for people. */
            label: string;
            /** @description Purpose of the value and where to find it at the provider. */
            description: string;
            /** @description Whether forms hide the value. */
            secret: boolean;
            /** @description Whether the field is always required. */
            required: boolean;
            /** @description Fields that exclude this field. If it is not empty, exactly one of this field and its alternatives is required. */
            alternatives: string[];
            /** @description Regular expression that the value must match. */
            pattern: string | null;
            /** @description Minimum number of characters. */
            minLength: number | null;
            /** @description Maximum number of characters. */
            maxLength: number | null;
            /** @description An example value. */
            example: string | null;
        };
        ChangeChannel: {
            /** @description Name of the channel. */
            name?: string;
            /** @description All credentials, as in the request that connects a channel of this kind. They replace the current credentials. */
            credentials?: {
                [key: string]: unknown;
            };
            /** @description Only allowed for a sandbox. */
            sandbox?: {
                /**
                 * @description Result of messages: `delivered`, `read` or `failed` immediately, or no result until you report one (`manual`). Messages to numbers that end in 0000 always fail.
                 * @enum {string}
                 */
                delivery: "delivered" | "read" | "failed" | "manual";
            };
        };
        ChannelTest: {
            /** @description Whether the provider accepts the credentials. */
            ok: boolean;
            /** @description Response of the provider, in words. */
            detail: string;
        };
        SandboxMessage: {
            /** @description E.164 format: + and 7 to 15 digits. */
            from: string;
            /** @description Text of the message. Optional if `type` is not `text`. */
            text?: string | null;
            /**
             * @description Type of the message.
             * @default text
             * @enum {string}
             */
            type: "text" | "image" | "audio" | "video" | "document" | "location" | "other";
            /** @description Name in the customer's profile. Used if this message creates the customer. */
            name?: string;
            /** @description ID of the message at the provider. A repeated ID refers to the same message. */
            providerMessageId?: string;
        };
        /** @description A message to or from a customer. */
        Message: {
            /**
             * Format: uuid
             * @description ID of the message.
             */
            id: string;
            /**
             * Format: uuid
             * @description ID of the conversation of the message.
             */
            conversationId: string;
            /**
             * Format: uuid
             * @description ID of the channel of the message.
             */
            channelId: string;
            /**
             * Format: uuid
             * @description ID of the customer who sent or receives the message.
             */
            customerId: string;
            /**
             * @description `inbound`: from the customer. `outbound`: to the customer.
             * @enum {string}
             */
            direction: "outbound" | "inbound";
            /**
             * @description Type of the message. Outbound messages are always `text`.
             * @enum {string}
             */
            type: "text" | "image" | "audio" | "video" | "document" | "location" | "other";
            /** @description Text or caption. Null for a type without text, and after the customer is erased. */
            text: string | null;
            /**
             * Format: uuid
             * @description ID of the template of the text. Null if no template was used.
             */
            templateId: string | null;
            /**
             * @description `skipped`: not sent; `detail` contains the reason, for example that the customer had opted out. `unknown`: passed to the provider without receiving a response. The customer may or may not have received the message, so it is never sent again automatically. `received`: from the customer.
             * @enum {string}
             */
            status: "queued" | "sent" | "delivered" | "read" | "failed" | "skipped" | "unknown" | "received";
            /** @description ID of the message at the provider. Null until the provider accepts the message. */
            providerMessageId: string | null;
            /** @description Why the message failed or was skipped, in words. Null otherwise. */
            detail: string | null;
            /** @description Author in the workspace. Null for a message of the customer. */
            sentBy: {
                /**
                 * @description Type of the author.
                 * @enum {string}
                 */
                type: "user" | "workflow" | "campaign";
                /**
                 * Format: uuid
                 * @description ID of the user, workflow or campaign.
                 */
                id: string;
            } | null;
            /**
             * Format: date-time
             * @description For a message of the customer: time given by the provider. For any other message: time when the provider accepted it.
             */
            sentAt: string | null;
            /**
             * Format: date-time
             * @description Time when the message was created or received.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            updatedAt: string;
        };
        SandboxStatus: {
            /**
             * Format: uuid
             * @description ID of the outbound message that the status belongs to.
             */
            messageId: string;
            /**
             * @description Status that the provider reports.
             * @enum {string}
             */
            status: "sent" | "delivered" | "read" | "failed";
            /** @description Why the message failed, in words. */
            detail?: string | null;
        };
        OpenConversation: {
            /**
             * Format: uuid
             * @description ID of the channel to use.
             */
            channelId: string;
            /**
             * Format: uuid
             * @description ID of the customer.
             */
            customerId: string;
        };
        Conversation: {
            /**
             * Format: uuid
             * @description ID of the conversation.
             */
            id: string;
            /**
             * Format: uuid
             * @description ID of the channel of the conversation.
             */
            channelId: string;
            /**
             * @description Kind of the channel.
             * @enum {string}
             */
            channelKind: "sandbox" | "whatsapp_cloud" | "twilio_sms";
            /**
             * Format: uuid
             * @description ID of the customer.
             */
            customerId: string;
            /** @description Current name of the customer. Null if unknown, and after the customer is erased. */
            customerName: string | null;
            /** @description Last used address of the customer. Null after the customer is erased. */
            handle: string | null;
            /**
             * @description `closed` until the customer writes again or somebody opens the conversation.
             * @enum {string}
             */
            status: "open" | "closed";
            /**
             * Format: uuid
             * @description `userId` of the member who is assigned to the conversation. Null after the member has left the team.
             */
            assigneeId: string | null;
            /** @description Number of unread messages of the customer. */
            unread: number;
            /**
             * Format: date-time
             * @description Start of the wait of the customer for an answer. Null if the customer is not waiting.
             */
            waitingSince: string | null;
            /**
             * Format: date-time
             * @description Time until which the provider accepts any message to this customer. It counts from the last message of the customer. Afterwards only approved templates are accepted. Null if the provider has no such window.
             */
            windowClosesAt: string | null;
            /** @description The customer wrote something that is not an opt-out word but can mean an opt-out. True until a person decides (`POST …/opt-out-decision`) or the customer opts out. */
            looksLikeOptOut: boolean;
            /** @description Newest message of the conversation, inbound or outbound. Null if there are no messages. */
            lastMessage?: components["schemas"]["Message"] | null;
            /**
             * Format: date-time
             * @description Time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last change in the conversation.
             */
            updatedAt: string;
        };
        ConversationPage: {
            /** @description Records of this page. */
            data: components["schemas"]["Conversation"][];
            /** @description Value of `cursor` for the next page. Null on the last page. */
            nextCursor: string | null;
        };
        ChangeConversation: {
            /**
             * @description Opens or closes the conversation.
             * @enum {string}
             */
            status?: "open" | "closed";
            /**
             * Format: uuid
             * @description `userId` of a member who has joined. Null removes the assignment.
             */
            assigneeId?: string | null;
        };
        OptOutDecision: {
            /**
             * @description `opted_out`: opts the customer out. `ignored`: the message was not an opt-out.
             * @enum {string}
             */
            decision: "opted_out" | "ignored";
        };
        MessagePage: {
            /** @description Records of this page. */
            data: components["schemas"]["Message"][];
            /** @description Value of `cursor` for the next page. Null on the last page. */
            nextCursor: string | null;
        };
        WriteMessage: components["schemas"]["WriteText"] | components["schemas"]["WriteTemplate"];
        WriteText: {
            /** @description Text of the message. It must contain more than white space and respect the length limit of the provider. */
            text: string;
            /** @description A repeat with the same key in this conversation sends nothing and returns the first message. */
            idempotencyKey?: string;
        };
        WriteTemplate: {
            /**
             * Format: uuid
             * @description ID of the template that is filled in and sent.
             */
            templateId: string;
            /** @description A text for each variable of the template, by name. */
            variables?: {
                [key: string]: string;
            };
            /** @description A repeat with the same key in this conversation sends nothing and returns the first message. */
            idempotencyKey?: string;
        };
        MessageDetail: {
            /**
             * Format: uuid
             * @description ID of the message.
             */
            id: string;
            /**
             * Format: uuid
             * @description ID of the conversation of the message.
             */
            conversationId: string;
            /**
             * Format: uuid
             * @description ID of the channel of the message.
             */
            channelId: string;
            /**
             * Format: uuid
             * @description ID of the customer who sent or receives the message.
             */
            customerId: string;
            /**
             * @description `inbound`: from the customer. `outbound`: to the customer.
             * @enum {string}
             */
            direction: "outbound" | "inbound";
            /**
             * @description Type of the message. Outbound messages are always `text`.
             * @enum {string}
             */
            type: "text" | "image" | "audio" | "video" | "document" | "location" | "other";
            /** @description Text or caption. Null for a type without text, and after the customer is erased. */
            text: string | null;
            /**
             * Format: uuid
             * @description ID of the template of the text. Null if no template was used.
             */
            templateId: string | null;
            /**
             * @description `skipped`: not sent; `detail` contains the reason, for example that the customer had opted out. `unknown`: passed to the provider without receiving a response. The customer may or may not have received the message, so it is never sent again automatically. `received`: from the customer.
             * @enum {string}
             */
            status: "queued" | "sent" | "delivered" | "read" | "failed" | "skipped" | "unknown" | "received";
            /** @description ID of the message at the provider. Null until the provider accepts the message. */
            providerMessageId: string | null;
            /** @description Why the message failed or was skipped, in words. Null otherwise. */
            detail: string | null;
            /** @description Author in the workspace. Null for a message of the customer. */
            sentBy: {
                /**
                 * @description Type of the author.
                 * @enum {string}
                 */
                type: "user" | "workflow" | "campaign";
                /**
                 * Format: uuid
                 * @description ID of the user, workflow or campaign.
                 */
                id: string;
            } | null;
            /**
             * Format: date-time
             * @description For a message of the customer: time given by the provider. For any other message: time when the provider accepted it.
             */
            sentAt: string | null;
            /**
             * Format: date-time
             * @description Time when the message was created or received.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            updatedAt: string;
            /** @description Status changes in the order in which they became known. At most the first 100. */
            statuses: {
                /**
                 * @description Status at that time.
                 * @enum {string}
                 */
                status: "queued" | "sent" | "delivered" | "read" | "failed" | "skipped" | "unknown" | "received";
                /** @description Why the message failed or was skipped, in words. Null otherwise. */
                detail: string | null;
                /**
                 * Format: date-time
                 * @description Time when the status became known.
                 */
                at: string;
            }[];
        };
        CreateTemplate: {
            /** @description Name of the template. */
            name: string;
            /**
             * @description `marketing`: sent only to customers who have opted in.
             * @enum {string}
             */
            category: "utility" | "marketing";
            /** @description Text with placeholders such as `{{name}}` for the values of variables. */
            body: string;
            /** @description Variables of the template. The body must use each of them and no others. */
            variables?: {
                /** @description Name of the placeholder. The body contains it as `{{name}}`. */
                name: string;
                /** @description An example value. */
                sample: string;
            }[];
            /** @description Template that a provider has approved. The message is sent by this name, with the values in order. */
            provider?: {
                /** @description Name of the template at the provider. */
                name: string;
                /** @description Language code of the provider, for example `en` or `pt_BR`. */
                language: string;
            } | null;
        };
        Template: {
            /**
             * Format: uuid
             * @description ID of the template.
             */
            id: string;
            /** @description Name of the template. */
            name: string;
            /**
             * @description `marketing`: sent only to customers who have opted in.
             * @enum {string}
             */
            category: "utility" | "marketing";
            /** @description Text with placeholders such as `{{name}}`. */
            body: string;
            /** @description Placeholders of the body. */
            variables: {
                /** @description Name of the placeholder. */
                name: string;
                /** @description An example value. */
                sample: string;
            }[];
            /** @description Template of the provider that is sent. Null for a text without a provider template. */
            provider: {
                /** @description Name of the template at the provider. */
                name: string;
                /** @description Language code of the provider, for example `pt_BR`. */
                language: string;
            } | null;
            /**
             * Format: date-time
             * @description Time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            updatedAt: string;
        };
        TemplatePage: {
            /** @description Records of this page. */
            data: components["schemas"]["Template"][];
            /** @description Value of `cursor` for the next page. Null on the last page. */
            nextCursor: string | null;
        };
        ChangeTemplate: {
            /** @description Name of the template. */
            name?: string;
            /**
             * @description `marketing`: sent only to customers who have opted in.
             * @enum {string}
             */
            category?: "utility" | "marketing";
            /** @description Text with placeholders such as `{{name}}` for the values of variables. */
            body?: string;
            /** @description Variables of the template. The body must use each of them and no others. */
            variables?: {
                /** @description Name of the placeholder. The body contains it as `{{name}}`. */
                name: string;
                /** @description An example value. */
                sample: string;
            }[];
            /** @description Template that a provider has approved. The message is sent by this name, with the values in order. */
            provider?: {
                /** @description Name of the template at the provider. */
                name: string;
                /** @description Language code of the provider, for example `en` or `pt_BR`. */
                language: string;
            } | null;
        };
        PreviewTemplate: {
            /** @description Values of the variables, by name. */
            variables?: {
                [key: string]: string;
            };
            /**
             * Format: uuid
             * @description ID of a customer. Placeholders such as `{{customer.name}}` in the values are filled in for this customer.
             */
            customerId?: string;
        };
        TemplatePreview: {
            /** @description Text as it would be sent. Placeholders of missing values remain. */
            text: string;
            /** @description Names of the variables without a value, or with an empty one. */
            missing: string[];
        };
        MarkSale: {
            /** @description Exact decimal number, stored and returned with the digits that were sent. At most as many decimal places as the currency has, and at most 3. */
            amount: number;
            /** @description Currency code of the current ISO 4217 list. */
            currency: string;
            /** @description Note for people. */
            note?: string | null;
        };
        Sale: {
            /**
             * Format: uuid
             * @description ID of the sale.
             */
            id: string;
            /**
             * Format: uuid
             * @description ID of the conversation that led to the sale.
             */
            conversationId: string;
            /**
             * Format: uuid
             * @description ID of the customer.
             */
            customerId: string;
            /** @description Exact decimal number, with the digits that were sent. */
            amount: number;
            /** @description Currency code (ISO 4217). */
            currency: string;
            /** @description Note of the sale. Null if there is none, and after the customer is erased. */
            note: string | null;
            /** @description User or workflow that marked the sale. */
            markedBy: {
                /**
                 * @description `user`: a person of the team. `workflow`: a step of a workflow.
                 * @enum {string}
                 */
                type: "user" | "workflow";
                /**
                 * Format: uuid
                 * @description ID of the user, or of the workflow whose run marked the sale.
                 */
                id: string;
            };
            /**
             * Format: date-time
             * @description Time when the sale was voided. Null if it was not voided.
             */
            voidedAt: string | null;
            /** @description Why the sale was voided, in the words of the person. Null if it was not voided, and after the customer is erased. */
            voidReason: string | null;
            /**
             * Format: date-time
             * @description Time when the sale was marked.
             */
            createdAt: string;
        };
        SalePage: {
            /** @description Records of this page. */
            data: components["schemas"]["Sale"][];
            /** @description Value of `cursor` for the next page. Null on the last page. */
            nextCursor: string | null;
        };
        VoidSale: {
            /** @description Reason, in words that people will understand later. */
            reason: string;
        };
        OptOutWords: {
            /** @description Words of the workspace, in addition to the built-in words. Each entry is a word or phrase that must be the whole message. */
            words: string[];
        };
        CreateCampaign: {
            /** @description Name of the campaign. */
            name: string;
            /**
             * Format: uuid
             * @description ID of the channel that sends the campaign.
             */
            channelId: string;
            /**
             * Format: uuid
             * @description ID of the template that is sent.
             */
            templateId: string;
            /** @description A value for each variable of the template. Values can contain placeholders such as `{{customer.name}}` and `{{customer.attributes.city|your town}}`. */
            variables?: {
                [key: string]: string;
            };
            audience: components["schemas"]["Audience"];
        };
        /** @description Recipients: all customers (`all`), customers that match a condition on `customer.…` (`where`), or the listed customers (`customerIds`). */
        Audience: components["schemas"]["EverybodyAudience"] | components["schemas"]["ConditionAudience"] | components["schemas"]["NamedAudience"];
        EverybodyAudience: {
            /** @description Every customer of the workspace. */
            all: boolean;
        };
        ConditionAudience: {
            where: components["schemas"]["Condition"];
        };
        NamedAudience: {
            /** @description IDs of the customers. */
            customerIds: string[];
        };
        Campaign: {
            /**
             * Format: uuid
             * @description ID of the campaign.
             */
            id: string;
            /** @description Name of the campaign. */
            name: string;
            /**
             * Format: uuid
             * @description ID of the channel that sends the campaign.
             */
            channelId: string;
            /**
             * Format: uuid
             * @description ID of the template that is sent.
             */
            templateId: string;
            /** @description Value for each variable of the template, by name. */
            variables: {
                [key: string]: string;
            };
            audience: components["schemas"]["Audience"];
            /**
             * @description Status of the campaign. `completed` and `cancelled` are final.
             * @enum {string}
             */
            status: "draft" | "scheduled" | "running" | "paused" | "completed" | "cancelled";
            progress: components["schemas"]["CampaignProgress"];
            /**
             * Format: date-time
             * @description Scheduled start time. Null if the campaign was not scheduled.
             */
            scheduledAt: string | null;
            /**
             * Format: date-time
             * @description Start time. Null before the start.
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description Time of completion or cancellation. Null before that.
             */
            finishedAt: string | null;
            /**
             * Format: date-time
             * @description Time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            updatedAt: string;
        };
        /** @description Progress of the campaign. At the end, `sent`, `skipped` and `unknown` add up to `audience`. */
        CampaignProgress: {
            /** @description Number of recipients. It grows for a moment after the start, until all recipients are stored. */
            audience: number;
            /** @description Number of messages that the provider accepted. */
            sent: number;
            /** @description Number of recipients that were skipped. `skippedBy` contains the reasons. */
            skipped: number;
            /** @description Number of messages whose outcome is not known: sending began, and no result was received. */
            unknown: number;
            /** @description Number of skipped recipients by reason: `opted_out`, `no_opt_in` (a marketing template requires an opt-in), `no_address` (no address on the channel, or the customer was erased), `plan` (the plan no longer includes campaigns), `channel_disconnected`, `refused` (by the provider), `cancelled`, `template_missing`, `skipped_after_restore` (due for too long when the operator released a restored database). */
            skippedBy: {
                [key: string]: number;
            };
        };
        CampaignPage: {
            /** @description Records of this page. */
            data: components["schemas"]["Campaign"][];
            /** @description Value of `cursor` for the next page. Null on the last page. */
            nextCursor: string | null;
        };
        ChangeCampaign: {
            /** @description Name of the campaign. */
            name?: string;
            /**
             * Format: uuid
             * @description ID of the channel that sends the campaign.
             */
            channelId?: string;
            /**
             * Format: uuid
             * @description ID of the template that is sent.
             */
            templateId?: string;
            /** @description A value for each variable of the template. Values can contain placeholders such as `{{customer.name}}` and `{{customer.attributes.city|your town}}`. */
            variables?: {
                [key: string]: string;
            };
            audience?: components["schemas"]["Audience"];
        };
        CampaignPreview: {
            /** @description Number of recipients, including those who would be skipped. */
            audience: number;
            /** @description Number of recipients who would be skipped, by reason. */
            skipped: {
                [key: string]: number;
            };
            /** @description Texts that the first three recipients would receive. */
            samples: {
                /**
                 * Format: uuid
                 * @description ID of the recipient.
                 */
                customerId: string;
                /** @description Text of the template with its values. */
                text: string;
            }[];
            /** @description Only present if the audience can exceed the 200,000 customers that a preview reads. The numbers then cover the first 200,000. */
            partial?: boolean;
        };
        StartCampaign: {
            /**
             * Format: date-time
             * @description Start time. Defaults to now. A time in the past starts the campaign immediately.
             */
            at?: string;
        };
        CampaignRecipientPage: {
            /** @description Records of this page. */
            data: components["schemas"]["CampaignRecipient"][];
            /** @description Value of `cursor` for the next page. Null on the last page. */
            nextCursor: string | null;
        };
        CampaignRecipient: {
            /**
             * Format: uuid
             * @description ID of the recipient.
             */
            customerId: string;
            /**
             * @description `pending`: not started. `queued`: the message is queued on the channel. All other outcomes are final.
             * @enum {string}
             */
            outcome: "pending" | "queued" | "sent" | "skipped" | "unknown";
            /** @description Why the recipient was skipped: `opted_out`, `no_opt_in` (a marketing template requires an opt-in), `no_address` (no address on the channel, or the customer was erased), `plan` (the plan no longer includes campaigns), `channel_disconnected`, `refused` (by the provider), `cancelled`, `template_missing`, `skipped_after_restore` (due for too long when the operator released a restored database), or the error code of the channel. */
            reason: string | null;
            /**
             * Format: uuid
             * @description ID of the message to the recipient. Null if no message was created.
             */
            messageId: string | null;
            /**
             * Format: date-time
             * @description Time when the outcome became known. For `pending`: time when the recipient was added.
             */
            at: string;
        };
        CreateWebhook: {
            /** @description Must use https, a public host name (no IP address), and port 443 or an unreserved port from 1024. */
            url: string;
            /** @description Subscribed event types, without duplicates. */
            events: components["schemas"]["WebhookEventType"][];
            /** @description Name of the endpoint. */
            name?: string | null;
            /** @description Your own description. */
            description?: string | null;
            /** @description Your own metadata: at most 20 texts with names of up to 40 characters. A change replaces all entries. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Your own headers, sent with every attempt: at most 20, at most 16 KiB in total. A change replaces all headers. Responses never contain their values. Not allowed: `Host`, `Content-…`, `X-Service-…` and connection-specific headers. */
            headers?: {
                [key: string]: string;
            };
            /** @description Maximum number of attempts started per second. Null: limited only by the capacity of the endpoint. */
            ratePerSecond?: number | null;
            /** @description Maximum number of deliveries in progress at the same time. Null: no limit of your own. */
            maxConcurrency?: number | null;
            /** @description Condition on `data.…`. Events that do not match are not sent to the endpoint. Null: no condition. */
            filter?: components["schemas"]["Condition"] | null;
        };
        /**
         * @description Type of an outbound event. Endpoints subscribe to types.
         * @enum {string}
         */
        WebhookEventType: "message.received" | "message.status" | "sale.created" | "customer.opted_out" | "campaign.completed";
        WebhookWithSecret: {
            /**
             * Format: uuid
             * @description ID of the endpoint.
             */
            id: string;
            /** @description Name of the endpoint. Null if it has no name. */
            name: string | null;
            /** @description URL that receives the deliveries, as given. */
            url: string;
            /** @description Description by the team. Null if none was given. */
            description: string | null;
            /** @description Subscribed event types. */
            events: components["schemas"]["WebhookEventType"][];
            /** @description false: the endpoint is switched off, and its pending deliveries are held. */
            enabled: boolean;
            /** @description Metadata that your systems store with the endpoint. */
            metadata: {
                [key: string]: string;
            };
            /** @description Names of your own headers. Responses never contain their values. */
            headers: string[];
            /** @description Maximum number of deliveries per second. Null: no such limit. */
            ratePerSecond: number | null;
            /** @description Maximum number of deliveries in progress at the same time. Null: no limit set by the owner. */
            maxConcurrency: number | null;
            /** @description Condition on `data.…`. Events that do not match are not sent to the endpoint. Null: no condition. */
            filter?: components["schemas"]["Condition"] | null;
            /**
             * Format: date-time
             * @description Time when the endpoint was held. Deliveries are held until it is released. Null if it is not held.
             */
            heldAt: string | null;
            /**
             * @description Whether an owner or the service held the endpoint. `service`: every attempt of five days had failed. Null if it is not held.
             * @enum {string|null}
             */
            heldBy: "owner" | "service" | null;
            /**
             * Format: date-time
             * @description Time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @deprecated
             * @description Former name of `createdAt`, with the same value.
             */
            created: string;
            /**
             * Format: date-time
             * @deprecated
             * @description Former name of `updatedAt`, with the same value.
             */
            updated: string;
            /** @description Signing secret. Its UTF-8 bytes, including the prefix, are the HMAC key. Only returned in this response. */
            secret: string;
        };
        /** @description The data of a `message.received` event. */
        MessageReceivedData: {
            /**
             * Format: uuid
             * @description ID of the conversation of the message.
             */
            conversationId: string;
            /**
             * Format: uuid
             * @description ID of the customer who sent the message.
             */
            customerId: string;
            /** @description Phone number in E.164 format. Null if the address is not a phone number, and after the customer is erased. */
            from: string | null;
            /**
             * @description Type of the message.
             * @enum {string}
             */
            type: "text" | "image" | "audio" | "video" | "document" | "location" | "other";
            /** @description Text or caption. Null for a type without text, and after the customer is erased. */
            text: string | null;
            /**
             * Format: date-time
             * @description Time when the message was sent, given by the provider.
             */
            sentAt: string;
            /**
             * Format: uuid
             * @description ID of the message.
             */
            messageId: string;
            /**
             * Format: uuid
             * @description ID of the run that is waiting for this reply, the newest if there are several. Null if there is none.
             */
            runId: string | null;
        };
        /** @description A customer sent a message. */
        MessageReceivedEvent: {
            /**
             * Format: uuid
             * @description The ID of the event. Ignore IDs that you have already processed.
             */
            id: string;
            /**
             * @description The event type, as in `X-Service-Event`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "message.received";
            /**
             * Format: date-time
             * @description The time of the event. Compare it if the order matters.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description The workspace of the event.
             */
            workspaceId: string;
            data: components["schemas"]["MessageReceivedData"];
        };
        /** @description The data of a `message.status` event. */
        MessageStatusData: {
            /**
             * Format: uuid
             * @description ID of the conversation of the message.
             */
            conversationId: string;
            /** @description ID of the message at the provider. If the message failed before a provider accepted it: our ID of the message. Empty after the customer is erased. */
            providerMessageId: string;
            /**
             * @description New status of the message.
             * @enum {string}
             */
            status: "delivered" | "read" | "failed";
            /** @description Why the message failed, in words. */
            detail: string | null;
            /**
             * Format: uuid
             * @description ID of the message.
             */
            messageId: string;
            /**
             * Format: uuid
             * @description ID of the customer who receives the message.
             */
            customerId: string;
            /**
             * Format: uuid
             * @description ID of the inbound event whose run sent the message. Null if no run sent it, or if the run is no longer stored.
             */
            eventId: string | null;
        };
        /** @description A message of the workspace was delivered, read or failed. */
        MessageStatusEvent: {
            /**
             * Format: uuid
             * @description The ID of the event. Ignore IDs that you have already processed.
             */
            id: string;
            /**
             * @description The event type, as in `X-Service-Event`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "message.status";
            /**
             * Format: date-time
             * @description The time of the event. Compare it if the order matters.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description The workspace of the event.
             */
            workspaceId: string;
            data: components["schemas"]["MessageStatusData"];
        };
        /** @description The data of a `sale.created` event. */
        SaleCreatedData: {
            /**
             * Format: uuid
             * @description ID of the sale.
             */
            saleId: string;
            /**
             * Format: uuid
             * @description ID of the conversation that led to the sale.
             */
            conversationId: string;
            /**
             * Format: uuid
             * @description ID of the customer.
             */
            customerId: string;
            /** @description Exact decimal number with up to 3 decimal places. */
            amount: number;
            /** @description Currency code (ISO 4217). */
            currency: string;
            /** @description Note of the sale. Null if there is none, and after the customer is erased. */
            note: string | null;
            /**
             * Format: uuid
             * @description ID of the last message that the run sent before the sale. Null if there is none.
             */
            messageId: string | null;
            /**
             * Format: uuid
             * @description ID of the run that marked the sale. Null if a person marked it.
             */
            runId: string | null;
        };
        /** @description A conversation was marked as a sale. */
        SaleCreatedEvent: {
            /**
             * Format: uuid
             * @description The ID of the event. Ignore IDs that you have already processed.
             */
            id: string;
            /**
             * @description The event type, as in `X-Service-Event`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "sale.created";
            /**
             * Format: date-time
             * @description The time of the event. Compare it if the order matters.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description The workspace of the event.
             */
            workspaceId: string;
            data: components["schemas"]["SaleCreatedData"];
        };
        /** @description The data of a `customer.opted_out` event. */
        CustomerOptedOutData: {
            /** @description Kind of the channel. Null if the workspace has no channel. */
            channel: string | null;
            /** @description Phone number in E.164 format, or the address at the provider for a customer without a phone. Null if there is neither, and after the customer is erased. */
            handle: string | null;
            /**
             * @description Scope of the opt-out: all messages.
             * @constant
             */
            scope: "all";
            /** @description Word that the customer wrote, or the given reason. `erased` after the customer is erased. */
            reason: string;
        };
        /** @description A customer opted out, or was opted out. */
        CustomerOptedOutEvent: {
            /**
             * Format: uuid
             * @description The ID of the event. Ignore IDs that you have already processed.
             */
            id: string;
            /**
             * @description The event type, as in `X-Service-Event`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "customer.opted_out";
            /**
             * Format: date-time
             * @description The time of the event. Compare it if the order matters.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description The workspace of the event.
             */
            workspaceId: string;
            data: components["schemas"]["CustomerOptedOutData"];
        };
        /** @description The data of a `campaign.completed` event. */
        CampaignCompletedData: {
            /**
             * Format: uuid
             * @description ID of the campaign.
             */
            campaignId: string;
            /** @description Name of the campaign. */
            name: string;
            /** @description Number of messages that the provider accepted. */
            sent: number;
            /** @description Number of recipients that were skipped. */
            skipped: number;
            /** @description Number of messages whose outcome is not known: sending began, and no result was received. */
            unknown: number;
        };
        /** @description A campaign finished. */
        CampaignCompletedEvent: {
            /**
             * Format: uuid
             * @description The ID of the event. Ignore IDs that you have already processed.
             */
            id: string;
            /**
             * @description The event type, as in `X-Service-Event`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "campaign.completed";
            /**
             * Format: date-time
             * @description The time of the event. Compare it if the order matters.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description The workspace of the event.
             */
            workspaceId: string;
            data: components["schemas"]["CampaignCompletedData"];
        };
        /** @description The data of a `ping` event. */
        PingData: {
            /**
             * Format: uuid
             * @description ID of the tested endpoint.
             */
            webhookId: string;
        };
        /** @description A test event, sent by the test operation to one endpoint regardless of its subscribed events. */
        PingEvent: {
            /**
             * Format: uuid
             * @description The ID of the event. Ignore IDs that you have already processed.
             */
            id: string;
            /**
             * @description The event type, as in `X-Service-Event`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "ping";
            /**
             * Format: date-time
             * @description The time of the event. Compare it if the order matters.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description The workspace of the event.
             */
            workspaceId: string;
            data: components["schemas"]["PingData"];
        };
        /** @description An event that the service sends to an endpoint. `type` names the event type. Later versions can add types. */
        WebhookEvent: components["schemas"]["MessageReceivedEvent"] | components["schemas"]["MessageStatusEvent"] | components["schemas"]["SaleCreatedEvent"] | components["schemas"]["CustomerOptedOutEvent"] | components["schemas"]["CampaignCompletedEvent"] | components["schemas"]["PingEvent"];
        VerifyWebhook: {
            /** @description Secret of the endpoint, as your receiver has it. It is not stored or logged. */
            secret: string;
            /** @description Headers of the delivery, or only those that begin with X-Service-. Names are case-insensitive. */
            headers: {
                [key: string]: string;
            };
            /** @description Raw body, as received. */
            body: string;
            /**
             * Format: date-time
             * @description Time when the delivery was received. Defaults to now.
             */
            at?: string;
        };
        Verification: {
            /** @description Whether a receiver should accept the delivery. */
            valid: boolean;
            /** @description Problems of the signature. Empty if it is valid. */
            problems: {
                /**
                 * @description Problem code, for programs.
                 * @enum {string}
                 */
                code: "header_missing" | "timestamp_missing" | "timestamp_repeated" | "timestamp_malformed" | "timestamp_too_old" | "timestamp_in_future" | "digest_missing" | "digest_malformed" | "digest_mismatch" | "body_changed" | "time_not_signed" | "secret_padded" | "secret_without_prefix" | "key_without_prefix" | "key_base64_decoded" | "secret_rotated" | "secret_of_other_endpoint";
                /** @description The problem, and how to solve it. */
                message: string;
            }[];
            /** @description `t` of the signature header. Null if it is missing or unreadable. */
            timestamp: number | null;
            /** @description Seconds from `t` to the time of receipt. More than 300 in either direction is rejected. Null without a readable `t`. */
            secondsOff: number | null;
            /** @description Number of the matching `v1`, counted from 1. Null if none matches. */
            matched: number | null;
            /** @description Expected digest: the one that the given secret produces for `t`, a dot and the given body. Null without a readable `t`. */
            expected: string | null;
        };
        WebhookPage: {
            /** @description Records of this page. */
            data: components["schemas"]["Webhook"][];
            /** @description Value of `cursor` for the next page. Null on the last page. */
            nextCursor: string | null;
        };
        Webhook: {
            /**
             * Format: uuid
             * @description ID of the endpoint.
             */
            id: string;
            /** @description Name of the endpoint. Null if it has no name. */
            name: string | null;
            /** @description URL that receives the deliveries, as given. */
            url: string;
            /** @description Description by the team. Null if none was given. */
            description: string | null;
            /** @description Subscribed event types. */
            events: components["schemas"]["WebhookEventType"][];
            /** @description false: the endpoint is switched off, and its pending deliveries are held. */
            enabled: boolean;
            /** @description Metadata that your systems store with the endpoint. */
            metadata: {
                [key: string]: string;
            };
            /** @description Names of your own headers. Responses never contain their values. */
            headers: string[];
            /** @description Maximum number of deliveries per second. Null: no such limit. */
            ratePerSecond: number | null;
            /** @description Maximum number of deliveries in progress at the same time. Null: no limit set by the owner. */
            maxConcurrency: number | null;
            /** @description Condition on `data.…`. Events that do not match are not sent to the endpoint. Null: no condition. */
            filter?: components["schemas"]["Condition"] | null;
            /**
             * Format: date-time
             * @description Time when the endpoint was held. Deliveries are held until it is released. Null if it is not held.
             */
            heldAt: string | null;
            /**
             * @description Whether an owner or the service held the endpoint. `service`: every attempt of five days had failed. Null if it is not held.
             * @enum {string|null}
             */
            heldBy: "owner" | "service" | null;
            /**
             * Format: date-time
             * @description Time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @deprecated
             * @description Former name of `createdAt`, with the same value.
             */
            created: string;
            /**
             * Format: date-time
             * @deprecated
             * @description Former name of `updatedAt`, with the same value.
             */
            updated: string;
        };
        ChangeWebhook: {
            /** @description Must use https, a public host name (no IP address), and port 443 or an unreserved port from 1024. */
            url?: string;
            /** @description Subscribed event types, without duplicates. */
            events?: components["schemas"]["WebhookEventType"][];
            /** @description Name of the endpoint. */
            name?: string | null;
            /** @description Your own description. */
            description?: string | null;
            /** @description Your own metadata: at most 20 texts with names of up to 40 characters. A change replaces all entries. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Your own headers, sent with every attempt: at most 20, at most 16 KiB in total. A change replaces all headers. Responses never contain their values. Not allowed: `Host`, `Content-…`, `X-Service-…` and connection-specific headers. */
            headers?: {
                [key: string]: string;
            };
            /** @description Maximum number of attempts started per second. Null: limited only by the capacity of the endpoint. */
            ratePerSecond?: number | null;
            /** @description Maximum number of deliveries in progress at the same time. Null: no limit of your own. */
            maxConcurrency?: number | null;
            /** @description Condition on `data.…`. Events that do not match are not sent to the endpoint. Null: no condition. */
            filter?: components["schemas"]["Condition"] | null;
            /** @description false holds pending deliveries until the value is true again. */
            enabled?: boolean;
        };
        WebhookHealth: {
            /**
             * @description `failing`: every attempt since `since` failed. `held`: deliveries are held until the endpoint is released. `off`: the endpoint is switched off.
             * @enum {string}
             */
            state: "healthy" | "failing" | "held" | "off";
            /**
             * Format: date-time
             * @description Time when the current state began.
             */
            since: string;
            /**
             * Format: date-time
             * @description Time of the last successful delivery. Null if there was none.
             */
            lastSuccessAt: string | null;
            /** @description Last failed attempt. Null if no attempt failed. */
            lastFailure: {
                /**
                 * Format: date-time
                 * @description Start of the attempt.
                 */
                at: string;
                /** @description HTTP status of the response. Null if no response was received. */
                statusCode: number | null;
                /** @description Error in words, as in the delivery. */
                error: string | null;
            } | null;
            /** @description Number of deliveries that are waiting for an attempt, counted up to 10,000. A healthy endpoint can also have a backlog. */
            waiting: number;
            /**
             * Format: date-time
             * @description Time of the event of the oldest waiting delivery. Null if no delivery is waiting. As `since` of a recovery, this time covers all deliveries that are waiting for another attempt.
             */
            waitingSince: string | null;
            /**
             * Format: date-time
             * @description Time of the next attempt. Null if no delivery is waiting or no attempts are made.
             */
            nextAttemptAt: string | null;
            /** @description Newest attempted deliveries, each with its last attempt, newest first. */
            last50: {
                /**
                 * Format: uuid
                 * @description ID of the delivery.
                 */
                deliveryId: string;
                /**
                 * @description Type of the event.
                 * @enum {string}
                 */
                eventType: "message.received" | "message.status" | "sale.created" | "customer.opted_out" | "campaign.completed" | "ping";
                /**
                 * Format: date-time
                 * @description Start of the last attempt.
                 */
                at: string;
                /**
                 * @description Current status of the delivery.
                 * @enum {string}
                 */
                status: "pending" | "retrying" | "delivered" | "failed";
                /** @description HTTP status of the response. Null if no response was received. */
                statusCode: number | null;
                /** @description Why the attempt failed, in words. Null if it did not fail. */
                error: string | null;
                /** @description Duration of the attempt in milliseconds. */
                durationMs: number;
            }[];
            /** @description Median duration of these attempts in milliseconds. Null if there are none. */
            p50Ms: number | null;
            /** @description 95th percentile of the duration in milliseconds. Null if there are none. */
            p95Ms: number | null;
        };
        StartRecovery: {
            /**
             * Format: date-time
             * @description Only deliveries of events at this time or later.
             */
            since: string;
            /**
             * Format: date-time
             * @description Only deliveries of events at this time or earlier. Defaults to now.
             */
            until?: string;
            /** @description true returns the number of deliveries without starting the recovery. */
            preview?: boolean;
        };
        RecoveryPreview: {
            /** @description Number of deliveries in the range that failed or are waiting for another attempt. */
            deliveries: number;
        };
        Recovery: {
            /**
             * Format: uuid
             * @description ID of the recovery.
             */
            id: string;
            /**
             * Format: uuid
             * @description ID of the endpoint whose deliveries are attempted again.
             */
            webhookId: string;
            /**
             * Format: date-time
             * @description Start of the range. Includes deliveries of events at this time or later.
             */
            since: string;
            /**
             * Format: date-time
             * @description End of the range. Includes deliveries of events at this time or earlier.
             */
            until: string;
            /**
             * @description `running`: until all deliveries were attempted. `cancelled`: stopped by a person before that.
             * @enum {string}
             */
            status: "running" | "completed" | "cancelled";
            /** @description Number of deliveries in the range that had failed or were waiting when the recovery started. */
            total: number;
            /** @description Number of these deliveries that were attempted again, regardless of the result. */
            done: number;
            /**
             * Format: date-time
             * @description Time of creation.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of completion or cancellation. Null before that.
             */
            finishedAt: string | null;
        };
        Delivery: {
            /**
             * Format: uuid
             * @description ID of the delivery of one event to one endpoint. It is the same for every attempt and is sent in `X-Service-Delivery`.
             */
            id: string;
            /**
             * Format: uuid
             * @description ID of the delivered outbound event. Receivers use it to detect duplicates.
             */
            eventId: string;
            /**
             * @description Type of the event, as in `X-Service-Event`.
             * @enum {string}
             */
            eventType: "message.received" | "message.status" | "sale.created" | "customer.opted_out" | "campaign.completed" | "ping";
            /**
             * @description `pending`: the first attempt is not finished. `retrying`: another attempt follows.
             * @enum {string}
             */
            status: "pending" | "retrying" | "delivered" | "failed";
            /** @description Number of attempts so far. */
            attempts: number;
            /** @description HTTP status of the last attempt. Null if no response was received. */
            statusCode: number | null;
            /** @description Why the last attempt failed, or why the delivery was skipped after a restore. Null if it did not fail. */
            error: string | null;
            /** @description Duration of the last attempt in milliseconds. Null before the first attempt. */
            durationMs: number | null;
            /**
             * Format: date-time
             * @description Time when the delivery to this endpoint was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Start of the last attempt. Null before the first attempt.
             */
            lastAttemptAt: string | null;
            /**
             * Format: date-time
             * @description Time of the next attempt. Null if none follows.
             */
            nextAttemptAt: string | null;
        };
        DeliveryList: {
            /** @description Deliveries, newest first. */
            data: components["schemas"]["Delivery"][];
            /** @description Value of `cursor` for the next page. Null on the last page. */
            nextCursor: string | null;
        };
        DeliveryDetail: {
            /**
             * Format: uuid
             * @description ID of the delivery of one event to one endpoint. It is the same for every attempt and is sent in `X-Service-Delivery`.
             */
            id: string;
            /**
             * Format: uuid
             * @description ID of the delivered outbound event. Receivers use it to detect duplicates.
             */
            eventId: string;
            /**
             * @description Type of the event, as in `X-Service-Event`.
             * @enum {string}
             */
            eventType: "message.received" | "message.status" | "sale.created" | "customer.opted_out" | "campaign.completed" | "ping";
            /**
             * @description `pending`: the first attempt is not finished. `retrying`: another attempt follows.
             * @enum {string}
             */
            status: "pending" | "retrying" | "delivered" | "failed";
            /** @description Number of attempts so far. */
            attempts: number;
            /** @description HTTP status of the last attempt. Null if no response was received. */
            statusCode: number | null;
            /** @description Why the last attempt failed, or why the delivery was skipped after a restore. Null if it did not fail. */
            error: string | null;
            /** @description Duration of the last attempt in milliseconds. Null before the first attempt. */
            durationMs: number | null;
            /**
             * Format: date-time
             * @description Time when the delivery to this endpoint was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Start of the last attempt. Null before the first attempt.
             */
            lastAttemptAt: string | null;
            /**
             * Format: date-time
             * @description Time of the next attempt. Null if none follows.
             */
            nextAttemptAt: string | null;
            /** @description Request that was sent. */
            request: {
                /** @description Headers of the last attempt. Empty before the first attempt. */
                headers: {
                    [key: string]: string;
                };
                /** @description Raw body, as it was signed. */
                body: string;
            };
            /** @description All attempts, oldest first. */
            attemptLog: {
                /**
                 * Format: date-time
                 * @description Start of the attempt.
                 */
                at: string;
                /** @description HTTP status of the response. Null if no response was received. */
                statusCode: number | null;
                /** @description Why the attempt failed. Null if it did not fail. */
                error: string | null;
                /** @description Duration in milliseconds. */
                durationMs: number;
                /** @description First KiB of the response body. Null if there was none, and after it was deleted by retention. */
                responseBody: string | null;
            }[];
        };
        OutboundEventPage: {
            /** @description Records of this page. */
            data: components["schemas"]["OutboundEvent"][];
            /** @description Value of `cursor` for the next page. Null on the last page. */
            nextCursor: string | null;
        };
        OutboundEvent: {
            /**
             * Format: uuid
             * @description ID of the event, as in `X-Service-Event-Id`.
             */
            id: string;
            /**
             * @description Type of the event.
             * @enum {string}
             */
            type: "message.received" | "message.status" | "sale.created" | "customer.opted_out" | "campaign.completed" | "ping";
            /**
             * Format: date-time
             * @description Time of the event.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time when the receiving endpoints were determined. Null for a moment before that.
             */
            fannedOutAt: string | null;
            /** @description Data of the event, as sent. */
            data: {
                [key: string]: unknown;
            };
            /** @description Number of endpoints that the event was sent to. */
            sentTo: number;
            /** @description Number of endpoints that existed then and did not receive the event. */
            passedOver: number;
        };
        OutboundEventDetail: {
            /**
             * Format: uuid
             * @description ID of the event, as in `X-Service-Event-Id`.
             */
            id: string;
            /**
             * @description Type of the event.
             * @enum {string}
             */
            type: "message.received" | "message.status" | "sale.created" | "customer.opted_out" | "campaign.completed" | "ping";
            /**
             * Format: date-time
             * @description Time of the event.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time when the receiving endpoints were determined. Null for a moment before that.
             */
            fannedOutAt: string | null;
            /** @description Data of the event, as sent. */
            data: {
                [key: string]: unknown;
            };
            /** @description Number of endpoints that the event was sent to. */
            sentTo: number;
            /** @description Number of endpoints that existed then and did not receive the event. */
            passedOver: number;
            /** @description Endpoints that received the event come first, deleted ones last. If there are more than 50, the list is incomplete. */
            destinations: components["schemas"]["Destination"][];
        };
        Destination: {
            /**
             * Format: uuid
             * @description ID of the endpoint.
             */
            webhookId: string;
            /** @description Current URL of the endpoint. Callers who are not owners see it without the path. */
            url: string;
            /**
             * Format: uuid
             * @description ID of the delivery, the newest if the event was sent again. Null if the event was not sent to this endpoint.
             */
            deliveryId: string | null;
            /**
             * @description Current status of the delivery. `dropped`: the endpoint was deleted before the delivery. Null also if the delivery is no longer stored.
             * @enum {string|null}
             */
            status: "pending" | "retrying" | "delivered" | "failed" | "dropped" | null;
            /**
             * @description Why the event was not sent to the endpoint, at the time of fan-out. Null if it was sent. `filter`: the filter of the endpoint did not match. `other_endpoint`: a ping to another endpoint.
             * @enum {string|null}
             */
            reason: "not_subscribed" | "disabled" | "filter" | "deleted" | "created_later" | "other_endpoint" | null;
        };
        SendAgain: {
            /**
             * Format: uuid
             * @description ID of the endpoint to send the event to.
             */
            webhookId: string;
        };
        IssueApiKey: {
            /** @description Name of the system that will use the key. */
            name: string;
        };
        IssuedApiKey: {
            /**
             * Format: uuid
             * @description ID of the key, used to revoke it. Not a secret.
             */
            id: string;
            /** @description Name of the system that uses the key. */
            name: string;
            /** @description First 12 characters of the key. */
            prefix: string;
            /**
             * Format: date-time
             * @description Time when the key was issued.
             */
            created: string;
            /**
             * Format: date-time
             * @description Time when the key was revoked. Null while the key is valid.
             */
            revoked: string | null;
            /**
             * Format: date-time
             * @description Time of last use, accurate to one minute. Null if the key was never used.
             */
            lastUsedAt: string | null;
            /** @description The key. Only returned in this response. */
            key: string;
        };
        ApiKeyPage: {
            /** @description Records of this page. */
            data: components["schemas"]["ApiKey"][];
            /** @description Value of `cursor` for the next page. Null on the last page. */
            nextCursor: string | null;
        };
        ApiKey: {
            /**
             * Format: uuid
             * @description ID of the key, used to revoke it. Not a secret.
             */
            id: string;
            /** @description Name of the system that uses the key. */
            name: string;
            /** @description First 12 characters of the key. */
            prefix: string;
            /**
             * Format: date-time
             * @description Time when the key was issued.
             */
            created: string;
            /**
             * Format: date-time
             * @description Time when the key was revoked. Null while the key is valid.
             */
            revoked: string | null;
            /**
             * Format: date-time
             * @description Time of last use, accurate to one minute. Null if the key was never used.
             */
            lastUsedAt: string | null;
        };
        SignIn: {
            /** @description E-mail address of the account. */
            email: string;
            /** @description Password of the account. */
            password: string;
        };
        /** @description A session, or a ticket to get one if the account has a second factor. */
        SignedIn: components["schemas"]["NewSession"] | components["schemas"]["SecondFactorWanted"];
        NewSession: {
            /** @description Token to send as `Authorization: Bearer <token>`. Only returned in this response. */
            token: string;
            /**
             * Format: date-time
             * @description Time when the session expires.
             */
            expiresAt: string;
            /** @description Person who is signed in. */
            user: {
                /**
                 * Format: uuid
                 * @description ID of the person. It is the same in all workspaces.
                 */
                id: string;
                /** @description E-mail address for sign-in. */
                email: string;
                /** @description Name of the person. */
                name: string;
            };
            /** @description Workspace that calls apply to. */
            workspace: {
                /**
                 * Format: uuid
                 * @description ID of the workspace, for the header `X-Workspace-Id`.
                 */
                id: string;
                /** @description Name of the workspace. */
                name: string;
            };
            /**
             * @description Role of the person in the workspace.
             * @enum {string}
             */
            role: "owner" | "agent";
        };
        /** @description The password was correct, and the account also requires a code. */
        SecondFactorWanted: {
            /** @description Always true: a code is required. */
            secondFactor: boolean;
            /** @description Ticket for `POST /v1/auth/sign-in/second-factor`. Valid for 10 minutes. */
            ticket: string;
        };
        SignInWithCode: {
            /** @description Ticket from the response to the password. */
            ticket: string;
            /** @description Six-digit code of the authenticator app, or a recovery code. */
            code: string;
        };
        SignInByLink: {
            /** @description Token from the link: the part after `#token=`. */
            token: string;
        };
        AcceptInvitation: {
            /** @description Token from the invitation link. */
            token: string;
            /** @description Name for the new account. Defaults to the name in the invitation, then to the part of the address before the @. An existing account keeps its name. */
            name?: string;
            /** @description Password for the new account: 12 to 1,000 characters, not among the most common passwords. If the address already has an account: its password. Omit it if you are signed in to that account. */
            password?: string;
        };
        /** @description Signed-in person, workspace and expiry of a session. */
        Session: {
            /**
             * Format: date-time
             * @description Time when the session expires.
             */
            expiresAt: string;
            /** @description Person who is signed in. */
            user: {
                /**
                 * Format: uuid
                 * @description ID of the person. It is the same in all workspaces.
                 */
                id: string;
                /** @description E-mail address for sign-in. */
                email: string;
                /** @description Name of the person. */
                name: string;
            };
            /** @description Workspace that calls apply to. */
            workspace: {
                /**
                 * Format: uuid
                 * @description ID of the workspace, for the header `X-Workspace-Id`.
                 */
                id: string;
                /** @description Name of the workspace. */
                name: string;
            };
            /**
             * @description Role of the person in the workspace.
             * @enum {string}
             */
            role: "owner" | "agent";
        };
        MyWorkspaces: {
            /** @description Workspaces of the person, the one joined first at the top. That one is used if `X-Workspace-Id` is not sent. */
            data: {
                /**
                 * Format: uuid
                 * @description ID of the workspace, for the header `X-Workspace-Id`.
                 */
                id: string;
                /** @description Name of the workspace. */
                name: string;
                /**
                 * @description Role of the person in the workspace.
                 * @enum {string}
                 */
                role: "owner" | "agent";
            }[];
        };
        OwnSessionPage: {
            /** @description Records of this page. */
            data: components["schemas"]["OwnSession"][];
            /** @description Value of `cursor` for the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /** @description A session of the caller. */
        OwnSession: {
            /**
             * Format: uuid
             * @description ID of the session.
             */
            id: string;
            /**
             * Format: date-time
             * @description Time of sign-in.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of last use, accurate to two minutes. A session expires after 7 days without use.
             */
            lastSeenAt: string;
            /** @description Network address of the sign-in. Null if the session is older than this field. */
            address: string | null;
            /** @description User agent of the browser or program that signed in, up to 300 characters. */
            userAgent: string | null;
            /** @description Whether this call used the session. */
            current: boolean;
        };
        ChangePassword: {
            /** @description Current password of the account. */
            currentPassword: string;
            /** @description New password. Must not be among the most common passwords. */
            newPassword: string;
        };
        /** @description A person who can sign in. */
        User: {
            /**
             * Format: uuid
             * @description ID of the person.
             */
            id: string;
            /** @description E-mail address of the account. */
            email: string;
            /** @description Name of the person. */
            name: string;
            /** @description Preferred language as a language tag, for example `de-AT`. Null if not set. */
            locale: string | null;
            /** @description IANA time zone of the person. Null if not set. */
            timezone: string | null;
        };
        ChangeUser: {
            /** @description Name of the person. */
            name?: string;
            /** @description Language tag (BCP 47). The response uses the canonical spelling. Null removes the value. */
            locale?: string | null;
            /** @description IANA name of a time zone. Null removes the value. */
            timezone?: string | null;
        };
        DeleteUser: {
            /** @description Current password of the account. */
            password: string;
        };
        ForgotPassword: {
            /** @description E-mail address of the account. */
            email: string;
        };
        ResetPassword: {
            /** @description Token from the link: the part after `#token=`. */
            token: string;
            /** @description New password. */
            password: string;
        };
        ConfirmEmail: {
            /** @description Token from the link: the part after `#token=`. */
            token: string;
        };
        /** @description Second factor of the caller. */
        Totp: {
            /** @description Whether sign-in requires a code. */
            enabled: boolean;
            /**
             * Format: date-time
             * @description Time when the second factor was enabled. Null if there is none.
             */
            since: string | null;
            /** @description Number of unused recovery codes, at most 10. `POST /v1/auth/totp/recovery-codes` replaces them. */
            recoveryCodesLeft: number;
        };
        BeginTotp: {
            /** @description Current password of the account. */
            password: string;
        };
        NewTotp: {
            /** @description Secret in base32, to type into an authenticator app. Only returned in this response. */
            secret: string;
            /** @description URI with the scheme `otpauth://`, to show as a QR code. */
            uri: string;
        };
        ConfirmTotp: {
            /** @description Six-digit code of the authenticator app, or a recovery code. */
            code: string;
        };
        RecoveryCodes: {
            /** @description Ten codes. Each can replace a code of the app once. Only returned in this response. Store them on another device than the app. */
            recoveryCodes: string[];
        };
        RenewRecoveryCodes: {
            /** @description Current password of the account. */
            password: string;
            /** @description Six-digit code of the authenticator app, or a recovery code. */
            code: string;
        };
        RemoveTotp: {
            /** @description Current password of the account. */
            password: string;
            /** @description Six-digit code of the authenticator app, or a recovery code. */
            code: string;
        };
        InviteMember: {
            /** @description E-mail address. It must be unique in the team, regardless of case. */
            email: string;
            /**
             * @description `owner`: manages everything. `agent`: reads what the team works with, answers conversations and marks sales.
             * @enum {string}
             */
            role: "owner" | "agent";
            /** @description Name of the person for the invitation. */
            name?: string;
        };
        InvitedMember: {
            /**
             * Format: uuid
             * @description ID of the member.
             */
            id: string;
            /**
             * Format: uuid
             * @description ID of the user, as in `assigneeId` of a conversation and `sentBy` of a message. Null until the invitation is accepted.
             */
            userId: string | null;
            /** @description E-mail address for sign-in. */
            email: string;
            /** @description Name of the person. Null if the invitation had no name. */
            name: string | null;
            /**
             * @description `owner`: manages everything. `agent`: reads what the team works with, answers conversations and marks sales.
             * @enum {string}
             */
            role: "owner" | "agent";
            /**
             * @description `invited` until the invitation is accepted.
             * @enum {string}
             */
            status: "active" | "invited";
            /**
             * Format: date-time
             * @description Time of the invitation. Null for the first owner, who was not invited.
             */
            invitedAt: string | null;
            /**
             * Format: date-time
             * @description Time when the invitation was accepted. Null before that.
             */
            joinedAt: string | null;
            /** @description Invitation link. Only returned in this response, and valid for one use. */
            invitation: {
                /**
                 * Format: uri
                 * @description Invitation link for the person. Null if it is sent by e-mail.
                 */
                url: string | null;
                /** @description Token for `POST /v1/auth/accept-invitation`, as in the link. Null if it is sent by e-mail. */
                token: string | null;
                /** @description Whether the link is sent to the invited address. If true, it is not shown to anybody else. */
                mailed: boolean;
                /**
                 * Format: date-time
                 * @description Time when the invitation expires.
                 */
                expiresAt: string;
            };
        };
        MemberPage: {
            /** @description Records of this page. */
            data: components["schemas"]["Member"][];
            /** @description Value of `cursor` for the next page. Null on the last page. */
            nextCursor: string | null;
        };
        Member: {
            /**
             * Format: uuid
             * @description ID of the member.
             */
            id: string;
            /**
             * Format: uuid
             * @description ID of the user, as in `assigneeId` of a conversation and `sentBy` of a message. Null until the invitation is accepted.
             */
            userId: string | null;
            /** @description E-mail address for sign-in. */
            email: string;
            /** @description Name of the person. Null if the invitation had no name. */
            name: string | null;
            /**
             * @description `owner`: manages everything. `agent`: reads what the team works with, answers conversations and marks sales.
             * @enum {string}
             */
            role: "owner" | "agent";
            /**
             * @description `invited` until the invitation is accepted.
             * @enum {string}
             */
            status: "active" | "invited";
            /**
             * Format: date-time
             * @description Time of the invitation. Null for the first owner, who was not invited.
             */
            invitedAt: string | null;
            /**
             * Format: date-time
             * @description Time when the invitation was accepted. Null before that.
             */
            joinedAt: string | null;
        };
        ChangeMember: {
            /**
             * @description `owner`: manages everything. `agent`: reads what the team works with, answers conversations and marks sales.
             * @enum {string}
             */
            role: "owner" | "agent";
        };
        Workspace: {
            /**
             * Format: uuid
             * @description ID of the workspace.
             */
            id: string;
            /** @description Name of the workspace. */
            name: string;
            /** @description IANA time zone of the workspace. */
            timezone: string;
            /** @description Whether members without a second factor are blocked. */
            requireSecondFactor: boolean;
            /**
             * Format: date-time
             * @description Time of creation.
             */
            createdAt: string;
        };
        ChangeWorkspace: {
            /** @description Name of the workspace. */
            name?: string;
            /** @description IANA time zone. Used for times of day in workflows if a customer has no time zone. */
            timezone?: string;
            /** @description Blocks members without a second factor from their next request. Only an owner who has a second factor can enable this. */
            requireSecondFactor?: boolean;
        };
        /** @description Features and limits of the plan. A call that exceeds an allowance returns 409 `plan_limit_reached`. */
        Entitlements: {
            /** @description Plan of the workspace. */
            plan: {
                /** @description ID of the plan, for example `growth`. */
                id: string;
                /** @description Display name of the plan. */
                name: string;
            };
            /** @description Features of the plan. A call that requires a missing feature returns 403 `feature_not_available`. */
            features: {
                /** @description Whether API keys are included. */
                api: boolean;
                /** @description Whether webhook endpoints are included. */
                webhooks: boolean;
                /** @description Whether workflows of any kind are included. */
                workflows: boolean;
                /** @description Whether campaigns are included. */
                campaigns: boolean;
                /** @description Reserved. Not used by any operation. */
                ai: boolean;
            };
            /** @description Limits of the plan, with the current usage. */
            allowances: {
                /** @description Number of workflows that are switched on. */
                activeWorkflows: {
                    /** @description Maximum number. Null: no limit. */
                    limit: number | null;
                    /** @description Current number. It can exceed the limit after a change to a smaller plan. */
                    used: number;
                };
                /** @description Number of members and invitations. */
                teamSeats: {
                    /** @description Maximum number. Null: no limit. */
                    limit: number | null;
                    /** @description Current number. It can exceed the limit after a change to a smaller plan. */
                    used: number;
                };
                /** @description Number of channels that are not disconnected. */
                connectedNumbers: {
                    /** @description Maximum number. Null: no limit. */
                    limit: number | null;
                    /** @description Current number. It can exceed the limit after a change to a smaller plan. */
                    used: number;
                };
                /** @description Number of templates. */
                templates: {
                    /** @description Maximum number. Null: no limit. */
                    limit: number | null;
                    /** @description Current number. It can exceed the limit after a change to a smaller plan. */
                    used: number;
                };
                /** @description Number of events recorded in the calendar month, UTC. */
                monthlyEvents: {
                    /** @description Maximum number. Null: no limit. */
                    limit: number | null;
                    /** @description Current number. It can exceed the limit after a change to a smaller plan. */
                    used: number;
                    /**
                     * Format: date-time
                     * @description Start of the next month, when `used` is reset to 0.
                     */
                    resetsAt: string;
                };
            };
        };
        AuditEntryPage: {
            /** @description Records of this page. */
            data: components["schemas"]["AuditEntry"][];
            /** @description Value of `cursor` for the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /** @description An action: who changed which record, when, and from which address. */
        AuditEntry: {
            /**
             * Format: uuid
             * @description ID of the entry.
             */
            id: string;
            /**
             * Format: date-time
             * @description Time of the action.
             */
            at: string;
            /** @description Person, key or operator who performed the action. */
            actor: {
                /**
                 * @description `operator`: the person who runs the service, on the command line. `unknown`: a caller who did not authenticate, for example with a wrong password.
                 * @enum {string}
                 */
                type: "user" | "api_key" | "operator" | "unknown";
                /**
                 * Format: uuid
                 * @description ID of the person or key. Null for `operator` and `unknown`.
                 */
                id: string | null;
                /** @description Current name of the person or key. Null for `operator` and `unknown`, and after the account is deleted. */
                name: string | null;
            };
            action: components["schemas"]["AuditAction"];
            /** @description Record that was changed. */
            target: {
                /**
                 * @description Type of the record. Later versions can add values.
                 * @enum {string}
                 */
                type: "user" | "api_key" | "webhook" | "delivery" | "recovery" | "member" | "workspace" | "channel" | "workflow" | "run" | "template" | "campaign" | "customer" | "sale" | "conversation";
                /**
                 * Format: uuid
                 * @description ID of the record.
                 */
                id: string;
            };
            /** @description Details of the action, with the names at that time. Contains no secrets and no customer data. `emailHash` is the SHA-256, in hex, of a lowercase e-mail address. */
            detail: {
                [key: string]: unknown;
            };
            /** @description Network address of the request. Null if unknown. */
            address: string | null;
            /**
             * Format: uuid
             * @description `X-Request-Id` of the response. Null for actions outside of HTTP requests.
             */
            requestId: string | null;
        };
        /**
         * @description Name of the operation. `signInFailed`: `signIn` or `acceptInvitation` with a wrong password. `createWorkspace`, `changePlan`, `makeResetLink`, `makeSignInLink`, `disableUser`, `enableUser` and `releaseRestored` are commands of the operator. Later versions can add values.
         * @enum {string}
         */
        AuditAction: "signIn" | "signInFailed" | "signOut" | "acceptInvitation" | "signInWithCode" | "signInByLink" | "endSession" | "endOtherSessions" | "changePassword" | "resetPassword" | "confirmEmail" | "changeUser" | "deleteUser" | "confirmTotp" | "removeTotp" | "renewRecoveryCodes" | "issueApiKey" | "revokeApiKey" | "createWebhook" | "changeWebhook" | "deleteWebhook" | "rotateWebhookSecret" | "holdWebhook" | "releaseWebhook" | "testWebhook" | "retryDelivery" | "sendOutboundEvent" | "startRecovery" | "cancelRecovery" | "inviteMember" | "changeMember" | "removeMember" | "changeWorkspace" | "connectChannel" | "changeChannel" | "disconnectChannel" | "createWorkflow" | "changeWorkflow" | "publishWorkflow" | "deleteWorkflow" | "stopRun" | "createTemplate" | "changeTemplate" | "deleteTemplate" | "createCampaign" | "changeCampaign" | "deleteCampaign" | "startCampaign" | "pauseCampaign" | "resumeCampaign" | "cancelCampaign" | "replaceOptOutWords" | "liftOptOut" | "decideOptOut" | "eraseCustomer" | "voidSale" | "testChannel" | "createWorkspace" | "changePlan" | "makeResetLink" | "makeSignInLink" | "disableUser" | "enableUser" | "releaseRestored";
    };
    responses: {
        /** @description `invalid_request`: a field is not valid. `details` names the field and the reason. `malformed_request`: the body is not valid JSON. Do not retry unchanged. */
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
        /** @description `unauthorized`: the credential is missing or not valid. Do not retry. */
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
        /** @description `forbidden`: the caller does not have permission. `feature_not_available`: the plan does not include the feature. */
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
                 *         "message": "Only an owner of the workspace can do this."
                 *       },
                 *       "request_id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e99"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `not_found`: the record does not exist in the workspace. */
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
        /** @description `conflict`: something unique already exists, or the record changed in the meantime. `plan_limit_reached`: an allowance is used up. The message names it. */
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
                 *         "message": "The draft was changed during publishing. Read it again, then publish it."
                 *       },
                 *       "request_id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e99"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `unsupported_media_type`: the `Content-Type` of the body is not JSON. */
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
        /** @description `unprocessable`: the request is well-formed, but not possible in the current state. */
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
                 *         "message": "The delivery is delivered. Only a failed or waiting delivery can be retried."
                 *       },
                 *       "request_id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e99"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `rate_limited`: too many calls. Retry after `Retry-After` seconds. */
        Error429: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                /** @description Seconds to wait before you retry. */
                "Retry-After"?: number;
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "rate_limited",
                 *         "message": "An API key can make 200 calls per second, with bursts of 400. Retry after the number of seconds in the Retry-After header."
                 *       },
                 *       "request_id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e99"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
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
                 *         "message": "An internal error occurred. Retry with backoff. If it persists, contact support with the request_id."
                 *       },
                 *       "request_id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e99"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `internal_error`: the service is temporarily unavailable. `details.reason` is `overloaded` or `database_unavailable`. Retry after `Retry-After` seconds. If a list took too long, use filters or a smaller limit. */
        Error503: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                /** @description Seconds to wait before you retry. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "internal_error",
                 *         "message": "The database is unavailable. Retry after the number of seconds in the Retry-After header.",
                 *         "details": {
                 *           "reason": "database_unavailable"
                 *         }
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
        /** @description The ID of the request. Send it to support with a question about the request. */
        RequestId: string;
        /** @description The path of the created record. */
        Location: string;
        /** @description The version of the record: its `updatedAt` in quotation marks, for an endpoint its `updated`. */
        ETag: string;
        /** @description Maximum number of calls in a burst. */
        RateLimitLimit: number;
        /** @description Number of calls left in the burst. */
        RateLimitRemaining: number;
        /** @description Seconds until the full burst is available again. */
        RateLimitReset: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listEvents: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                /** @description Only events of exactly this type. */
                type?: string;
                /** @description Only events about this customer. */
                customerId?: string;
            };
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
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
                     *           "occurredAt": null,
                     *           "createdAt": "2026-03-01T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            /** @description `invalid_request`: a query parameter is unknown or not valid. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has neither a valid API key nor the token of an active session. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). `feature_not_available`: the plan does not include `api` (required for calls with an API key). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable or overloaded, or the list took too long. Retry after `Retry-After` seconds, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    recordEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
                /** @description Alternative to the field `idempotencyKey` of the body. If both are given, they must be equal. */
                "Idempotency-Key"?: string;
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
            /** @description The idempotency key was used before. Nothing is recorded, and the response contains the first event. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    /** @description `true` if a repeated event differs from the first event with the same key. `mismatch` names the differences. */
                    "Idempotency-Mismatch"?: string;
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
                     *         "occurredAt": null,
                     *         "createdAt": "2026-03-01T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RecordedEvent"];
                };
            };
            /** @description The event and the runs that it started are stored on disk. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    Location: components["headers"]["Location"];
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
                     *         "occurredAt": null,
                     *         "createdAt": "2026-03-01T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RecordedEvent"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or the header `Idempotency-Key` differs from the key in the body. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has neither a valid API key nor the token of an active session. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. `feature_not_available`: the plan does not include `api` (required for calls with an API key). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `plan_limit_reached`: the allowance `monthlyEvents` is used up. Free some of it, or choose a larger plan. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    recordEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
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
            /** @description The result of each event, in the order of the request. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    /** @description `true` if a repeated event differs from the first event with the same key. `mismatch` names the differences. */
                    "Idempotency-Mismatch"?: string;
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
                     *             "occurredAt": null,
                     *             "createdAt": "2026-03-01T09:30:00.000Z"
                     *           }
                     *         },
                     *         {
                     *           "status": 400,
                     *           "error": {
                     *             "code": "invalid_request",
                     *             "message": "externalId: No customer has this external ID, and an external ID never enrols one. Add it to a customer with PATCH /v1/customers/{id}, create the customer first, or send only the phone.",
                     *             "details": {
                     *               "externalId": "No customer has this external ID, and an external ID never enrols one. Add it to a customer with PATCH /v1/customers/{id}, create the customer first, or send only the phone."
                     *             }
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RecordedEvents"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has neither a valid API key nor the token of an active session. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. `feature_not_available`: the plan does not include `api` (required for calls with an API key). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    checkEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
                /** @description Alternative to the field `idempotencyKey` of the body. If both are given, they must be equal. */
                "Idempotency-Key"?: string;
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
            /** @description The result of the check. In `outcomes`, `started` means that the workflow would start. No run exists. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
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
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or the header `Idempotency-Key` differs from the key in the body. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has neither a valid API key nor the token of an active session. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. `feature_not_available`: the plan does not include `api` (required for calls with an API key). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    readEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the event. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
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
                     *       "occurredAt": null,
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
                     *       "didYouMean": null,
                     *       "messages": [
                     *         {
                     *           "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e06",
                     *           "runId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7c02",
                     *           "providerMessageId": "sandbox-01981b7e-3c00-7a51-9a64-1f0f5c3d7e06",
                     *           "status": "delivered"
                     *         }
                     *       ],
                     *       "idempotencyMismatch": null
                     *     }
                     */
                    "application/json": components["schemas"]["EventWithOutcomes"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has neither a valid API key nor the token of an active session. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). `feature_not_available`: the plan does not include `api` (required for calls with an API key). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the event does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    listActivityEvents: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                /** @description Only events of exactly this type. */
                type?: string;
                /** @description Why no automation ran. `no_listener`: no automation has this type as its trigger. `switched_off`: the automation for the type is switched off. `never_published`: the automation is switched on but was never published. `not_run_for_customer`: an automation was ready but did not run for this customer. */
                reason?: "no_listener" | "switched_off" | "never_published" | "not_run_for_customer";
                /** @description true: only events that started an automation. false: only events that started none. */
                started?: boolean;
                /** @description Only events from this store plugin, or from your own code (`custom`). */
                sender?: "custom" | "woocommerce" | "shopify" | "magento" | "prestashop" | "shopware" | "opencart" | "bigcommerce" | "wix" | "squarespace" | "ecwid" | "vtex" | "oxid" | "jtl";
                /** @description Only events about this customer. */
                customerId?: string;
            };
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
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
                     *           "occurredAt": null,
                     *           "createdAt": "2026-03-01T09:30:00.000Z",
                     *           "customer": {
                     *             "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *             "name": "Ana Beispiel",
                     *             "phone": "+4915112345678",
                     *             "externalId": null
                     *           },
                     *           "automations": [],
                     *           "reason": "no_listener",
                     *           "explanation": "No workflow listens for Order.Created. Did you mean order.created (2 automations)?",
                     *           "didYouMean": {
                     *             "type": "order.created",
                     *             "workflows": 2
                     *           }
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ActivityEventPage"];
                };
            };
            /** @description `invalid_request`: a query parameter is unknown or not valid. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable or overloaded, or the list took too long. Retry after `Retry-After` seconds, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    summariseActivity: {
        parameters: {
            query?: {
                /** @description Start of the range, rounded down to the hour or day. Defaults to 24 hours or 30 days before the end of the range. At most 31 days before `to` by the hour, 400 by the day. */
                from?: string;
                /** @description End of the range. The hour or day of this time is included. Defaults to now. */
                to?: string;
                /** @description Length of each entry: an hour, or a day in UTC. */
                by?: "hour" | "day";
            };
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested hours or days. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "at": "2026-03-01T09:00:00.000Z",
                     *           "events": 1204,
                     *           "refused": 3,
                     *           "runsStarted": 411,
                     *           "messages": {
                     *             "queued": 411,
                     *             "sent": 409,
                     *             "delivered": 402,
                     *             "read": 120,
                     *             "failed": 2,
                     *             "skipped": 0,
                     *             "unknown": 0,
                     *             "received": 38
                     *           },
                     *           "deliveries": {
                     *             "delivered": 840,
                     *             "failed": 0,
                     *             "attempts": 851
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ActivitySummaryList"];
                };
            };
            /** @description `invalid_request`: a query parameter is unknown or not valid. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable or overloaded, or the list took too long. Retry after `Retry-After` seconds, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    listAttention: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current alerts. Empty if no action is needed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "kind": "endpoint_failing",
                     *           "since": "2026-03-01T13:40:00.000Z",
                     *           "title": "shop.example.com is failing: HTTP 503.",
                     *           "detail": "The last 37 attempts failed. 1,204 deliveries are waiting. The next attempt is in 4 minutes.",
                     *           "subject": {
                     *             "type": "webhook",
                     *             "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7a01"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AttentionList"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    search: {
        parameters: {
            query?: {
                /** @description Search text. IDs, phone numbers, external IDs, addresses on a channel, and the `request_id` of a rejected request must be complete. A phone number can contain spaces and punctuation. The name of a customer, workflow or endpoint is found by its beginning, ignoring case. Without search text, the result is empty. */
                q?: string;
            };
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The records found. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "type": "customer",
                     *           "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *           "title": "Ana Beispiel",
                     *           "detail": "Customer, +4915112345678"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SearchResultList"];
                };
            };
            /** @description `invalid_request`: a query parameter is unknown or not valid. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable or overloaded, or the list took too long. Retry after `Retry-After` seconds, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    listNotAccepted: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rejected events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
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
                     *           "message": "externalId: No customer has this external ID, and an external ID never enrols one.",
                     *           "details": {
                     *             "externalId": "No customer has this external ID, and an external ID never enrols one."
                     *           },
                     *           "severity": "error",
                     *           "eventId": null,
                     *           "requestId": "01981b81-6f40-7c11-8a1e-6c1d0e7f9b02"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["NotAcceptedPage"];
                };
            };
            /** @description `invalid_request`: a query parameter is unknown or not valid. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable or overloaded, or the list took too long. Retry after `Retry-After` seconds, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    readNotAccepted: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the rejected event. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rejected event. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7f01",
                     *       "firstAt": "2026-03-01T09:30:00.000Z",
                     *       "lastAt": "2026-03-01T09:36:12.480Z",
                     *       "count": 3,
                     *       "sender": "woocommerce",
                     *       "method": "POST",
                     *       "path": "/v1/events",
                     *       "status": 400,
                     *       "code": "invalid_request",
                     *       "message": "externalId: No customer has this external ID, and an external ID never enrols one.",
                     *       "details": {
                     *         "externalId": "No customer has this external ID, and an external ID never enrols one."
                     *       },
                     *       "severity": "error",
                     *       "eventId": null,
                     *       "requestId": "01981b81-6f40-7c11-8a1e-6c1d0e7f9b02"
                     *     }
                     */
                    "application/json": components["schemas"]["NotAccepted"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the rejected event does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    openStream: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
                /** @description The last received `id:`. The stream first sends the changes since that id. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. It ends with the session, or when the client reads too slowly. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example : welcome
                     *     retry: 2000
                     *     id: smeo4h1c0
                     *
                     *     event: event
                     *     id: smeo4h1zw
                     *     data: {"id":"01981b7e-3c00-7a51-9a64-1f0f5c3d7c01","at":"2026-03-01T09:30:00.000Z","type":"order.created","source":"api","customerId":"01981b7e-3c00-7a51-9a64-1f0f5c3d7e02","matchedWorkflows":1,"reason":null}
                     */
                    "text/event-stream": components["schemas"]["Stream"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller is over the rate limit, or the person or the workspace has too many open streams. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                /** @description Only the customer with exactly this number. Encode the + as %2B. */
                phone?: string;
                /** @description Only the customer with exactly this ID. */
                externalId?: string;
                /** @description Only customers whose name, phone or external ID contains this text. Case is ignored. Every page except the last is full. Other pages can be short only if the text is rare among the newest million customers. This applies to texts without three consecutive letters (a to z) or digits, and to texts that occur in 50,000 customers. `nextCursor` then continues the list. */
                q?: string;
            };
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
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
                     *           "email": "ana@example.com",
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
                    "application/json": components["schemas"]["CustomerPage"];
                };
            };
            /** @description `invalid_request`: a query parameter is unknown or not valid. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has neither a valid API key nor the token of an active session. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). `feature_not_available`: the plan does not include `api` (required for calls with an API key). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable or overloaded, or the list took too long. Retry after `Retry-After` seconds, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    upsertCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "externalId": "C-1042",
                 *       "phone": "+4915112345678",
                 *       "email": "ana@example.com",
                 *       "attributes": {
                 *         "tier": "gold"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpsertCustomer"];
            };
        };
        responses: {
            /** @description The customer after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "phone": "+4915112345678",
                     *       "externalId": "C-1042",
                     *       "name": "Ana Beispiel",
                     *       "email": "ana@example.com",
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
            /** @description The new customer. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "phone": "+4915112345678",
                     *       "externalId": "C-1042",
                     *       "name": "Ana Beispiel",
                     *       "email": "ana@example.com",
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
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has neither a valid API key nor the token of an active session. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. `feature_not_available`: the plan does not include `api` (required for calls with an API key). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `conflict`: the identifiers belong to two customers. `details` names the field and the customer. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the workspace has 5,000,000 customers, and none of them matches. Erase customers that you no longer need. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    createCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "phone": "+4915112345678",
                     *       "externalId": "C-1042",
                     *       "name": "Ana Beispiel",
                     *       "email": "ana@example.com",
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
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has neither a valid API key nor the token of an active session. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. `feature_not_available`: the plan does not include `api` (required for calls with an API key). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `conflict`: another customer has this phone or external ID. `details` names the field and the customer. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the workspace has 5,000,000 customers. Erase customers that you no longer need. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    readCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the customer. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "phone": "+4915112345678",
                     *       "externalId": "C-1042",
                     *       "name": "Ana Beispiel",
                     *       "email": "ana@example.com",
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
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has neither a valid API key nor the token of an active session. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). `feature_not_available`: the plan does not include `api` (required for calls with an API key). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the customer does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    eraseCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the customer. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customer is erased. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has neither a valid API key nor the token of an active session. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. `feature_not_available`: the plan does not include `api` (required for calls with an API key). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the customer does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    changeCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the customer. */
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
            /** @description The customer after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "phone": "+4915112345678",
                     *       "externalId": "C-1042",
                     *       "name": "Ana Muster",
                     *       "email": "ana@example.com",
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
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has neither a valid API key nor the token of an active session. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. `feature_not_available`: the plan does not include `api` (required for calls with an API key). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the customer does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `conflict`: another customer has this phone or external ID. `details` names the field and the customer. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the customer would have neither a phone nor an external ID. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    optInCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the customer. */
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
            /** @description The customer with the opt-in. If `optedOutAt` is set, the customer is still opted out. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "phone": "+4915112345678",
                     *       "externalId": "C-1042",
                     *       "name": "Ana Beispiel",
                     *       "email": "ana@example.com",
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
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has neither a valid API key nor the token of an active session. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. `feature_not_available`: the plan does not include `api` (required for calls with an API key). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the customer does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    optOutCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the customer. */
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
            /** @description The opted-out customer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "phone": "+4915112345678",
                     *       "externalId": "C-1042",
                     *       "name": "Ana Beispiel",
                     *       "email": "ana@example.com",
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
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has neither a valid API key nor the token of an active session. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. `feature_not_available`: the plan does not include `api` (required for calls with an API key). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the customer does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    liftOptOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the customer. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "Asked for messages again on the phone"
                 *     }
                 */
                "application/json": components["schemas"]["LiftOptOut"];
            };
        };
        responses: {
            /** @description The customer without the opt-out. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "phone": "+4915112345678",
                     *       "externalId": "C-1042",
                     *       "name": "Ana Beispiel",
                     *       "email": "ana@example.com",
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
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the customer does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the customer has not opted out. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    listConsents: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the customer. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of consents. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01981b7e-4400-7a51-9a64-1f0f5c3d7c02",
                     *           "kind": "opt_out",
                     *           "source": "customer",
                     *           "words": "STOP",
                     *           "eventId": null,
                     *           "userId": null,
                     *           "at": "2026-03-02T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ConsentPage"];
                };
            };
            /** @description `invalid_request`: a query parameter is unknown or not valid. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has neither a valid API key nor the token of an active session. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). `feature_not_available`: the plan does not include `api` (required for calls with an API key). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the customer does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable or overloaded, or the list took too long. Retry after `Retry-After` seconds, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    readTimeline: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the customer. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the timeline. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
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
                    "application/json": components["schemas"]["TimelineItemPage"];
                };
            };
            /** @description `invalid_request`: a query parameter is unknown or not valid. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has neither a valid API key nor the token of an active session. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). `feature_not_available`: the plan does not include `api` (required for calls with an API key). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the customer does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable or overloaded, or the list took too long. Retry after `Retry-After` seconds, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    listWorkflows: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
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
                     *           "draftErrors": [],
                     *           "createdAt": "2026-03-01T09:00:00.000Z",
                     *           "updatedAt": "2026-03-01T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["WorkflowPage"];
                };
            };
            /** @description `invalid_request`: a query parameter is unknown or not valid. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable or overloaded, or the list took too long. Retry after `Retry-After` seconds, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    createWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
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
                     *       "draftErrors": [],
                     *       "createdAt": "2026-03-01T09:00:00.000Z",
                     *       "updatedAt": "2026-03-01T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. `feature_not_available`: the plan does not include `workflows`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the workspace has 500 workflows. Remove a workflow that you no longer need. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    checkWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "definition": {
                 *         "trigger": {
                 *           "eventType": "order.created"
                 *         },
                 *         "start": "thank",
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
                "application/json": components["schemas"]["WorkflowToCheck"];
            };
        };
        responses: {
            /** @description The result of the validation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "valid": false,
                     *       "details": {
                     *         "definition.start": "There is no step \"thank\". The steps are wait, big, vip, thanks."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CheckedWorkflow"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    readWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the workflow. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    ETag: components["headers"]["ETag"];
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
                     *       "draftErrors": [],
                     *       "createdAt": "2026-03-01T09:00:00.000Z",
                     *       "updatedAt": "2026-03-01T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the workflow does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    deleteWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
                /** @description The `ETag` of the version that you want to change. If the record has another version, the response is 409 `conflict`. `details.version` then contains the current ETag. */
                "If-Match"?: string;
            };
            path: {
                /** @description The ID of the workflow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workflow is removed. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the workflow does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `conflict`: the record has another version than `If-Match` names. `details.version` contains the current ETag. Read the record again. */
            409: components["responses"]["Error409"];
            /** @description `unprocessable`: the workflow is enabled or has active runs. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    changeWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
                /** @description The `ETag` of the version that you want to change. If the record has another version, the response is 409 `conflict`. `details.version` then contains the current ETag. */
                "If-Match"?: string;
            };
            path: {
                /** @description The ID of the workflow. */
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
            /** @description The workflow after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    ETag: components["headers"]["ETag"];
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
                     *       "draftErrors": [],
                     *       "createdAt": "2026-03-01T09:00:00.000Z",
                     *       "updatedAt": "2026-03-01T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. `feature_not_available`: the plan does not include `workflows`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the workflow does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `plan_limit_reached`: the allowance `activeWorkflows` is used up. Free some of it, or choose a larger plan. `conflict`: the record has another version than `If-Match` names. `details.version` contains the current ETag. Read the record again. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the enabled workflow would use templates that are removed or lack a value. `details` names the locations. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    publishWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
                /** @description The `ETag` of the version that you want to change. If the record has another version, the response is 409 `conflict`. `details.version` then contains the current ETag. */
                "If-Match"?: string;
            };
            path: {
                /** @description The ID of the workflow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "move": true
                 *     }
                 */
                "application/json": components["schemas"]["PublishWorkflow"];
            };
        };
        responses: {
            /** @description The workflow with its new published version. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    ETag: components["headers"]["ETag"];
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
                     *       "draftErrors": [],
                     *       "createdAt": "2026-03-01T09:00:00.000Z",
                     *       "updatedAt": "2026-03-01T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            /** @description `invalid_request`: the draft is not complete. `details` names each error by its path within `definition`. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. `feature_not_available`: the plan does not include `workflows`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the workflow does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `conflict`: the draft changed during publishing. Read it again. Or the record has another version than `If-Match` names. `details.version` contains the current ETag. Read the record again. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: a workflow can have 200 versions, and active runs use all of them. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    listWorkflowVersions: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the workflow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "version": 1,
                     *           "publishedAt": "2026-03-01T09:10:00.000Z",
                     *           "publishedBy": "01981b7e-3c00-7a51-9a64-1f0f5c3d7a02"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["WorkflowVersionPage"];
                };
            };
            /** @description `invalid_request`: a query parameter is unknown or not valid. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the workflow does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable or overloaded, or the list took too long. Retry after `Retry-After` seconds, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    readWorkflowVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the workflow. */
                id: string;
                /** @description The version number, starting at 1. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The version with its definition. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": 1,
                     *       "publishedAt": "2026-03-01T09:10:00.000Z",
                     *       "publishedBy": "01981b7e-3c00-7a51-9a64-1f0f5c3d7a02",
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
                    "application/json": components["schemas"]["WorkflowVersionWhole"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the version does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    readWorkflowImpact: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the workflow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current impact of publishing. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "runsInFlight": 12,
                     *       "byStep": {
                     *         "wait": 9,
                     *         "gift": 3
                     *       },
                     *       "removedSteps": [
                     *         "gift"
                     *       ],
                     *       "movable": 9
                     *     }
                     */
                    "application/json": components["schemas"]["WorkflowImpact"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the workflow does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    readWorkflowStats: {
        parameters: {
            query?: {
                /** @description `day` also returns the last 7 days one by one. */
                by?: "day";
            };
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the workflow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current statistics. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "waiting": {
                     *         "wait": 9
                     *       },
                     *       "last7Days": {
                     *         "started": 130,
                     *         "completed": 110,
                     *         "failed": 1,
                     *         "exited": 7
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WorkflowStats"];
                };
            };
            /** @description `invalid_request`: a query parameter is unknown or not valid. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the workflow does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable or overloaded, or the list took too long. Retry after `Retry-After` seconds, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the workflow. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
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
                    "application/json": components["schemas"]["RunPage"];
                };
            };
            /** @description `invalid_request`: a query parameter is unknown or not valid. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the workflow does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable or overloaded, or the list took too long. Retry after `Retry-After` seconds, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    readRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the run. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7f02",
                     *       "workflowId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7f01",
                     *       "version": 1,
                     *       "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "eventId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7c01",
                     *       "status": "done",
                     *       "stepId": null,
                     *       "wakeAt": null,
                     *       "endReason": "completed",
                     *       "createdAt": "2026-03-01T09:30:00.000Z",
                     *       "endedAt": "2026-03-01T09:30:02.000Z",
                     *       "steps": [
                     *         {
                     *           "stepId": "wait",
                     *           "outcome": "waiting",
                     *           "detail": {
                     *             "until": "2026-03-01T09:30:02.000Z"
                     *           },
                     *           "at": "2026-03-01T09:30:00.000Z"
                     *         },
                     *         {
                     *           "stepId": "big",
                     *           "outcome": "else",
                     *           "detail": null,
                     *           "at": "2026-03-01T09:30:02.000Z"
                     *         },
                     *         {
                     *           "stepId": "thanks",
                     *           "outcome": "queued",
                     *           "detail": null,
                     *           "at": "2026-03-01T09:30:02.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the run does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    stopRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the run. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stopped run. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7f02",
                     *       "workflowId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7f01",
                     *       "version": 1,
                     *       "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "eventId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7c01",
                     *       "status": "stopped",
                     *       "stepId": null,
                     *       "wakeAt": null,
                     *       "endReason": "stopped",
                     *       "createdAt": "2026-03-01T09:30:00.000Z",
                     *       "endedAt": "2026-03-01T09:30:02.000Z",
                     *       "steps": [
                     *         {
                     *           "stepId": "wait",
                     *           "outcome": "waiting",
                     *           "detail": {
                     *             "until": "2026-03-01T09:30:02.000Z"
                     *           },
                     *           "at": "2026-03-01T09:30:00.000Z"
                     *         },
                     *         {
                     *           "stepId": "big",
                     *           "outcome": "else",
                     *           "detail": null,
                     *           "at": "2026-03-01T09:30:02.000Z"
                     *         },
                     *         {
                     *           "stepId": "thanks",
                     *           "outcome": "queued",
                     *           "detail": null,
                     *           "at": "2026-03-01T09:30:02.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. `feature_not_available`: the plan does not include `workflows`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the run does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unprocessable`: the run has already ended. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    tryWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the workflow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": {
                 *         "type": "order.created",
                 *         "phone": "+4915112345678",
                 *         "name": "Ana",
                 *         "data": {
                 *           "total": 129.9
                 *         }
                 *       },
                 *       "answers": [
                 *         {
                 *           "after": "PT1H",
                 *           "reply": "yes"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["TryWorkflow"];
            };
        };
        responses: {
            /** @description The simulated run. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "verdict": {
                     *         "workflowId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7f01",
                     *         "name": "Thank for the order",
                     *         "verdict": "started",
                     *         "runId": null,
                     *         "explanation": "\"Thank for the order\" (draft) would start.",
                     *         "comparisons": []
                     *       },
                     *       "steps": [
                     *         {
                     *           "stepId": "wait",
                     *           "outcome": "waiting",
                     *           "detail": {
                     *             "until": "2026-03-01T09:30:02.000Z"
                     *           },
                     *           "at": "2026-03-01T09:30:00.000Z"
                     *         },
                     *         {
                     *           "stepId": "thanks",
                     *           "outcome": "queued",
                     *           "detail": null,
                     *           "at": "2026-03-01T09:30:02.000Z"
                     *         }
                     *       ],
                     *       "messages": [
                     *         {
                     *           "stepId": "thanks",
                     *           "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7f09",
                     *           "handle": "+4915112345678",
                     *           "text": "Thank you, Ana! Your order over 129.9 has arrived.",
                     *           "templateId": null,
                     *           "skipped": null,
                     *           "at": "2026-03-01T09:30:02.000Z"
                     *         }
                     *       ],
                     *       "sales": [],
                     *       "endReason": "completed"
                     *     }
                     */
                    "application/json": components["schemas"]["TriedWorkflow"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the workflow does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    replayWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the workflow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "days": 7
                 *     }
                 */
                "application/json": components["schemas"]["ReplayWorkflow"];
            };
        };
        responses: {
            /** @description The results of the simulation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "events": 120,
                     *       "complete": true,
                     *       "verdicts": {
                     *         "started": 100,
                     *         "not_run_for_customer": 20
                     *       },
                     *       "byStep": {
                     *         "wait": 100,
                     *         "big": 100,
                     *         "vip": 12,
                     *         "thanks": 88
                     *       },
                     *       "ends": {
                     *         "completed": 100
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ReplayedWorkflow"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the workflow does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    listChannels: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
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
                     *           "number": null,
                     *           "status": "connected",
                     *           "statusDetail": null,
                     *           "inboundUrl": null,
                     *           "sandbox": {
                     *             "delivery": "delivered"
                     *           },
                     *           "createdAt": "2026-03-01T09:30:00.000Z",
                     *           "updatedAt": "2026-03-01T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ChannelPage"];
                };
            };
            /** @description `invalid_request`: a query parameter is unknown or not valid. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable or overloaded, or the list took too long. Retry after `Retry-After` seconds, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    connectChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectChannel"];
            };
        };
        responses: {
            /** @description The channel. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d01",
                     *       "kind": "sandbox",
                     *       "name": "Sandbox",
                     *       "number": null,
                     *       "status": "connected",
                     *       "statusDetail": null,
                     *       "inboundUrl": null,
                     *       "sandbox": {
                     *         "delivery": "delivered"
                     *       },
                     *       "createdAt": "2026-03-01T09:30:00.000Z",
                     *       "updatedAt": "2026-03-01T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Channel"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `plan_limit_reached`: the allowance `connectedNumbers` is used up. Free some of it, or choose a larger plan. `conflict`: a channel with this number is already connected. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the operator has not set `SECRETS_KEY`, which encrypts credentials. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    listChannelKinds: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All kinds of channels. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "kind": "sandbox",
                     *           "name": "Sandbox",
                     *           "description": "A test provider inside the service, with a phone that you can read and reply on. It sends no real messages.",
                     *           "capabilities": {
                     *             "maxCharacters": 4096,
                     *             "freeFormWindowHours": null,
                     *             "templates": false,
                     *             "media": false
                     *           },
                     *           "credentials": [],
                     *           "setup": null
                     *         },
                     *         {
                     *           "kind": "whatsapp_cloud",
                     *           "name": "WhatsApp",
                     *           "description": "Uses the Cloud API of Meta. You can send free text for 24 hours after the last message of a customer, and approved templates at any time.",
                     *           "capabilities": {
                     *             "maxCharacters": 4096,
                     *             "freeFormWindowHours": 24,
                     *             "templates": true,
                     *             "media": false
                     *           },
                     *           "credentials": [
                     *             {
                     *               "name": "phoneNumberId",
                     *               "label": "Phone number ID",
                     *               "description": "In the Meta app dashboard under WhatsApp › API Setup. This is not the phone number.",
                     *               "secret": false,
                     *               "required": true,
                     *               "alternatives": [],
                     *               "pattern": "^[0-9]*$",
                     *               "minLength": 1,
                     *               "maxLength": 32,
                     *               "example": "106540352242922"
                     *             },
                     *             {
                     *               "name": "accessToken",
                     *               "label": "Access token",
                     *               "description": "Use a permanent token: Business settings › System users › Generate token, with the permission whatsapp_business_messaging.",
                     *               "secret": true,
                     *               "required": true,
                     *               "alternatives": [],
                     *               "pattern": "^[!-~]*$",
                     *               "minLength": 1,
                     *               "maxLength": 1000,
                     *               "example": "EAAGexampleOfAPermanentToken"
                     *             },
                     *             {
                     *               "name": "appSecret",
                     *               "label": "App secret",
                     *               "description": "In App settings › Basic. Meta signs its callbacks with it.",
                     *               "secret": true,
                     *               "required": true,
                     *               "alternatives": [],
                     *               "pattern": "^[!-~]*$",
                     *               "minLength": 16,
                     *               "maxLength": 1000,
                     *               "example": "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
                     *             },
                     *             {
                     *               "name": "verifyToken",
                     *               "label": "Verify token",
                     *               "description": "Choose at least 16 characters. Keep the token: you enter it at Meta with the callback URL.",
                     *               "secret": false,
                     *               "required": true,
                     *               "alternatives": [],
                     *               "pattern": "^[!-~]*$",
                     *               "minLength": 16,
                     *               "maxLength": 1000,
                     *               "example": "a-word-of-your-own"
                     *             }
                     *           ],
                     *           "setup": "In the Meta app dashboard, open WhatsApp › Configuration. Enter this callback URL with your verify token, and subscribe to “messages”."
                     *         },
                     *         {
                     *           "kind": "twilio_sms",
                     *           "name": "SMS with Twilio",
                     *           "description": "Sends SMS from one of your Twilio numbers, or from a messaging service of Twilio.",
                     *           "capabilities": {
                     *             "maxCharacters": 1600,
                     *             "freeFormWindowHours": null,
                     *             "templates": false,
                     *             "media": false
                     *           },
                     *           "credentials": [
                     *             {
                     *               "name": "accountSid",
                     *               "label": "Account SID",
                     *               "description": "In the Twilio Console under Account info. Starts with AC.",
                     *               "secret": false,
                     *               "required": true,
                     *               "alternatives": [],
                     *               "pattern": "^AC[0-9A-Za-z]+$",
                     *               "minLength": null,
                     *               "maxLength": 64,
                     *               "example": "AC00000000000000000000000000000000"
                     *             },
                     *             {
                     *               "name": "authToken",
                     *               "label": "Auth token",
                     *               "description": "The primary token of the account, below its SID. Twilio signs its callbacks with it.",
                     *               "secret": true,
                     *               "required": true,
                     *               "alternatives": [],
                     *               "pattern": "^[!-~]*$",
                     *               "minLength": 16,
                     *               "maxLength": 1000,
                     *               "example": "00000000000000000000000000000000"
                     *             },
                     *             {
                     *               "name": "from",
                     *               "label": "Number or sender name",
                     *               "description": "An E.164 number, a short code or a sender name. For WhatsApp by Twilio, write whatsapp: before the number.",
                     *               "secret": false,
                     *               "required": false,
                     *               "alternatives": [
                     *                 "messagingServiceSid"
                     *               ],
                     *               "pattern": "^(whatsapp:)?\\+[1-9][0-9]{6,14}$|^[0-9]{3,8}$|^(?=.*[A-Za-z])[0-9A-Za-z ]{1,11}$",
                     *               "minLength": null,
                     *               "maxLength": 30,
                     *               "example": "+15005550006"
                     *             },
                     *             {
                     *               "name": "messagingServiceSid",
                     *               "label": "Messaging service SID",
                     *               "description": "In the Twilio Console under Messaging › Services. Starts with MG.",
                     *               "secret": false,
                     *               "required": false,
                     *               "alternatives": [
                     *                 "from"
                     *               ],
                     *               "pattern": "^MG[0-9A-Za-z]+$",
                     *               "minLength": null,
                     *               "maxLength": 64,
                     *               "example": "MG00000000000000000000000000000000"
                     *             }
                     *           ],
                     *           "setup": "In the Twilio Console, open your number or messaging service. Enter this URL with HTTP POST for incoming messages. Message statuses need no setup."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ChannelKindList"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    readChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the channel. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The channel. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d01",
                     *       "kind": "sandbox",
                     *       "name": "Sandbox",
                     *       "number": null,
                     *       "status": "connected",
                     *       "statusDetail": null,
                     *       "inboundUrl": null,
                     *       "sandbox": {
                     *         "delivery": "delivered"
                     *       },
                     *       "createdAt": "2026-03-01T09:30:00.000Z",
                     *       "updatedAt": "2026-03-01T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Channel"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the channel does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    disconnectChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the channel. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The channel is disconnected. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the channel does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    changeChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the channel. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sandbox": {
                 *         "delivery": "manual"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ChangeChannel"];
            };
        };
        responses: {
            /** @description The channel after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d01",
                     *       "kind": "sandbox",
                     *       "name": "Sandbox",
                     *       "number": null,
                     *       "status": "connected",
                     *       "statusDetail": null,
                     *       "inboundUrl": null,
                     *       "sandbox": {
                     *         "delivery": "manual"
                     *       },
                     *       "createdAt": "2026-03-01T09:30:00.000Z",
                     *       "updatedAt": "2026-03-01T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Channel"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the channel does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `conflict`: a channel with this number is already connected. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the channel is permanently disconnected, or the operator has not set `SECRETS_KEY`. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    testChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the channel. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result from the provider. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true,
                     *       "detail": "The sandbox is part of this service."
                     *     }
                     */
                    "application/json": components["schemas"]["ChannelTest"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the channel does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unprocessable`: the channel is permanently disconnected. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    writeSandboxMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the channel. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "from": "+4915112345678",
                 *       "text": "Is it still there?",
                 *       "name": "Ada"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxMessage"];
            };
        };
        responses: {
            /** @description The received message. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d0b",
                     *       "conversationId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d0c",
                     *       "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d01",
                     *       "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d0d",
                     *       "direction": "inbound",
                     *       "type": "text",
                     *       "text": "Is it still there?",
                     *       "status": "received",
                     *       "providerMessageId": "sandbox-01981b7e-3c00-7a51-9a64-1f0f5c3d7d0b",
                     *       "detail": null,
                     *       "templateId": null,
                     *       "sentBy": null,
                     *       "sentAt": "2026-03-01T09:30:00.000Z",
                     *       "createdAt": "2026-03-01T09:30:00.000Z",
                     *       "updatedAt": "2026-03-01T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the channel does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the channel is not a sandbox, or it is disconnected. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    tellSandboxStatus: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the channel. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "messageId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d0a",
                 *       "status": "read"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxStatus"];
            };
        };
        responses: {
            /** @description The status is recorded. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the channel does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the channel is not a sandbox, or it is disconnected. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    listConversations: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                /** @description Only open conversations, or only closed conversations. */
                status?: "open" | "closed";
                /** @description Only conversations assigned to this member. `me`, `none`, or the `userId` of a member. */
                assigneeId?: string;
                /** @description true: only conversations with unread messages. false: only conversations without. */
                unread?: boolean;
                /** @description true: only conversations in which the customer is waiting for an answer. false: only the others. */
                waiting?: boolean;
                /** @description Only conversations on this channel. */
                channelId?: string;
                /** @description Only conversations with this customer. */
                customerId?: string;
            };
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of conversations. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01",
                     *           "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d01",
                     *           "channelKind": "sandbox",
                     *           "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *           "customerName": "Ana",
                     *           "handle": "+4915112345678",
                     *           "status": "open",
                     *           "assigneeId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b01",
                     *           "unread": 1,
                     *           "waitingSince": "2026-03-01T09:31:00.040Z",
                     *           "windowClosesAt": null,
                     *           "looksLikeOptOut": false,
                     *           "lastMessage": {
                     *             "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e07",
                     *             "conversationId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01",
                     *             "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d01",
                     *             "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *             "direction": "inbound",
                     *             "type": "text",
                     *             "text": "Where is my order?",
                     *             "templateId": null,
                     *             "status": "received",
                     *             "providerMessageId": "sandbox-in-1",
                     *             "detail": null,
                     *             "sentBy": null,
                     *             "sentAt": "2026-03-01T09:31:00.000Z",
                     *             "createdAt": "2026-03-01T09:31:00.040Z",
                     *             "updatedAt": "2026-03-01T09:31:00.040Z"
                     *           },
                     *           "createdAt": "2026-03-01T09:30:02.000Z",
                     *           "updatedAt": "2026-03-01T09:31:00.040Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ConversationPage"];
                };
            };
            /** @description `invalid_request`: a query parameter is unknown or not valid. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable or overloaded, or the list took too long. Retry after `Retry-After` seconds, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    openConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d01",
                 *       "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02"
                 *     }
                 */
                "application/json": components["schemas"]["OpenConversation"];
            };
        };
        responses: {
            /** @description The existing conversation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01",
                     *       "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d01",
                     *       "channelKind": "sandbox",
                     *       "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "customerName": "Ana",
                     *       "handle": "+4915112345678",
                     *       "status": "open",
                     *       "assigneeId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b01",
                     *       "unread": 1,
                     *       "waitingSince": "2026-03-01T09:31:00.040Z",
                     *       "windowClosesAt": null,
                     *       "looksLikeOptOut": false,
                     *       "lastMessage": {
                     *         "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e07",
                     *         "conversationId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01",
                     *         "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d01",
                     *         "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *         "direction": "inbound",
                     *         "type": "text",
                     *         "text": "Where is my order?",
                     *         "templateId": null,
                     *         "status": "received",
                     *         "providerMessageId": "sandbox-in-1",
                     *         "detail": null,
                     *         "sentBy": null,
                     *         "sentAt": "2026-03-01T09:31:00.000Z",
                     *         "createdAt": "2026-03-01T09:31:00.040Z",
                     *         "updatedAt": "2026-03-01T09:31:00.040Z"
                     *       },
                     *       "createdAt": "2026-03-01T09:30:02.000Z",
                     *       "updatedAt": "2026-03-01T09:31:00.040Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            /** @description The new conversation. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01",
                     *       "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d01",
                     *       "channelKind": "sandbox",
                     *       "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "customerName": "Ana",
                     *       "handle": "+4915112345678",
                     *       "status": "open",
                     *       "assigneeId": null,
                     *       "unread": 0,
                     *       "waitingSince": null,
                     *       "windowClosesAt": null,
                     *       "looksLikeOptOut": false,
                     *       "lastMessage": null,
                     *       "createdAt": "2026-03-01T09:30:02.000Z",
                     *       "updatedAt": "2026-03-01T09:31:00.040Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the conversation cannot be opened. `details.reason` is `channel_disconnected` or `no_address`. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    readConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the conversation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01",
                     *       "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d01",
                     *       "channelKind": "sandbox",
                     *       "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "customerName": "Ana",
                     *       "handle": "+4915112345678",
                     *       "status": "open",
                     *       "assigneeId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b01",
                     *       "unread": 1,
                     *       "waitingSince": "2026-03-01T09:31:00.040Z",
                     *       "windowClosesAt": null,
                     *       "looksLikeOptOut": false,
                     *       "lastMessage": {
                     *         "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e07",
                     *         "conversationId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01",
                     *         "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d01",
                     *         "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *         "direction": "inbound",
                     *         "type": "text",
                     *         "text": "Where is my order?",
                     *         "templateId": null,
                     *         "status": "received",
                     *         "providerMessageId": "sandbox-in-1",
                     *         "detail": null,
                     *         "sentBy": null,
                     *         "sentAt": "2026-03-01T09:31:00.000Z",
                     *         "createdAt": "2026-03-01T09:31:00.040Z",
                     *         "updatedAt": "2026-03-01T09:31:00.040Z"
                     *       },
                     *       "createdAt": "2026-03-01T09:30:02.000Z",
                     *       "updatedAt": "2026-03-01T09:31:00.040Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the conversation does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    changeConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
                /** @description The `ETag` of the version that you want to change. If the record has another version, the response is 409 `conflict`. `details.version` then contains the current ETag. */
                "If-Match"?: string;
            };
            path: {
                /** @description The ID of the conversation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "closed",
                 *       "assigneeId": null
                 *     }
                 */
                "application/json": components["schemas"]["ChangeConversation"];
            };
        };
        responses: {
            /** @description The conversation after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01",
                     *       "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d01",
                     *       "channelKind": "sandbox",
                     *       "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "customerName": "Ana",
                     *       "handle": "+4915112345678",
                     *       "status": "closed",
                     *       "assigneeId": null,
                     *       "unread": 1,
                     *       "waitingSince": "2026-03-01T09:31:00.040Z",
                     *       "windowClosesAt": null,
                     *       "looksLikeOptOut": false,
                     *       "lastMessage": {
                     *         "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e07",
                     *         "conversationId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01",
                     *         "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d01",
                     *         "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *         "direction": "inbound",
                     *         "type": "text",
                     *         "text": "Where is my order?",
                     *         "templateId": null,
                     *         "status": "received",
                     *         "providerMessageId": "sandbox-in-1",
                     *         "detail": null,
                     *         "sentBy": null,
                     *         "sentAt": "2026-03-01T09:31:00.000Z",
                     *         "createdAt": "2026-03-01T09:31:00.040Z",
                     *         "updatedAt": "2026-03-01T09:31:00.040Z"
                     *       },
                     *       "createdAt": "2026-03-01T09:30:02.000Z",
                     *       "updatedAt": "2026-03-01T09:31:00.040Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the conversation does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `conflict`: the record has another version than `If-Match` names. `details.version` contains the current ETag. Read the record again. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    markConversationRead: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the conversation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversation is marked as read. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the conversation does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    decideOptOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the conversation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "decision": "ignored"
                 *     }
                 */
                "application/json": components["schemas"]["OptOutDecision"];
            };
        };
        responses: {
            /** @description The conversation after the decision. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01",
                     *       "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d01",
                     *       "channelKind": "sandbox",
                     *       "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "customerName": "Ana",
                     *       "handle": "+4915112345678",
                     *       "status": "open",
                     *       "assigneeId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b01",
                     *       "unread": 1,
                     *       "waitingSince": "2026-03-01T09:31:00.040Z",
                     *       "windowClosesAt": null,
                     *       "looksLikeOptOut": false,
                     *       "lastMessage": {
                     *         "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e07",
                     *         "conversationId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01",
                     *         "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d01",
                     *         "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *         "direction": "inbound",
                     *         "type": "text",
                     *         "text": "Where is my order?",
                     *         "templateId": null,
                     *         "status": "received",
                     *         "providerMessageId": "sandbox-in-1",
                     *         "detail": null,
                     *         "sentBy": null,
                     *         "sentAt": "2026-03-01T09:31:00.000Z",
                     *         "createdAt": "2026-03-01T09:31:00.040Z",
                     *         "updatedAt": "2026-03-01T09:31:00.040Z"
                     *       },
                     *       "createdAt": "2026-03-01T09:30:02.000Z",
                     *       "updatedAt": "2026-03-01T09:31:00.040Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the conversation does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    listConversationMessages: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the conversation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of messages. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e07",
                     *           "conversationId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01",
                     *           "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d01",
                     *           "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *           "direction": "inbound",
                     *           "type": "text",
                     *           "text": "Where is my order?",
                     *           "templateId": null,
                     *           "status": "received",
                     *           "providerMessageId": "sandbox-in-1",
                     *           "detail": null,
                     *           "sentBy": null,
                     *           "sentAt": "2026-03-01T09:31:00.000Z",
                     *           "createdAt": "2026-03-01T09:31:00.040Z",
                     *           "updatedAt": "2026-03-01T09:31:00.040Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["MessagePage"];
                };
            };
            /** @description `invalid_request`: a query parameter is unknown or not valid. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the conversation does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable or overloaded, or the list took too long. Retry after `Retry-After` seconds, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    writeMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
                /** @description Alternative to the field `idempotencyKey` of the body. If both are given, they must be equal. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The ID of the conversation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "It left our house this morning.",
                 *       "idempotencyKey": "reply-1042"
                 *     }
                 */
                "application/json": components["schemas"]["WriteMessage"];
            };
        };
        responses: {
            /** @description The message of an earlier call with the same `idempotencyKey`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e06",
                     *       "conversationId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01",
                     *       "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d01",
                     *       "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "direction": "outbound",
                     *       "type": "text",
                     *       "text": "It left our house this morning.",
                     *       "templateId": null,
                     *       "status": "queued",
                     *       "providerMessageId": null,
                     *       "detail": null,
                     *       "sentBy": {
                     *         "type": "user",
                     *         "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b01"
                     *       },
                     *       "sentAt": null,
                     *       "createdAt": "2026-03-01T09:30:02.000Z",
                     *       "updatedAt": "2026-03-01T09:30:02.040Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description The message, queued. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e06",
                     *       "conversationId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01",
                     *       "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d01",
                     *       "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "direction": "outbound",
                     *       "type": "text",
                     *       "text": "It left our house this morning.",
                     *       "templateId": null,
                     *       "status": "queued",
                     *       "providerMessageId": null,
                     *       "detail": null,
                     *       "sentBy": {
                     *         "type": "user",
                     *         "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b01"
                     *       },
                     *       "sentAt": null,
                     *       "createdAt": "2026-03-01T09:30:02.000Z",
                     *       "updatedAt": "2026-03-01T09:30:02.040Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or the header `Idempotency-Key` differs from the key in the body. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the conversation does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the message cannot be sent. `details.reason` is `channel_disconnected`, `no_address`, `opted_out`, `no_opt_in` or `window_closed`. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    resendMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the message. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new message of an earlier call. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e06",
                     *       "conversationId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01",
                     *       "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d01",
                     *       "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "direction": "outbound",
                     *       "type": "text",
                     *       "text": "It left our house this morning.",
                     *       "templateId": null,
                     *       "status": "queued",
                     *       "providerMessageId": null,
                     *       "detail": null,
                     *       "sentBy": {
                     *         "type": "user",
                     *         "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b01"
                     *       },
                     *       "sentAt": null,
                     *       "createdAt": "2026-03-01T09:30:02.000Z",
                     *       "updatedAt": "2026-03-01T09:30:02.040Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description The new message, queued. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e06",
                     *       "conversationId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01",
                     *       "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d01",
                     *       "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "direction": "outbound",
                     *       "type": "text",
                     *       "text": "It left our house this morning.",
                     *       "templateId": null,
                     *       "status": "queued",
                     *       "providerMessageId": null,
                     *       "detail": null,
                     *       "sentBy": {
                     *         "type": "user",
                     *         "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b01"
                     *       },
                     *       "sentAt": null,
                     *       "createdAt": "2026-03-01T09:30:02.000Z",
                     *       "updatedAt": "2026-03-01T09:30:02.040Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the message does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unprocessable`: the message is inbound, is not failed, unknown or skipped, or cannot be sent now. `details.reason` names the reason why it cannot be sent. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    challengeWhatsapp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The ID of the channel. */
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The challenge, as text/plain. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `forbidden`: the verify token does not match the channel. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the channel does not exist. */
            404: components["responses"]["Error404"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    receiveWhatsapp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The ID of the channel. */
                channelId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description The callback is recorded. The body is `EVENT_RECEIVED`, as text/plain; charset=utf-8. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: the body is larger than 3 MiB. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the signature is missing or invalid. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent. API keys cannot call this operation. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the channel does not exist. */
            404: components["responses"]["Error404"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    receiveTwilio: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The ID of the channel. */
                channelId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": Record<string, never>;
            };
        };
        responses: {
            /** @description The callback is recorded. The body is `<Response/>`, as text/xml; charset=utf-8. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: the body is larger than 3 MiB. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the signature is missing or invalid. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent. API keys cannot call this operation. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the channel does not exist. */
            404: components["responses"]["Error404"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                /** @description Only messages to or from this customer. */
                customerId?: string;
                /** @description Only messages that this run created. */
                runId?: string;
            };
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
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
                     *           "type": "text",
                     *           "text": "Thank you, Ana! Your order is on its way.",
                     *           "templateId": null,
                     *           "status": "delivered",
                     *           "providerMessageId": "sandbox-01981b7e-3c00-7a51-9a64-1f0f5c3d7e06",
                     *           "detail": null,
                     *           "sentBy": {
                     *             "type": "workflow",
                     *             "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7f01"
                     *           },
                     *           "sentAt": "2026-03-01T09:30:02.030Z",
                     *           "createdAt": "2026-03-01T09:30:02.000Z",
                     *           "updatedAt": "2026-03-01T09:30:02.040Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["MessagePage"];
                };
            };
            /** @description `invalid_request`: a query parameter is unknown or not valid. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable or overloaded, or the list took too long. Retry after `Retry-After` seconds, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    readMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the message. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e06",
                     *       "conversationId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01",
                     *       "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d01",
                     *       "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "direction": "outbound",
                     *       "type": "text",
                     *       "text": "Thank you, Ana! Your order is on its way.",
                     *       "templateId": null,
                     *       "status": "delivered",
                     *       "providerMessageId": "sandbox-01981b7e-3c00-7a51-9a64-1f0f5c3d7e06",
                     *       "detail": null,
                     *       "sentBy": {
                     *         "type": "workflow",
                     *         "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7f01"
                     *       },
                     *       "sentAt": "2026-03-01T09:30:02.030Z",
                     *       "createdAt": "2026-03-01T09:30:02.000Z",
                     *       "updatedAt": "2026-03-01T09:30:02.040Z",
                     *       "statuses": [
                     *         {
                     *           "status": "sent",
                     *           "detail": null,
                     *           "at": "2026-03-01T09:30:02.030Z"
                     *         },
                     *         {
                     *           "status": "delivered",
                     *           "detail": null,
                     *           "at": "2026-03-01T09:30:02.040Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MessageDetail"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the message does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of templates. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b01",
                     *           "name": "Order on its way",
                     *           "category": "utility",
                     *           "body": "Hello {{name}}, your order {{order}} is on its way.",
                     *           "variables": [
                     *             {
                     *               "name": "name",
                     *               "sample": "Ana"
                     *             },
                     *             {
                     *               "name": "order",
                     *               "sample": "A-1042"
                     *             }
                     *           ],
                     *           "provider": {
                     *             "name": "order_shipped",
                     *             "language": "en_US"
                     *           },
                     *           "createdAt": "2026-03-01T09:30:00.000Z",
                     *           "updatedAt": "2026-03-01T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["TemplatePage"];
                };
            };
            /** @description `invalid_request`: a query parameter is unknown or not valid. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable or overloaded, or the list took too long. Retry after `Retry-After` seconds, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    createTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Order on its way",
                 *       "category": "utility",
                 *       "body": "Hello {{name}}, your order {{order}} is on its way.",
                 *       "variables": [
                 *         {
                 *           "name": "name",
                 *           "sample": "Ana"
                 *         },
                 *         {
                 *           "name": "order",
                 *           "sample": "A-1042"
                 *         }
                 *       ],
                 *       "provider": {
                 *         "name": "order_shipped",
                 *         "language": "en_US"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateTemplate"];
            };
        };
        responses: {
            /** @description The template. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b01",
                     *       "name": "Order on its way",
                     *       "category": "utility",
                     *       "body": "Hello {{name}}, your order {{order}} is on its way.",
                     *       "variables": [
                     *         {
                     *           "name": "name",
                     *           "sample": "Ana"
                     *         },
                     *         {
                     *           "name": "order",
                     *           "sample": "A-1042"
                     *         }
                     *       ],
                     *       "provider": {
                     *         "name": "order_shipped",
                     *         "language": "en_US"
                     *       },
                     *       "createdAt": "2026-03-01T09:30:00.000Z",
                     *       "updatedAt": "2026-03-01T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `plan_limit_reached`: the allowance `templates` is used up. Free some of it, or choose a larger plan. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    readTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the template. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The template. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b01",
                     *       "name": "Order on its way",
                     *       "category": "utility",
                     *       "body": "Hello {{name}}, your order {{order}} is on its way.",
                     *       "variables": [
                     *         {
                     *           "name": "name",
                     *           "sample": "Ana"
                     *         },
                     *         {
                     *           "name": "order",
                     *           "sample": "A-1042"
                     *         }
                     *       ],
                     *       "provider": {
                     *         "name": "order_shipped",
                     *         "language": "en_US"
                     *       },
                     *       "createdAt": "2026-03-01T09:30:00.000Z",
                     *       "updatedAt": "2026-03-01T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the template does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    deleteTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
                /** @description The `ETag` of the version that you want to change. If the record has another version, the response is 409 `conflict`. `details.version` then contains the current ETag. */
                "If-Match"?: string;
            };
            path: {
                /** @description The ID of the template. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The template is removed. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the template does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `conflict`: an enabled workflow or an active campaign uses the template. `details` contains their IDs. Or the record has another version than `If-Match` names. `details.version` contains the current ETag. Read the record again. */
            409: components["responses"]["Error409"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    changeTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
                /** @description The `ETag` of the version that you want to change. If the record has another version, the response is 409 `conflict`. `details.version` then contains the current ETag. */
                "If-Match"?: string;
            };
            path: {
                /** @description The ID of the template. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Order on its way, short",
                 *       "provider": null
                 *     }
                 */
                "application/json": components["schemas"]["ChangeTemplate"];
            };
        };
        responses: {
            /** @description The template after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b01",
                     *       "name": "Order on its way, short",
                     *       "category": "utility",
                     *       "body": "Hello {{name}}, your order {{order}} is on its way.",
                     *       "variables": [
                     *         {
                     *           "name": "name",
                     *           "sample": "Ana"
                     *         },
                     *         {
                     *           "name": "order",
                     *           "sample": "A-1042"
                     *         }
                     *       ],
                     *       "provider": null,
                     *       "createdAt": "2026-03-01T09:30:00.000Z",
                     *       "updatedAt": "2026-03-02T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the template does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `conflict`: an enabled workflow or an active campaign uses the template without the new variable. `details` contains their IDs. Or the record has another version than `If-Match` names. `details.version` contains the current ETag. Read the record again. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    previewTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the template. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "variables": {
                 *         "name": "Ana"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PreviewTemplate"];
            };
        };
        responses: {
            /** @description The text, and the variables without a value. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "text": "Hello Ana, your order {{order}} is on its way.",
                     *       "missing": [
                     *         "order"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TemplatePreview"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the template does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    markSale: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the conversation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": 129.9,
                 *       "currency": "EUR",
                 *       "note": "Two pairs"
                 *     }
                 */
                "application/json": components["schemas"]["MarkSale"];
            };
        };
        responses: {
            /** @description The sale. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e03",
                     *       "conversationId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01",
                     *       "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "amount": 129.9,
                     *       "currency": "EUR",
                     *       "note": "Two pairs",
                     *       "markedBy": {
                     *         "type": "user",
                     *         "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7a02"
                     *       },
                     *       "voidedAt": null,
                     *       "voidReason": null,
                     *       "createdAt": "2026-03-01T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Sale"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the conversation does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the customer of the conversation was erased. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    listSales: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                /** @description Only sales of this customer. */
                customerId?: string;
                /** @description Only sales of this conversation. */
                conversationId?: string;
                /** @description Only sales marked at this time or later. */
                from?: string;
                /** @description Only sales marked before this time. */
                to?: string;
            };
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sales. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e03",
                     *           "conversationId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01",
                     *           "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *           "amount": 129.9,
                     *           "currency": "EUR",
                     *           "note": "Two pairs",
                     *           "markedBy": {
                     *             "type": "user",
                     *             "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7a02"
                     *           },
                     *           "voidedAt": null,
                     *           "voidReason": null,
                     *           "createdAt": "2026-03-01T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["SalePage"];
                };
            };
            /** @description `invalid_request`: a query parameter is unknown or not valid. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable or overloaded, or the list took too long. Retry after `Retry-After` seconds, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    readSale: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the sale. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sale. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e03",
                     *       "conversationId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01",
                     *       "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "amount": 129.9,
                     *       "currency": "EUR",
                     *       "note": "Two pairs",
                     *       "markedBy": {
                     *         "type": "user",
                     *         "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7a02"
                     *       },
                     *       "voidedAt": null,
                     *       "voidReason": null,
                     *       "createdAt": "2026-03-01T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Sale"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the sale does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    voidSale: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the sale. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "Entered twice"
                 *     }
                 */
                "application/json": components["schemas"]["VoidSale"];
            };
        };
        responses: {
            /** @description The voided sale. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e03",
                     *       "conversationId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01",
                     *       "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *       "amount": 129.9,
                     *       "currency": "EUR",
                     *       "note": "Two pairs",
                     *       "markedBy": {
                     *         "type": "user",
                     *         "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7a02"
                     *       },
                     *       "voidedAt": "2026-03-02T10:00:00.000Z",
                     *       "voidReason": "Entered twice",
                     *       "createdAt": "2026-03-01T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Sale"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the sale does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the sale is already void. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    readOptOutWords: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The opt-out words of the workspace. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "words": [
                     *         "basta",
                     *         "no more"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["OptOutWords"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    replaceOptOutWords: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "words": [
                 *         "basta",
                 *         "no more"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["OptOutWords"];
            };
        };
        responses: {
            /** @description The opt-out words after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "words": [
                     *         "basta",
                     *         "no more"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["OptOutWords"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    listCampaigns: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of campaigns. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e04",
                     *           "name": "Spring sale",
                     *           "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e0c",
                     *           "templateId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e0d",
                     *           "variables": {
                     *             "name": "{{customer.name|there}}"
                     *           },
                     *           "audience": {
                     *             "where": {
                     *               "path": "customer.attributes.city",
                     *               "op": "eq",
                     *               "value": "Berlin"
                     *             }
                     *           },
                     *           "status": "completed",
                     *           "progress": {
                     *             "audience": 492,
                     *             "sent": 480,
                     *             "skipped": 12,
                     *             "unknown": 0,
                     *             "skippedBy": {
                     *               "opted_out": 12
                     *             }
                     *           },
                     *           "scheduledAt": null,
                     *           "startedAt": "2026-03-01T09:30:00.000Z",
                     *           "finishedAt": "2026-03-01T09:30:40.000Z",
                     *           "createdAt": "2026-03-01T09:00:00.000Z",
                     *           "updatedAt": "2026-03-01T09:30:40.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["CampaignPage"];
                };
            };
            /** @description `invalid_request`: a query parameter is unknown or not valid. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable or overloaded, or the list took too long. Retry after `Retry-After` seconds, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    createCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Spring sale",
                 *       "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e0c",
                 *       "templateId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e0d",
                 *       "variables": {
                 *         "name": "{{customer.name|there}}"
                 *       },
                 *       "audience": {
                 *         "where": {
                 *           "path": "customer.attributes.city",
                 *           "op": "eq",
                 *           "value": "Berlin"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateCampaign"];
            };
        };
        responses: {
            /** @description The campaign. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e04",
                     *       "name": "Spring sale",
                     *       "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e0c",
                     *       "templateId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e0d",
                     *       "variables": {
                     *         "name": "{{customer.name|there}}"
                     *       },
                     *       "audience": {
                     *         "where": {
                     *           "path": "customer.attributes.city",
                     *           "op": "eq",
                     *           "value": "Berlin"
                     *         }
                     *       },
                     *       "status": "draft",
                     *       "progress": {
                     *         "audience": 0,
                     *         "sent": 0,
                     *         "skipped": 0,
                     *         "unknown": 0,
                     *         "skippedBy": {}
                     *       },
                     *       "scheduledAt": null,
                     *       "startedAt": null,
                     *       "finishedAt": null,
                     *       "createdAt": "2026-03-01T09:00:00.000Z",
                     *       "updatedAt": "2026-03-01T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. `feature_not_available`: the plan does not include `campaigns`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the channel is disconnected, or its provider requires an approved template and this one is not. Or the workspace has 500 campaigns that have not ended. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    readCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the campaign. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The campaign. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e04",
                     *       "name": "Spring sale",
                     *       "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e0c",
                     *       "templateId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e0d",
                     *       "variables": {
                     *         "name": "{{customer.name|there}}"
                     *       },
                     *       "audience": {
                     *         "where": {
                     *           "path": "customer.attributes.city",
                     *           "op": "eq",
                     *           "value": "Berlin"
                     *         }
                     *       },
                     *       "status": "completed",
                     *       "progress": {
                     *         "audience": 492,
                     *         "sent": 480,
                     *         "skipped": 12,
                     *         "unknown": 0,
                     *         "skippedBy": {
                     *           "opted_out": 12
                     *         }
                     *       },
                     *       "scheduledAt": null,
                     *       "startedAt": "2026-03-01T09:30:00.000Z",
                     *       "finishedAt": "2026-03-01T09:30:40.000Z",
                     *       "createdAt": "2026-03-01T09:00:00.000Z",
                     *       "updatedAt": "2026-03-01T09:30:40.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the campaign does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    deleteCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
                /** @description The `ETag` of the version that you want to change. If the record has another version, the response is 409 `conflict`. `details.version` then contains the current ETag. */
                "If-Match"?: string;
            };
            path: {
                /** @description The ID of the campaign. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The campaign is removed. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the campaign does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `conflict`: the record has another version than `If-Match` names. `details.version` contains the current ETag. Read the record again. */
            409: components["responses"]["Error409"];
            /** @description `unprocessable`: the campaign is not a draft and not scheduled. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    changeCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
                /** @description The `ETag` of the version that you want to change. If the record has another version, the response is 409 `conflict`. `details.version` then contains the current ETag. */
                "If-Match"?: string;
            };
            path: {
                /** @description The ID of the campaign. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Spring sale, second try"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeCampaign"];
            };
        };
        responses: {
            /** @description The campaign after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e04",
                     *       "name": "Spring sale, second try",
                     *       "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e0c",
                     *       "templateId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e0d",
                     *       "variables": {
                     *         "name": "{{customer.name|there}}"
                     *       },
                     *       "audience": {
                     *         "where": {
                     *           "path": "customer.attributes.city",
                     *           "op": "eq",
                     *           "value": "Berlin"
                     *         }
                     *       },
                     *       "status": "draft",
                     *       "progress": {
                     *         "audience": 0,
                     *         "sent": 0,
                     *         "skipped": 0,
                     *         "unknown": 0,
                     *         "skippedBy": {}
                     *       },
                     *       "scheduledAt": null,
                     *       "startedAt": null,
                     *       "finishedAt": null,
                     *       "createdAt": "2026-03-01T09:00:00.000Z",
                     *       "updatedAt": "2026-03-01T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. `feature_not_available`: the plan does not include `campaigns`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the campaign does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `conflict`: the record has another version than `If-Match` names. `details.version` contains the current ETag. Read the record again. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the campaign is not a draft and not scheduled, its channel is disconnected, or the channel does not accept the template. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    previewCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the campaign. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The preview. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "audience": 480,
                     *       "skipped": {
                     *         "opted_out": 12
                     *       },
                     *       "samples": [
                     *         {
                     *           "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *           "text": "Hello Ada, everything is 20 % off until Sunday."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CampaignPreview"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. `feature_not_available`: the plan does not include `campaigns`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the campaign does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    startCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the campaign. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "at": "2026-03-02T09:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["StartCampaign"];
            };
        };
        responses: {
            /** @description The campaign, running or scheduled. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e04",
                     *       "name": "Spring sale",
                     *       "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e0c",
                     *       "templateId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e0d",
                     *       "variables": {
                     *         "name": "{{customer.name|there}}"
                     *       },
                     *       "audience": {
                     *         "where": {
                     *           "path": "customer.attributes.city",
                     *           "op": "eq",
                     *           "value": "Berlin"
                     *         }
                     *       },
                     *       "status": "scheduled",
                     *       "progress": {
                     *         "audience": 0,
                     *         "sent": 0,
                     *         "skipped": 0,
                     *         "unknown": 0,
                     *         "skippedBy": {}
                     *       },
                     *       "scheduledAt": "2026-03-02T09:00:00.000Z",
                     *       "startedAt": null,
                     *       "finishedAt": null,
                     *       "createdAt": "2026-03-01T09:00:00.000Z",
                     *       "updatedAt": "2026-03-01T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. `feature_not_available`: the plan does not include `campaigns`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the campaign does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the campaign is not a draft and not scheduled, or it does not match its template or its channel any more. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    pauseCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the campaign. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The campaign, paused. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e04",
                     *       "name": "Spring sale",
                     *       "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e0c",
                     *       "templateId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e0d",
                     *       "variables": {
                     *         "name": "{{customer.name|there}}"
                     *       },
                     *       "audience": {
                     *         "where": {
                     *           "path": "customer.attributes.city",
                     *           "op": "eq",
                     *           "value": "Berlin"
                     *         }
                     *       },
                     *       "status": "paused",
                     *       "progress": {
                     *         "audience": 492,
                     *         "sent": 200,
                     *         "skipped": 4,
                     *         "unknown": 0,
                     *         "skippedBy": {
                     *           "opted_out": 4
                     *         }
                     *       },
                     *       "scheduledAt": null,
                     *       "startedAt": "2026-03-01T09:30:00.000Z",
                     *       "finishedAt": null,
                     *       "createdAt": "2026-03-01T09:00:00.000Z",
                     *       "updatedAt": "2026-03-01T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. `feature_not_available`: the plan does not include `campaigns`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the campaign does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unprocessable`: the campaign is not running. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    resumeCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the campaign. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The campaign, running. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e04",
                     *       "name": "Spring sale",
                     *       "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e0c",
                     *       "templateId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e0d",
                     *       "variables": {
                     *         "name": "{{customer.name|there}}"
                     *       },
                     *       "audience": {
                     *         "where": {
                     *           "path": "customer.attributes.city",
                     *           "op": "eq",
                     *           "value": "Berlin"
                     *         }
                     *       },
                     *       "status": "running",
                     *       "progress": {
                     *         "audience": 492,
                     *         "sent": 200,
                     *         "skipped": 4,
                     *         "unknown": 0,
                     *         "skippedBy": {
                     *           "opted_out": 4
                     *         }
                     *       },
                     *       "scheduledAt": null,
                     *       "startedAt": "2026-03-01T09:30:00.000Z",
                     *       "finishedAt": null,
                     *       "createdAt": "2026-03-01T09:00:00.000Z",
                     *       "updatedAt": "2026-03-01T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. `feature_not_available`: the plan does not include `campaigns`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the campaign does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unprocessable`: the campaign is not paused, or it does not match its template or its channel any more. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    cancelCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the campaign. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The campaign, cancelled. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e04",
                     *       "name": "Spring sale",
                     *       "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e0c",
                     *       "templateId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e0d",
                     *       "variables": {
                     *         "name": "{{customer.name|there}}"
                     *       },
                     *       "audience": {
                     *         "where": {
                     *           "path": "customer.attributes.city",
                     *           "op": "eq",
                     *           "value": "Berlin"
                     *         }
                     *       },
                     *       "status": "cancelled",
                     *       "progress": {
                     *         "audience": 492,
                     *         "sent": 200,
                     *         "skipped": 4,
                     *         "unknown": 0,
                     *         "skippedBy": {
                     *           "opted_out": 4
                     *         }
                     *       },
                     *       "scheduledAt": null,
                     *       "startedAt": "2026-03-01T09:30:00.000Z",
                     *       "finishedAt": "2026-03-01T09:31:00.000Z",
                     *       "createdAt": "2026-03-01T09:00:00.000Z",
                     *       "updatedAt": "2026-03-01T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Campaign"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the campaign does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unprocessable`: the campaign has already ended. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    listCampaignRecipients: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                /** @description Only recipients with this outcome. */
                outcome?: "pending" | "queued" | "sent" | "skipped" | "unknown";
            };
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the campaign. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of recipients. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *           "outcome": "sent",
                     *           "reason": null,
                     *           "messageId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e06",
                     *           "at": "2026-03-01T09:30:04.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["CampaignRecipientPage"];
                };
            };
            /** @description `invalid_request`: a query parameter is unknown or not valid. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the campaign does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable or overloaded, or the list took too long. Retry after `Retry-After` seconds, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e05",
                     *           "name": "Orders",
                     *           "url": "https://hooks.example.com/engagement",
                     *           "description": "order system",
                     *           "events": [
                     *             "message.status",
                     *             "customer.opted_out"
                     *           ],
                     *           "enabled": true,
                     *           "metadata": {
                     *             "team": "checkout"
                     *           },
                     *           "headers": [
                     *             "Authorization"
                     *           ],
                     *           "ratePerSecond": 50,
                     *           "maxConcurrency": 20,
                     *           "filter": null,
                     *           "heldAt": null,
                     *           "heldBy": null,
                     *           "createdAt": "2026-03-01T09:00:00.000Z",
                     *           "updatedAt": "2026-03-01T09:00:00.000Z",
                     *           "created": "2026-03-01T09:00:00.000Z",
                     *           "updated": "2026-03-01T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            /** @description `invalid_request`: a query parameter is unknown or not valid. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable or overloaded, or the list took too long. Retry after `Retry-After` seconds, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
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
                 *       "name": "Orders",
                 *       "description": "order system",
                 *       "events": [
                 *         "message.status",
                 *         "customer.opted_out"
                 *       ],
                 *       "metadata": {
                 *         "team": "checkout"
                 *       },
                 *       "headers": {
                 *         "Authorization": "Bearer 3f1b"
                 *       },
                 *       "ratePerSecond": 50,
                 *       "maxConcurrency": 20
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e05",
                     *       "name": "Orders",
                     *       "url": "https://hooks.example.com/engagement",
                     *       "description": "order system",
                     *       "events": [
                     *         "message.status",
                     *         "customer.opted_out"
                     *       ],
                     *       "enabled": true,
                     *       "metadata": {
                     *         "team": "checkout"
                     *       },
                     *       "headers": [
                     *         "Authorization"
                     *       ],
                     *       "ratePerSecond": 50,
                     *       "maxConcurrency": 20,
                     *       "filter": null,
                     *       "heldAt": null,
                     *       "heldBy": null,
                     *       "createdAt": "2026-03-01T09:00:00.000Z",
                     *       "updatedAt": "2026-03-01T09:00:00.000Z",
                     *       "created": "2026-03-01T09:00:00.000Z",
                     *       "updated": "2026-03-01T09:00:00.000Z",
                     *       "secret": "whsec_ZXhhbXBsZSBzZWNyZXQgb2YgMzIgYnl0ZXMgaGVyZSE"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. `feature_not_available`: the plan does not include `webhooks`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the workspace already has 10 endpoints. Remove one first. Or `headers` are given, and the operator has not set `SECRETS_KEY`, which encrypts them. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    verifyWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
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
            /** @description The result. `valid` is true if a receiver should accept the request. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "valid": false,
                     *       "problems": [
                     *         {
                     *           "code": "digest_mismatch",
                     *           "message": "No v1 is the digest of this body with this secret. The secret is wrong, or the body was changed."
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
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    readWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the webhook endpoint. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e05",
                     *       "name": "Orders",
                     *       "url": "https://hooks.example.com/engagement",
                     *       "description": "order system",
                     *       "events": [
                     *         "message.status",
                     *         "customer.opted_out"
                     *       ],
                     *       "enabled": true,
                     *       "metadata": {
                     *         "team": "checkout"
                     *       },
                     *       "headers": [
                     *         "Authorization"
                     *       ],
                     *       "ratePerSecond": 50,
                     *       "maxConcurrency": 20,
                     *       "filter": null,
                     *       "heldAt": null,
                     *       "heldBy": null,
                     *       "createdAt": "2026-03-01T09:00:00.000Z",
                     *       "updatedAt": "2026-03-01T09:00:00.000Z",
                     *       "created": "2026-03-01T09:00:00.000Z",
                     *       "updated": "2026-03-01T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the webhook endpoint does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
                /** @description The `ETag` of the version that you want to change. If the record has another version, the response is 409 `conflict`. `details.version` then contains the current ETag. */
                "If-Match"?: string;
            };
            path: {
                /** @description The ID of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint is removed. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the webhook endpoint does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `conflict`: the record has another version than `If-Match` names. `details.version` contains the current ETag. Read the record again. */
            409: components["responses"]["Error409"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
                /** @description The `ETag` of the version that you want to change. If the record has another version, the response is 409 `conflict`. `details.version` then contains the current ETag. */
                "If-Match"?: string;
            };
            path: {
                /** @description The ID of the webhook endpoint. */
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
            /** @description The endpoint after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e05",
                     *       "name": "Orders",
                     *       "url": "https://hooks.example.com/engagement",
                     *       "description": "order system",
                     *       "events": [
                     *         "message.status",
                     *         "customer.opted_out"
                     *       ],
                     *       "enabled": false,
                     *       "metadata": {
                     *         "team": "checkout"
                     *       },
                     *       "headers": [
                     *         "Authorization"
                     *       ],
                     *       "ratePerSecond": 50,
                     *       "maxConcurrency": 20,
                     *       "filter": null,
                     *       "heldAt": null,
                     *       "heldBy": null,
                     *       "createdAt": "2026-03-01T09:00:00.000Z",
                     *       "updatedAt": "2026-03-01T09:00:00.000Z",
                     *       "created": "2026-03-01T09:00:00.000Z",
                     *       "updated": "2026-03-01T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. `feature_not_available`: the plan does not include `webhooks`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the webhook endpoint does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `conflict`: the record has another version than `If-Match` names. `details.version` contains the current ETag. Read the record again. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: `headers` are given, and the operator has not set `SECRETS_KEY`, which encrypts them. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    readWebhookHealth: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The health of the endpoint. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "failing",
                     *       "since": "2026-03-01T09:40:00.000Z",
                     *       "lastSuccessAt": "2026-03-01T09:30:02.060Z",
                     *       "lastFailure": {
                     *         "at": "2026-03-01T09:41:00.100Z",
                     *         "statusCode": 503,
                     *         "error": "answered with a status other than 2xx"
                     *       },
                     *       "waiting": 1,
                     *       "waitingSince": "2026-03-01T09:40:59.800Z",
                     *       "nextAttemptAt": "2026-03-01T09:46:00.100Z",
                     *       "last50": [
                     *         {
                     *           "deliveryId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e07",
                     *           "eventType": "message.status",
                     *           "at": "2026-03-01T09:41:00.100Z",
                     *           "status": "retrying",
                     *           "statusCode": 503,
                     *           "error": "answered with a status other than 2xx",
                     *           "durationMs": 48
                     *         }
                     *       ],
                     *       "p50Ms": 48,
                     *       "p95Ms": 48
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookHealth"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the webhook endpoint does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    holdWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e05",
                     *       "name": "Orders",
                     *       "url": "https://hooks.example.com/engagement",
                     *       "description": "order system",
                     *       "events": [
                     *         "message.status",
                     *         "customer.opted_out"
                     *       ],
                     *       "enabled": true,
                     *       "metadata": {
                     *         "team": "checkout"
                     *       },
                     *       "headers": [
                     *         "Authorization"
                     *       ],
                     *       "ratePerSecond": 50,
                     *       "maxConcurrency": 20,
                     *       "filter": null,
                     *       "heldAt": "2026-03-02T09:00:00.000Z",
                     *       "heldBy": "owner",
                     *       "createdAt": "2026-03-01T09:00:00.000Z",
                     *       "updatedAt": "2026-03-01T09:00:00.000Z",
                     *       "created": "2026-03-01T09:00:00.000Z",
                     *       "updated": "2026-03-01T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the webhook endpoint does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    releaseWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e05",
                     *       "name": "Orders",
                     *       "url": "https://hooks.example.com/engagement",
                     *       "description": "order system",
                     *       "events": [
                     *         "message.status",
                     *         "customer.opted_out"
                     *       ],
                     *       "enabled": true,
                     *       "metadata": {
                     *         "team": "checkout"
                     *       },
                     *       "headers": [
                     *         "Authorization"
                     *       ],
                     *       "ratePerSecond": 50,
                     *       "maxConcurrency": 20,
                     *       "filter": null,
                     *       "heldAt": null,
                     *       "heldBy": null,
                     *       "createdAt": "2026-03-01T09:00:00.000Z",
                     *       "updatedAt": "2026-03-01T09:00:00.000Z",
                     *       "created": "2026-03-01T09:00:00.000Z",
                     *       "updated": "2026-03-01T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. `feature_not_available`: the plan does not include `webhooks`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the webhook endpoint does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    startRecovery: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-03-01T00:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["StartRecovery"];
            };
        };
        responses: {
            /** @description With `preview`: the number of deliveries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deliveries": 1200
                     *     }
                     */
                    "application/json": components["schemas"]["RecoveryPreview"];
                };
            };
            /** @description The started recovery. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e0a",
                     *       "webhookId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e05",
                     *       "since": "2026-03-01T00:00:00.000Z",
                     *       "until": "2026-03-02T09:00:00.000Z",
                     *       "status": "running",
                     *       "total": 1200,
                     *       "done": 0,
                     *       "createdAt": "2026-03-02T09:00:00.000Z",
                     *       "finishedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Recovery"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. `feature_not_available`: the plan does not include `webhooks`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the webhook endpoint does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `conflict`: a recovery of this endpoint is already running. Wait until it ends, or cancel it. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: more than 100,000 deliveries of the time range are failed or retrying. Choose a shorter time range. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    readRecovery: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the webhook endpoint. */
                id: string;
                /** @description The ID of the recovery. */
                recoveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The recovery with its progress. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e0a",
                     *       "webhookId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e05",
                     *       "since": "2026-03-01T00:00:00.000Z",
                     *       "until": "2026-03-02T09:00:00.000Z",
                     *       "status": "running",
                     *       "total": 1200,
                     *       "done": 800,
                     *       "createdAt": "2026-03-02T09:00:00.000Z",
                     *       "finishedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Recovery"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the recovery does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    cancelRecovery: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the webhook endpoint. */
                id: string;
                /** @description The ID of the recovery. */
                recoveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The recovery is cancelled or had already ended. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the recovery does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the webhook endpoint. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e05",
                     *       "name": "Orders",
                     *       "url": "https://hooks.example.com/engagement",
                     *       "description": "order system",
                     *       "events": [
                     *         "message.status",
                     *         "customer.opted_out"
                     *       ],
                     *       "enabled": true,
                     *       "metadata": {
                     *         "team": "checkout"
                     *       },
                     *       "headers": [
                     *         "Authorization"
                     *       ],
                     *       "ratePerSecond": 50,
                     *       "maxConcurrency": 20,
                     *       "filter": null,
                     *       "heldAt": null,
                     *       "heldBy": null,
                     *       "createdAt": "2026-03-01T09:00:00.000Z",
                     *       "updatedAt": "2026-03-01T09:00:00.000Z",
                     *       "created": "2026-03-01T09:00:00.000Z",
                     *       "updated": "2026-03-01T09:00:00.000Z",
                     *       "secret": "whsec_ZXhhbXBsZSBzZWNyZXQgb2YgMzIgYnl0ZXMgaGVyZSE"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. `feature_not_available`: the plan does not include `webhooks`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the webhook endpoint does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery of the ping. Read it again to see the result. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
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
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. `feature_not_available`: the plan does not include `webhooks`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the webhook endpoint does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                /** @description Only deliveries with this status. */
                status?: "pending" | "retrying" | "delivered" | "failed";
                /** @description Only deliveries of events of this type. */
                eventType?: "message.received" | "message.status" | "sale.created" | "customer.opted_out" | "campaign.completed" | "ping";
            };
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
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
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            /** @description `invalid_request`: a query parameter is unknown or not valid. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the webhook endpoint does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable or overloaded, or the list took too long. Retry after `Retry-After` seconds, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    readDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the webhook endpoint. */
                id: string;
                /** @description The ID of the delivery. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
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
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the delivery does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    retryDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the webhook endpoint. */
                id: string;
                /** @description The ID of the delivery. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
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
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. `feature_not_available`: the plan does not include `webhooks`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the delivery does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unprocessable`: the delivery is pending or delivered, or a retry is already due. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    listOutboundEvents: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                /** @description Only events of this type. */
                type?: "message.received" | "message.status" | "sale.created" | "customer.opted_out" | "campaign.completed" | "ping";
            };
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
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
                     *             "detail": null,
                     *             "messageId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e06",
                     *             "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *             "eventId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7c01"
                     *           },
                     *           "sentTo": 1,
                     *           "passedOver": 1
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["OutboundEventPage"];
                };
            };
            /** @description `invalid_request`: a query parameter is unknown or not valid. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable or overloaded, or the list took too long. Retry after `Retry-After` seconds, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    readOutboundEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the outbound event. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
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
                     *         "detail": null,
                     *         "messageId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e06",
                     *         "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                     *         "eventId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7c01"
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
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the outbound event does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    sendOutboundEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the outbound event. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "webhookId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e05"
                 *     }
                 */
                "application/json": components["schemas"]["SendAgain"];
            };
        };
        responses: {
            /** @description The new delivery. Read it again to see the result. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e07",
                     *       "eventId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e08",
                     *       "eventType": "message.status",
                     *       "status": "pending",
                     *       "attempts": 0,
                     *       "statusCode": null,
                     *       "error": null,
                     *       "durationMs": null,
                     *       "createdAt": "2026-03-01T10:30:02.050Z",
                     *       "lastAttemptAt": null,
                     *       "nextAttemptAt": "2026-03-01T10:30:02.050Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. `feature_not_available`: the plan does not include `webhooks`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the outbound event does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
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
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
            /** @description `invalid_request`: a query parameter is unknown or not valid. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable or overloaded, or the list took too long. Retry after `Retry-After` seconds, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    issueApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    Location: components["headers"]["Location"];
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
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. `feature_not_available`: the plan does not include `api`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the workspace already has 100 active keys. Revoke a key that is not used any more. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the API key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is revoked. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the API key does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
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
            /** @description A session of 30 days; or a ticket, where the account has a second factor. */
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
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no account has this e-mail address and password. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: the account is in no workspace or is disabled, or an API key was sent. API keys cannot call this operation. */
            403: components["responses"]["Error403"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: too many attempts for this address. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    signInWithCode: {
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
                 *       "ticket": "tkt_bm90IGEgcmVhbCB0aWNrZXQsIG9ubHkgYW4gZXhhbXBsZQ",
                 *       "code": "123456"
                 *     }
                 */
                "application/json": components["schemas"]["SignInWithCode"];
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
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the code is wrong, or the ticket is not valid any more. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: the account is in no workspace, or an API key was sent. API keys cannot call this operation. */
            403: components["responses"]["Error403"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the second factor cannot be read, or the accepted invitation is not valid any more. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: too many wrong codes, or too many attempts from this address. Wait for `Retry-After` seconds. After too many wrong codes you can also use a recovery code. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    signInByLink: {
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
                 *       "token": "sgn_bm90IGEgcmVhbCB0b2tlbiwgb25seSBhbiBleGFtcGw"
                 *     }
                 */
                "application/json": components["schemas"]["SignInByLink"];
            };
        };
        responses: {
            /** @description A session of 30 days; or a ticket, where the account has a second factor. */
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
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the password of the account was changed, or the account was disabled, during this call. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: the account is in no workspace, or an API key was sent. API keys cannot call this operation. */
            403: components["responses"]["Error403"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the link is unknown, used, replaced or expired. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: too many attempts. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
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
            /** @description A session of 30 days; or a ticket, where the account has a second factor. */
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
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the address already has an account, and the password is wrong. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: you are signed in with an address that was not invited, the account is disabled, or an API key was sent. API keys cannot call this operation. */
            403: components["responses"]["Error403"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the link is unknown, used, withdrawn or expired. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: too many attempts for this address. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    readSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
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
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    listMyWorkspaces: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All workspaces of the signed-in person. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
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
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sessions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b0f",
                     *           "createdAt": "2026-03-01T09:30:00.000Z",
                     *           "lastSeenAt": "2026-03-02T08:00:00.000Z",
                     *           "address": "198.51.100.7",
                     *           "userAgent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
                     *           "current": true
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["OwnSessionPage"];
                };
            };
            /** @description `invalid_request`: a query parameter is unknown or not valid. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. */
            403: components["responses"]["Error403"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable or overloaded, or the list took too long. Retry after `Retry-After` seconds, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The other sessions have ended. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The ID of the session. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: you have no such session, or the session has ended. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    changePassword: {
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
                 *       "currentPassword": "correct horse battery staple",
                 *       "newPassword": "a quiet river in the north"
                 *     }
                 */
                "application/json": components["schemas"]["ChangePassword"];
            };
        };
        responses: {
            /** @description The password is changed, and the other sessions have ended. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the current password is wrong. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls or too many password attempts. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    readUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The profile of the signed-in person. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b01",
                     *       "email": "owner@example.com",
                     *       "name": "Ana Owner",
                     *       "locale": "de-AT",
                     *       "timezone": "Europe/Vienna"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. */
            403: components["responses"]["Error403"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    deleteUser: {
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
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["DeleteUser"];
            };
        };
        responses: {
            /** @description The account is deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the password is wrong, or you are the last owner of a workspace. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls or too many password attempts. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    changeUser: {
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
                 *       "name": "Ana Owner",
                 *       "locale": "de-AT",
                 *       "timezone": "Europe/Vienna"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeUser"];
            };
        };
        responses: {
            /** @description The profile after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b01",
                     *       "email": "owner@example.com",
                     *       "name": "Ana Owner",
                     *       "locale": "de-AT",
                     *       "timezone": "Europe/Vienna"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    forgotPassword: {
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
                 *       "email": "owner@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["ForgotPassword"];
            };
        };
        responses: {
            /** @description The link is sent if the account exists. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: an API key was sent, and it is not valid. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent. API keys cannot call this operation. */
            403: components["responses"]["Error403"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: too many attempts for this address. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    resetPassword: {
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
                 *       "token": "rst_bm90IGEgcmVhbCB0b2tlbiwgb25seSBhbiBleGFtcGw",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["ResetPassword"];
            };
        };
        responses: {
            /** @description The password is changed. Sign in with the new password. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: an API key was sent, and it is not valid. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent. API keys cannot call this operation. */
            403: components["responses"]["Error403"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the link is unknown, used, replaced or expired. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: too many attempts. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    confirmEmail: {
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
                 *       "token": "cnf_bm90IGEgcmVhbCB0b2tlbiwgb25seSBhbiBleGFtcGw"
                 *     }
                 */
                "application/json": components["schemas"]["ConfirmEmail"];
            };
        };
        responses: {
            /** @description The address is confirmed. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: an API key was sent, and it is not valid. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent. API keys cannot call this operation. */
            403: components["responses"]["Error403"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the link is unknown, used or expired. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: too many attempts. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    readTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of the second factor. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": true,
                     *       "since": "2026-03-01T09:30:00.000Z",
                     *       "recoveryCodesLeft": 10
                     *     }
                     */
                    "application/json": components["schemas"]["Totp"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. */
            403: components["responses"]["Error403"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    beginTotp: {
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
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["BeginTotp"];
            };
        };
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "secret": "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
                     *       "uri": "otpauth://totp/Customer%20Engagement%20Service:owner%40example.com?issuer=Customer%20Engagement%20Service&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30"
                     *     }
                     */
                    "application/json": components["schemas"]["NewTotp"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the password is wrong, a second factor is already in use, or the service has no encryption key. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: too many attempts. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    removeTotp: {
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
                 *       "password": "correct horse battery staple",
                 *       "code": "123456"
                 *     }
                 */
                "application/json": components["schemas"]["RemoveTotp"];
            };
        };
        responses: {
            /** @description The second factor is removed. Sign-in does not require a code any more. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the password or the code is wrong, no second factor is in use, or a workspace requires one. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: too many attempts. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    confirmTotp: {
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
                 *       "code": "123456"
                 *     }
                 */
                "application/json": components["schemas"]["ConfirmTotp"];
            };
        };
        responses: {
            /** @description The second factor is active. The response contains the recovery codes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recoveryCodes": [
                     *         "abcd-efgh-jkmn-pqrz",
                     *         "abcd-efgh-jkmn-pqr2",
                     *         "abcd-efgh-jkmn-pqr3",
                     *         "abcd-efgh-jkmn-pqr4",
                     *         "abcd-efgh-jkmn-pqr5",
                     *         "abcd-efgh-jkmn-pqr6",
                     *         "abcd-efgh-jkmn-pqr7",
                     *         "abcd-efgh-jkmn-pqr8",
                     *         "abcd-efgh-jkmn-pqr9",
                     *         "abcd-efgh-jkmn-pqr10"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the code is wrong, or no setup was started. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: too many wrong codes. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    renewRecoveryCodes: {
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
                 *       "password": "correct horse battery staple",
                 *       "code": "123456"
                 *     }
                 */
                "application/json": components["schemas"]["RenewRecoveryCodes"];
            };
        };
        responses: {
            /** @description The new recovery codes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recoveryCodes": [
                     *         "abcd-efgh-jkmn-pqrz",
                     *         "abcd-efgh-jkmn-pqr2",
                     *         "abcd-efgh-jkmn-pqr3",
                     *         "abcd-efgh-jkmn-pqr4",
                     *         "abcd-efgh-jkmn-pqr5",
                     *         "abcd-efgh-jkmn-pqr6",
                     *         "abcd-efgh-jkmn-pqr7",
                     *         "abcd-efgh-jkmn-pqr8",
                     *         "abcd-efgh-jkmn-pqr9",
                     *         "abcd-efgh-jkmn-pqr10"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the password or the code is wrong, or no second factor is in use. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: too many attempts. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b03",
                     *           "userId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b04",
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
                    "application/json": components["schemas"]["MemberPage"];
                };
            };
            /** @description `invalid_request`: a query parameter is unknown or not valid. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable or overloaded, or the list took too long. Retry after `Retry-After` seconds, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
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
            /** @description The invitation, which uses a team seat. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b03",
                     *       "userId": null,
                     *       "email": "ben@example.com",
                     *       "name": "Ben Agent",
                     *       "role": "agent",
                     *       "status": "invited",
                     *       "invitedAt": "2026-03-01T09:30:00.000Z",
                     *       "joinedAt": null,
                     *       "invitation": {
                     *         "url": "https://engage.example.com/accept-invitation#token=inv_bm90IGEgcmVhbCB0b2tlbiwgb25seSBhbiBleGFtcGw",
                     *         "token": "inv_bm90IGEgcmVhbCB0b2tlbiwgb25seSBhbiBleGFtcGw",
                     *         "mailed": false,
                     *         "expiresAt": "2026-03-08T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["InvitedMember"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `plan_limit_reached`: the allowance `teamSeats` is used up. Free some of it, or choose a larger plan. `conflict`: a person with this address is already in the team or invited. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the member. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The member or the invitation is removed. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the member does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unprocessable`: the last owner of a workspace cannot be removed. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    changeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The ID of the member. */
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
            /** @description The member after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b03",
                     *       "userId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b04",
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
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: the member does not exist in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the last owner of a workspace must stay an owner. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    readWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workspace of the caller. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e00",
                     *       "name": "Shop",
                     *       "timezone": "Europe/Berlin",
                     *       "requireSecondFactor": false,
                     *       "createdAt": "2026-03-01T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    changeWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timezone": "Europe/Berlin"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeWorkspace"];
            };
        };
        responses: {
            /** @description The workspace after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e00",
                     *       "name": "Shop",
                     *       "timezone": "Europe/Berlin",
                     *       "requireSecondFactor": false,
                     *       "createdAt": "2026-03-01T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            /** @description `invalid_request`: a field of the body is unknown, not valid or given twice. Or a query parameter was sent, but the operation has none. `details` names the field and the reason. `malformed_request`: the body is not valid JSON or not valid UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). Or a write with the session cookie did not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the `Content-Type` is not JSON, or the body has a `Content-Encoding`. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: `requireSecondFactor` would lock you out, because you have no second factor. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    readEntitlements: {
        parameters: {
            query?: never;
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
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
            /** @description `invalid_request`: a query parameter was sent, but the operation has none. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is no longer in a workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable, or the service is overloaded. Retry after `Retry-After` seconds. */
            503: components["responses"]["Error503"];
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                /** @description Only actions of this person or key. */
                actorId?: string;
                /** @description Only actions of this operation. */
                action?: "signIn" | "signInFailed" | "signOut" | "acceptInvitation" | "signInWithCode" | "signInByLink" | "endSession" | "endOtherSessions" | "changePassword" | "resetPassword" | "confirmEmail" | "changeUser" | "deleteUser" | "confirmTotp" | "removeTotp" | "renewRecoveryCodes" | "issueApiKey" | "revokeApiKey" | "createWebhook" | "changeWebhook" | "deleteWebhook" | "rotateWebhookSecret" | "holdWebhook" | "releaseWebhook" | "testWebhook" | "retryDelivery" | "sendOutboundEvent" | "startRecovery" | "cancelRecovery" | "inviteMember" | "changeMember" | "removeMember" | "changeWorkspace" | "connectChannel" | "changeChannel" | "disconnectChannel" | "createWorkflow" | "changeWorkflow" | "publishWorkflow" | "deleteWorkflow" | "stopRun" | "createTemplate" | "changeTemplate" | "deleteTemplate" | "createCampaign" | "changeCampaign" | "deleteCampaign" | "startCampaign" | "pauseCampaign" | "resumeCampaign" | "cancelCampaign" | "replaceOptOutWords" | "liftOptOut" | "decideOptOut" | "eraseCustomer" | "voidSale" | "testChannel" | "createWorkspace" | "changePlan" | "makeResetLink" | "makeSignInLink" | "disableUser" | "enableUser" | "releaseRestored";
                /** @description Only actions on this record. */
                targetId?: string;
            };
            header?: {
                /** @description The workspace of the call, for persons with several workspaces. Defaults to the workspace that the person joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e11",
                     *           "at": "2026-03-01T09:30:00.000Z",
                     *           "actor": {
                     *             "type": "user",
                     *             "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7b01",
                     *             "name": "Ana Owner"
                     *           },
                     *           "action": "issueApiKey",
                     *           "target": {
                     *             "type": "api_key",
                     *             "id": "01981b7e-3c00-7a51-9a64-1f0f5c3d7a01"
                     *           },
                     *           "detail": {
                     *             "name": "web shop",
                     *             "prefix": "ces_Y2FyZWZ1"
                     *           },
                     *           "address": "203.0.113.7",
                     *           "requestId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e12"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["AuditEntryPage"];
                };
            };
            /** @description `invalid_request`: a query parameter is unknown or not valid. `details` names the parameter. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the request has no token of an active session. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which this operation does not accept. Or the person is not an owner of the workspace. Or the person does not have the second factor that the workspace requires (see `details.secondFactor`). */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: an error of the service. Retry with backoff. If it persists, contact support with `request_id`. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: the database is unavailable or overloaded, or the list took too long. Retry after `Retry-After` seconds, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    on_message_received: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type. */
                "X-Service-Event": "message.received";
                /** @description ID of the event, as in `id` of the body. */
                "X-Service-Event-Id": string;
                /** @description The ID of the delivery. All attempts of a delivery have the same ID. */
                "X-Service-Delivery": string;
                /** @description The number of the attempt and the maximum, for example `2/8`. Manual retries after the last attempt continue the count: `9/9`. */
                "X-Service-Attempt": string;
                /** @description `manual` if a person requested this attempt. Otherwise absent. */
                "X-Service-Retry"?: "manual";
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` with the secret of the endpoint. Compare in constant time. Reject the request if no `v1` matches or if `t` is more than 300 seconds off. After a rotation there are two `v1` values. */
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
                 *         "sentAt": "2026-03-01T09:30:00.000Z",
                 *         "messageId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e06",
                 *         "runId": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MessageReceivedEvent"];
            };
        };
        responses: {
            /** @description Received. The delivery is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The service retries the delivery. Redirects are not followed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The service retries the delivery. Redirects are not followed. */
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
                /** @description ID of the event, as in `id` of the body. */
                "X-Service-Event-Id": string;
                /** @description The ID of the delivery. All attempts of a delivery have the same ID. */
                "X-Service-Delivery": string;
                /** @description The number of the attempt and the maximum, for example `2/8`. Manual retries after the last attempt continue the count: `9/9`. */
                "X-Service-Attempt": string;
                /** @description `manual` if a person requested this attempt. Otherwise absent. */
                "X-Service-Retry"?: "manual";
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` with the secret of the endpoint. Compare in constant time. Reject the request if no `v1` matches or if `t` is more than 300 seconds off. After a rotation there are two `v1` values. */
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
                 *         "detail": null,
                 *         "messageId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e06",
                 *         "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02",
                 *         "eventId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7c01"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MessageStatusEvent"];
            };
        };
        responses: {
            /** @description Received. The delivery is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The service retries the delivery. Redirects are not followed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The service retries the delivery. Redirects are not followed. */
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
                /** @description ID of the event, as in `id` of the body. */
                "X-Service-Event-Id": string;
                /** @description The ID of the delivery. All attempts of a delivery have the same ID. */
                "X-Service-Delivery": string;
                /** @description The number of the attempt and the maximum, for example `2/8`. Manual retries after the last attempt continue the count: `9/9`. */
                "X-Service-Attempt": string;
                /** @description `manual` if a person requested this attempt. Otherwise absent. */
                "X-Service-Retry"?: "manual";
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` with the secret of the endpoint. Compare in constant time. Reject the request if no `v1` matches or if `t` is more than 300 seconds off. After a rotation there are two `v1` values. */
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
                 *         "note": "Two pairs",
                 *         "messageId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e06",
                 *         "runId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7c02"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SaleCreatedEvent"];
            };
        };
        responses: {
            /** @description Received. The delivery is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The service retries the delivery. Redirects are not followed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The service retries the delivery. Redirects are not followed. */
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
                /** @description ID of the event, as in `id` of the body. */
                "X-Service-Event-Id": string;
                /** @description The ID of the delivery. All attempts of a delivery have the same ID. */
                "X-Service-Delivery": string;
                /** @description The number of the attempt and the maximum, for example `2/8`. Manual retries after the last attempt continue the count: `9/9`. */
                "X-Service-Attempt": string;
                /** @description `manual` if a person requested this attempt. Otherwise absent. */
                "X-Service-Retry"?: "manual";
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` with the secret of the endpoint. Compare in constant time. Reject the request if no `v1` matches or if `t` is more than 300 seconds off. After a rotation there are two `v1` values. */
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
                "application/json": components["schemas"]["CustomerOptedOutEvent"];
            };
        };
        responses: {
            /** @description Received. The delivery is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The service retries the delivery. Redirects are not followed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The service retries the delivery. Redirects are not followed. */
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
                /** @description ID of the event, as in `id` of the body. */
                "X-Service-Event-Id": string;
                /** @description The ID of the delivery. All attempts of a delivery have the same ID. */
                "X-Service-Delivery": string;
                /** @description The number of the attempt and the maximum, for example `2/8`. Manual retries after the last attempt continue the count: `9/9`. */
                "X-Service-Attempt": string;
                /** @description `manual` if a person requested this attempt. Otherwise absent. */
                "X-Service-Retry"?: "manual";
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` with the secret of the endpoint. Compare in constant time. Reject the request if no `v1` matches or if `t` is more than 300 seconds off. After a rotation there are two `v1` values. */
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
                "application/json": components["schemas"]["CampaignCompletedEvent"];
            };
        };
        responses: {
            /** @description Received. The delivery is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The service retries the delivery. Redirects are not followed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The service retries the delivery. Redirects are not followed. */
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
                /** @description ID of the event, as in `id` of the body. */
                "X-Service-Event-Id": string;
                /** @description The ID of the delivery. All attempts of a delivery have the same ID. */
                "X-Service-Delivery": string;
                /** @description The number of the attempt and the maximum, for example `2/8`. Manual retries after the last attempt continue the count: `9/9`. */
                "X-Service-Attempt": string;
                /** @description `manual` if a person requested this attempt. Otherwise absent. */
                "X-Service-Retry"?: "manual";
                /** @description `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` with the secret of the endpoint. Compare in constant time. Reject the request if no `v1` matches or if `t` is more than 300 seconds off. After a rotation there are two `v1` values. */
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
                "application/json": components["schemas"]["PingEvent"];
            };
        };
        responses: {
            /** @description Received. The delivery is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The service retries the delivery. Redirects are not followed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The service retries the delivery. Redirects are not followed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
