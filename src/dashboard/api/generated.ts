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
         *
         *     For API keys and for persons of the workspace, whatever their role. Calls with a key need the feature `api`.
         */
        get: operations["listEvents"];
        put?: never;
        /**
         * Record a business event
         * @description Workflows whose trigger equals `type` start for the customer. One of `phone`, `customerId` and `externalId` is needed; `customerId` identifies first, then `externalId`, then `phone`, and only a `phone` alone enrols a new customer. With an `idempotencyKey` a retried call records nothing twice; without one it does.
         *
         *     For API keys and for persons of the workspace, whatever their role. Calls with a key need the feature `api`. Takes from the allowance `monthlyEvents`.
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
         *
         *     For API keys and for persons of the workspace, whatever their role. Calls with a key need the feature `api`. Takes from the allowance `monthlyEvents`.
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
         *
         *     For API keys and for persons of the workspace, whatever their role. Calls with a key need the feature `api`.
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
         * @description With what became of each workflow that named its type when it was recorded, and the messages that it led to.
         *
         *     For API keys and for persons of the workspace, whatever their role. Calls with a key need the feature `api`.
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
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * Summarise activity by the hour or by the day
         * @description How much there was of what in each hour, or day, oldest first; hours without anything are there too. What is counted is committed with what it counts, and erasing changes no count.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * List what needs somebody
         * @description What is not as it should be at this moment, at most 50: by its kind, the worst first, and of one kind what has lasted longest.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * Search for a record
         * @description The records that an id, a number or the beginning of a name leads to, at most 20; a record that is named as a whole comes first. A delivery, which owners find, is followed by its endpoint. A refusal is found by the `request_id` that the newest of its kind was answered with. Somebody who was erased is not found.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * List refused events
         * @description What was refused of the events pushed in, with the exact message the sender received, newest problem first. The same problem within ten minutes of its first occurrence is one entry with a count. The newest 500 of 30 days are kept. Nothing is replayed from this list.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * Read a refused event
         * @description One problem as it stands in the list, for as long as it is kept there.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * Hear what happens, as it happens
         * @description Server-Sent Events of the workspace, each with `event:`, `id:` and `data:`, which is an object of JSON. They are told within a second or so, later while much else is going on, and name what has changed: fetch it for everything else. What comes in at the same time is told in the order of `at`; the same may be told twice.
         *
         *     - `event`: An event was recorded. `id` (The event); `at` (When it happened, or was changed last); `type` (Its type); `source` (`api` or `dashboard`); `customerId` (Whom it is about); `matchedWorkflows` (How many workflows it started); `reason` (Why nothing ran; null where something did).
         *     - `not_accepted`: Something was not accepted, for the first time or once more. `id` (The problem under Not accepted); `at` (When it happened, or was changed last); `status` (The HTTP status of the refusal); `code` (Its code); `path` (What was called); `count` (How often so far).
         *     - `message`: A message was written, or something became of it. `id` (The message); `at` (When it happened, or was changed last); `status` (Its status by now); `direction` (`inbound` or `outbound`); `channelId` (Over which channel); `conversationId` (In which conversation); `customerId` (With whom); `runId` (The run that wrote it; null where none did).
         *     - `conversation`: A conversation went on, was read, or was changed by somebody of the team. `id` (The conversation); `at` (When it happened, or was changed last); `status` (`open` or `closed`); `channelId` (Over which channel); `customerId` (With whom); `assigneeId` (Who of the team looks after it; null where nobody does); `unread` (Messages that nobody of the team has read); `waitingSince` (Since when its customer waits for an answer; null where they do not).
         *     - `run`: A run began, went on or ended. `id` (The run); `at` (When it happened, or was changed last); `status` (`active`, `waiting`, `done`, `failed` or `stopped`); `workflowId` (Of which workflow); `customerId` (For whom); `eventId` (The event that started it); `stepId` (The step at which it stands); `endReason` (Why it ended; null while it has not).
         *     - `outbound_event`: Something was told to the endpoints. `id` (The outbound event); `at` (When it happened, or was changed last); `type` (Its type).
         *     - `delivery`: A delivery was made, or attempted. `id` (The delivery); `at` (When it happened, or was changed last); `status` (Its status by now); `webhookId` (To which endpoint); `eventId` (Of which outbound event); `attempts` (Attempts so far); `statusCode` (What the last of them was answered with).
         *     - `campaign`: A campaign was made, changed, or went on. `id` (The campaign); `at` (When it happened, or was changed last); `status` (Its status by now); `recipients` (For how many it is); `queued` (Messages that are queued); `sent` (Messages that were sent); `skipped` (Recipients who are not written to); `unknown` (Messages of which nobody can know).
         *     - `attention`: Something needs somebody, does not any more, or is said in other words by now. `id` (The record that needs somebody; of an allowance or an event type the workspace); `at` (When it happened, or was changed last); `kind` (What: one of the kinds of `GET /v1/attention`); `subject` (Where to look, as `GET /v1/attention` says it); `over` (It is over).
         *
         *     `gap: true` in `data`: more of this kind happened in one moment than is told, and what came before was left out.
         *
         *     Whoever comes back with the header `Last-Event-ID`, as `EventSource` does by itself, is told what happened since. After 5 minutes, or where it was too much, the stream begins with `event: reset`: fetch anew what you show. When nothing happens for 15 seconds, a comment with an `id:` is sent. A reader who is too slow is cut off, and so is one whose session has ended or who has left the workspace. What needs somebody is told as it comes and goes while the stream is open: `GET /v1/attention` says what there is already. One person may have 20 streams open, a workspace 1000.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * @description For API keys and for persons of the workspace, whatever their role. Calls with a key need the feature `api`.
         */
        get: operations["listCustomers"];
        /**
         * Create or change a customer
         * @description Finds the customer by `externalId`, else by `phone`, and changes what is given, as PATCH does; creates one where nobody is found. An identifier that the customer lacked is filled in. Safe to repeat.
         *
         *     For API keys and for persons of the workspace, whatever their role. Calls with a key need the feature `api`.
         */
        put: operations["upsertCustomer"];
        /**
         * Create a customer
         * @description With a phone, an external id or both. Events find the customer by either; a customer with only an external id is written to once a phone is known.
         *
         *     For API keys and for persons of the workspace, whatever their role. Calls with a key need the feature `api`.
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
         * @description For API keys and for persons of the workspace, whatever their role. Calls with a key need the feature `api`.
         */
        get: operations["readCustomer"];
        put?: never;
        post?: never;
        /**
         * Erase a customer
         * @description Erases the person: name, phone, external id, attributes, evidence and reasons, message texts and the data of events, also in what endpoints were told. Runs under way end and queued messages are not sent. What is counted stays, without a person. From now on the customer is not found, and its phone and external id are free.
         *
         *     For API keys and for owners of the workspace. Calls with a key need the feature `api`.
         */
        delete: operations["eraseCustomer"];
        options?: never;
        head?: never;
        /**
         * Change a customer
         * @description Changes what is given; null clears. Attributes are merged. Of phone and external id at least one remains.
         *
         *     For API keys and for persons of the workspace, whatever their role. Calls with a key need the feature `api`.
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
         *
         *     For API keys and for persons of the workspace, whatever their role. Calls with a key need the feature `api`.
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
         *
         *     For API keys and for persons of the workspace, whatever their role. Calls with a key need the feature `api`.
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
         * @description For an owner who knows that the customer wants messages again: nothing else lifts an opt-out. It is kept in the ledger, with who did it and why.
         *
         *     For owners of the workspace; API keys do not reach it.
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
         * @description Opt-ins with their evidence, opt-outs with their reason, and lifted opt-outs, newest first.
         *
         *     For API keys and for persons of the workspace, whatever their role. Calls with a key need the feature `api`.
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
         * @description Events, messages, workflow runs, opt-ins, opt-outs and lifted opt-outs in one list, newest first.
         *
         *     For API keys and for persons of the workspace, whatever their role. Calls with a key need the feature `api`.
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
         * @description For persons of the workspace, whatever their role; API keys do not reach it.
         */
        get: operations["listWorkflows"];
        put?: never;
        /**
         * Create a workflow
         * @description A draft, switched off, with a complete definition. Events start runs once it is published and switched on.
         *
         *     For owners of the workspace; API keys do not reach it. The plan must include `workflows`.
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
         * Judge a definition without saving it
         * @description Says whether it could be published at this moment, and what is wrong with it where. Nothing is written. An incomplete definition can be saved as a draft all the same.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * @description For persons of the workspace, whatever their role; API keys do not reach it.
         */
        get: operations["readWorkflow"];
        put?: never;
        post?: never;
        /**
         * Remove a workflow
         * @description With its draft and its versions. Events and runs stay, without the name of the workflow.
         *
         *     For owners of the workspace; API keys do not reach it.
         */
        delete: operations["deleteWorkflow"];
        options?: never;
        head?: never;
        /**
         * Change a workflow
         * @description Its name, its draft, or the switch `enabled`. A draft can be saved before it is complete: `draftErrors` of the answer says what publishing would refuse. Of an incomplete draft the outline must be right (`WorkflowDraft`). Runs under way and the published version stay as they are.
         *
         *     For owners of the workspace; API keys do not reach it. The plan must include `workflows`. Takes from the allowance `activeWorkflows`.
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
         * @description Events start runs of this version from now on; runs under way keep theirs, unless `move` has them go on by it.
         *
         *     For owners of the workspace; API keys do not reach it. The plan must include `workflows`.
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
         * List what was published
         * @description Newest first, without the definitions.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * Read what was published
         * @description For persons of the workspace, whatever their role; API keys do not reach it.
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
         * See what publishing would mean
         * @description Where runs under way stand, and which of them could go on by the draft.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * See how its runs do
         * @description For persons of the workspace, whatever their role; API keys do not reach it.
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
         * @description Newest first, each with what its steps did.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * @description With what its steps did.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * @description It ends where it stands: what it has done stays done, and nothing more of it is.
         *
         *     For owners of the workspace; API keys do not reach it. The plan must include `workflows`.
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
         * Try a workflow with one event
         * @description What would happen, step by step, if the event were recorded now, by a clock that jumps over what is waited for. Nothing is written or sent.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * @description For how many events of the last days it would have run, and how far: of at most 50,000, newest first, each with its customer as they are today. Whatever it waits for times out. Nothing is written or sent. Replays and trials of a workspace run one after the other.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * @description Also those that are disconnected.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
         */
        get: operations["listChannels"];
        put?: never;
        /**
         * Connect a channel
         * @description Credentials are encrypted and in no answer. A number that is connected already is refused with 409; where the service has no key to encrypt under, channels with credentials are refused with 422.
         *
         *     For owners of the workspace; API keys do not reach it. Takes from the allowance `connectedNumbers`.
         */
        post: operations["connectChannel"];
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
         * @description For persons of the workspace, whatever their role; API keys do not reach it.
         */
        get: operations["readChannel"];
        put?: never;
        post?: never;
        /**
         * Disconnect a channel
         * @description What was still to be sent over it is skipped, its number is free again, and its history stays readable. It cannot be connected again; a new channel can.
         *
         *     For owners of the workspace; API keys do not reach it.
         */
        delete: operations["disconnectChannel"];
        options?: never;
        head?: never;
        /**
         * Change a channel
         * @description `credentials` are given whole, and replace those there were; `sandbox` is for channels of that kind alone. A channel that is disconnected cannot be changed (422).
         *
         *     For owners of the workspace; API keys do not reach it.
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
         * @description Asks the provider who we are. Sends nothing to anybody.
         *
         *     For owners of the workspace; API keys do not reach it.
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
         * Write as a customer
         * @description Over a sandbox: what follows is what follows from any message of a customer.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * Tell a status as the provider
         * @description Of a message that was sent over this sandbox, such as one whose delivery is `manual`. A status that says less than what is known moves nothing.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * @description Those that were active last in front; what is asked for must all hold. Where few of very many are what is asked for, a page may be short or empty, and `nextCursor` goes on.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
         */
        get: operations["listConversations"];
        put?: never;
        /**
         * Open a conversation
         * @description With a customer over a channel, before either has written. Where there is one already, that is answered. A customer who has no address on the channel, or a channel that is disconnected, is 422 with the reason (`no_address`, `channel_disconnected`) in `details.reason`.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * @description For persons of the workspace, whatever their role; API keys do not reach it.
         */
        get: operations["readConversation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a conversation
         * @description Opens or closes it, and says who of the team looks after it. A message of the customer opens it again.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * @description Nothing in it is unread any more. `looksLikeOptOut` stays as it is: it waits for a decision.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * @description Says whether the message that set `looksLikeOptOut` was an opt-out. `opted_out` opts the customer out as `POST /v1/customers/{id}/opt-out` does; `ignored` leaves them as they are. Either way `looksLikeOptOut` is false until the customer writes another such message. Repeating a decision changes nothing. Without a mark, `ignored` changes nothing and `opted_out` opts the customer out all the same. An opt-out stands: `ignored` does not lift it.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * @description In both directions, newest first.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
         */
        get: operations["listConversationMessages"];
        put?: never;
        /**
         * Write to the customer
         * @description A text, or a template with its variables. It is queued, and sent at once. What cannot be sent is 422 with the reason in `details.reason`: `channel_disconnected`, `no_address`, `opted_out` (a template to somebody who has opted out; a text is possible where the customer opened the conversation), `no_opt_in` (a marketing template), `window_closed`.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * @description Of a message that is failed, unknown or skipped a new one is made with the same text, judged as one that is written now. Of one that is unknown the customer may get both. Asked for again, the new message is answered, unless it did not arrive either.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * Say that we are there
         * @description Asked once by Meta as the callback is set up, with the verify token of the channel.
         *
         *     Called by the provider, which signs what it sends; no credential is needed.
         */
        get: operations["challengeWhatsapp"];
        put?: never;
        /**
         * Receive messages and statuses of WhatsApp
         * @description Called by Meta, with its signature in X-Hub-Signature-256. Answered once all it tells is recorded; what cannot be understood is listed under Not accepted.
         *
         *     Called by the provider, which signs what it sends; no credential is needed.
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
         * Receive messages and statuses of Twilio
         * @description Called by Twilio, with its signature in X-Twilio-Signature over the public address of the service (PUBLIC_URL). Answered once all it tells is recorded; what cannot be understood is listed under Not accepted.
         *
         *     Called by the provider, which signs what it sends; no credential is needed.
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
         * @description Newest first, of the whole workspace, of one customer, or of one run.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * @description With what became of it, in the order in which it became known.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * @description For persons of the workspace, whatever their role; API keys do not reach it.
         */
        get: operations["listTemplates"];
        put?: never;
        /**
         * Create a template
         * @description A text with a place `{{name}}` for each of its variables: each is declared, and each declared one used.
         *
         *     For owners of the workspace; API keys do not reach it. Takes from the allowance `templates`.
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
         * @description For persons of the workspace, whatever their role; API keys do not reach it.
         */
        get: operations["readTemplate"];
        put?: never;
        post?: never;
        /**
         * Remove a template
         * @description Refused while a workflow that is switched on names it in its published version, and while a campaign with it is scheduled, running or paused: 409 names them. Messages that were written by it stay.
         *
         *     For owners of the workspace; API keys do not reach it.
         */
        delete: operations["deleteTemplate"];
        options?: never;
        head?: never;
        /**
         * Change a template
         * @description Changes what is given; the body and the variables must fit each other afterwards. A variable that is new is refused (409) while a workflow that is switched on, or a campaign under way, writes by the template without it.
         *
         *     For owners of the workspace; API keys do not reach it.
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
         * @description The text with these values. Without any values the samples stand in it, and all variables are missing. Nothing is sent.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * @description Told to endpoints as `sale.created`. The amount is a number of JSON and is kept, answered and told with the very digits that are sent.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * @description Newest first; those that were voided stay listed.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * @description For persons of the workspace, whatever their role; API keys do not reach it.
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
         * @description Says that it was none. It stays listed, and endpoints are told nothing.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * @description The workspace's own. These hold in every workspace: `STOP`, `STOPALL`, `STOP ALL`, `UNSUBSCRIBE`, `CANCEL`, `END`, `QUIT`, `REVOKE`, `OPTOUT`, `OPT OUT`, `OPT-OUT`, `REMOVE`, `ARRET`, `ARRÊT`, `STOPP`, `ABMELDEN`, `BAJA`, `SAIR`, `PARAR`, `CANCELAR`.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
         */
        get: operations["readOptOutWords"];
        /**
         * Replace the workspace's opt-out words
         * @description A customer whose whole message is one of them is opted out, however it is cased and whatever punctuation, quotes or emoji surround it. Two that are the same in that sense are refused.
         *
         *     For owners of the workspace; API keys do not reach it.
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
         * @description For persons of the workspace, whatever their role; API keys do not reach it.
         */
        get: operations["listCampaigns"];
        put?: never;
        /**
         * Create a campaign
         * @description A draft: nothing is sent before it is started.
         *
         *     For owners of the workspace; API keys do not reach it. The plan must include `campaigns`.
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
         * @description With how far it has come.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
         */
        get: operations["readCampaign"];
        put?: never;
        post?: never;
        /**
         * Remove a campaign
         * @description One that is a draft or scheduled.
         *
         *     For owners of the workspace; API keys do not reach it.
         */
        delete: operations["deleteCampaign"];
        options?: never;
        head?: never;
        /**
         * Change a campaign
         * @description One that is a draft or scheduled.
         *
         *     For owners of the workspace; API keys do not reach it. The plan must include `campaigns`.
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
         * See whom a campaign would reach
         * @description As of now: how many customers are in its audience, how many of them would be skipped and why, and what three of them would read. Sends nothing.
         *
         *     For owners of the workspace; API keys do not reach it. The plan must include `campaigns`.
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
         * @description At once, or at a time: then it is scheduled until that. Its audience is fixed when it begins. One that is scheduled can be given another time.
         *
         *     For owners of the workspace; API keys do not reach it. The plan must include `campaigns`.
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
         * @description Nothing more is handed to its channel; what the channel has already is finished.
         *
         *     For owners of the workspace; API keys do not reach it. The plan must include `campaigns`.
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
         * @description For owners of the workspace; API keys do not reach it. The plan must include `campaigns`.
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
         * @description For good. Nobody is written to who was not yet; what waits in the channel is skipped. It causes no `campaign.completed`.
         *
         *     For owners of the workspace; API keys do not reach it.
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
         * @description The youngest customer first. There are none before it has begun.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * @description For persons of the workspace, whatever their role; API keys do not reach it.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description At most 10 per workspace. The secret is in this answer and in no other.
         *
         *     For owners of the workspace; API keys do not reach it. The plan must include `webhooks`.
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
         *
         *     For owners of the workspace; API keys do not reach it.
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
         * @description For persons of the workspace, whatever their role; API keys do not reach it.
         */
        get: operations["readWebhook"];
        put?: never;
        post?: never;
        /**
         * Remove a webhook endpoint
         * @description What was still to be delivered to it is dropped.
         *
         *     For owners of the workspace; API keys do not reach it.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description Changes what is given. Switched off, it keeps its pending deliveries and new events are not queued for it; switched on again, it gets what was kept. To pause and lose nothing, hold it.
         *
         *     For owners of the workspace; API keys do not reach it. The plan must include `webhooks`.
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
         * Read how an endpoint does
         * @description What it did of late, what waits for it, and since when it has been so. May be a second behind.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * Hold a webhook endpoint
         * @description Deliveries go on being made for it and wait until it is released; none is dropped, and attempts under way end.
         *
         *     For owners of the workspace; API keys do not reach it.
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
         * @description What waits goes out oldest first, within its rate, whoever held it.
         *
         *     For owners of the workspace; API keys do not reach it. The plan must include `webhooks`.
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
         * Attempt failed and waiting deliveries
         * @description Attempts each delivery of a time that has failed or waits for another attempt, at most 100,000, oldest first. New deliveries go first. An endpoint has one recovery at a time. With `preview` nothing is started.
         *
         *     For owners of the workspace; API keys do not reach it. The plan must include `webhooks`.
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
         * @description For owners of the workspace; API keys do not reach it.
         */
        get: operations["readRecovery"];
        put?: never;
        post?: never;
        /**
         * Cancel a recovery
         * @description Failed deliveries that were not attempted stay failed, and waiting ones keep their remaining attempts. A recovery that has ended stays as it is.
         *
         *     For owners of the workspace; API keys do not reach it.
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
         * Rotate the secret
         * @description For 24 hours deliveries carry two signatures, `t=…,v1=<new>,v1=<old>`; a receiver accepts either.
         *
         *     For owners of the workspace; API keys do not reach it. The plan must include `webhooks`.
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
         * @description To this endpoint alone, whatever it subscribed to. It waits while the endpoint is switched off or held.
         *
         *     For owners of the workspace; API keys do not reach it. The plan must include `webhooks`.
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
         * @description Newest first. Without a query the newest 50, and a `nextCursor` to those before them.
         *
         *     For owners of the workspace; API keys do not reach it.
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
         * @description With the request that was sent and every attempt.
         *
         *     For owners of the workspace; API keys do not reach it.
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
         * Retry a delivery now
         * @description Makes one new attempt of a failed delivery, or the next attempt of a waiting one early; the rest of its schedule follows. The attempt is made immediately or, if the endpoint is switched off or held, when it is switched on or released.
         *
         *     For owners of the workspace; API keys do not reach it. The plan must include `webhooks`.
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
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * @description A new delivery of the same event, whatever became of it before, also to an endpoint that was made later or is not subscribed to its type. It waits while the endpoint is switched off or held.
         *
         *     For owners of the workspace; API keys do not reach it. The plan must include `webhooks`.
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
         * @description Newest first; revoked keys stay listed.
         *
         *     For owners of the workspace; API keys do not reach it.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Issue an API key
         * @description The key is in this answer and in no other; only its SHA-256 is kept. A workspace has at most 100 keys that are not revoked (422).
         *
         *     For owners of the workspace; API keys do not reach it. The plan must include `api`.
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
         *
         *     For owners of the workspace; API keys do not reach it.
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
         * @description The token is for `Authorization: Bearer`; the same answer sets it as a cookie: `__Host-session` behind https, else `session`. An account with a second factor is answered `secondFactor` and a ticket instead, for `sign-in/second-factor`.
         *
         *     Anybody may call it; no credential is needed.
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
         * @description Completes a sign-in that was answered with a ticket. A code of the app is good once; after ten wrong ones within an hour only a recovery code goes (429 otherwise). How often codes are tried, of whatever kind, is counted as tries to sign in are, and apart from them.
         *
         *     Anybody may call it; no credential is needed.
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
         * Sign in by a link
         * @description For the link that whoever runs the service makes with `user sign-in-link`: good once, for ten minutes. Answers as `sign-in` does, cookie and second factor included. A link that is unknown, used, replaced or expired is 422.
         *
         *     Anybody may call it; no credential is needed.
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
         * @description Joins the team with a new account; where the invited address has an account already, with that one: its holder is signed in and leaves `password` out, or sends its password (401 otherwise). Signs in like `sign-in`, whose tries per 10 minutes count here too; `workspace` is the one just joined, which a person of several workspaces names in `X-Workspace-Id`. A link that is unknown, used, taken back or expired is 422.
         *
         *     Anybody may call it; no credential is needed.
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
         * Who am I
         * @description For persons of the workspace, whatever their role; API keys do not reach it.
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
         * List the workspaces I am in
         * @description What `X-Workspace-Id` may name.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         *
         *     For whoever is signed in, in a workspace or in none.
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
         * List my sessions
         * @description Where I am signed in, the session opened last in front. Those that are over are not among them.
         *
         *     For whoever is signed in, in a workspace or in none.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * Sign out everywhere else
         * @description All of my sessions end at once, but the one that this call is made with.
         *
         *     For whoever is signed in, in a workspace or in none.
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
         * End one of my sessions
         * @description At once. The one that this call is made with ends as by signing out.
         *
         *     For whoever is signed in, in a workspace or in none.
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
         * Change my password
         * @description Ends all of my other sessions. A wrong current password is 422 and counts as a try to sign in; a new one that is too short, or among the most common, is 400.
         *
         *     For whoever is signed in, in a workspace or in none.
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
         * Read what I say of myself
         * @description For whoever is signed in, in a workspace or in none.
         */
        get: operations["readUser"];
        put?: never;
        post?: never;
        /**
         * Delete my account
         * @description I leave every workspace, and all of my sessions end. What I did stays. The last owner of a workspace cannot: 422, as is a wrong password, which counts as a try to sign in.
         *
         *     For whoever is signed in, in a workspace or in none.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Change what I say of myself
         * @description What is left out stays; `locale` and `timezone` are taken away by null.
         *
         *     For whoever is signed in, in a workspace or in none.
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
         * Have a link to another password mailed
         * @description The answer is the same whether the address has an account or not. The link is good once, for an hour. Where no mail is set up, whoever runs the service is told.
         *
         *     Anybody may call it; no credential is needed.
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
         * Choose another password by a mailed link
         * @description Every session of the account ends. A link that is unknown, used, replaced or expired is 422. The second factor stays.
         *
         *     Anybody may call it; no credential is needed.
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
         * Confirm the e-mail address by a mailed link
         * @description A link that is unknown, used or expired is 422.
         *
         *     Anybody may call it; no credential is needed.
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
         * Read my second factor
         * @description For whoever is signed in, in a workspace or in none.
         */
        get: operations["readTotp"];
        put?: never;
        /**
         * Begin to set up a second factor
         * @description A secret for an authenticator app. Signing in asks for no code before `confirm` was shown one; asking again makes another secret. A wrong password is 422 and counts as a try to sign in. 422 where a second factor is in use.
         *
         *     For whoever is signed in, in a workspace or in none.
         */
        post: operations["beginTotp"];
        /**
         * Remove my second factor
         * @description Wants the password and a code; either being wrong is 422, and so is a workspace of mine that asks its members for a second factor.
         *
         *     For whoever is signed in, in a workspace or in none.
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
         * Put the second factor to use
         * @description Shows that the app makes the right codes. My other sessions end, and signing in asks for a code from now on. A wrong code is 422.
         *
         *     For whoever is signed in, in a workspace or in none.
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
         * Replace my recovery codes
         * @description Answers ten new recovery codes. The codes before stop working immediately. Requires the password and a code of the app or a recovery code; a wrong one of either is 422.
         *
         *     For whoever is signed in, in a workspace or in none.
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
         * List the team
         * @description Newest first; pending invitations are among them.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
         */
        get: operations["listMembers"];
        put?: never;
        /**
         * Invite somebody to the team
         * @description Where mail is set up, the link is mailed to the address, and nobody else is shown it. Where it is not, it is in this answer and in no other: pass it on. It is good for 7 days and one use. Inviting an address whose invitation has expired replaces it. Where mail is set up, an address can be invited three times within a day by all workspaces together, and a workspace can send 50 invitations within a day: 429 beyond that.
         *
         *     For owners of the workspace; API keys do not reach it. Takes from the allowance `teamSeats`.
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
         *
         *     For owners of the workspace; API keys do not reach it.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change the role of a member
         * @description From the next request on; of an invitation, once it is accepted. The last owner stays owner.
         *
         *     For owners of the workspace; API keys do not reach it.
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
         * @description For persons of the workspace, whatever their role; API keys do not reach it.
         */
        get: operations["readWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the workspace
         * @description For owners of the workspace; API keys do not reach it.
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
         * Read what the plan includes
         * @description Features, and how much of each allowance is in use. Invitations take team seats; monthly events are those of the calendar month in UTC.
         *
         *     For persons of the workspace, whatever their role; API keys do not reach it.
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
         * List what was done, and by whom
         * @description Newest first. Entries are written with what they tell of, and never changed. A page of several filters may hold less than `limit` and still have a `nextCursor`.
         *
         *     For owners of the workspace; API keys do not reach it.
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
        /** @description The body of every failure. */
        Error: {
            /** @description Why it was refused, or failed. */
            error: {
                /**
                 * @description What programs go by.
                 * @enum {string}
                 */
                code: "invalid_request" | "malformed_request" | "unauthorized" | "forbidden" | "feature_not_available" | "not_found" | "method_not_allowed" | "conflict" | "plan_limit_reached" | "unsupported_media_type" | "unprocessable" | "rate_limited" | "internal_error";
                /** @description For a person. */
                message: string;
                /** @description The path of each offending field and the reason; `body` for the whole. `reason` of a 503 is `overloaded` or `database_unavailable`. */
                details?: {
                    [key: string]: string;
                };
            };
            /** @description The same as the header X-Request-Id. */
            request_id: string;
        };
        /** @description Something that happened, and whom it is about. */
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
            /**
             * Format: date-time
             * @description When it happened, where that was not just now: at most 30 days ago and 5 minutes ahead. Workflow delays count from the recording all the same.
             */
            occurredAt?: string;
            /** @description Recorded before the event. It never lifts an opt-out. */
            optIn?: {
                /** @description How the customer agreed to messages on your site, in words that hold more than white space. */
                evidence: string;
            };
        };
        RecordedEvent: {
            /** @description false: the idempotency key had been seen, and `event` is the first event, or what remains of one that is no longer kept. */
            recorded: boolean;
            /** @description In what this repeat differs from the first event, which is returned all the same; left out where nothing differs. Nothing of the repeat was recorded: use a new key for each occurrence. */
            mismatch?: ("type" | "customer" | "occurredAt" | "data")[];
            /** @description Workflows that were waiting on this type; 0 is no error. */
            matchedWorkflows: number;
            /** @description What became of each workflow that names the type; empty where nothing listens. */
            outcomes: components["schemas"]["WorkflowOutcome"][];
            /** @description Where nothing listens: the nearest type that something does listen to, if one is near. */
            didYouMean?: components["schemas"]["DidYouMean"] | null;
            event: components["schemas"]["Event"];
        };
        WorkflowOutcome: {
            /**
             * Format: uuid
             * @description The workflow that names the type.
             */
            workflowId: string;
            /** @description What the workflow was called. */
            name: string;
            /**
             * @description As of the moment the event was recorded.
             * @enum {string}
             */
            verdict: "started" | "switched_off" | "never_published" | "not_run_for_customer";
            /**
             * Format: uuid
             * @description The run that was started; where a `rule` refused it, the run that is in the way.
             */
            runId: string | null;
            /**
             * @description The rule of `entry.reentry` by which it did not run.
             * @enum {string}
             */
            rule?: "once" | "not_while_active";
            /** @description With `rule`: the run in the way, and when that one began. Of `switched_off`: since when, and by whom; left out where the workflow was never switched on. */
            detail?: {
                /**
                 * Format: date-time
                 * @description Since when the run is there, or the workflow switched off.
                 */
                since: string;
                /** @description The rule by which it did not run. */
                rule?: string;
                /**
                 * Format: uuid
                 * @description The run that is in the way.
                 */
                runId?: string;
                /**
                 * Format: uuid
                 * @description The user who switched it off.
                 */
                by?: string | null;
            };
            /** @description A sentence for a person. */
            explanation: string;
        };
        /** @description The nearest type that something does listen to. */
        DidYouMean: {
            /** @description The type that was perhaps meant. */
            type: string;
            /** @description How many workflows name it. */
            workflows: number;
        };
        /** @description Something that happened, as it was recorded. */
        Event: {
            /**
             * Format: uuid
             * @description The event, by which it is read back.
             */
            id: string;
            /** @description What happened, as the sender called it. */
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
             * @description The customer it is about.
             */
            customerId: string;
            /** @description What came with it, with the digits of its whole numbers. */
            data: {
                [key: string]: unknown;
            };
            /** @description The key it was sent with; null where there was none, or its customer was erased. */
            idempotencyKey: string | null;
            /**
             * Format: date-time
             * @description When it happened, as its sender said; null where that was not said.
             */
            occurredAt: string | null;
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            createdAt: string;
        };
        RecordEvents: {
            /** @description Each as the body of POST /v1/events. */
            events: unknown[];
        };
        RecordedEvents: {
            /** @description By position: what POST /v1/events would have answered to each. */
            data: components["schemas"]["EventInBatch"][];
        };
        EventInBatch: components["schemas"]["RecordedInBatch"] | components["schemas"]["RefusedInBatch"];
        RecordedInBatch: {
            /**
             * @description 200 where the idempotency key had been seen.
             * @enum {integer}
             */
            status: 201 | 200;
            /** @description false: the idempotency key had been seen, and `event` is the first event, or what remains of one that is no longer kept. */
            recorded: boolean;
            /** @description In what this repeat differs from the first event, which is returned all the same; left out where nothing differs. Nothing of the repeat was recorded: use a new key for each occurrence. */
            mismatch?: ("type" | "customer" | "occurredAt" | "data")[];
            /** @description Workflows that were waiting on this type; 0 is no error. */
            matchedWorkflows: number;
            /** @description What became of each workflow that names the type; empty where nothing listens. */
            outcomes?: components["schemas"]["WorkflowOutcome"][];
            /** @description Where nothing listens: the nearest type that something does listen to, if one is near. */
            didYouMean?: components["schemas"]["DidYouMean"] | null;
            /** @description `outcomes` would have made the answer too large: read them with `GET /v1/events/{id}`. */
            outcomesLeftOut?: boolean;
            /** @description The event; without its `data` where `dataLeftOut` says so. */
            event: {
                /**
                 * Format: uuid
                 * @description The event, by which it is read back.
                 */
                id: string;
                /** @description What happened, as the sender called it. */
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
                 * @description The customer it is about.
                 */
                customerId: string;
                /** @description What came with it, with the digits of its whole numbers. */
                data?: {
                    [key: string]: unknown;
                };
                /** @description The key it was sent with; null where there was none, or its customer was erased. */
                idempotencyKey: string | null;
                /**
                 * Format: date-time
                 * @description When it happened, as its sender said; null where that was not said.
                 */
                occurredAt: string | null;
                /**
                 * Format: date-time
                 * @description When it was recorded.
                 */
                createdAt: string;
            };
            /** @description The event had been recorded before, and its `data` would have made the answer too large, or could not be read at this moment: read it with `GET /v1/events/{id}`. */
            dataLeftOut?: boolean;
        };
        RefusedInBatch: {
            /** @description 400, 409, 500 or 503. */
            status: number;
            error: components["schemas"]["EventRefusal"];
        };
        /** @description As in the error envelope. */
        EventRefusal: {
            /**
             * @description What programs go by.
             * @enum {string}
             */
            code: "invalid_request" | "malformed_request" | "unauthorized" | "forbidden" | "feature_not_available" | "plan_limit_reached" | "not_found" | "method_not_allowed" | "conflict" | "unsupported_media_type" | "unprocessable" | "rate_limited" | "internal_error";
            /** @description A sentence for a person. */
            message: string;
            /** @description The path of each offending field and the reason. */
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
            /** @description What would be refused, and why; null where the event would be taken. */
            error?: components["schemas"]["EventRefusal"] | null;
            /**
             * @description `would_enrol`: the phone is new, and recording the event would create the customer.
             * @enum {string}
             */
            customer: "known" | "would_enrol" | "not_identified";
            /**
             * Format: uuid
             * @description The customer it would be about; null where that is nobody known yet.
             */
            customerId: string | null;
            /**
             * Format: uuid
             * @description The event that was recorded with this idempotency key, which would be the answer.
             */
            replay: string | null;
            /** @description Workflows that were waiting on this type; 0 is no error. */
            matchedWorkflows: number;
            /** @description What became of each workflow that names the type; empty where nothing listens. */
            outcomes: components["schemas"]["WorkflowOutcome"][];
            /** @description Where nothing listens: the nearest type that something does listen to, if one is near. */
            didYouMean?: components["schemas"]["DidYouMean"] | null;
        };
        EventPage: {
            /** @description The records of this page. */
            data: components["schemas"]["Event"][];
            /** @description Send it as `cursor` for the next page; null at the end. */
            nextCursor: string | null;
        };
        EventWithOutcomes: {
            /**
             * Format: uuid
             * @description The event, by which it is read back.
             */
            id: string;
            /** @description What happened, as the sender called it. */
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
             * @description The customer it is about.
             */
            customerId: string;
            /** @description What came with it, with the digits of its whole numbers. */
            data: {
                [key: string]: unknown;
            };
            /** @description The key it was sent with; null where there was none, or its customer was erased. */
            idempotencyKey: string | null;
            /**
             * Format: date-time
             * @description When it happened, as its sender said; null where that was not said.
             */
            occurredAt: string | null;
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            createdAt: string;
            /** @description Workflows that were waiting on this type; 0 is no error. */
            matchedWorkflows: number;
            /** @description What became of each workflow that names the type; empty where nothing listens. */
            outcomes: components["schemas"]["WorkflowOutcome"][];
            /** @description Where nothing listens: the nearest type that something does listen to, if one is near. */
            didYouMean?: components["schemas"]["DidYouMean"] | null;
            /** @description What the runs that it started have written so far: the first fifty. */
            messages: {
                /**
                 * Format: uuid
                 * @description The message.
                 */
                id: string;
                /**
                 * Format: uuid
                 * @description The run that wrote it.
                 */
                runId: string;
                /** @description As `message.status` names it; null until the provider has taken it. */
                providerMessageId: string | null;
                /**
                 * @description `skipped`: not sent, `detail` says why (the customer had opted out). `unknown`: handed to the provider, and no answer came: the customer may have got it or not, so it is never sent again by itself. `received`: from the customer.
                 * @enum {string}
                 */
                status: "queued" | "sent" | "delivered" | "read" | "failed" | "skipped" | "unknown" | "received";
            }[];
            /** @description A warning: its idempotency key was used again for something else, of which nothing was recorded. Null where that never happened. */
            idempotencyMismatch: {
                /** @description In what such repeats differed. */
                fields: ("type" | "customer" | "occurredAt" | "data")[];
                /**
                 * Format: date-time
                 * @description When such a repeat was last noted, to within ten minutes.
                 */
                lastAt: string;
            } | null;
        };
        ActivityEventPage: {
            /** @description The records of this page. */
            data: components["schemas"]["ActivityEvent"][];
            /** @description Send it as `cursor` for the next page; null at the end. */
            nextCursor: string | null;
        };
        ActivityEvent: {
            /**
             * Format: uuid
             * @description The event, by which it is read back.
             */
            id: string;
            /** @description What happened, as the sender called it. */
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
             * @description The customer it is about.
             */
            customerId: string;
            /** @description What came with it, with the digits of its whole numbers. */
            data: {
                [key: string]: unknown;
            };
            /** @description The key it was sent with; null where there was none, or its customer was erased. */
            idempotencyKey: string | null;
            /**
             * Format: date-time
             * @description When it happened, as its sender said; null where that was not said.
             */
            occurredAt: string | null;
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            createdAt: string;
            /** @description As the customer is today; all null once erased. */
            customer: {
                /**
                 * Format: uuid
                 * @description The customer.
                 */
                id: string;
                /** @description What the customer is called; null where that is not known. */
                name: string | null;
                /** @description E.164; null where it is not known. */
                phone: string | null;
                /** @description The id the customer has in your own system, where it has one. */
                externalId: string | null;
            };
            /** @description Those that the event started. */
            automations: {
                /**
                 * Format: uuid
                 * @description The workflow that it started.
                 */
                workflowId: string;
                /** @description What the workflow is called. */
                name: string;
                /**
                 * Format: uuid
                 * @description The run that was started.
                 */
                runId: string;
            }[];
            /**
             * @description Why none was started, as of the moment the event was recorded; null when one was.
             * @enum {string|null}
             */
            reason: "no_listener" | "switched_off" | "never_published" | "not_run_for_customer" | null;
            /** @description The reason as a sentence for a person. */
            explanation: string | null;
            /** @description Where nothing listens: the nearest type that something does listen to, if one is near. */
            didYouMean?: components["schemas"]["DidYouMean"] | null;
        };
        ActivitySummaryList: {
            /** @description All of them. */
            data: components["schemas"]["ActivitySummary"][];
        };
        /** @description How much of what there was in an hour or a day. */
        ActivitySummary: {
            /**
             * Format: date-time
             * @description The first moment of the hour, or of the day, UTC.
             */
            at: string;
            /** @description Events that were recorded. */
            events: number;
            /** @description What Not accepted keeps: for the most part calls that would have recorded events and were refused. */
            refused: number;
            /** @description Runs of workflows that were started. */
            runsStarted: number;
            /** @description How many messages came to each status: one that was sent and delivered is counted in both. */
            messages: {
                /** @description To be sent. */
                queued: number;
                /** @description Taken by their provider. */
                sent: number;
                /** @description Delivered, as their provider told. */
                delivered: number;
                /** @description Read, as their provider told. */
                read: number;
                /** @description Refused by their provider, or not delivered. */
                failed: number;
                /** @description Not sent, for a reason. */
                skipped: number;
                /** @description Handed to their provider, of which no answer came. */
                unknown: number;
                /** @description Written by customers. */
                received: number;
            };
            /** @description What became of deliveries to webhook endpoints. */
            deliveries: {
                /** @description Deliveries that an endpoint answered with 2xx. */
                delivered: number;
                /** @description Deliveries of which no further attempt is made by itself. */
                failed: number;
                /** @description Requests that were made of endpoints. */
                attempts: number;
            };
        };
        AttentionList: {
            /** @description All of them. */
            data: components["schemas"]["Attention"][];
        };
        /** @description Something that needs somebody. */
        Attention: {
            /**
             * @description An endpoint fails, or was put on hold because it did for days; deliveries wait for one that is held or slow; most events of the month are used; the provider of a channel refuses us; events were rejected in the last 24 hours; customers have had no answer; runs of a workflow failed in the last 24 hours; no workflow listens for a type of event that was recorded in the last 24 hours.
             * @enum {string}
             */
            kind: "endpoint_failing" | "deliveries_waiting" | "allowance_nearly_full" | "channel_failing" | "events_rejected" | "customers_waiting" | "runs_failing" | "event_type_unhandled";
            /**
             * Format: date-time
             * @description Since when; of an allowance, since when it is counted.
             */
            since: string;
            /** @description What it is, in one sentence for a person. */
            title: string;
            /** @description How bad it is and what follows, in a sentence or two. */
            detail: string;
            /** @description Where to look. */
            subject: {
                /**
                 * @description What kind of record it is about.
                 * @enum {string}
                 */
                type: "webhook" | "allowance" | "channel" | "not_accepted" | "conversation" | "workflow" | "event_type";
                /** @description Of the record; of customers who wait, the conversation of whoever has waited longest; of an allowance its name, `monthlyEvents`; of rejected events, the newest entry with the most frequent message; of an event type, the type. */
                id: string;
            };
        };
        SearchResultList: {
            /** @description All of them. */
            data: components["schemas"]["SearchResult"][];
        };
        /** @description A record that was found. */
        SearchResult: {
            /**
             * @description What kind of record it is; `not_accepted`: a problem because of which events were refused.
             * @enum {string}
             */
            type: "event" | "customer" | "run" | "message" | "delivery" | "outbound_event" | "not_accepted" | "webhook" | "workflow" | "conversation" | "channel" | "campaign" | "template" | "sale";
            /**
             * Format: uuid
             * @description Of the record.
             */
            id: string;
            /** @description What people know it by: a name, the type of an event, how a message begins. */
            title: string;
            /** @description What kind of record it is and how it stands, for a person. */
            detail: string;
        };
        NotAcceptedPage: {
            /** @description The records of this page. */
            data: components["schemas"]["NotAccepted"][];
            /** @description Send it as `cursor` for the next page; null at the end. */
            nextCursor: string | null;
        };
        /** @description A problem because of which events were refused: the same one within ten minutes of its first is counted. */
        NotAccepted: {
            /**
             * Format: uuid
             * @description The entry.
             */
            id: string;
            /**
             * Format: date-time
             * @description When the first of these refusals was.
             */
            firstAt: string;
            /**
             * Format: date-time
             * @description When the newest of them was.
             */
            lastAt: string;
            /** @description How often this was refused from `firstAt` to `lastAt`. */
            count: number;
            /** @description The store plugin recognised by its User-Agent, else `custom`. */
            sender: string;
            /** @description Of the call, such as `POST`. */
            method: string;
            /** @description Of the call. */
            path: string;
            /** @description Of the answer, as are `code`, `message` and `details`. */
            status: number;
            /**
             * @description What programs go by, as in any error.
             * @enum {string}
             */
            code: "invalid_request" | "malformed_request" | "unauthorized" | "forbidden" | "feature_not_available" | "plan_limit_reached" | "not_found" | "method_not_allowed" | "conflict" | "unsupported_media_type" | "unprocessable" | "rate_limited" | "internal_error";
            /** @description Exactly what the sender was told; of a warning, what is wrong. */
            message: string;
            /** @description The path of each offending field and the reason; null where there were none. */
            details: {
                [key: string]: string;
            } | null;
            /** @description `request_id` of the newest of them. */
            requestId: string;
            /**
             * @description `error`: the event was refused. `warning`: the call succeeded, but its idempotency key had been used for a different event, so that nothing was recorded.
             * @enum {string}
             */
            severity: "error" | "warning";
            /**
             * Format: uuid
             * @description Of a warning: the event that the key of the newest of them names; else null.
             */
            eventId: string | null;
        };
        /** @description Server-Sent Events (`text/event-stream`). What each `event:` holds in its `data:` is listed with the operation. */
        Stream: string;
        CreateCustomer: {
            /** @description E.164. Of phone and externalId at least one is needed. */
            phone?: string | null;
            /** @description The id the customer has in your own system. */
            externalId?: string | null;
            /** @description What the customer is called, for `{{customer.name}}` in messages. */
            name?: string | null;
            /** @description Kept and shown. Nothing is sent to it. */
            email?: string | null;
            /** @description At most 50 fields with names of up to 100 characters, together at most 16 KiB. */
            attributes?: {
                [key: string]: unknown;
            };
        };
        Customer: {
            /**
             * Format: uuid
             * @description The customer.
             */
            id: string;
            /** @description E.164; null where it is not known. */
            phone: string | null;
            /** @description The id the customer has in your own system. */
            externalId: string | null;
            /** @description What the customer is called; null where that is not known. */
            name: string | null;
            /** @description The e-mail address; null where it is not known. Several customers may have the same. */
            email: string | null;
            /** @description What you and your workflows keep about the customer, by names of your own. */
            attributes: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the latest opt-in was recorded; null where there was none.
             */
            optedInAt: string | null;
            /**
             * Format: date-time
             * @description Since when the customer wants no messages; null where they may be written to.
             */
            optedOutAt: string | null;
            /**
             * Format: date-time
             * @description When the customer became known.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        UpsertCustomer: {
            /** @description E.164. Finds the customer where no externalId is given, or where nobody has that; null clears it. */
            phone?: string | null;
            /** @description The id the customer has in your own system. Finds the customer first; null clears it. */
            externalId?: string | null;
            /** @description null clears it. */
            name?: string | null;
            /** @description null clears it. */
            email?: string | null;
            /** @description Merged into those there are: a field that is given replaces its like, null removes it. At most 50 fields remain, with names of up to 100 characters, together at most 16 KiB. */
            attributes?: {
                [key: string]: unknown;
            };
        };
        CustomerPage: {
            /** @description The records of this page. */
            data: components["schemas"]["Customer"][];
            /** @description Send it as `cursor` for the next page; null at the end. */
            nextCursor: string | null;
        };
        ChangeCustomer: {
            /** @description null clears it; a customer keeps at least one of phone and externalId. */
            phone?: string | null;
            /** @description null clears it. */
            externalId?: string | null;
            /** @description null clears it. */
            name?: string | null;
            /** @description null clears it. */
            email?: string | null;
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
        LiftOptOut: {
            /** @description How it is known that the customer wants messages again. */
            reason: string;
        };
        ConsentPage: {
            /** @description The records of this page. */
            data: components["schemas"]["Consent"][];
            /** @description Send it as `cursor` for the next page; null at the end. */
            nextCursor: string | null;
        };
        Consent: {
            /**
             * Format: uuid
             * @description The entry.
             */
            id: string;
            /**
             * @description `lift`: an owner said that an opt-out holds no more.
             * @enum {string}
             */
            kind: "opt_in" | "opt_out" | "lift";
            /**
             * @description A key, a person, or the customer in words of their own.
             * @enum {string}
             */
            source: "api" | "dashboard" | "customer";
            /** @description The evidence, the reason, or the word the customer wrote. */
            words: string | null;
            /**
             * Format: uuid
             * @description The event that carried it.
             */
            eventId: string | null;
            /**
             * Format: uuid
             * @description Who of the team said so, where one did.
             */
            userId: string | null;
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            at: string;
        };
        TimelineItemPage: {
            /** @description The records of this page. */
            data: components["schemas"]["TimelineItem"][];
            /** @description Send it as `cursor` for the next page; null at the end. */
            nextCursor: string | null;
        };
        TimelineItem: components["schemas"]["TimelineEvent"] | components["schemas"]["TimelineMessage"] | components["schemas"]["TimelineRun"] | components["schemas"]["TimelineOptIn"] | components["schemas"]["TimelineOptOut"] | components["schemas"]["TimelineLift"];
        TimelineEvent: {
            /**
             * Format: uuid
             * @description The event, message, run or entry of the ledger.
             */
            id: string;
            /**
             * @description What happened; tells which of the fields are there. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "event";
            /**
             * Format: date-time
             * @description When it happened; newest first.
             */
            at: string;
            /** @description The type of the event. */
            type: string;
            /**
             * @description `api` for a key, `dashboard` for a person.
             * @enum {string}
             */
            source: "api" | "dashboard";
            /** @description The store plugin recognised from User-Agent, else `custom`. */
            sender: string;
            /** @description What came with the event. */
            data: {
                [key: string]: unknown;
            };
            /** @description How many workflows were waiting on its type. */
            matchedWorkflows: number;
        };
        TimelineMessage: {
            /**
             * Format: uuid
             * @description The event, message, run or entry of the ledger.
             */
            id: string;
            /**
             * @description What happened; tells which of the fields are there. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "message";
            /**
             * Format: date-time
             * @description When it happened; newest first.
             */
            at: string;
            /**
             * @description `inbound` from the customer, `outbound` to them.
             * @enum {string}
             */
            direction: "outbound" | "inbound";
            /** @description What was written; null for a type without a text, and once the customer was erased. */
            text: string | null;
            /**
             * @description What became of it, as in the record of the message.
             * @enum {string}
             */
            status: "queued" | "sent" | "delivered" | "read" | "failed" | "skipped" | "unknown" | "received";
            /** @description Why it failed or was skipped, in words. */
            detail: string | null;
            /**
             * Format: uuid
             * @description The conversation it stands in.
             */
            conversationId: string;
            /**
             * Format: uuid
             * @description The channel it went over.
             */
            channelId: string;
        };
        TimelineRun: {
            /**
             * Format: uuid
             * @description The event, message, run or entry of the ledger.
             */
            id: string;
            /**
             * @description What happened; tells which of the fields are there. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "run";
            /**
             * Format: date-time
             * @description When it happened; newest first.
             */
            at: string;
            /**
             * Format: uuid
             * @description The workflow that ran.
             */
            workflowId: string;
            /** @description Null once the workflow is gone. */
            workflowName: string | null;
            /** @description The version it ran by. */
            version: number;
            /**
             * Format: uuid
             * @description The event that started it.
             */
            eventId: string;
            /**
             * @description Where the run stands, as in its own record.
             * @enum {string}
             */
            status: "active" | "waiting" | "done" | "failed" | "stopped";
            /**
             * @description Why it ended; null while it has not.
             * @enum {string|null}
             */
            endReason: "completed" | "exited" | "exit_condition" | "opted_out" | "too_many_steps" | "step_missing" | "stopped" | "customer_erased" | "internal_error" | null;
            /**
             * Format: date-time
             * @description When it ended; null while it has not.
             */
            endedAt: string | null;
        };
        TimelineOptIn: {
            /**
             * Format: uuid
             * @description The event, message, run or entry of the ledger.
             */
            id: string;
            /**
             * @description What happened; tells which of the fields are there. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "opt_in";
            /**
             * Format: date-time
             * @description When it happened; newest first.
             */
            at: string;
            /**
             * @description A key, a person, or the customer in words of their own.
             * @enum {string}
             */
            source: "api" | "dashboard" | "customer";
            /** @description The evidence. */
            words: string | null;
            /**
             * Format: uuid
             * @description The event that carried it.
             */
            eventId: string | null;
        };
        TimelineOptOut: {
            /**
             * Format: uuid
             * @description The event, message, run or entry of the ledger.
             */
            id: string;
            /**
             * @description What happened; tells which of the fields are there. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "opt_out";
            /**
             * Format: date-time
             * @description When it happened; newest first.
             */
            at: string;
            /**
             * @description A key, a person, or the customer in words of their own.
             * @enum {string}
             */
            source: "api" | "dashboard" | "customer";
            /** @description The reason. */
            words: string | null;
            /**
             * Format: uuid
             * @description The event that carried it.
             */
            eventId: string | null;
        };
        TimelineLift: {
            /**
             * Format: uuid
             * @description The event, message, run or entry of the ledger.
             */
            id: string;
            /**
             * @description What happened; tells which of the fields are there. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "lift";
            /**
             * Format: date-time
             * @description When it happened; newest first.
             */
            at: string;
            /**
             * @description A key, a person, or the customer in words of their own.
             * @enum {string}
             */
            source: "api" | "dashboard" | "customer";
            /** @description Why an owner lifted the opt-out. */
            words: string | null;
            /**
             * Format: uuid
             * @description The event that carried it.
             */
            eventId: string | null;
        };
        CreateWorkflow: {
            /** @description What the workflow is called. */
            name: string;
            definition: components["schemas"]["WorkflowDefinition"];
        };
        /** @description What starts a workflow, and its steps, each naming the one that follows it. */
        WorkflowDefinition: {
            /** @description Which events start a run: those of the type for which `where`, if it is there, holds. */
            trigger: {
                /** @description Equal to the event type to the letter, case and punctuation included. */
                eventType: string;
                where?: components["schemas"]["Condition"];
            };
            /** @description How often a customer is let in; without it, always. */
            entry?: {
                /**
                 * @description `once`: a customer has one run of the workflow, ever; `not_while_active`: one at a time. A start that this refuses is told with the event, as `not_run_for_customer`.
                 * @enum {string}
                 */
                reentry?: "always" | "once" | "not_while_active";
                /** @description Then it is once, or one at a time, for the customer and each value of this field of the event. */
                key?: string;
            };
            /** @description What ends a run wherever it is, at once: an event of its customer, with the reason given, or an opt-out. */
            exitOn?: components["schemas"]["ExitOn"][];
            /** @description The step that a run begins with. */
            start: string;
            /** @description The steps by their ids, at most 200. */
            steps: {
                [key: string]: components["schemas"]["WorkflowStep"];
            };
        };
        /** @description At most 200 comparisons, and 10 levels of `all`, `any` and `not` within one another. One that would have to look at more than about 50,000 values is false, and the trace says so. */
        Condition: components["schemas"]["AllConditions"] | components["schemas"]["AnyCondition"] | components["schemas"]["NotCondition"] | components["schemas"]["Comparison"];
        AllConditions: {
            /** @description Every one of these must hold. */
            all: components["schemas"]["Condition"][];
        };
        AnyCondition: {
            /** @description At least one of these must hold. */
            any: components["schemas"]["Condition"][];
        };
        NotCondition: {
            not: components["schemas"]["Condition"];
        };
        Comparison: {
            /** @description `data.…` (a field of the event, `data.items.0.sku` one within), `event.type`, `event.id`, `customer.name`, `customer.phone`, `customer.externalId`, `customer.id` or `customer.attributes.…`; `answer.text` and `answer.data.…` of the reply or the event that ended the last wait; `now`; `trigger.data.…` is another name of `data.…`. The filter of a trigger knows `data.…` and `event.type` alone. */
            path: string;
            /**
             * @description How what stands at the path is compared with `value`.
             * @enum {string}
             */
            op: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "contains" | "exists";
            /** @description `eq`, `ne`, `contains`: a text, a number, true or false. `gt`, `gte`, `lt`, `lte`: a number, or a text that is one. `in`: a list of 1 to 1,000 texts, numbers, true or false. `exists`: false asks that nothing be there; true or nothing asks that something be. */
            value?: unknown;
        };
        ExitOn: components["schemas"]["ExitOnEvent"] | components["schemas"]["ExitOnOptOut"];
        ExitOnEvent: {
            /** @description Equal to the event type to the letter, case and punctuation included. */
            event: string;
            /** @description Whose event it has to be: `{"data.cartId": "trigger.data.cartId"}` asks that the data of the event that arrives hold the same `cartId` as that of the event that started the run. At most 10 pairs, all of which must be equal, as JSON values. What is absent on either side is equal to nothing. */
            match?: {
                [key: string]: string;
            };
            /** @description Words of your own for how the run ended. */
            reason?: string;
        };
        ExitOnOptOut: {
            /** @description The customer opting out ends the run. */
            optOut: boolean;
        };
        /** @description One of the steps `delay`, `condition`, `send_message`, `send_template`, `wait_for`, `mark_sale`, `set_attribute`, `exit`. */
        WorkflowStep: components["schemas"]["DelayStep"] | components["schemas"]["ConditionStep"] | components["schemas"]["SendMessageStep"] | components["schemas"]["SendTemplateStep"] | components["schemas"]["WaitForStep"] | components["schemas"]["MarkSaleStep"] | components["schemas"]["SetAttributeStep"] | components["schemas"]["ExitStep"];
        DelayStep: {
            /**
             * @description It waits. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "delay";
            /** @description ISO 8601 (`PT1H`, `P2D`) or short (`500ms`, `30s`, `5m`, `1h`, `2d`), at most 90 days. The first delay of a run is measured from the moment the event was recorded. The waits of a circle of steps must come to at least 1 second. One of `for` and `until` is required. */
            for?: string;
            /** @description The next time that clocks show `time`, on one of the `weekdays`. Where they are put forward over it, the moment at which they are; where they show it twice, the first time. */
            until?: {
                /** @description What the clocks show, by 24 hours. */
                time: string;
                /** @description IANA. Without it: that of the customer, where their attribute `timezone` names one, else that of the workspace. */
                zone?: string;
                /** @description Without it: every day. */
                weekdays?: components["schemas"]["Weekday"][];
            };
            /** @description The step that follows; null ends the run. */
            next: string | null;
        };
        /** @enum {string} */
        Weekday: "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun";
        ConditionStep: {
            /**
             * @description It decides which way a run goes. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "condition";
            if: components["schemas"]["Condition"];
            /** @description The step that follows; null ends the run. */
            then: string | null;
            /** @description The step that follows; null ends the run. */
            else: string | null;
        };
        SendMessageStep: {
            /**
             * @description It writes a text. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "send_message";
            /** @description Not white space alone. May hold `{{customer.name}}`, `{{data.total}}` and the like; `{{customer.name|there}}` says what stands there when the value is absent. There are `data.…`, `event.id`, `event.type`, `customer.id`, `customer.name`, `customer.phone`, `customer.externalId` and `customer.attributes.…`. The message that is sent has at most 4096 characters: what stands around the placeholders is kept whole, the values share the rest in their order, and one that does not fit is cut. */
            text: string;
            /**
             * Format: uuid
             * @description Without it: the channel connected first. Publishing is refused where the workspace has no such channel; one that is gone later skips the message.
             */
            channelId?: string;
            /** @description The step that follows; null ends the run. */
            next: string | null;
        };
        SendTemplateStep: {
            /**
             * @description It writes by a template. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "send_template";
            /**
             * Format: uuid
             * @description Publishing is refused where the workspace has no such template.
             */
            templateId: string;
            /** @description A text for each variable of the template, at most 50, which may hold placeholders as the text of `send_message` does. */
            variables: {
                [key: string]: string;
            };
            /**
             * Format: uuid
             * @description Without it: the channel connected first. Publishing is refused where the workspace has no such channel; one that is gone later skips the message.
             */
            channelId?: string;
            /** @description The step that follows; null ends the run. */
            next: string | null;
        };
        WaitForStep: {
            /**
             * @description It waits for something to arrive. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "wait_for";
            /** @description How long it waits at most: 90 days, as the `for` of a delay. */
            timeout: string;
            /** @description The step that follows; null ends the run. */
            onTimeout: string | null;
            /** @description What ends the wait. What arrived since the run began counts as well, once; of what arrived, the first that fits any exit, and of the exits, the first that fits. */
            any: components["schemas"]["WaitForExit"][];
        };
        WaitForExit: components["schemas"]["ReplyExit"] | components["schemas"]["EventExit"];
        ReplyExit: {
            /** @description A message of the customer. It has to be one of `in`, as a whole: case, and white space and punctuation around it, make no difference. */
            reply: {
                /** @description Without it: any reply. */
                in?: string[];
            };
            /** @description The step that follows; null ends the run. */
            next: string | null;
        };
        EventExit: {
            /** @description Equal to the event type to the letter, case and punctuation included. */
            event: string;
            /** @description Whose event it has to be: `{"data.cartId": "trigger.data.cartId"}` asks that the data of the event that arrives hold the same `cartId` as that of the event that started the run. At most 10 pairs, all of which must be equal, as JSON values. What is absent on either side is equal to nothing. */
            match?: {
                [key: string]: string;
            };
            /** @description The step that follows; null ends the run. */
            next: string | null;
        };
        MarkSaleStep: {
            /**
             * @description It marks a sale. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "mark_sale";
            /** @description Decimal, such as `129.90`, or a text with placeholders, such as `{{data.total}}`; kept with the very digits of a text; a number of an event has no zeros at its end, so `129.90` is marked as `129.9`. Zeros behind the decimals of the currency are left out. What comes to no amount of the currency is skipped, with the reason `no_amount`. */
            amount: string | number;
            /** @description ISO 4217, or with placeholders. What comes to no currency is skipped, with the reason `no_currency`. */
            currency: string;
            /** @description May hold placeholders; at most 1000 characters of it are kept. */
            note?: string;
            /** @description The step that follows; null ends the run. */
            next: string | null;
        };
        SetAttributeStep: {
            /**
             * @description It keeps something of the customer. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "set_attribute";
            /** @description Merged into the customer's attributes; at most 20, whose names are letters, digits, _ and -. Steps behind it see them. */
            set: {
                [key: string]: components["schemas"]["AttributeValue"];
            };
            /** @description The step that follows; null ends the run. */
            next: string | null;
        };
        /** @description A text, a number, true or false; null removes the attribute. */
        AttributeValue: string | number | boolean | null;
        ExitStep: {
            /**
             * @description It ends the run. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "exit";
            /** @description Words of your own for how the run ended. */
            reason: string;
        };
        Workflow: {
            /**
             * Format: uuid
             * @description The workflow.
             */
            id: string;
            /** @description What the workflow is called. */
            name: string;
            /** @description Switched on: arriving events start runs of the published version. */
            enabled: boolean;
            /** @description The event type it listens for: of the published version, else of the draft. */
            triggerType: string;
            /** @description The version that new runs go by; null where none was published. */
            publishedVersion: number | null;
            draft: components["schemas"]["WorkflowDraft"];
            /** @description What keeps the draft from being published, the first 20 faults; empty if it is complete. Channels and templates that do not exist are not among them: publishing and `POST /v1/workflows/check` look for those. */
            draftErrors: components["schemas"]["DraftError"][];
            /**
             * Format: date-time
             * @description When it was made.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        /** @description A definition in the making. It has the fields of `WorkflowDefinition`, whose contents may still be incomplete. */
        WorkflowDraft: {
            /** @description The `trigger` of a definition, as far as it is written. */
            trigger: {
                [key: string]: unknown;
            };
            /** @description The `entry` of a definition. */
            entry?: {
                [key: string]: unknown;
            };
            /** @description The `exitOn` of a definition. */
            exitOn?: {
                [key: string]: unknown;
            }[];
            /** @description The id of the first step; may be empty. */
            start: string;
            /** @description The steps by their ids, at most 200, as far as they are written. */
            steps: {
                [key: string]: {
                    /** @description The type of the step. */
                    type: string;
                    /** @description The exits of a `wait_for`. */
                    any?: {
                        [key: string]: unknown;
                    }[];
                } & {
                    [key: string]: unknown;
                };
            };
        };
        DraftError: {
            /** @description Where in the definition, such as `definition.steps.thanks.text`. */
            path: string;
            /** @description What is wrong, and what to do. */
            message: string;
        };
        WorkflowPage: {
            /** @description The records of this page. */
            data: components["schemas"]["Workflow"][];
            /** @description Send it as `cursor` for the next page; null at the end. */
            nextCursor: string | null;
        };
        WorkflowToCheck: {
            /** @description Meant as the definition of a workflow. What is wrong with it is told in the answer. */
            definition: {
                [key: string]: unknown;
            };
        };
        CheckedWorkflow: {
            /** @description It could be published as it is. */
            valid: boolean;
            /** @description Why not: a sentence for each fault by its place, such as `definition.steps.thanks.text`, the first 20. Null where nothing is wrong. */
            details: {
                [key: string]: string;
            } | null;
        };
        ChangeWorkflow: {
            /** @description What the workflow is called. */
            name?: string;
            definition?: components["schemas"]["WorkflowDraft"];
            /** @description Whether arriving events start runs of the published version. */
            enabled?: boolean;
            /**
             * @description With `enabled: false`: what becomes of runs under way. `finish`, as without it, lets them go on; `stop` ends them, within moments, with the status `stopped`.
             * @enum {string}
             */
            running?: "finish" | "stop";
        };
        PublishWorkflow: {
            /** @description Runs under way whose step the new version still has go on by it, within moments: what they wait for is then as it says, and a wait that became longer or shorter is counted from when it began. The others finish on theirs. */
            move?: boolean;
        };
        WorkflowVersionPage: {
            /** @description The records of this page. */
            data: components["schemas"]["WorkflowVersion"][];
            /** @description Send it as `cursor` for the next page; null at the end. */
            nextCursor: string | null;
        };
        WorkflowVersion: {
            /** @description Counted from 1. */
            version: number;
            /**
             * Format: date-time
             * @description When it was published.
             */
            publishedAt: string;
            /**
             * Format: uuid
             * @description The user who published it.
             */
            publishedBy: string | null;
        };
        WorkflowVersionWhole: {
            /** @description Counted from 1. */
            version: number;
            /**
             * Format: date-time
             * @description When it was published.
             */
            publishedAt: string;
            /**
             * Format: uuid
             * @description The user who published it.
             */
            publishedBy: string | null;
            definition: components["schemas"]["WorkflowDefinition"];
        };
        WorkflowImpact: {
            /** @description Runs of any version that have not ended; at most 100,000 are counted. */
            runsInFlight: number;
            /** @description How many runs stand at which step. */
            byStep: {
                [key: string]: number;
            };
            /** @description Steps of the published version, or of runs under way, that the draft does not have. */
            removedSteps: string[];
            /** @description Runs that would go on by the draft, were it published with `move`. */
            movable: number;
        };
        WorkflowStats: {
            /** @description How many runs stand at which step. */
            waiting: {
                [key: string]: number;
            };
            /** @description Of the runs that were started in the last 7 days, at most the newest 100,000. */
            last7Days: {
                /** @description Runs that were started. */
                started: number;
                /** @description Runs that came to the end of their steps. */
                completed: number;
                /** @description Runs that could not go on. */
                failed: number;
                /** @description Ended by a step, an event or an opt-out, as the definition says. */
                exited: number;
            };
            /** @description With `by=day`: how many of them were started in each of the 7 times 24 hours, oldest first. */
            startedByDay?: number[];
        };
        RunPage: {
            /** @description The records of this page. */
            data: components["schemas"]["Run"][];
            /** @description Send it as `cursor` for the next page; null at the end. */
            nextCursor: string | null;
        };
        Run: {
            /**
             * Format: uuid
             * @description The run.
             */
            id: string;
            /**
             * Format: uuid
             * @description The workflow that runs.
             */
            workflowId: string;
            /** @description The version of the workflow that it goes by. */
            version: number;
            /**
             * Format: uuid
             * @description For whom it runs.
             */
            customerId: string;
            /**
             * Format: uuid
             * @description The event that started it.
             */
            eventId: string;
            /**
             * @description `waiting`: at a step, for its time or for something to arrive; `active`: on its way to the next.
             * @enum {string}
             */
            status: "active" | "waiting" | "done" | "failed" | "stopped";
            /** @description The step it is at. */
            stepId: string | null;
            /**
             * Format: date-time
             * @description When it goes on by itself; null where it waits for no time.
             */
            wakeAt: string | null;
            /**
             * @description Why it ended. With the status `done`: `completed`, `exited` (by a step that says so), `exit_condition` (by an event that `exitOn` names) or `opted_out`; `stopped`: by a person, or with its workflow; `failed`: `too_many_steps` (more than 1000), `step_missing`, `customer_erased`, or `internal_error`, a fault of ours: it was tried up to three times.
             * @enum {string|null}
             */
            endReason: "completed" | "exited" | "exit_condition" | "opted_out" | "too_many_steps" | "step_missing" | "stopped" | "customer_erased" | "internal_error" | null;
            /** @description The reason that the definition gives for the end, where it gives one. */
            endDetail?: string;
            /**
             * Format: date-time
             * @description When it was started.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it ended; null while it has not.
             */
            endedAt: string | null;
            /** @description What each step did, in order. */
            steps: {
                /** @description The step. */
                stepId: string;
                /**
                 * @description What came of it.
                 * @enum {string}
                 */
                outcome: "queued" | "skipped" | "waiting" | "waited" | "reply" | "event" | "timeout" | "then" | "else" | "set" | "marked" | "exited";
                /** @description More about it, as the kind of step tells; for `skipped` with the reason. */
                detail: unknown;
                /**
                 * Format: date-time
                 * @description When the step was taken.
                 */
                at: string;
            }[];
        };
        TryWorkflow: {
            /**
             * Format: uuid
             * @description An event of the workspace. Of this and `event` one is required.
             */
            eventId?: string;
            event?: components["schemas"]["RecordEvent"];
            /**
             * Format: uuid
             * @description Without it: the customer of `eventId`, or the one whom `event` would be about, who is made up where it would enrol them or names nobody.
             */
            customerId?: string;
            /** @description `draft`, which is also what is meant without it, or the number of a published version. */
            version?: "draft" | number;
            /** @description What the customer does: `after` so long from the beginning of the run. What is not answered times out. */
            answers?: components["schemas"]["TrialAnswer"][];
        };
        TrialAnswer: components["schemas"]["TrialReply"] | components["schemas"]["TrialEvent"];
        TrialReply: {
            /** @description So long after the beginning of the run, such as `PT1H` or `2d`. */
            after: string;
            /** @description What the customer writes then. */
            reply: string;
        };
        TrialEvent: {
            /** @description So long after the beginning of the run. */
            after: string;
            /** @description An event of the customer that arrives then. */
            event: {
                /** @description Free text. A workflow starts when its trigger equals it to the letter, case and punctuation included. */
                type: string;
                /** @description Input for workflows; at most 50 top-level fields. */
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
                 * @description The workflow that was tried.
                 */
                workflowId: string;
                /** @description What it is called. */
                name: string;
                /**
                 * @description `no_listener`: the event is of another type. Whether the workflow is switched on, and `entry`, are not asked.
                 * @enum {string}
                 */
                verdict: "started" | "not_run_for_customer" | "no_listener";
                /**
                 * Format: uuid
                 * @description Always null: none is made.
                 */
                runId: string | null;
                /** @description A sentence for a person. */
                explanation: string;
                /** @description What decided against the event in the filter, at most three. */
                comparisons: {
                    /** @description Where it looked. */
                    path: string;
                    /** @description How it compared. */
                    op: string;
                    /** @description With what. */
                    value?: unknown;
                    /** @description Absent where nothing was there. */
                    found?: unknown;
                    /** @description It was true, and should not have been. */
                    negated: boolean;
                }[];
            };
            /** @description What each step did, as in the trace of a run, at the time that it would have been. */
            steps: {
                /** @description The step. */
                stepId: string;
                /**
                 * @description What came of it.
                 * @enum {string}
                 */
                outcome: "queued" | "skipped" | "waiting" | "waited" | "reply" | "event" | "timeout" | "then" | "else" | "set" | "marked" | "exited";
                /** @description More about it, as the kind of step tells. */
                detail: unknown;
                /**
                 * Format: date-time
                 * @description When it would be taken.
                 */
                at: string;
            }[];
            /** @description What would be written to the customer; the first 200. */
            messages: {
                /** @description The step that wrote it. */
                stepId: string;
                /**
                 * Format: uuid
                 * @description The channel it would go over.
                 */
                channelId: string;
                /** @description The customer's address there. */
                handle: string;
                /** @description What the customer would read. */
                text: string;
                /**
                 * Format: uuid
                 * @description The template that was filled in; null for a text.
                 */
                templateId: string | null;
                /** @description Why it would not be sent. */
                skipped: string | null;
                /**
                 * Format: date-time
                 * @description When it would be written.
                 */
                at: string;
            }[];
            /** @description The sales that would be marked; the first 200. */
            sales: {
                /** @description The step that marked it. */
                stepId: string;
                /** @description Decimal, with its digits. */
                amount: string;
                /** @description ISO 4217. */
                currency: string;
                /** @description What would be noted with it. */
                note: string | null;
                /**
                 * Format: date-time
                 * @description When it would be marked.
                 */
                at: string;
            }[];
            /**
             * @description As of a run; `unfinished` where it took too long to find out; null where none began.
             * @enum {string|null}
             */
            endReason: "completed" | "exited" | "exit_condition" | "opted_out" | "too_many_steps" | "step_missing" | "stopped" | "customer_erased" | "internal_error" | "unfinished" | null;
        };
        ReplayWorkflow: {
            /** @description How far back. */
            days: number;
            /** @description `draft`, which is also what is meant without it, or the number of a published version. */
            version?: "draft" | number;
        };
        ReplayedWorkflow: {
            /** @description How many events of the type were looked at, newest first. */
            events: number;
            /** @description Those were all there are of these days. Else there are more than 50000, or it took too long. */
            complete: boolean;
            /** @description How many events by verdict. */
            verdicts: {
                [key: string]: number;
            };
            /** @description How many runs came to each step. */
            byStep: {
                [key: string]: number;
            };
            /** @description How many runs by the reason of their end. */
            ends: {
                [key: string]: number;
            };
        };
        ConnectChannel: components["schemas"]["ConnectSandbox"] | components["schemas"]["ConnectWhatsappCloud"] | components["schemas"]["ConnectTwilioSms"];
        /** @description a provider inside the service. It delivers every message at once, except to numbers that end in 0000: those fail. */
        ConnectSandbox: {
            /**
             * @description The kind of channel. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "sandbox";
            /** @description What the team calls it. */
            name: string;
            /** @description How a sandbox behaves, which stands for a provider and sends nothing. */
            sandbox?: {
                /**
                 * @description What becomes of the messages handed to it: `delivered`, `read` or `failed` at once, or nothing until it is told (`manual`). To numbers that end in 0000 all fail.
                 * @enum {string}
                 */
                delivery: "delivered" | "read" | "failed" | "manual";
            };
        };
        /** @description WhatsApp, by the Cloud API. Anything may be written for 24 hours after the customer has; else templates. */
        ConnectWhatsappCloud: {
            /**
             * @description The kind of channel. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "whatsapp_cloud";
            /** @description What the team calls it. */
            name: string;
            /** @description Of the app and its phone number. */
            credentials: {
                /** @description The id of the phone number in the WhatsApp Manager, not the number itself. */
                phoneNumberId: string;
                /** @description Of a system user, with which we send. */
                accessToken: string;
                /** @description With which WhatsApp signs what it sends us. */
                appSecret: string;
                /** @description What WhatsApp repeats when the callback URL is entered. */
                verifyToken: string;
            };
        };
        /** @description SMS, by Twilio: from a number of yours, or by a messaging service. */
        ConnectTwilioSms: {
            /**
             * @description The kind of channel. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "twilio_sms";
            /** @description What the team calls it. */
            name: string;
            /** @description Of the account, with the number or the messaging service that sends. */
            credentials: components["schemas"]["TwilioNumberCredentials"] | components["schemas"]["TwilioServiceCredentials"];
        };
        TwilioNumberCredentials: {
            /** @description The SID of the account. */
            accountSid: string;
            /** @description The primary one: Twilio signs its callbacks with it. */
            authToken: string;
            /** @description An E.164 number, a short code or a sender name; for WhatsApp by Twilio `whatsapp:` and the number. */
            from: string;
        };
        TwilioServiceCredentials: {
            /** @description The SID of the account. */
            accountSid: string;
            /** @description The primary one: Twilio signs its callbacks with it. */
            authToken: string;
            /** @description The SID of the messaging service that sends. */
            messagingServiceSid: string;
        };
        /** @description A connection to a messaging provider. Its credentials are in no answer. */
        Channel: {
            /**
             * Format: uuid
             * @description The channel.
             */
            id: string;
            /**
             * @description `sandbox`: a provider inside the service. It delivers every message at once, except to numbers that end in 0000: those fail. `whatsapp_cloud`: WhatsApp, by the Cloud API. Anything may be written for 24 hours after the customer has; else templates. `twilio_sms`: SMS, by Twilio: from a number of yours, or by a messaging service.
             * @enum {string}
             */
            kind: "sandbox" | "whatsapp_cloud" | "twilio_sms";
            /** @description What the team calls it. */
            name: string;
            /** @description Ours, as the provider knows it: a phone number, or the id of one. */
            number: string | null;
            /**
             * @description `failing`: the provider refuses us, `statusDetail` says with what. `disconnected`: gone for good.
             * @enum {string}
             */
            status: "connected" | "failing" | "disconnected";
            /** @description With what the provider refuses us, in its words; null while it does not. */
            statusDetail: string | null;
            /** @description Where the provider is to send messages and statuses; null where none does. */
            inboundUrl: string | null;
            /** @description How it behaves; null for a channel that is no sandbox. */
            sandbox: {
                /**
                 * @description What becomes of the messages handed to it: `delivered`, `read` or `failed` at once, or nothing until it is told (`manual`). To numbers that end in 0000 all fail.
                 * @enum {string}
                 */
                delivery: "delivered" | "read" | "failed" | "manual";
            } | null;
            /**
             * Format: date-time
             * @description When it was connected.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        ChannelPage: {
            /** @description The records of this page. */
            data: components["schemas"]["Channel"][];
            /** @description Send it as `cursor` for the next page; null at the end. */
            nextCursor: string | null;
        };
        ChangeChannel: {
            /** @description What the team calls it. */
            name?: string;
            /** @description Whole, as for connecting a channel of its kind; they replace those it had. */
            credentials?: {
                [key: string]: unknown;
            };
            /** @description Of a sandbox alone. */
            sandbox?: {
                /**
                 * @description What becomes of the messages handed to it: `delivered`, `read` or `failed` at once, or nothing until it is told (`manual`). To numbers that end in 0000 all fail.
                 * @enum {string}
                 */
                delivery: "delivered" | "read" | "failed" | "manual";
            };
        };
        ChannelTest: {
            /** @description Whether the provider takes our credentials. */
            ok: boolean;
            /** @description What it said, in words. */
            detail: string;
        };
        SandboxMessage: {
            /** @description E.164: + and 7 to 15 digits. */
            from: string;
            /** @description Of a message that is no text it may be left out. */
            text?: string | null;
            /**
             * @description What the customer sends.
             * @default text
             * @enum {string}
             */
            type: "text" | "image" | "audio" | "video" | "document" | "location" | "other";
            /** @description From the profile of the customer; given to one who becomes known by this message. */
            name?: string;
            /** @description Told again with the same, the message is the same. */
            providerMessageId?: string;
        };
        /** @description What was written to a customer or by them. */
        Message: {
            /**
             * Format: uuid
             * @description The message.
             */
            id: string;
            /**
             * Format: uuid
             * @description The conversation it stands in.
             */
            conversationId: string;
            /**
             * Format: uuid
             * @description The channel it goes over.
             */
            channelId: string;
            /**
             * Format: uuid
             * @description From whom, or to whom, it is.
             */
            customerId: string;
            /**
             * @description `inbound` from the customer, `outbound` to them.
             * @enum {string}
             */
            direction: "outbound" | "inbound";
            /**
             * @description What an outbound message is, is always `text`.
             * @enum {string}
             */
            type: "text" | "image" | "audio" | "video" | "document" | "location" | "other";
            /** @description Null for a type without one, and once the customer was erased; a caption is a text. */
            text: string | null;
            /**
             * Format: uuid
             * @description The template that the text is of, filled in.
             */
            templateId: string | null;
            /**
             * @description `skipped`: not sent, `detail` says why (the customer had opted out). `unknown`: handed to the provider, and no answer came: the customer may have got it or not, so it is never sent again by itself. `received`: from the customer.
             * @enum {string}
             */
            status: "queued" | "sent" | "delivered" | "read" | "failed" | "skipped" | "unknown" | "received";
            /** @description What the provider calls it; null until it has taken it. */
            providerMessageId: string | null;
            /** @description Why it failed or was skipped, in words; null where it was not. */
            detail: string | null;
            /** @description Who of the workspace wrote it; null for a message of the customer. */
            sentBy: {
                /**
                 * @description What wrote it.
                 * @enum {string}
                 */
                type: "user" | "workflow" | "campaign";
                /**
                 * Format: uuid
                 * @description Of the user, the workflow or the campaign.
                 */
                id: string;
            } | null;
            /**
             * Format: date-time
             * @description Of a message of the customer the provider's time; of any other, when the provider took it.
             */
            sentAt: string | null;
            /**
             * Format: date-time
             * @description When it was written or came in.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        SandboxStatus: {
            /**
             * Format: uuid
             * @description The message of ours that the status is of.
             */
            messageId: string;
            /**
             * @description What the provider would tell.
             * @enum {string}
             */
            status: "sent" | "delivered" | "read" | "failed";
            /** @description Why it failed, in words. */
            detail?: string | null;
        };
        OpenConversation: {
            /**
             * Format: uuid
             * @description The channel to write over.
             */
            channelId: string;
            /**
             * Format: uuid
             * @description To whom.
             */
            customerId: string;
        };
        Conversation: {
            /**
             * Format: uuid
             * @description The conversation.
             */
            id: string;
            /**
             * Format: uuid
             * @description The channel it goes over.
             */
            channelId: string;
            /**
             * @description The kind of that channel.
             * @enum {string}
             */
            channelKind: "sandbox" | "whatsapp_cloud" | "twilio_sms";
            /**
             * Format: uuid
             * @description With whom it is.
             */
            customerId: string;
            /** @description What they are called now; null where that is not known, and once they were erased. */
            customerName: string | null;
            /** @description The customer's address that was used last; null once they were erased. */
            handle: string | null;
            /**
             * @description `closed` until the customer writes again, or somebody opens it.
             * @enum {string}
             */
            status: "open" | "closed";
            /**
             * Format: uuid
             * @description The user who looks after it: the `userId` of a member. Nobody once they have left the team.
             */
            assigneeId: string | null;
            /** @description Messages of the customer that nobody has read yet. */
            unread: number;
            /**
             * Format: date-time
             * @description Since when a message of the customer has had no answer; null where none waits.
             */
            waitingSince: string | null;
            /**
             * Format: date-time
             * @description Until when the provider takes anything that is written to this customer, counted from the customer's last message; afterwards only approved templates. Null where the provider has no such window.
             */
            windowClosesAt: string | null;
            /** @description The customer wrote something that is not an opt-out word but may mean one. True until a person decides (`POST …/opt-out-decision`) or the customer has opted out. */
            looksLikeOptOut: boolean;
            /** @description The newest message in it, of either side; null where there is none. */
            lastMessage?: components["schemas"]["Message"] | null;
            /**
             * Format: date-time
             * @description When it began.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When something in it last changed.
             */
            updatedAt: string;
        };
        ConversationPage: {
            /** @description The records of this page. */
            data: components["schemas"]["Conversation"][];
            /** @description Send it as `cursor` for the next page; null at the end. */
            nextCursor: string | null;
        };
        ChangeConversation: {
            /**
             * @description Opens it, or closes it.
             * @enum {string}
             */
            status?: "open" | "closed";
            /**
             * Format: uuid
             * @description The `userId` of a member who has joined; null = nobody.
             */
            assigneeId?: string | null;
        };
        OptOutDecision: {
            /**
             * @description `opted_out` opts the customer out. `ignored` says that the message was not an opt-out.
             * @enum {string}
             */
            decision: "opted_out" | "ignored";
        };
        MessagePage: {
            /** @description The records of this page. */
            data: components["schemas"]["Message"][];
            /** @description Send it as `cursor` for the next page; null at the end. */
            nextCursor: string | null;
        };
        WriteMessage: components["schemas"]["WriteText"] | components["schemas"]["WriteTemplate"];
        WriteText: {
            /** @description Not white space alone, and no more than the provider takes. */
            text: string;
            /** @description Sent again with the same key in this conversation, nothing is written twice: the first is answered. */
            idempotencyKey?: string;
        };
        WriteTemplate: {
            /**
             * Format: uuid
             * @description The template that is filled in and sent.
             */
            templateId: string;
            /** @description A text for each variable of the template, by its name. */
            variables?: {
                [key: string]: string;
            };
            /** @description Sent again with the same key in this conversation, nothing is written twice: the first is answered. */
            idempotencyKey?: string;
        };
        MessageDetail: {
            /**
             * Format: uuid
             * @description The message.
             */
            id: string;
            /**
             * Format: uuid
             * @description The conversation it stands in.
             */
            conversationId: string;
            /**
             * Format: uuid
             * @description The channel it goes over.
             */
            channelId: string;
            /**
             * Format: uuid
             * @description From whom, or to whom, it is.
             */
            customerId: string;
            /**
             * @description `inbound` from the customer, `outbound` to them.
             * @enum {string}
             */
            direction: "outbound" | "inbound";
            /**
             * @description What an outbound message is, is always `text`.
             * @enum {string}
             */
            type: "text" | "image" | "audio" | "video" | "document" | "location" | "other";
            /** @description Null for a type without one, and once the customer was erased; a caption is a text. */
            text: string | null;
            /**
             * Format: uuid
             * @description The template that the text is of, filled in.
             */
            templateId: string | null;
            /**
             * @description `skipped`: not sent, `detail` says why (the customer had opted out). `unknown`: handed to the provider, and no answer came: the customer may have got it or not, so it is never sent again by itself. `received`: from the customer.
             * @enum {string}
             */
            status: "queued" | "sent" | "delivered" | "read" | "failed" | "skipped" | "unknown" | "received";
            /** @description What the provider calls it; null until it has taken it. */
            providerMessageId: string | null;
            /** @description Why it failed or was skipped, in words; null where it was not. */
            detail: string | null;
            /** @description Who of the workspace wrote it; null for a message of the customer. */
            sentBy: {
                /**
                 * @description What wrote it.
                 * @enum {string}
                 */
                type: "user" | "workflow" | "campaign";
                /**
                 * Format: uuid
                 * @description Of the user, the workflow or the campaign.
                 */
                id: string;
            } | null;
            /**
             * Format: date-time
             * @description Of a message of the customer the provider's time; of any other, when the provider took it.
             */
            sentAt: string | null;
            /**
             * Format: date-time
             * @description When it was written or came in.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
            /** @description What became of it, in the order in which it became known: the first 100. */
            statuses: {
                /**
                 * @description What became of it then.
                 * @enum {string}
                 */
                status: "queued" | "sent" | "delivered" | "read" | "failed" | "skipped" | "unknown" | "received";
                /** @description Why, in words, where it failed or was skipped. */
                detail: string | null;
                /**
                 * Format: date-time
                 * @description When it became known.
                 */
                at: string;
            }[];
        };
        CreateTemplate: {
            /** @description What people call it. */
            name: string;
            /**
             * @description `marketing` goes to customers who have opted in, and to no other.
             * @enum {string}
             */
            category: "utility" | "marketing";
            /** @description The text, with `{{name}}` where the value of a variable stands. */
            body: string;
            /** @description Each is used in the body, and the body uses no other. */
            variables?: {
                /** @description Of the placeholder, which stands in the body as `{{name}}`. */
                name: string;
                /** @description A value such as it may have. */
                sample: string;
            }[];
            /** @description Of a template that a provider has approved: it is sent by this name, with the values in order. */
            provider?: {
                /** @description By which the provider knows it. */
                name: string;
                /** @description As the provider writes it, such as `en` or `pt_BR`. */
                language: string;
            } | null;
        };
        Template: {
            /**
             * Format: uuid
             * @description The template.
             */
            id: string;
            /** @description What the team calls it. */
            name: string;
            /**
             * @description `marketing` goes to customers who have opted in, and to no other.
             * @enum {string}
             */
            category: "utility" | "marketing";
            /** @description The text with its placeholders, `{{name}}`. */
            body: string;
            /** @description The placeholders of the body. */
            variables: {
                /** @description Of the placeholder. */
                name: string;
                /** @description A value such as it may have. */
                sample: string;
            }[];
            /** @description The template of the provider that it is sent as; null for a text of ours alone. */
            provider: {
                /** @description By which the provider knows it. */
                name: string;
                /** @description As the provider writes it, such as `pt_BR`. */
                language: string;
            } | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        TemplatePage: {
            /** @description The records of this page. */
            data: components["schemas"]["Template"][];
            /** @description Send it as `cursor` for the next page; null at the end. */
            nextCursor: string | null;
        };
        ChangeTemplate: {
            /** @description What people call it. */
            name?: string;
            /**
             * @description `marketing` goes to customers who have opted in, and to no other.
             * @enum {string}
             */
            category?: "utility" | "marketing";
            /** @description The text, with `{{name}}` where the value of a variable stands. */
            body?: string;
            /** @description Each is used in the body, and the body uses no other. */
            variables?: {
                /** @description Of the placeholder, which stands in the body as `{{name}}`. */
                name: string;
                /** @description A value such as it may have. */
                sample: string;
            }[];
            /** @description Of a template that a provider has approved: it is sent by this name, with the values in order. */
            provider?: {
                /** @description By which the provider knows it. */
                name: string;
                /** @description As the provider writes it, such as `en` or `pt_BR`. */
                language: string;
            } | null;
        };
        PreviewTemplate: {
            /** @description Values by the names of the variables. */
            variables?: {
                [key: string]: string;
            };
            /**
             * Format: uuid
             * @description With it values may hold `{{customer.name}}` and the like, which are filled in for this customer.
             */
            customerId?: string;
        };
        TemplatePreview: {
            /** @description As it would be sent; where a value is missing, its place stands there. */
            text: string;
            /** @description Names of the variables that were given no value, or one that comes out empty. */
            missing: string[];
        };
        MarkSale: {
            /** @description A decimal number, exact: kept and told with the digits that are sent. No more decimals than the currency has, and 3 at most. */
            amount: number;
            /** @description ISO 4217, of the list that holds today. */
            currency: string;
            /** @description For people. */
            note?: string | null;
        };
        Sale: {
            /**
             * Format: uuid
             * @description The sale.
             */
            id: string;
            /**
             * Format: uuid
             * @description The conversation that led to it.
             */
            conversationId: string;
            /**
             * Format: uuid
             * @description Who bought.
             */
            customerId: string;
            /** @description Decimal, exact, with the digits that were sent. */
            amount: number;
            /** @description ISO 4217. */
            currency: string;
            /** @description What was noted with it; null where nothing was, and once the customer was erased. */
            note: string | null;
            /** @description Who marked it. */
            markedBy: {
                /**
                 * @description A person of the team, or a step of a workflow.
                 * @enum {string}
                 */
                type: "user" | "workflow";
                /**
                 * Format: uuid
                 * @description Of the user, or of the workflow whose run marked it.
                 */
                id: string;
            };
            /**
             * Format: date-time
             * @description When somebody said that it was no sale; null while it is one.
             */
            voidedAt: string | null;
            /** @description Why it was voided, in their words. */
            voidReason: string | null;
            /**
             * Format: date-time
             * @description When it was marked.
             */
            createdAt: string;
        };
        SalePage: {
            /** @description The records of this page. */
            data: components["schemas"]["Sale"][];
            /** @description Send it as `cursor` for the next page; null at the end. */
            nextCursor: string | null;
        };
        VoidSale: {
            /** @description Why, in words a person will understand later. */
            reason: string;
        };
        OptOutWords: {
            /** @description The workspace's own, beside those that hold everywhere: a word, or a few that are a whole message. */
            words: string[];
        };
        CreateCampaign: {
            /** @description What it is called. */
            name: string;
            /**
             * Format: uuid
             * @description The channel it goes over.
             */
            channelId: string;
            /**
             * Format: uuid
             * @description The template that is sent.
             */
            templateId: string;
            /** @description A value for each variable of the template. It may hold `{{customer.name}}`, `{{customer.attributes.city|your town}}` and the like. */
            variables?: {
                [key: string]: string;
            };
            audience: components["schemas"]["Audience"];
        };
        /** @description Everybody (`all`), those of whom a condition on `customer.…` holds (`where`), or the customers named (`customerIds`). */
        Audience: components["schemas"]["EverybodyAudience"] | components["schemas"]["ConditionAudience"] | components["schemas"]["NamedAudience"];
        EverybodyAudience: {
            /** @description Every customer of the workspace. */
            all: boolean;
        };
        ConditionAudience: {
            where: components["schemas"]["Condition"];
        };
        NamedAudience: {
            /** @description The customers, by their ids. */
            customerIds: string[];
        };
        Campaign: {
            /**
             * Format: uuid
             * @description The campaign.
             */
            id: string;
            /** @description What it is called. */
            name: string;
            /**
             * Format: uuid
             * @description The channel it goes over.
             */
            channelId: string;
            /**
             * Format: uuid
             * @description The template that is sent.
             */
            templateId: string;
            /** @description A value for each variable of the template, by its name. */
            variables: {
                [key: string]: string;
            };
            audience: components["schemas"]["Audience"];
            /**
             * @description Where it stands. One that is `completed` or `cancelled` stays so.
             * @enum {string}
             */
            status: "draft" | "scheduled" | "running" | "paused" | "completed" | "cancelled";
            progress: components["schemas"]["CampaignProgress"];
            /**
             * Format: date-time
             * @description When it is to start by itself; null where it was not scheduled.
             */
            scheduledAt: string | null;
            /**
             * Format: date-time
             * @description When it started; null while it has not.
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description When it was completed or cancelled; null until then.
             */
            finishedAt: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        /** @description How far it is. At the end sent, skipped and unknown make up the audience. */
        CampaignProgress: {
            /** @description Its recipients. It grows for a moment after the start, while they are being written down. */
            audience: number;
            /** @description The provider took the message. */
            sent: number;
            /** @description Those who were passed over; `skippedBy` says why. */
            skipped: number;
            /** @description The send was begun and its outcome never became known. */
            unknown: number;
            /** @description How many of the skipped, by reason: `opted_out`, `no_opt_in` (a marketing template needs one), `no_address` (none on the channel, or the customer was erased), `plan` (the plan no longer includes campaigns), `channel_disconnected`, `refused` (by the provider), `cancelled`, `template_missing`. */
            skippedBy: {
                [key: string]: number;
            };
        };
        CampaignPage: {
            /** @description The records of this page. */
            data: components["schemas"]["Campaign"][];
            /** @description Send it as `cursor` for the next page; null at the end. */
            nextCursor: string | null;
        };
        ChangeCampaign: {
            /** @description What it is called. */
            name?: string;
            /**
             * Format: uuid
             * @description The channel it goes over.
             */
            channelId?: string;
            /**
             * Format: uuid
             * @description The template that is sent.
             */
            templateId?: string;
            /** @description A value for each variable of the template. It may hold `{{customer.name}}`, `{{customer.attributes.city|your town}}` and the like. */
            variables?: {
                [key: string]: string;
            };
            audience?: components["schemas"]["Audience"];
        };
        CampaignPreview: {
            /** @description How many it would go to or skip. */
            audience: number;
            /** @description How many would be skipped, by reason. */
            skipped: {
                [key: string]: number;
            };
            /** @description What the first three of those that would get it would read. */
            samples: {
                /**
                 * Format: uuid
                 * @description Who would read it.
                 */
                customerId: string;
                /** @description The template, filled in. */
                text: string;
            }[];
            /** @description Only there where the audience may hold more customers than a preview looks at: the numbers are of the first 200,000. */
            partial?: boolean;
        };
        StartCampaign: {
            /**
             * Format: date-time
             * @description When it is to start; at once where it is left out, or has passed.
             */
            at?: string;
        };
        CampaignRecipientPage: {
            /** @description The records of this page. */
            data: components["schemas"]["CampaignRecipient"][];
            /** @description Send it as `cursor` for the next page; null at the end. */
            nextCursor: string | null;
        };
        CampaignRecipient: {
            /**
             * Format: uuid
             * @description To whom.
             */
            customerId: string;
            /**
             * @description `pending`: not begun. `queued`: the message is with the channel. The others are final.
             * @enum {string}
             */
            outcome: "pending" | "queued" | "sent" | "skipped" | "unknown";
            /** @description Why it was skipped: `opted_out`, `no_opt_in` (a marketing template needs one), `no_address` (none on the channel, or the customer was erased), `plan` (the plan no longer includes campaigns), `channel_disconnected`, `refused` (by the provider), `cancelled`, `template_missing`, or the code with which the channel skipped it. */
            reason: string | null;
            /**
             * Format: uuid
             * @description The message that was written to them; null where none was.
             */
            messageId: string | null;
            /**
             * Format: date-time
             * @description When the outcome became known, or, of one not begun, when they became a recipient.
             */
            at: string;
        };
        CreateWebhook: {
            /** @description https, a public host name (no IP address), port 443 or an unreserved port from 1024 up. */
            url: string;
            /** @description Event types to be told of; no repeats. */
            events: components["schemas"]["WebhookEventType"][];
            /** @description What people call it. */
            name?: string | null;
            /** @description Free label. */
            description?: string | null;
            /** @description Your own notes: at most 20 texts by names of up to 40 characters. Replaced as a whole. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Headers of your own, sent with every attempt: at most 20, together 16 KiB. Replaced as a whole; their values are in no answer. Not `Host`, `Content-…`, `X-Service-…`, nor what belongs to a single connection. */
            headers?: {
                [key: string]: string;
            };
            /** @description The most attempts begun in a second; null for as many as the endpoint bears. */
            ratePerSecond?: number | null;
            /** @description Maximum number of deliveries in progress at the same time; null for no limit of yours. */
            maxConcurrency?: number | null;
            /** @description A condition on `data.…`: an event for which it does not hold is passed over. null for none. */
            filter?: components["schemas"]["Condition"] | null;
        };
        /**
         * @description The type of an outbound event, as endpoints subscribe to it.
         * @enum {string}
         */
        WebhookEventType: "message.received" | "message.status" | "sale.created" | "customer.opted_out" | "campaign.completed";
        WebhookWithSecret: {
            /**
             * Format: uuid
             * @description The endpoint.
             */
            id: string;
            /** @description What it is called; null where it has no name. */
            name: string | null;
            /** @description Where its deliveries go, as it was written. */
            url: string;
            /** @description What the team calls it for; null where nothing was said. */
            description: string | null;
            /** @description The event types it is told of. */
            events: components["schemas"]["WebhookEventType"][];
            /** @description false: it is switched off, and its pending deliveries are held. */
            enabled: boolean;
            /** @description What your systems keep with it. */
            metadata: {
                [key: string]: string;
            };
            /** @description The names of your own headers; no answer has their values. */
            headers: string[];
            /** @description Deliveries a second at most; null where there is no such limit. */
            ratePerSecond: number | null;
            /** @description Maximum number of deliveries in progress at the same time; null if the owner set no limit. */
            maxConcurrency: number | null;
            /** @description A condition on `data.…`; an event for which it does not hold is passed over. */
            filter?: components["schemas"]["Condition"] | null;
            /**
             * Format: date-time
             * @description Since when its deliveries wait until it is released.
             */
            heldAt: string | null;
            /**
             * @description `service`: every attempt of five days had failed.
             * @enum {string|null}
             */
            heldBy: "owner" | "service" | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @deprecated
             * @description The same as `createdAt`, by its old name.
             */
            created: string;
            /**
             * Format: date-time
             * @deprecated
             * @description The same as `updatedAt`, by its old name.
             */
            updated: string;
            /** @description Keys the signatures; its UTF-8 bytes, prefix included, are the HMAC key. Shown only in this answer. */
            secret: string;
        };
        /** @description What `message.received` tells. */
        MessageReceivedData: {
            /**
             * Format: uuid
             * @description The conversation the message stands in.
             */
            conversationId: string;
            /**
             * Format: uuid
             * @description Who wrote it.
             */
            customerId: string;
            /** @description E.164; null where the address is no phone number, and once the customer was erased. */
            from: string | null;
            /**
             * @description What was sent.
             * @enum {string}
             */
            type: "text" | "image" | "audio" | "video" | "document" | "location" | "other";
            /** @description What was written, or a caption; null for a type without one, and once the customer was erased. */
            text: string | null;
            /**
             * Format: date-time
             * @description When it was sent, by the provider's clock.
             */
            sentAt: string;
            /**
             * Format: uuid
             * @description The message.
             */
            messageId: string;
            /**
             * Format: uuid
             * @description The run that waits for this reply, the newest where several do; null where none does.
             */
            runId: string | null;
        };
        /** @description A customer sent a message. */
        MessageReceivedEvent: {
            /**
             * Format: uuid
             * @description The event. Ignore ids already handled.
             */
            id: string;
            /**
             * @description What happened, as in `X-Service-Event`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "message.received";
            /**
             * Format: date-time
             * @description When it happened; compare it where order matters.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description The workspace in which it happened.
             */
            workspaceId: string;
            data: components["schemas"]["MessageReceivedData"];
        };
        /** @description What `message.status` tells. */
        MessageStatusData: {
            /**
             * Format: uuid
             * @description The conversation the message stands in.
             */
            conversationId: string;
            /** @description What the provider calls the message. Of one that failed before any provider took it, and that has no such id, our own id of it. Empty once the customer was erased. */
            providerMessageId: string;
            /**
             * @description What became of it.
             * @enum {string}
             */
            status: "delivered" | "read" | "failed";
            /** @description Why it failed, in words. */
            detail: string | null;
            /**
             * Format: uuid
             * @description The message.
             */
            messageId: string;
            /**
             * Format: uuid
             * @description Whom it was sent to.
             */
            customerId: string;
            /**
             * Format: uuid
             * @description The inbound event whose run sent it; null where no run did, and where the run is no longer kept.
             */
            eventId: string | null;
        };
        /** @description A message the workspace sent was delivered, read or failed. */
        MessageStatusEvent: {
            /**
             * Format: uuid
             * @description The event. Ignore ids already handled.
             */
            id: string;
            /**
             * @description What happened, as in `X-Service-Event`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "message.status";
            /**
             * Format: date-time
             * @description When it happened; compare it where order matters.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description The workspace in which it happened.
             */
            workspaceId: string;
            data: components["schemas"]["MessageStatusData"];
        };
        /** @description What `sale.created` tells. */
        SaleCreatedData: {
            /**
             * Format: uuid
             * @description The sale.
             */
            saleId: string;
            /**
             * Format: uuid
             * @description The conversation that led to it.
             */
            conversationId: string;
            /**
             * Format: uuid
             * @description Who bought.
             */
            customerId: string;
            /** @description Decimal, exact, up to 3 places. */
            amount: number;
            /** @description ISO 4217. */
            currency: string;
            /** @description What was noted with it; null where nothing was, and once the customer was erased. */
            note: string | null;
            /**
             * Format: uuid
             * @description The last message that the run had sent by then; null where there is none.
             */
            messageId: string | null;
            /**
             * Format: uuid
             * @description The run that marked it; null where a person did.
             */
            runId: string | null;
        };
        /** @description A conversation was marked as a sale. */
        SaleCreatedEvent: {
            /**
             * Format: uuid
             * @description The event. Ignore ids already handled.
             */
            id: string;
            /**
             * @description What happened, as in `X-Service-Event`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "sale.created";
            /**
             * Format: date-time
             * @description When it happened; compare it where order matters.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description The workspace in which it happened.
             */
            workspaceId: string;
            data: components["schemas"]["SaleCreatedData"];
        };
        /** @description What `customer.opted_out` tells. */
        CustomerOptedOutData: {
            /** @description The kind of channel; null where the workspace has none. */
            channel: string | null;
            /** @description E.164, or the address that the provider knows a customer without a phone by; null where there is neither, and once they were erased. */
            handle: string | null;
            /**
             * @description What they want no more: any message.
             * @constant
             */
            scope: "all";
            /** @description The word the customer wrote, or the reason given; `erased` once the customer was. */
            reason: string;
        };
        /** @description A customer said STOP, or was opted out. */
        CustomerOptedOutEvent: {
            /**
             * Format: uuid
             * @description The event. Ignore ids already handled.
             */
            id: string;
            /**
             * @description What happened, as in `X-Service-Event`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "customer.opted_out";
            /**
             * Format: date-time
             * @description When it happened; compare it where order matters.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description The workspace in which it happened.
             */
            workspaceId: string;
            data: components["schemas"]["CustomerOptedOutData"];
        };
        /** @description What `campaign.completed` tells. */
        CampaignCompletedData: {
            /**
             * Format: uuid
             * @description The campaign.
             */
            campaignId: string;
            /** @description What it is called. */
            name: string;
            /** @description To how many the provider took the message. */
            sent: number;
            /** @description How many were passed over. */
            skipped: number;
            /** @description The send was begun and its outcome never became known. */
            unknown: number;
        };
        /** @description A campaign finished. */
        CampaignCompletedEvent: {
            /**
             * Format: uuid
             * @description The event. Ignore ids already handled.
             */
            id: string;
            /**
             * @description What happened, as in `X-Service-Event`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "campaign.completed";
            /**
             * Format: date-time
             * @description When it happened; compare it where order matters.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description The workspace in which it happened.
             */
            workspaceId: string;
            data: components["schemas"]["CampaignCompletedData"];
        };
        /** @description What `ping` tells. */
        PingData: {
            /**
             * Format: uuid
             * @description The endpoint that is tried out.
             */
            webhookId: string;
        };
        /** @description Sent by the test operation to one endpoint, whatever it subscribed to. */
        PingEvent: {
            /**
             * Format: uuid
             * @description The event. Ignore ids already handled.
             */
            id: string;
            /**
             * @description What happened, as in `X-Service-Event`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "ping";
            /**
             * Format: date-time
             * @description When it happened; compare it where order matters.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description The workspace in which it happened.
             */
            workspaceId: string;
            data: components["schemas"]["PingData"];
        };
        /** @description What an endpoint is sent, told apart by `type`. Later versions know more types. */
        WebhookEvent: components["schemas"]["MessageReceivedEvent"] | components["schemas"]["MessageStatusEvent"] | components["schemas"]["SaleCreatedEvent"] | components["schemas"]["CustomerOptedOutEvent"] | components["schemas"]["CampaignCompletedEvent"] | components["schemas"]["PingEvent"];
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
            /** @description A receiver should accept it. */
            valid: boolean;
            /** @description Empty where it is valid. */
            problems: {
                /**
                 * @description What is wrong, for programs.
                 * @enum {string}
                 */
                code: "header_missing" | "timestamp_missing" | "timestamp_repeated" | "timestamp_malformed" | "timestamp_too_old" | "timestamp_in_future" | "digest_missing" | "digest_malformed" | "digest_mismatch" | "body_changed" | "time_not_signed" | "secret_padded" | "secret_without_prefix" | "key_without_prefix" | "key_base64_decoded" | "secret_rotated" | "secret_of_other_endpoint";
                /** @description What is wrong and what to do about it. */
                message: string;
            }[];
            /** @description `t` of the header. */
            timestamp: number | null;
            /** @description From `t` to the time of receipt; more than 300 either way is refused. */
            secondsOff: number | null;
            /** @description Which `v1` fits, counted from 1. */
            matched: number | null;
            /** @description The digest that the secret as given makes of `t`, a dot and the body as given. */
            expected: string | null;
        };
        WebhookPage: {
            /** @description The records of this page. */
            data: components["schemas"]["Webhook"][];
            /** @description Send it as `cursor` for the next page; null at the end. */
            nextCursor: string | null;
        };
        Webhook: {
            /**
             * Format: uuid
             * @description The endpoint.
             */
            id: string;
            /** @description What it is called; null where it has no name. */
            name: string | null;
            /** @description Where its deliveries go, as it was written. */
            url: string;
            /** @description What the team calls it for; null where nothing was said. */
            description: string | null;
            /** @description The event types it is told of. */
            events: components["schemas"]["WebhookEventType"][];
            /** @description false: it is switched off, and its pending deliveries are held. */
            enabled: boolean;
            /** @description What your systems keep with it. */
            metadata: {
                [key: string]: string;
            };
            /** @description The names of your own headers; no answer has their values. */
            headers: string[];
            /** @description Deliveries a second at most; null where there is no such limit. */
            ratePerSecond: number | null;
            /** @description Maximum number of deliveries in progress at the same time; null if the owner set no limit. */
            maxConcurrency: number | null;
            /** @description A condition on `data.…`; an event for which it does not hold is passed over. */
            filter?: components["schemas"]["Condition"] | null;
            /**
             * Format: date-time
             * @description Since when its deliveries wait until it is released.
             */
            heldAt: string | null;
            /**
             * @description `service`: every attempt of five days had failed.
             * @enum {string|null}
             */
            heldBy: "owner" | "service" | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @deprecated
             * @description The same as `createdAt`, by its old name.
             */
            created: string;
            /**
             * Format: date-time
             * @deprecated
             * @description The same as `updatedAt`, by its old name.
             */
            updated: string;
        };
        ChangeWebhook: {
            /** @description https, a public host name (no IP address), port 443 or an unreserved port from 1024 up. */
            url?: string;
            /** @description Event types to be told of; no repeats. */
            events?: components["schemas"]["WebhookEventType"][];
            /** @description What people call it. */
            name?: string | null;
            /** @description Free label. */
            description?: string | null;
            /** @description Your own notes: at most 20 texts by names of up to 40 characters. Replaced as a whole. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Headers of your own, sent with every attempt: at most 20, together 16 KiB. Replaced as a whole; their values are in no answer. Not `Host`, `Content-…`, `X-Service-…`, nor what belongs to a single connection. */
            headers?: {
                [key: string]: string;
            };
            /** @description The most attempts begun in a second; null for as many as the endpoint bears. */
            ratePerSecond?: number | null;
            /** @description Maximum number of deliveries in progress at the same time; null for no limit of yours. */
            maxConcurrency?: number | null;
            /** @description A condition on `data.…`: an event for which it does not hold is passed over. null for none. */
            filter?: components["schemas"]["Condition"] | null;
            /** @description false holds pending deliveries until it is true again. */
            enabled?: boolean;
        };
        WebhookHealth: {
            /**
             * @description `failing`: every attempt since `since` failed. `held`: deliveries wait until it is released. `off`: it is switched off.
             * @enum {string}
             */
            state: "healthy" | "failing" | "held" | "off";
            /**
             * Format: date-time
             * @description Since when it is in this state.
             */
            since: string;
            /**
             * Format: date-time
             * @description When a receiver last took a delivery; null where none ever did.
             */
            lastSuccessAt: string | null;
            /** @description The last attempt that failed; null where none did. */
            lastFailure: {
                /**
                 * Format: date-time
                 * @description When the attempt began.
                 */
                at: string;
                /** @description What the receiver answered; null where nothing came. */
                statusCode: number | null;
                /** @description In words, as in the delivery. */
                error: string | null;
            } | null;
            /** @description Deliveries that wait for an attempt, counted up to 10,000. A healthy endpoint can be far behind. */
            waiting: number;
            /**
             * Format: date-time
             * @description When the event of the oldest waiting delivery happened; null where nothing waits. As `since` of a recovery it covers all that waits for another attempt.
             */
            waitingSince: string | null;
            /**
             * Format: date-time
             * @description Null where nothing waits, or nothing is attempted.
             */
            nextAttemptAt: string | null;
            /** @description The newest deliveries that were attempted, each with its last attempt, newest first. */
            last50: {
                /**
                 * Format: uuid
                 * @description The delivery.
                 */
                deliveryId: string;
                /**
                 * @description The type of its event.
                 * @enum {string}
                 */
                eventType: "message.received" | "message.status" | "sale.created" | "customer.opted_out" | "campaign.completed" | "ping";
                /**
                 * Format: date-time
                 * @description When its last attempt began.
                 */
                at: string;
                /**
                 * @description What has become of it so far.
                 * @enum {string}
                 */
                status: "pending" | "retrying" | "delivered" | "failed";
                /** @description What the receiver answered; null where nothing came. */
                statusCode: number | null;
                /** @description Why the attempt failed, in words; null where it did not. */
                error: string | null;
                /** @description How long the attempt took. */
                durationMs: number;
            }[];
            /** @description Half of them took no longer; null where there are none. */
            p50Ms: number | null;
            /** @description Nineteen of twenty took no longer; null where there are none. */
            p95Ms: number | null;
        };
        StartRecovery: {
            /**
             * Format: date-time
             * @description Only deliveries of events of this time or later.
             */
            since: string;
            /**
             * Format: date-time
             * @description And of none later than this; of none later than now where it is left out.
             */
            until?: string;
            /** @description true tells how many there are, and starts nothing. */
            preview?: boolean;
        };
        RecoveryPreview: {
            /** @description Deliveries of that time that have failed or wait for another attempt. */
            deliveries: number;
        };
        Recovery: {
            /**
             * Format: uuid
             * @description The recovery.
             */
            id: string;
            /**
             * Format: uuid
             * @description The endpoint whose deliveries are attempted once more.
             */
            webhookId: string;
            /**
             * Format: date-time
             * @description Deliveries of events of this time or later are.
             */
            since: string;
            /**
             * Format: date-time
             * @description And of none later than this.
             */
            until: string;
            /**
             * @description `running` until every one was attempted; `cancelled`: somebody took it back before.
             * @enum {string}
             */
            status: "running" | "completed" | "cancelled";
            /** @description Deliveries of that time that had failed or waited when it was started. */
            total: number;
            /** @description Of them, those that were attempted once more, whatever that came to. */
            done: number;
            /**
             * Format: date-time
             * @description When it was asked for.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was completed or cancelled; null until then.
             */
            finishedAt: string | null;
        };
        Delivery: {
            /**
             * Format: uuid
             * @description The delivery: one event for one endpoint, the same at each attempt. In `X-Service-Delivery` of each of them.
             */
            id: string;
            /**
             * Format: uuid
             * @description The outbound event that is delivered, by which a receiver knows it again.
             */
            eventId: string;
            /**
             * @description The type of the event, as in `X-Service-Event`.
             * @enum {string}
             */
            eventType: "message.received" | "message.status" | "sale.created" | "customer.opted_out" | "campaign.completed" | "ping";
            /**
             * @description `pending`: the first attempt is not finished; `retrying`: another attempt follows.
             * @enum {string}
             */
            status: "pending" | "retrying" | "delivered" | "failed";
            /** @description How many attempts were made so far. */
            attempts: number;
            /** @description Of the last attempt; null when there was no answer. */
            statusCode: number | null;
            /** @description Why the last attempt failed; null when it did not. */
            error: string | null;
            /** @description How long the last attempt took, in milliseconds; null before the first. */
            durationMs: number | null;
            /**
             * Format: date-time
             * @description When the event was handed out to this endpoint.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the last attempt began; null before the first.
             */
            lastAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due; null where none follows.
             */
            nextAttemptAt: string | null;
        };
        DeliveryList: {
            /** @description The deliveries, newest first. */
            data: components["schemas"]["Delivery"][];
            /** @description Send it as `cursor` for the next page; null at the end. */
            nextCursor: string | null;
        };
        DeliveryDetail: {
            /**
             * Format: uuid
             * @description The delivery: one event for one endpoint, the same at each attempt. In `X-Service-Delivery` of each of them.
             */
            id: string;
            /**
             * Format: uuid
             * @description The outbound event that is delivered, by which a receiver knows it again.
             */
            eventId: string;
            /**
             * @description The type of the event, as in `X-Service-Event`.
             * @enum {string}
             */
            eventType: "message.received" | "message.status" | "sale.created" | "customer.opted_out" | "campaign.completed" | "ping";
            /**
             * @description `pending`: the first attempt is not finished; `retrying`: another attempt follows.
             * @enum {string}
             */
            status: "pending" | "retrying" | "delivered" | "failed";
            /** @description How many attempts were made so far. */
            attempts: number;
            /** @description Of the last attempt; null when there was no answer. */
            statusCode: number | null;
            /** @description Why the last attempt failed; null when it did not. */
            error: string | null;
            /** @description How long the last attempt took, in milliseconds; null before the first. */
            durationMs: number | null;
            /**
             * Format: date-time
             * @description When the event was handed out to this endpoint.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the last attempt began; null before the first.
             */
            lastAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due; null where none follows.
             */
            nextAttemptAt: string | null;
            /** @description What was sent. */
            request: {
                /** @description Of the last attempt; empty before the first. */
                headers: {
                    [key: string]: string;
                };
                /** @description The raw body, as it was signed. */
                body: string;
            };
            /** @description Every attempt, the first in front. */
            attemptLog: {
                /**
                 * Format: date-time
                 * @description When the attempt began.
                 */
                at: string;
                /** @description The status that was answered; null where there was no answer. */
                statusCode: number | null;
                /** @description Why it failed; null where it did not. */
                error: string | null;
                /** @description How long it took, in milliseconds. */
                durationMs: number;
                /** @description The first KiB; null where there was none, and once it is no longer kept. */
                responseBody: string | null;
            }[];
        };
        OutboundEventPage: {
            /** @description The records of this page. */
            data: components["schemas"]["OutboundEvent"][];
            /** @description Send it as `cursor` for the next page; null at the end. */
            nextCursor: string | null;
        };
        OutboundEvent: {
            /**
             * Format: uuid
             * @description The event, as in `X-Service-Event-Id`.
             */
            id: string;
            /**
             * @description What it tells of.
             * @enum {string}
             */
            type: "message.received" | "message.status" | "sale.created" | "customer.opted_out" | "campaign.completed" | "ping";
            /**
             * Format: date-time
             * @description When it happened.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was decided which endpoints it goes to; null for the moment before.
             */
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
             * @description The event, as in `X-Service-Event-Id`.
             */
            id: string;
            /**
             * @description What it tells of.
             * @enum {string}
             */
            type: "message.received" | "message.status" | "sale.created" | "customer.opted_out" | "campaign.completed" | "ping";
            /**
             * Format: date-time
             * @description When it happened.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was decided which endpoints it goes to; null for the moment before.
             */
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
             * @description The endpoint.
             */
            webhookId: string;
            /** @description As it is today; people who are no owners see it without its path. */
            url: string;
            /**
             * Format: uuid
             * @description The newest, where it was sent again; null where it did not go.
             */
            deliveryId: string | null;
            /**
             * @description Of the delivery, now; `dropped`: the endpoint was deleted before it had it. Null also of one that is no longer kept.
             * @enum {string|null}
             */
            status: "pending" | "retrying" | "delivered" | "failed" | "dropped" | null;
            /**
             * @description Why it did not go there, as it was when it was fanned out; null where it did. `filter`: its filter did not let it through. `other_endpoint`: a ping, sent to another one.
             * @enum {string|null}
             */
            reason: "not_subscribed" | "disabled" | "filter" | "deleted" | "created_later" | "other_endpoint" | null;
        };
        SendAgain: {
            /**
             * Format: uuid
             * @description The endpoint it is to go to.
             */
            webhookId: string;
        };
        IssueApiKey: {
            /** @description The system that will use the key. */
            name: string;
        };
        IssuedApiKey: {
            /**
             * Format: uuid
             * @description The key, by which it is revoked; no secret.
             */
            id: string;
            /** @description The system that uses it. */
            name: string;
            /** @description The first 12 characters of the key. */
            prefix: string;
            /**
             * Format: date-time
             * @description When it was issued.
             */
            created: string;
            /**
             * Format: date-time
             * @description Since when it opens nothing; null while it is good.
             */
            revoked: string | null;
            /**
             * Format: date-time
             * @description When it was last used, up to a minute behind; null for one never used.
             */
            lastUsedAt: string | null;
            /** @description The key itself, shown only in this answer. */
            key: string;
        };
        ApiKeyPage: {
            /** @description The records of this page. */
            data: components["schemas"]["ApiKey"][];
            /** @description Send it as `cursor` for the next page; null at the end. */
            nextCursor: string | null;
        };
        ApiKey: {
            /**
             * Format: uuid
             * @description The key, by which it is revoked; no secret.
             */
            id: string;
            /** @description The system that uses it. */
            name: string;
            /** @description The first 12 characters of the key. */
            prefix: string;
            /**
             * Format: date-time
             * @description When it was issued.
             */
            created: string;
            /**
             * Format: date-time
             * @description Since when it opens nothing; null while it is good.
             */
            revoked: string | null;
            /**
             * Format: date-time
             * @description When it was last used, up to a minute behind; null for one never used.
             */
            lastUsedAt: string | null;
        };
        SignIn: {
            /** @description E-mail address of the account. */
            email: string;
            /** @description Of the account. */
            password: string;
        };
        /** @description A session, or where the account has a second factor what is needed to get one. */
        SignedIn: components["schemas"]["NewSession"] | components["schemas"]["SecondFactorWanted"];
        NewSession: {
            /** @description Sent as `Authorization: Bearer <token>`. Shown only here. */
            token: string;
            /**
             * Format: date-time
             * @description When the session ends by itself.
             */
            expiresAt: string;
            /** @description Who is signed in. */
            user: {
                /**
                 * Format: uuid
                 * @description The person, in all workspaces the same.
                 */
                id: string;
                /** @description With which they sign in. */
                email: string;
                /** @description What they are called. */
                name: string;
            };
            /** @description The workspace that calls are for. */
            workspace: {
                /**
                 * Format: uuid
                 * @description The workspace, for X-Workspace-Id.
                 */
                id: string;
                /** @description What it is called. */
                name: string;
            };
            /**
             * @description What the person may do there.
             * @enum {string}
             */
            role: "owner" | "agent";
        };
        /** @description The password was right; this account asks for a code besides. */
        SecondFactorWanted: {
            /** @description Always true: a code is wanted. */
            secondFactor: boolean;
            /** @description For `POST /v1/auth/sign-in/second-factor`, within ten minutes. */
            ticket: string;
        };
        SignInWithCode: {
            /** @description Of the answer to the password. */
            ticket: string;
            /** @description The six digits that the app shows, or a recovery code. */
            code: string;
        };
        SignInByLink: {
            /** @description Of the link: what stands behind #token=. */
            token: string;
        };
        AcceptInvitation: {
            /** @description From the invitation link. */
            token: string;
            /** @description What the new account is called; without it, as the invitation says, else what stands before the @. An existing account keeps its name. */
            name?: string;
            /** @description Of the new account: 12 to 1,000 characters, not among the most common passwords. Where the address has an account already, the password of that account; left out by whoever is signed in to it. */
            password?: string;
        };
        /** @description Who is signed in, in which workspace, and until when. */
        Session: {
            /**
             * Format: date-time
             * @description When the session ends by itself.
             */
            expiresAt: string;
            /** @description Who is signed in. */
            user: {
                /**
                 * Format: uuid
                 * @description The person, in all workspaces the same.
                 */
                id: string;
                /** @description With which they sign in. */
                email: string;
                /** @description What they are called. */
                name: string;
            };
            /** @description The workspace that calls are for. */
            workspace: {
                /**
                 * Format: uuid
                 * @description The workspace, for X-Workspace-Id.
                 */
                id: string;
                /** @description What it is called. */
                name: string;
            };
            /**
             * @description What the person may do there.
             * @enum {string}
             */
            role: "owner" | "agent";
        };
        MyWorkspaces: {
            /** @description The one joined first in front: the one meant where X-Workspace-Id is not sent. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace, for X-Workspace-Id.
                 */
                id: string;
                /** @description What it is called. */
                name: string;
                /**
                 * @description What the person may do there.
                 * @enum {string}
                 */
                role: "owner" | "agent";
            }[];
        };
        OwnSessionPage: {
            /** @description The records of this page. */
            data: components["schemas"]["OwnSession"][];
            /** @description Send it as `cursor` for the next page; null at the end. */
            nextCursor: string | null;
        };
        /** @description A session as the person whose it is sees it. */
        OwnSession: {
            /**
             * Format: uuid
             * @description The session.
             */
            id: string;
            /**
             * Format: date-time
             * @description When the person signed in.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was used last; up to two minutes behind. A session that was not used for 7 days is over.
             */
            lastSeenAt: string;
            /** @description The network address it was opened from; null where that was not kept yet. */
            address: string | null;
            /** @description What the browser or program that opened it says it is, up to 300 characters. */
            userAgent: string | null;
            /** @description The session that this call was made with. */
            current: boolean;
        };
        ChangePassword: {
            /** @description The password of the account as it is now. */
            currentPassword: string;
            /** @description Must not be among the most common passwords. */
            newPassword: string;
        };
        /** @description A person who can sign in. */
        User: {
            /**
             * Format: uuid
             * @description The person.
             */
            id: string;
            /** @description The address of the account. */
            email: string;
            /** @description What the person is called. */
            name: string;
            /** @description How the person reads: a language tag such as `de-AT`; null where they did not say. */
            locale: string | null;
            /** @description Where the person is: IANA; null where they did not say. */
            timezone: string | null;
        };
        ChangeUser: {
            /** @description What the person is called. */
            name?: string;
            /** @description A language tag (BCP 47); answered as it is written there. Null takes it away. */
            locale?: string | null;
            /** @description The name of a time zone, as IANA lists them. Null takes it away. */
            timezone?: string | null;
        };
        DeleteUser: {
            /** @description The password of the account as it is now. */
            password: string;
        };
        ForgotPassword: {
            /** @description E-mail address of the account. */
            email: string;
        };
        ResetPassword: {
            /** @description Of the link: what stands behind #token=. */
            token: string;
            /** @description The new one. */
            password: string;
        };
        ConfirmEmail: {
            /** @description Of the link: what stands behind #token=. */
            token: string;
        };
        /** @description The second factor of the person who asks. */
        Totp: {
            /** @description Signing in asks for a code. */
            enabled: boolean;
            /**
             * Format: date-time
             * @description When it was put to use.
             */
            since: string | null;
            /** @description Number of unused recovery codes, at most ten. `POST /v1/auth/totp/recovery-codes` replaces them. */
            recoveryCodesLeft: number;
        };
        BeginTotp: {
            /** @description The password of the account as it is now. */
            password: string;
        };
        NewTotp: {
            /** @description In base32, for typing into an app. Shown only here. */
            secret: string;
            /** @description `otpauth://`, to be shown as a QR code. */
            uri: string;
        };
        ConfirmTotp: {
            /** @description The six digits that the app shows, or a recovery code. */
            code: string;
        };
        RecoveryCodes: {
            /** @description Ten, each good once in place of a code of the app. Shown only here: keep them where the app is not. */
            recoveryCodes: string[];
        };
        RenewRecoveryCodes: {
            /** @description The password of the account as it is now. */
            password: string;
            /** @description The six digits that the app shows, or a recovery code. */
            code: string;
        };
        RemoveTotp: {
            /** @description The password of the account as it is now. */
            password: string;
            /** @description The six digits that the app shows, or a recovery code. */
            code: string;
        };
        InviteMember: {
            /** @description However its letters are cased, an address is in a team once. */
            email: string;
            /**
             * @description `owner` manages everything; `agent` reads what the team works with, answers conversations and marks sales.
             * @enum {string}
             */
            role: "owner" | "agent";
            /** @description What the person is called, as the invitation says. */
            name?: string;
        };
        InvitedMember: {
            /**
             * Format: uuid
             * @description The member.
             */
            id: string;
            /**
             * Format: uuid
             * @description Whom `assigneeId` of a conversation and `sentBy` of a message name; null for an invitation that nobody has accepted yet.
             */
            userId: string | null;
            /** @description With which the person signs in. */
            email: string;
            /** @description Null for an invitation that gave none. */
            name: string | null;
            /**
             * @description `owner` manages everything; `agent` reads what the team works with, answers conversations and marks sales.
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
             * @description Null for whom nobody invited: the first owner.
             */
            invitedAt: string | null;
            /**
             * Format: date-time
             * @description When the invitation was accepted; null until then.
             */
            joinedAt: string | null;
            /** @description Shown only in this answer; good for one use. */
            invitation: {
                /**
                 * Format: uri
                 * @description The link for the person invited; null where it is mailed to them.
                 */
                url: string | null;
                /** @description For `POST /v1/auth/accept-invitation`; the link carries the same. */
                token: string | null;
                /** @description The link goes to the address invited, and nobody else is shown it. */
                mailed: boolean;
                /**
                 * Format: date-time
                 * @description Until when it is good.
                 */
                expiresAt: string;
            };
        };
        MemberPage: {
            /** @description The records of this page. */
            data: components["schemas"]["Member"][];
            /** @description Send it as `cursor` for the next page; null at the end. */
            nextCursor: string | null;
        };
        Member: {
            /**
             * Format: uuid
             * @description The member.
             */
            id: string;
            /**
             * Format: uuid
             * @description Whom `assigneeId` of a conversation and `sentBy` of a message name; null for an invitation that nobody has accepted yet.
             */
            userId: string | null;
            /** @description With which the person signs in. */
            email: string;
            /** @description Null for an invitation that gave none. */
            name: string | null;
            /**
             * @description `owner` manages everything; `agent` reads what the team works with, answers conversations and marks sales.
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
             * @description Null for whom nobody invited: the first owner.
             */
            invitedAt: string | null;
            /**
             * Format: date-time
             * @description When the invitation was accepted; null until then.
             */
            joinedAt: string | null;
        };
        ChangeMember: {
            /**
             * @description `owner` manages everything; `agent` reads what the team works with, answers conversations and marks sales.
             * @enum {string}
             */
            role: "owner" | "agent";
        };
        Workspace: {
            /**
             * Format: uuid
             * @description The workspace.
             */
            id: string;
            /** @description What it is called. */
            name: string;
            /** @description IANA. */
            timezone: string;
            /** @description Members without a second factor are kept out. */
            requireSecondFactor: boolean;
            /**
             * Format: date-time
             * @description When it was made.
             */
            createdAt: string;
        };
        ChangeWorkspace: {
            /** @description What the workspace is called. */
            name?: string;
            /** @description IANA. What a time of day means in workflows for a customer without a time zone of their own. */
            timezone?: string;
            /** @description Keeps out members without a second factor, from their next request on. An owner who has one may switch it on. */
            requireSecondFactor?: boolean;
        };
        /** @description What the plan includes. An allowance that is full answers 409 plan_limit_reached. */
        Entitlements: {
            /** @description The plan that the workspace is on. */
            plan: {
                /** @description Such as `growth`. */
                id: string;
                /** @description For people. */
                name: string;
            };
            /** @description What it includes at all; without it calls are 403 `feature_not_available`. */
            features: {
                /** @description API keys. */
                api: boolean;
                /** @description Webhook endpoints. */
                webhooks: boolean;
                /** @description Workflows of any kind. */
                workflows: boolean;
                /** @description Campaigns. */
                campaigns: boolean;
                /** @description Nothing asks for it yet. */
                ai: boolean;
            };
            /** @description Of what there may be so many. */
            allowances: {
                /** @description Workflows that are switched on. */
                activeWorkflows: {
                    /** @description The most there may be; null = without limit. */
                    limit: number | null;
                    /** @description How many there are; more than the limit after a change to a smaller plan. */
                    used: number;
                };
                /** @description Members and invitations. */
                teamSeats: {
                    /** @description The most there may be; null = without limit. */
                    limit: number | null;
                    /** @description How many there are; more than the limit after a change to a smaller plan. */
                    used: number;
                };
                /** @description Channels that are not disconnected. */
                connectedNumbers: {
                    /** @description The most there may be; null = without limit. */
                    limit: number | null;
                    /** @description How many there are; more than the limit after a change to a smaller plan. */
                    used: number;
                };
                /** @description Templates. */
                templates: {
                    /** @description The most there may be; null = without limit. */
                    limit: number | null;
                    /** @description How many there are; more than the limit after a change to a smaller plan. */
                    used: number;
                };
                /** @description Events recorded in the calendar month, UTC. */
                monthlyEvents: {
                    /** @description The most there may be; null = without limit. */
                    limit: number | null;
                    /** @description How many there are; more than the limit after a change to a smaller plan. */
                    used: number;
                    /**
                     * Format: date-time
                     * @description When the next month begins, and `used` is 0 again.
                     */
                    resetsAt: string;
                };
            };
        };
        AuditEntryPage: {
            /** @description The records of this page. */
            data: components["schemas"]["AuditEntry"][];
            /** @description Send it as `cursor` for the next page; null at the end. */
            nextCursor: string | null;
        };
        /** @description Who did what to which record, when, and from which address. */
        AuditEntry: {
            /**
             * Format: uuid
             * @description The entry.
             */
            id: string;
            /**
             * Format: date-time
             * @description When it was done.
             */
            at: string;
            /** @description Who did it. */
            actor: {
                /**
                 * @description `operator`: whoever runs the service, on the command line. `unknown`: somebody who did not show who they are, as with a wrong password.
                 * @enum {string}
                 */
                type: "user" | "api_key" | "operator" | "unknown";
                /**
                 * Format: uuid
                 * @description Of the person or the key; null for `operator` and `unknown`.
                 */
                id: string | null;
                /** @description What they are called today; null for `operator` and `unknown`, and once the account is gone. */
                name: string | null;
            };
            action: components["schemas"]["AuditAction"];
            /** @description What it was done to. */
            target: {
                /**
                 * @description The kind of record. Later versions know more.
                 * @enum {string}
                 */
                type: "user" | "api_key" | "webhook" | "delivery" | "recovery" | "member" | "workspace" | "channel" | "workflow" | "run" | "template" | "campaign" | "customer" | "sale" | "conversation";
                /**
                 * Format: uuid
                 * @description That record.
                 */
                id: string;
            };
            /** @description A few words about it, as things were called then. Holds no secret, and nothing of a customer. `emailHash` is the SHA-256, in hex, of an e-mail address in small letters. */
            detail: {
                [key: string]: unknown;
            };
            /** @description The network address that the request came from. */
            address: string | null;
            /**
             * Format: uuid
             * @description The `X-Request-Id` of its answer.
             */
            requestId: string | null;
        };
        /**
         * @description What was done, named as the operation that does it; `signInFailed` is a `signIn`, or an `acceptInvitation`, with a wrong password; `createWorkspace`, `changePlan`, `makeResetLink`, `makeSignInLink`, `disableUser` and `enableUser` are commands of the operator. Later versions know more.
         * @enum {string}
         */
        AuditAction: "signIn" | "signInFailed" | "signOut" | "acceptInvitation" | "signInWithCode" | "signInByLink" | "endSession" | "endOtherSessions" | "changePassword" | "resetPassword" | "confirmEmail" | "changeUser" | "deleteUser" | "confirmTotp" | "removeTotp" | "renewRecoveryCodes" | "issueApiKey" | "revokeApiKey" | "createWebhook" | "changeWebhook" | "deleteWebhook" | "rotateWebhookSecret" | "holdWebhook" | "releaseWebhook" | "testWebhook" | "retryDelivery" | "sendOutboundEvent" | "startRecovery" | "cancelRecovery" | "inviteMember" | "changeMember" | "removeMember" | "changeWorkspace" | "connectChannel" | "changeChannel" | "disconnectChannel" | "createWorkflow" | "changeWorkflow" | "publishWorkflow" | "deleteWorkflow" | "stopRun" | "createTemplate" | "changeTemplate" | "deleteTemplate" | "createCampaign" | "changeCampaign" | "deleteCampaign" | "startCampaign" | "pauseCampaign" | "resumeCampaign" | "cancelCampaign" | "replaceOptOutWords" | "liftOptOut" | "decideOptOut" | "eraseCustomer" | "voidSale" | "testChannel" | "createWorkspace" | "changePlan" | "makeResetLink" | "makeSignInLink" | "disableUser" | "enableUser";
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
        /** @description `internal_error`: not now. `details.reason` is `overloaded` or `database_unavailable`. Retry after `Retry-After`; a list that took too long is read faster with filters or a smaller limit. */
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
                 *         "message": "The service cannot reach its database at the moment. Wait as many seconds as the header Retry-After says.",
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
        /** @description Identifies the request; quote it to support. */
        RequestId: string;
        /** @description The path of what was made. */
        Location: string;
        /** @description The version of the record: its `updatedAt` (of an endpoint `updated`) in quotation marks. */
        ETag: string;
        /** @description How many calls the caller may make at once. */
        RateLimitLimit: number;
        /** @description How many of them are left. */
        RateLimitRemaining: number;
        /** @description In how many seconds all of them are there again. */
        RateLimitReset: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listEvents: {
        parameters: {
            query?: {
                /** @description How many records a page holds at most. */
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
            /** @description `invalid_request`: a query parameter is not known, or does not fit; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: neither a good API key nor the token of a living session was sent. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. `feature_not_available`: the plan does not include `api`, which calls with a key need. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or the list took too long. Come back after `Retry-After`, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    recordEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
                /** @description The same as the field `idempotencyKey` of the body. Where both are given they must be alike. */
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
            /** @description The idempotency key had been seen: nothing is recorded, and this is the first event. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    /** @description `true` where a repeat differs from the first event of its key: `mismatch` says in what. */
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
            /** @description The event is recorded: it is on disk, and so are the runs it started. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice, the header `Idempotency-Key` says another key than the body, or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: neither a good API key nor the token of a living session was sent. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. `feature_not_available`: the plan does not include `api`, which calls with a key need. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `plan_limit_reached`: the allowance `monthlyEvents` is full. Make room, or take a larger plan. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    /** @description `true` where a repeat differs from the first event of its key: `mismatch` says in what. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: neither a good API key nor the token of a living session was sent. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. `feature_not_available`: the plan does not include `api`, which calls with a key need. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    checkEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
                /** @description The same as the field `idempotencyKey` of the body. Where both are given they must be alike. */
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
            /** @description The judgement. In `outcomes`, `started` means that the workflow would start; there is no run. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice, the header `Idempotency-Key` says another key than the body, or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: neither a good API key nor the token of a living session was sent. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. `feature_not_available`: the plan does not include `api`, which calls with a key need. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
                /** @description The id of the event. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: neither a good API key nor the token of a living session was sent. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. `feature_not_available`: the plan does not include `api`, which calls with a key need. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such event in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    listActivityEvents: {
        parameters: {
            query?: {
                /** @description How many records a page holds at most. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description Only events of this type, equal to the letter. */
                type?: string;
                /** @description Why nothing ran: nothing listens for the type; an automation listens but is switched off; one is switched on but never published; one was ready but did not run for this customer. */
                reason?: "no_listener" | "switched_off" | "never_published" | "not_run_for_customer";
                /** @description Only events that started an automation, or only those of which none ran. */
                started?: boolean;
                /** @description Only events that came from this store plugin, or from code of your own (`custom`). */
                sender?: "custom" | "woocommerce" | "shopify" | "magento" | "prestashop" | "shopware" | "opencart" | "bigcommerce" | "wix" | "squarespace" | "ecwid" | "vtex" | "oxid" | "jtl";
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
                    "application/json": components["schemas"]["ActivityEventPage"];
                };
            };
            /** @description `invalid_request`: a query parameter is not known, or does not fit; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or the list took too long. Come back after `Retry-After`, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    summariseActivity: {
        parameters: {
            query?: {
                /** @description Beginning with the hour, or the day, of this time; without it 24 hours, or 30 days, that end with `to`. At most 31 days before `to` by the hour, 400 by the day. */
                from?: string;
                /** @description Ending with the hour, or the day, of this time; without it now. */
                to?: string;
                /** @description Hours, or days of UTC. */
                by?: "hour" | "day";
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
            /** @description Every hour, or day, that was asked for. */
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
            /** @description `invalid_request`: a query parameter is not known, or does not fit; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or the list took too long. Come back after `Retry-After`, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    listAttention: {
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
            /** @description What needs somebody; empty when all is well. */
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
                     *           "title": "shop.example.com fails: HTTP 503.",
                     *           "detail": "The last 37 attempts failed. 1,204 deliveries wait. The next attempt is in 4 minutes.",
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    search: {
        parameters: {
            query?: {
                /** @description An id of any record, the `request_id` of a refusal, a phone number however it is spaced, an external id or an address on a channel, each as a whole; or the beginning of the name of a customer, a workflow or an endpoint, however it is cased. Nothing is found without it. */
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
            /** @description What was found. */
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
            /** @description `invalid_request`: a query parameter is not known, or does not fit; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or the list took too long. Come back after `Retry-After`, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    listNotAccepted: {
        parameters: {
            query?: {
                /** @description How many records a page holds at most. */
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
                     *           "message": "externalId: No customer has this external id, and an external id never enrols one.",
                     *           "details": {
                     *             "externalId": "No customer has this external id, and an external id never enrols one."
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
            /** @description `invalid_request`: a query parameter is not known, or does not fit; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or the list took too long. Come back after `Retry-After`, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    readNotAccepted: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the rejected event. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The problem. */
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
                     *       "message": "externalId: No customer has this external id, and an external id never enrols one.",
                     *       "details": {
                     *         "externalId": "No customer has this external id, and an external id never enrols one."
                     *       },
                     *       "severity": "error",
                     *       "eventId": null,
                     *       "requestId": "01981b81-6f40-7c11-8a1e-6c1d0e7f9b02"
                     *     }
                     */
                    "application/json": components["schemas"]["NotAccepted"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such rejected event in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    openStream: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
                /** @description The last `id:` that was heard: what happened since is told first. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream, which ends with its session or when its reader is too slow. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller is over the rate limit, or you or the workspace have as many streams open as may be. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                /** @description How many records a page holds at most. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description Only the customer with exactly this number; write its + as %2B. */
                phone?: string;
                /** @description Only the customer with exactly this id. */
                externalId?: string;
                /** @description Only customers whose name, phone or external id holds this text, however it is cased. A page is full, or it is the last: only where a text without three letters (a to z) or digits in a row, or one that 50,000 customers hold, is rare among the newest million customers, a page may be short, and `nextCursor` goes on. */
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
            /** @description `invalid_request`: a query parameter is not known, or does not fit; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: neither a good API key nor the token of a living session was sent. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. `feature_not_available`: the plan does not include `api`, which calls with a key need. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or the list took too long. Come back after `Retry-After`, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    upsertCustomer: {
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
            /** @description The customer as it is now. */
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
            /** @description The customer is new. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: neither a good API key nor the token of a living session was sent. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. `feature_not_available`: the plan does not include `api`, which calls with a key need. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `conflict`: the identifiers belong to two customers; `details` names the field and whose it is. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the workspace has 5,000,000 customers, and nobody of them is meant. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: neither a good API key nor the token of a living session was sent. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. `feature_not_available`: the plan does not include `api`, which calls with a key need. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `conflict`: another customer has this phone or external id; `details` names the field and whose it is. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the workspace has 5,000,000 customers. Erase some that you no longer need. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
                /** @description The id of the customer. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: neither a good API key nor the token of a living session was sent. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. `feature_not_available`: the plan does not include `api`, which calls with a key need. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such customer in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
                /** @description The id of the customer. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: neither a good API key nor the token of a living session was sent. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. `feature_not_available`: the plan does not include `api`, which calls with a key need. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such customer in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
                /** @description The id of the customer. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: neither a good API key nor the token of a living session was sent. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. `feature_not_available`: the plan does not include `api`, which calls with a key need. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such customer in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `conflict`: another customer has this phone or external id; `details` names the field and whose it is. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: without phone and external id the customer could not be found again. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
                /** @description The id of the customer. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: neither a good API key nor the token of a living session was sent. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. `feature_not_available`: the plan does not include `api`, which calls with a key need. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such customer in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
                /** @description The id of the customer. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: neither a good API key nor the token of a living session was sent. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. `feature_not_available`: the plan does not include `api`, which calls with a key need. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such customer in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    liftOptOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the customer. */
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
            /** @description The customer, opted out no more. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such customer in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the customer has not opted out. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    listConsents: {
        parameters: {
            query?: {
                /** @description How many records a page holds at most. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the customer. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the ledger. */
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
            /** @description `invalid_request`: a query parameter is not known, or does not fit; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: neither a good API key nor the token of a living session was sent. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. `feature_not_available`: the plan does not include `api`, which calls with a key need. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such customer in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or the list took too long. Come back after `Retry-After`, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    readTimeline: {
        parameters: {
            query?: {
                /** @description How many records a page holds at most. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the customer. */
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
            /** @description `invalid_request`: a query parameter is not known, or does not fit; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: neither a good API key nor the token of a living session was sent. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. `feature_not_available`: the plan does not include `api`, which calls with a key need. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such customer in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or the list took too long. Come back after `Retry-After`, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    listWorkflows: {
        parameters: {
            query?: {
                /** @description How many records a page holds at most. */
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
            /** @description `invalid_request`: a query parameter is not known, or does not fit; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or the list took too long. Come back after `Retry-After`, with filters or a smaller limit. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. `feature_not_available`: the plan does not include `workflows`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the workspace has 500 workflows. Remove one that you no longer need. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    checkWorkflow: {
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
            /** @description The judgement. */
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
                     *         "definition.start": "There is no step \"thank\"; the steps are wait, big, vip, thanks."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CheckedWorkflow"];
                };
            };
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
                /** @description The id of the workflow. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such workflow in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    deleteWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
                /** @description The `ETag` of the version that is to be changed. Where the record has another one by now, it is 409 `conflict`, and `details.version` holds its ETag. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the workflow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workflow is gone. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such workflow in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `conflict`: the record has another version than `If-Match` says: `details.version` holds its ETag. Read it again. */
            409: components["responses"]["Error409"];
            /** @description `unprocessable`: the workflow is switched on, or has runs under way. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    changeWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
                /** @description The `ETag` of the version that is to be changed. Where the record has another one by now, it is 409 `conflict`, and `details.version` holds its ETag. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the workflow. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. `feature_not_available`: the plan does not include `workflows`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such workflow in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `plan_limit_reached`: the allowance `activeWorkflows` is full. Make room, or take a larger plan. `conflict`: the record has another version than `If-Match` says: `details.version` holds its ETag. Read it again. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: switched on, it would name templates that are gone, or that lack a value; `details` says where. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    publishWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
                /** @description The `ETag` of the version that is to be changed. Where the record has another one by now, it is 409 `conflict`, and `details.version` holds its ETag. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the workflow. */
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
            /** @description `invalid_request`: the draft is not complete: `details` names each fault at its place within `definition`. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. `feature_not_available`: the plan does not include `workflows`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such workflow in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `conflict`: the draft changed while it was being published. Read it again. Or the record has another version than `If-Match` says: `details.version` holds its ETag. Read it again. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: runs under way need all of the 200 versions that a workflow may have. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    listWorkflowVersions: {
        parameters: {
            query?: {
                /** @description How many records a page holds at most. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the workflow. */
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
            /** @description `invalid_request`: a query parameter is not known, or does not fit; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such workflow in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or the list took too long. Come back after `Retry-After`, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    readWorkflowVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the workflow. */
                id: string;
                /** @description The number of the version, counted from 1. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such version in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    readWorkflowImpact: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the workflow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As of this moment. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such workflow in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    readWorkflowStats: {
        parameters: {
            query?: {
                /** @description Whether to tell the last 7 days one by one too. */
                by?: "day";
            };
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the workflow. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As of this moment. */
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
            /** @description `invalid_request`: a query parameter is not known, or does not fit; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such workflow in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or the list took too long. Come back after `Retry-After`, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /** @description How many records a page holds at most. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the workflow. */
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
            /** @description `invalid_request`: a query parameter is not known, or does not fit; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such workflow in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or the list took too long. Come back after `Retry-After`, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    readRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the run. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such run in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    stopRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the run. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run as it is now. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. `feature_not_available`: the plan does not include `workflows`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such run in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unprocessable`: the run has ended already. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    tryWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the workflow. */
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
            /** @description What would happen. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such workflow in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    replayWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the workflow. */
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
            /** @description What would have happened. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such workflow in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    listChannels: {
        parameters: {
            query?: {
                /** @description How many records a page holds at most. */
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
            /** @description `invalid_request`: a query parameter is not known, or does not fit; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or the list took too long. Come back after `Retry-After`, with filters or a smaller limit. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `plan_limit_reached`: the allowance `connectedNumbers` is full. Make room, or take a larger plan. `conflict`: a channel with this number is connected already. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the operator has set no `SECRETS_KEY`, under which credentials are kept. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    readChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the channel. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such channel in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    disconnectChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the channel. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such channel in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    changeChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the channel. */
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
            /** @description The channel as it is now. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such channel in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `conflict`: a channel with this number is connected already. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the channel is disconnected and stays so; or the operator has set no `SECRETS_KEY`. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    testChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the channel. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the provider said. */
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
                     *       "detail": "The sandbox is a part of this service."
                     *     }
                     */
                    "application/json": components["schemas"]["ChannelTest"];
                };
            };
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such channel in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unprocessable`: the channel is disconnected and stays so. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    writeSandboxMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the channel. */
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
            /** @description The message, as it was received. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such channel in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the channel is no sandbox, or is disconnected. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    tellSandboxStatus: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the channel. */
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
            /** @description It is recorded. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such channel in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the channel is no sandbox, or is disconnected. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    listConversations: {
        parameters: {
            query?: {
                /** @description How many records a page holds at most. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description Only those that are open, or only those that are closed. */
                status?: "open" | "closed";
                /** @description `me`, `none`, or the `userId` of a member. */
                assigneeId?: string;
                /** @description Only those with unread messages, or only those without. */
                unread?: boolean;
                /** @description Only those whose customer waits for an answer, or only the others. */
                waiting?: boolean;
                /** @description Only those over this channel. */
                channelId?: string;
                /** @description Only those with this customer. */
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
            /** @description `invalid_request`: a query parameter is not known, or does not fit; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or the list took too long. Come back after `Retry-After`, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    openConversation: {
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
                 *       "channelId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7d01",
                 *       "customerId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e02"
                 *     }
                 */
                "application/json": components["schemas"]["OpenConversation"];
            };
        };
        responses: {
            /** @description The conversation there was. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: it cannot be opened; `details.reason` is `channel_disconnected` or `no_address`. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    readConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the conversation. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such conversation in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    changeConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
                /** @description The `ETag` of the version that is to be changed. Where the record has another one by now, it is 409 `conflict`, and `details.version` holds its ETag. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the conversation. */
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
            /** @description The conversation as it is now. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such conversation in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `conflict`: the record has another version than `If-Match` says: `details.version` holds its ETag. Read it again. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    markConversationRead: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the conversation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is read. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such conversation in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    decideOptOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the conversation. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such conversation in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    listConversationMessages: {
        parameters: {
            query?: {
                /** @description How many records a page holds at most. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the conversation. */
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
            /** @description `invalid_request`: a query parameter is not known, or does not fit; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such conversation in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or the list took too long. Come back after `Retry-After`, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    writeMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
                /** @description The same as the field `idempotencyKey` of the body. Where both are given they must be alike. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the conversation. */
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
            /** @description The message that was written with the same `idempotencyKey` before. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice, the header `Idempotency-Key` says another key than the body, or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such conversation in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: it may not be written; `details.reason` is `channel_disconnected`, `no_address`, `opted_out`, `no_opt_in` or `window_closed`. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    resendMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the message. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message that was made of it before. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such message in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unprocessable`: only a message of ours that is failed, unknown or skipped is sent again, and only where it could be written now; `details.reason` says why it could not. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    challengeWhatsapp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the channel. */
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
            /** @description `forbidden`: the verify token is not that of the channel. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such channel. */
            404: components["responses"]["Error404"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    receiveWhatsapp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the channel. */
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
            /** @description It is recorded; the body is empty. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: the body is larger than 3 MiB. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the signature is missing, or is not the provider's over this body. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which reaches nothing here. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such channel. */
            404: components["responses"]["Error404"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    receiveTwilio: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the channel. */
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
            /** @description It is recorded. The body, text/xml, is a `<Response/>` that asks for nothing. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: the body is larger than 3 MiB. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the signature is missing, or is not the provider's over this body and address. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which reaches nothing here. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such channel. */
            404: components["responses"]["Error404"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /** @description How many records a page holds at most. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description Only those from or to this customer. */
                customerId?: string;
                /** @description Only those that this run wrote. */
                runId?: string;
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
            /** @description `invalid_request`: a query parameter is not known, or does not fit; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or the list took too long. Come back after `Retry-After`, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    readMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the message. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such message in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                /** @description How many records a page holds at most. */
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
            /** @description `invalid_request`: a query parameter is not known, or does not fit; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or the list took too long. Come back after `Retry-After`, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    createTemplate: {
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `plan_limit_reached`: the allowance `templates` is full. Make room, or take a larger plan. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    readTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the template. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such template in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    deleteTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
                /** @description The `ETag` of the version that is to be changed. Where the record has another one by now, it is 409 `conflict`, and `details.version` holds its ETag. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the template. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such template in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `conflict`: a workflow that is switched on or a campaign that is under way uses it; `details` holds their ids. Or the record has another version than `If-Match` says: `details.version` holds its ETag. Read it again. */
            409: components["responses"]["Error409"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    changeTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
                /** @description The `ETag` of the version that is to be changed. Where the record has another one by now, it is 409 `conflict`, and `details.version` holds its ETag. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the template. */
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
            /** @description The template as it is now. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such template in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `conflict`: a workflow that is switched on or a campaign under way writes by it without a variable that is new; `details` holds their ids. Or the record has another version than `If-Match` says: `details.version` holds its ETag. Read it again. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    previewTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the template. */
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
            /** @description What it would say, and which values it lacks. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such template in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    markSale: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the conversation. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such conversation in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the customer of the conversation was erased. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    listSales: {
        parameters: {
            query?: {
                /** @description How many records a page holds at most. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description Only those of this customer. */
                customerId?: string;
                /** @description Only those of this conversation. */
                conversationId?: string;
                /** @description Only those marked at this time or later. */
                from?: string;
                /** @description Only those marked before this time. */
                to?: string;
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
            /** @description `invalid_request`: a query parameter is not known, or does not fit; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or the list took too long. Come back after `Retry-After`, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    readSale: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the sale. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such sale in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    voidSale: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the sale. */
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
            /** @description The sale, voided. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such sale in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the sale was voided already. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    readOptOutWords: {
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
            /** @description The words. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    replaceOptOutWords: {
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
            /** @description The words as they are now. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    listCampaigns: {
        parameters: {
            query?: {
                /** @description How many records a page holds at most. */
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
            /** @description `invalid_request`: a query parameter is not known, or does not fit; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or the list took too long. Come back after `Retry-After`, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    createCampaign: {
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. `feature_not_available`: the plan does not include `campaigns`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the channel is disconnected, or its provider sends approved templates alone and this is none; or the workspace has 500 campaigns that have not ended. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    readCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the campaign. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such campaign in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    deleteCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
                /** @description The `ETag` of the version that is to be changed. Where the record has another one by now, it is 409 `conflict`, and `details.version` holds its ETag. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the campaign. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The campaign is gone. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such campaign in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `conflict`: the record has another version than `If-Match` says: `details.version` holds its ETag. Read it again. */
            409: components["responses"]["Error409"];
            /** @description `unprocessable`: only a draft or a scheduled campaign can be removed. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    changeCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
                /** @description The `ETag` of the version that is to be changed. Where the record has another one by now, it is 409 `conflict`, and `details.version` holds its ETag. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the campaign. */
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
            /** @description The campaign as it is now. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. `feature_not_available`: the plan does not include `campaigns`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such campaign in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `conflict`: the record has another version than `If-Match` says: `details.version` holds its ETag. Read it again. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: only a draft or a scheduled campaign can be changed; or its channel is disconnected, or takes no such template. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    previewCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the campaign. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. `feature_not_available`: the plan does not include `campaigns`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such campaign in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    startCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the campaign. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. `feature_not_available`: the plan does not include `campaigns`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such campaign in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: only a draft or a scheduled campaign can be started; or it fits its template or its channel no more. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    pauseCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the campaign. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. `feature_not_available`: the plan does not include `campaigns`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such campaign in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unprocessable`: only a running campaign can be paused. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    resumeCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the campaign. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. `feature_not_available`: the plan does not include `campaigns`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such campaign in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unprocessable`: only a paused campaign can be resumed; or it fits its template or its channel no more. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    cancelCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the campaign. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such campaign in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unprocessable`: the campaign is over. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    listCampaignRecipients: {
        parameters: {
            query?: {
                /** @description How many records a page holds at most. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description Only recipients with this outcome. */
                outcome?: "pending" | "queued" | "sent" | "skipped" | "unknown";
            };
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the campaign. */
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
            /** @description `invalid_request`: a query parameter is not known, or does not fit; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such campaign in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or the list took too long. Come back after `Retry-After`, with filters or a smaller limit. */
            503: components["responses"]["Error503"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description How many records a page holds at most. */
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
            /** @description `invalid_request`: a query parameter is not known, or does not fit; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or the list took too long. Come back after `Retry-After`, with filters or a smaller limit. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. `feature_not_available`: the plan does not include `webhooks`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the workspace has 10 endpoints already, and one is to be removed first; or there are `headers`, and the operator has set no `SECRETS_KEY`, under which they are kept. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
                /** @description The id of the webhook endpoint. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such webhook endpoint in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
                /** @description The `ETag` of the version that is to be changed. Where the record has another one by now, it is 409 `conflict`, and `details.version` holds its ETag. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the webhook endpoint. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such webhook endpoint in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `conflict`: the record has another version than `If-Match` says: `details.version` holds its ETag. Read it again. */
            409: components["responses"]["Error409"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
                /** @description The `ETag` of the version that is to be changed. Where the record has another one by now, it is 409 `conflict`, and `details.version` holds its ETag. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the webhook endpoint. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. `feature_not_available`: the plan does not include `webhooks`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such webhook endpoint in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `conflict`: the record has another version than `If-Match` says: `details.version` holds its ETag. Read it again. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: there are `headers`, and the operator has set no `SECRETS_KEY`, under which they are kept. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    readWebhookHealth: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How it does. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such webhook endpoint in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    holdWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint as it is now. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such webhook endpoint in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    releaseWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint as it is now. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. `feature_not_available`: the plan does not include `webhooks`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such webhook endpoint in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    startRecovery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the webhook endpoint. */
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
            /** @description With `preview`: how many there are. */
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
            /** @description The recovery, which has begun. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. `feature_not_available`: the plan does not include `webhooks`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such webhook endpoint in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `conflict`: a recovery of this endpoint is running. Wait for its end, or cancel it. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: more than 100,000 deliveries of that time have failed or wait. Choose a shorter time. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    readRecovery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the webhook endpoint. */
                id: string;
                /** @description The id of the recovery. */
                recoveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How far it is. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such recovery in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    cancelRecovery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the webhook endpoint. */
                id: string;
                /** @description The id of the recovery. */
                recoveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It makes nothing more due. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such recovery in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
                /** @description The id of the webhook endpoint. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. `feature_not_available`: the plan does not include `webhooks`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such webhook endpoint in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
                /** @description The id of the webhook endpoint. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. `feature_not_available`: the plan does not include `webhooks`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such webhook endpoint in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description How many records a page holds at most. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description Only those of this status. */
                status?: "pending" | "retrying" | "delivered" | "failed";
                /** @description Only those of events of this type. */
                eventType?: "message.received" | "message.status" | "sale.created" | "customer.opted_out" | "campaign.completed" | "ping";
            };
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deliveries, newest first. */
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
            /** @description `invalid_request`: a query parameter is not known, or does not fit; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such webhook endpoint in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or the list took too long. Come back after `Retry-After`, with filters or a smaller limit. */
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
                /** @description The id of the webhook endpoint. */
                id: string;
                /** @description The id of the delivery. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such delivery in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
                /** @description The id of the webhook endpoint. */
                id: string;
                /** @description The id of the delivery. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. `feature_not_available`: the plan does not include `webhooks`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such delivery in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unprocessable`: the delivery is pending or delivered, or a retry of it is due already. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    listOutboundEvents: {
        parameters: {
            query?: {
                /** @description How many records a page holds at most. */
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
            /** @description `invalid_request`: a query parameter is not known, or does not fit; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or the list took too long. Come back after `Retry-After`, with filters or a smaller limit. */
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
                /** @description The id of the outbound event. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such outbound event in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    sendOutboundEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of several workspaces the signed-in person is in, the one meant; without it, the one joined first. An API key has one workspace. */
                "X-Workspace-Id"?: string;
            };
            path: {
                /** @description The id of the outbound event. */
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
            /** @description The new delivery; read it again to see how it went. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. `feature_not_available`: the plan does not include `webhooks`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such outbound event in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description How many records a page holds at most. */
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
            /** @description `invalid_request`: a query parameter is not known, or does not fit; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or the list took too long. Come back after `Retry-After`, with filters or a smaller limit. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. `feature_not_available`: the plan does not include `api`. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the workspace has 100 keys already that are not revoked. Revoke one that nothing uses any more. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
                /** @description The id of the API key. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such API key in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no account has this e-mail address and password. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: the account is in no workspace, or was switched off; or an API key was sent, which reaches nothing here. */
            403: components["responses"]["Error403"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: too many tries for this address. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the code is wrong, or the ticket is not good any more. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: the account is in no workspace; or an API key was sent, which reaches nothing here. */
            403: components["responses"]["Error403"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the second factor cannot be read, or the invitation that was accepted is not good any more. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: too many wrong codes, or too many tries from this address. Wait for `Retry-After` seconds, or use a recovery code after the first. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the account was given another password, or switched off, at this very moment. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: the account is in no workspace; or an API key was sent, which reaches nothing here. */
            403: components["responses"]["Error403"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the link is unknown, was used or replaced, or has expired. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: too many tries. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: the address has an account, and this is not its password. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: you are signed in with another address than the one invited, or the account was switched off; or an API key was sent, which reaches nothing here. */
            403: components["responses"]["Error403"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the link is unknown, was used or taken back, or has expired. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: too many tries for this address. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description How many records a page holds at most. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
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
            /** @description `invalid_request`: a query parameter is not known, or does not fit; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here. */
            403: components["responses"]["Error403"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or the list took too long. Come back after `Retry-After`, with filters or a smaller limit. */
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
            /** @description The others have ended. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the session. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: I have no such session, or it has ended. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
            /** @description The new password holds, and the other sessions have ended. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the current password is not mine. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls, or too many tries with a password of theirs. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
            /** @description The person whose session this is. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here. */
            403: components["responses"]["Error403"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
            /** @description The account is gone. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the password is not mine, or I am the last owner of a workspace. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls, or too many tries with a password of theirs. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
            /** @description The person as changed. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
            /** @description If there is such an account, its holder is written to. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: an API key was sent, and is none. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which reaches nothing here. */
            403: components["responses"]["Error403"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: too many tries for this address. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
            /** @description Sign in with the new password. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: an API key was sent, and is none. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which reaches nothing here. */
            403: components["responses"]["Error403"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the link is unknown, was used or replaced, or has expired. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: too many tries. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: an API key was sent, and is none. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key was sent, which reaches nothing here. */
            403: components["responses"]["Error403"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the link is unknown, was used, or has expired. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: too many tries. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
            /** @description Whether signing in asks for a code. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here. */
            403: components["responses"]["Error403"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
            /** @description A new secret. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the password is wrong, a second factor is in use, or the service has no key to keep one under. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: too many tries. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
            /** @description Signing in asks for no code any more. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the password or the code is wrong, no second factor is in use, or a workspace asks for one. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: too many tries. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
            /** @description It is in use. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the code is wrong, or nothing was begun. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: too many wrong codes. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the password or the code is wrong, or no second factor is in use. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: too many tries. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description How many records a page holds at most. */
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
            /** @description `invalid_request`: a query parameter is not known, or does not fit; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or the list took too long. Come back after `Retry-After`, with filters or a smaller limit. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `plan_limit_reached`: the allowance `teamSeats` is full. Make room, or take a larger plan. `conflict`: somebody with this address is in the team or invited already. */
            409: components["responses"]["Error409"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
                /** @description The id of the member. */
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
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such member in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unprocessable`: the last owner of a workspace cannot leave. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
                /** @description The id of the member. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: there is no such member in the workspace, or `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: the last owner of a workspace stays one. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    readWorkspace: {
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
            /** @description The workspace that the caller is in. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    changeWorkspace: {
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
                 *       "timezone": "Europe/Berlin"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeWorkspace"];
            };
        };
        responses: {
            /** @description The workspace as it is now. */
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
            /** @description `invalid_request`: a field of the body does not fit, is unknown or is given twice or a query parameter was sent, and none is taken; `details` says where and why. `malformed_request`: the body is no JSON, or no UTF-8. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says; or a write with the session cookie that does not come from a page of the service. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `unsupported_media_type`: the body is not declared as JSON, or has a Content-Encoding. */
            415: components["responses"]["Error415"];
            /** @description `unprocessable`: you would be kept out by `requireSecondFactor` yourself. */
            422: components["responses"]["Error422"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
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
            /** @description `invalid_request`: a query parameter was sent, and none is taken; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is in no workspace any more; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or too much is being asked at once. Come back after `Retry-After`. */
            503: components["responses"]["Error503"];
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /** @description How many records a page holds at most. */
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description What this person or key has done. */
                actorId?: string;
                /** @description What this operation has done. */
                action?: "signIn" | "signInFailed" | "signOut" | "acceptInvitation" | "signInWithCode" | "signInByLink" | "endSession" | "endOtherSessions" | "changePassword" | "resetPassword" | "confirmEmail" | "changeUser" | "deleteUser" | "confirmTotp" | "removeTotp" | "renewRecoveryCodes" | "issueApiKey" | "revokeApiKey" | "createWebhook" | "changeWebhook" | "deleteWebhook" | "rotateWebhookSecret" | "holdWebhook" | "releaseWebhook" | "testWebhook" | "retryDelivery" | "sendOutboundEvent" | "startRecovery" | "cancelRecovery" | "inviteMember" | "changeMember" | "removeMember" | "changeWorkspace" | "connectChannel" | "changeChannel" | "disconnectChannel" | "createWorkflow" | "changeWorkflow" | "publishWorkflow" | "deleteWorkflow" | "stopRun" | "createTemplate" | "changeTemplate" | "deleteTemplate" | "createCampaign" | "changeCampaign" | "deleteCampaign" | "startCampaign" | "pauseCampaign" | "resumeCampaign" | "cancelCampaign" | "replaceOptOutWords" | "liftOptOut" | "decideOptOut" | "eraseCustomer" | "voidSale" | "testChannel" | "createWorkspace" | "changePlan" | "makeResetLink" | "makeSignInLink" | "disableUser" | "enableUser";
                /** @description What was done to this record. */
                targetId?: string;
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
            /** @description `invalid_request`: a query parameter is not known, or does not fit; `details` names it. */
            400: components["responses"]["Error400"];
            /** @description `unauthorized`: no token of a living session was sent. Sign in again. */
            401: components["responses"]["Error401"];
            /** @description `forbidden`: an API key, which reaches nothing here, or a person who is no owner of the workspace; or a person without the second factor that the workspace asks for, which `details.secondFactor` says. */
            403: components["responses"]["Error403"];
            /** @description `not_found`: `X-Workspace-Id` names a workspace that the caller is not in. */
            404: components["responses"]["Error404"];
            /** @description `rate_limited`: the caller has made too many calls. Wait for `Retry-After` seconds. */
            429: components["responses"]["Error429"];
            /** @description `internal_error`: a fault of ours. Repeat with backoff, and quote `request_id` if it stays. */
            500: components["responses"]["Error500"];
            /** @description `internal_error`: not now: the database is away or busy, or the list took too long. Come back after `Retry-After`, with filters or a smaller limit. */
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
            /** @description Received. Nothing is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again by the schedule. Redirects are not followed. */
            "4XX": {
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
            /** @description Received. Nothing is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again by the schedule. Redirects are not followed. */
            "4XX": {
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
            /** @description Received. Nothing is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received; it is sent again by the schedule. Redirects are not followed. */
            "4XX": {
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
                "application/json": components["schemas"]["CustomerOptedOutEvent"];
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
            "4XX": {
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
                "application/json": components["schemas"]["CampaignCompletedEvent"];
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
            "4XX": {
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
                "application/json": components["schemas"]["PingEvent"];
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
            "4XX": {
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
