// GENERATED from the document of the control API by `npm run generate`.
export interface paths {
    "/_sandbox/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether the server is alive
         * @description Answers 200 as long as the process is alive, and shows what is used of its memory budget.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether the server is ready
         * @description Answers 200 while requests are served, and 503 before that, while stopping, and while the store cannot be used.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the metrics
         * @description Returns what the server has counted over all its worlds, as Prometheus text. With a control token, it takes that alone.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the clock
         * @description Returns the mode and the time of the world's clock, and how much is pending.
         */
        get: operations["getClock"];
        /**
         * Set the mode or the time
         * @description The time moves forward only; everything due up to then happens first.
         */
        put: operations["setClock"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/clock/next": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read when something happens next
         * @description Returns the instant of the earliest scheduled task, to which the clock can then be advanced.
         */
        get: operations["getNextTask"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/clock/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Advance the clock
         * @description Runs everything up to an instant, and what it causes, before it answers. Takes exactly one of `by`, `to` and `until`.
         */
        post: operations["advanceClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/clock/tick": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the tick
         * @description Returns what is set, and how many ticks were sent.
         */
        get: operations["getTick"];
        /**
         * Let the clock drive a scheduler of yours
         * @description From now on until a reset, the server POSTs `{ now }` to the address at regular instants of the world's time. An advance waits for each answer.
         */
        put: operations["setTick"];
        post?: never;
        /**
         * End the tick
         * @description No more ticks are sent.
         */
        delete: operations["deleteTick"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/clock/ticks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the ticks that were sent
         * @description Returns every tick that the journal keeps, newest first, with the answer to it.
         */
        get: operations["listTicks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/scenarios": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the scenarios
         * @description Returns the library with this world's overlays, by name.
         */
        get: operations["listScenarios"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/scenarios/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a scenario
         * @description Returns it with the text of its file.
         */
        get: operations["getScenario"];
        /**
         * Add a scenario to this world
         * @description Only this world has it, and it overrides a scenario of the same name. It is checked like a scenario file.
         */
        put: operations["putScenario"];
        post?: never;
        /**
         * Remove a scenario from this world
         * @description What it has overridden applies again.
         */
        delete: operations["deleteScenario"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/scenarios/{name}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a scenario without adding it
         * @description Returns everything that is wrong with it, each with its line and column, and else the scenario that it would be in this world.
         */
        post: operations["checkScenario"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/active-scenarios/{kind}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the active scenario of a kind
         * @description It is what this world plays for a kind unless a request names a scenario.
         */
        get: operations["getActiveScenario"];
        /**
         * Set the active scenario of a kind
         * @description This world plays one scenario from now on, or a list from which each request takes the next.
         */
        put: operations["setActiveScenario"];
        post?: never;
        /**
         * Clear the active scenario of a kind
         * @description Magic numbers and the default scenario apply again.
         */
        delete: operations["clearActiveScenario"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/faults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the faults
         * @description Returns those of this world in the order in which they were set, with what they have done.
         */
        get: operations["listFaults"];
        /**
         * Set a fault, or all of them
         * @description Adds a fault (201), or replaces all by a list (200): `{ "faults": [...] }`. Requests to the platform meet them from now on, until a reset.
         */
        put: operations["setFaults"];
        post?: never;
        /**
         * Delete all faults
         * @description Requests are answered as the platform answers them again.
         */
        delete: operations["clearFaults"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/faults/{id}": {
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
         * Delete a fault
         * @description The others stay.
         */
        delete: operations["deleteFault"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/worlds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the worlds
         * @description Returns every world of this server; with a control key, that world alone.
         */
        get: operations["listWorlds"];
        put?: never;
        /**
         * Create a world
         * @description It stays until it is deleted.
         */
        post: operations["createWorld"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/worlds/{name}": {
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
         * Delete a world
         * @description Everything in it goes with it. A bundled world cannot be deleted.
         */
        delete: operations["deleteWorld"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset this world
         * @description It becomes what its fixture says. Keys, its own scenarios, assumption values and coverage stay.
         */
        post: operations["resetWorld"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the snapshots
         * @description Returns those of this world, oldest first.
         */
        get: operations["listSnapshots"];
        put?: never;
        /**
         * Keep this world as it stands
         * @description Everything in it, journals included. It stays until it is deleted, also over a reset.
         */
        post: operations["createSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/snapshots/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a snapshot
         * @description Returns the records that the world had beside those of its fixture. Secrets are redacted.
         */
        get: operations["getSnapshot"];
        put?: never;
        post?: never;
        /**
         * Delete a snapshot
         * @description The world stays as it is.
         */
        delete: operations["deleteSnapshot"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/snapshots/{name}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bring this world back to a snapshot
         * @description Everything is as it stood, journals and clock included; a real clock shows the time of the machine. Deliveries that were about to be sent never are; what a plan holds, and retries, come as in the snapshot.
         */
        post: operations["restoreSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API keys
         * @description Returns those of this world, newest first, without their plaintext.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Its plaintext is shown once, in this answer.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/keys/{id}": {
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
         * @description Requests with it are 401 from now on.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List platform requests
         * @description Returns every platform request that the journal keeps, newest first, with its response.
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a request and its response
         * @description The `X-Sandbox-Request-Id` of a response is the id.
         */
        get: operations["getRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/requests/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify which requests were made
         * @description Counts the platform requests that match. Without a number, there must be at least one. If it fails, `misses` has the nearest of those that do not match.
         */
        post: operations["verifyRequests"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Returns every event that the journal keeps, newest first.
         */
        get: operations["listEvents"];
        put?: never;
        /**
         * Emit an event by hand
         * @description It is about the record that `data` names, shown as it would be if the event has not happened to it; otherwise about an existing record to which it has happened and that has what `data` says, or one made for it. Its body follows from that record. Existing records do not change. What no such event can have is 400.
         */
        post: operations["emitEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/wait": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Wait for an event
         * @description Answers as soon as it has happened; 408 when it does not happen in time.
         */
        get: operations["waitForEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/calls/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the timeline of a call
         * @description Returns the request that placed it, its steps, events and deliveries as one chain, with the scenario that was chosen and why the others lost.
         */
        get: operations["getCallTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the timeline of any record
         * @description Returns what led to a record and what followed from it, as one chain; of a request, all that it caused. 409 if part of the chain may be among entries that the journals have dropped.
         */
        get: operations["getTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the calls
         * @description Returns the calls of this world, newest first, each with the scenario that it plays. Unlike the list of the platform, it counts towards no rate limit and is not in the journal.
         */
        get: operations["listWatchedCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/calls/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a call
         * @description Returns the call, the scenario that it plays, and what was said.
         */
        get: operations["getWatchedCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/calls/{id}/decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide what becomes of a call
         * @description For a call whose scenario leaves it to the person who watches, such as `rings_on_screen`: what is chosen replaces the rest of its timeline, from now on. Without a decision, the timeline goes on by itself.
         */
        post: operations["decideCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the messages
         * @description Returns the messages of this world, newest first. Unlike the list of the platform, it counts towards no rate limit and is not in the journal.
         */
        get: operations["listWatchedMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch what happens, over a WebSocket
         * @description A WebSocket that sends requests, steps, events, deliveries, what inboxes receive and moves of the clock as they happen, one JSON object a message. It resumes after the `entry` of a message; it is closed with 4409 if entries after that are gone, 4429 if it is read too slowly, 4404 if the world is deleted, and 1001 if the server stops. A web page, which cannot set headers, offers the subprotocols `ringback` and `ringback.bearer.<key or token in base64url>`. A request without an upgrade is 426.
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
    "/_sandbox/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description Returns every delivery that the journal keeps, newest first.
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
    "/_sandbox/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery
         * @description Returns the exact bytes and every attempt.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description Sends the same bytes, as another attempt.
         */
        post: operations["redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/inbox/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set what an inbox answers
         * @description One status stays; a list is used up in order, and then it is 200 again. Replaces what was set before. This is the one method that an inbox does not receive.
         */
        put: operations["scriptInbox"];
        /**
         * Receive a webhook
         * @description Records the request, whatever its method (PUT aside), body and Authorization, and answers 200 unless the inbox has other answers. Needs no key. Subscribe this URL: it is the only one of the server that webhooks reach.
         */
        post: operations["receiveInInbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/inbox/{name}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what an inbox has received
         * @description Returns every message that the journal keeps, newest first; with the key of a sub-entity, the webhooks about that child. `dropped` counts those of all inboxes.
         */
        get: operations["listInboxMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/webhook-subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhook subscriptions
         * @description Returns those of the organization of the key, or of the world, in the order in which they were made, with their secrets and plans.
         */
        get: operations["listSubscriptions"];
        put?: never;
        /**
         * Subscribe an address to events
         * @description Makes a subscription for each type, of the world's own organization, without a request to the platform in the journal or the coverage.
         */
        post: operations["subscribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/webhook-subscriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook subscription
         * @description Returns it with its signing secret and its plan.
         */
        get: operations["getSubscription"];
        /**
         * Set the secret or the plan of a subscription
         * @description Without a secret (null), deliveries are no longer signed; without a plan (null), that of the world applies.
         */
        put: operations["updateSubscription"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/webhook-plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the plan of the world
         * @description Returns the plan of every subscription that has none of its own; empty if there is none.
         */
        get: operations["getWebhookPlan"];
        /**
         * Set the plan of the world
         * @description Every subscription that has no plan of its own follows it from now on, until a reset.
         */
        put: operations["setWebhookPlan"];
        post?: never;
        /**
         * Delete the plan of the world
         * @description What it has held by a pause is sent.
         */
        delete: operations["deleteWebhookPlan"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/coverage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the tests have met, and what not
         * @description Counts platform requests and deliveries since the world was made first, whatever was reset or deleted since. Control requests do not count.
         */
        get: operations["getCoverage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/simulate/inbound-call": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate an inbound call
         * @description Someone calls a number of this world; its agent answers.
         */
        post: operations["simulateInboundCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/simulate/inbound-sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate an inbound SMS
         * @description Someone texts a number of this world, or replies to a message.
         */
        post: operations["simulateInboundSms"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/simulate/new-contact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a contact
         * @description As if another system had created it.
         */
        post: operations["simulateNewContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/simulate/new-appointment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Book an appointment
         * @description As if a caller or an agent had booked it.
         */
        post: operations["simulateNewAppointment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/caller-ids/{id}/verification-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the code of the latest verification call
         * @description Returns what the call would have spoken. The caller ID must be PENDING_VERIFICATION.
         */
        get: operations["getVerificationCode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/calling-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the calling rules
         * @description Returns whom this world may call, and when.
         */
        get: operations["getCallingRules"];
        /**
         * Replace the calling rules
         * @description They hold until a reset; what is left out forbids nothing, so that `{}` removes them all. A repeated entry counts once.
         */
        put: operations["setCallingRules"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/lead-sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the lead sources
         * @description Returns those of this world, newest first, with URL token and secret.
         */
        get: operations["listLeadSources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/lead-sources/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the token and secret of a lead source
         * @description The old ones are no longer valid.
         */
        post: operations["rotateLeadSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/media/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a recording
         * @description The `recording_url` of a call points here; the name in it is signed. A WAV file as long as the talk, up to 10 minutes; one `Range` of its bytes can be asked for.
         */
        get: operations["getRecording"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/documents/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a document
         * @description Returns its bytes, with the content type that it was uploaded with.
         */
        get: operations["getDocumentContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the catalogues
         * @description Returns scenarios and magic numbers as they are in this world, errors, events and scopes.
         */
        get: operations["getCatalog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/schemas/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the JSON Schema of a kind of file
         * @description For editors, which complete and check scenario and fixture files with it. Needs no key.
         */
        get: operations["getFileSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the OpenAPI document of this API
         * @description It describes this server: with a control token, the credentials are others.
         */
        get: operations["getControlDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/assumptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the assumptions
         * @description Returns each with its value and the words of the specification that it stands in for, on one page.
         */
        get: operations["listAssumptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/assumptions/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set an assumption
         * @description It applies to this world, and survives a reset.
         */
        put: operations["setAssumption"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description What a world plays for a kind unless a request names a scenario. */
        ActiveScenario: {
            /** @description The kind of scenario, such as `call`. */
            kind: string;
            /** @description One scenario that stays, those left of a list, or null if none is set. */
            use: string | string[] | null;
        };
        /** @description One object under `data`. */
        ActiveScenarioResponse: {
            /** @description The object. */
            data: components["schemas"]["ActiveScenario"];
        };
        /** @description What happened while the clock was advanced. */
        Advance: {
            /**
             * Format: date-time
             * @description An instant of the world's time.
             */
            now: string;
            /** @description False if the timeout or a reset ended it before the instant was reached. */
            complete: boolean;
            /** @description The first 1,000 steps, in order. */
            steps: components["schemas"]["Step"][];
            /** @description The first 1,000 deliveries, in the order of their creation. */
            deliveries: components["schemas"]["Delivery"][];
            /** @description How much happened, listed or not. */
            totals: components["schemas"]["AdvanceTotals"];
        };
        /** @description How far: by a duration, to an instant, or until nothing is pending. */
        AdvanceClockRequest: {
            /** @description How far, such as `30s`. */
            by?: string;
            /**
             * Format: date-time
             * @description Up to which instant.
             */
            to?: string;
            /**
             * @description Until no step and no delivery is pending.
             * @constant
             */
            until?: "idle";
            /**
             * @description The real time after which it stops where it is; 30s by default, 10m at most.
             * @default 30s
             */
            timeout?: string;
        };
        /** @description One object under `data`. */
        AdvanceResponse: {
            /** @description The object. */
            data: components["schemas"]["Advance"];
        };
        /** @description How much happened. */
        AdvanceTotals: {
            /** @description The steps that happened, listed or not. */
            steps: number;
            /** @description The deliveries that were attempted, listed or not. */
            deliveries: number;
            /** @description The ticks; absent if there were none. */
            ticks?: number;
        };
        /** @description A fault that happened to a request. */
        AppliedFault: {
            /** @description The id of the fault. */
            id: string;
            /** @description What it did, such as `respond=502;when=before`. */
            effect: string;
        };
        /** @description A booking. */
        Appointment: {
            /** @description The id of the booking. */
            id: string;
            /** @description What it is. */
            title: string | null;
            /** @description More about it. */
            description: string | null;
            /** @description Who booked. */
            contact_name: string | null;
            /** @description The e-mail address of that person. */
            contact_email: string | null;
            /**
             * Format: date-time
             * @description When it starts.
             */
            start_time: string | null;
            /**
             * Format: date-time
             * @description When it ends.
             */
            end_time: string | null;
            /** @description The IANA time zone in which it was booked. */
            timezone: string | null;
            /** @description The status of the booking, such as `confirmed`. */
            status: string | null;
            /** @description The kind of booking. */
            event_type: string | null;
            /** @description How the parties meet, such as `phone`. */
            scheduling_option: string | null;
            /** @description Notes about it. */
            notes: string | null;
            /** @description When it was created. */
            created_at: components["schemas"]["Timestamp"];
        };
        /** @description One object under `data`. */
        AppointmentResponse: {
            /** @description The object. */
            data: components["schemas"]["Appointment"];
        };
        /** @description A choice where the specification is silent. */
        Assumption: {
            /** @description The name of the assumption. */
            name: string;
            /** @description Its value in this world. */
            value: string | number;
            /** @description Its value unless another one is set. */
            default: string | number;
            /** @description The values, or the range, that it can be set to; null if it cannot be set. */
            allowed: (string | number)[] | components["schemas"]["AssumptionRange"] | null;
            /** @description What follows from it. */
            rule: string;
            /** @description The words of the specification that it stands in for. */
            words: string;
            /** @description The operations and webhooks that rest on it. */
            used_in: string[];
        };
        /** @description A page of a list. */
        AssumptionPage: {
            /** @description The entries of the page. */
            data: components["schemas"]["Assumption"][];
            /** @description Where the page is in the list. */
            meta: components["schemas"]["PageMeta"];
        };
        /** @description The numbers that an assumption can be set to. */
        AssumptionRange: {
            /** @description The least. */
            minimum: number;
            /** @description The most. */
            maximum: number;
            /** @description What is allowed besides an integer. */
            or?: string;
        };
        /** @description One object under `data`. */
        AssumptionResponse: {
            /** @description The object. */
            data: components["schemas"]["Assumption"];
        };
        /** @description One attempt of a delivery. */
        AttemptInTimeline: {
            /** @description 1 for the first attempt. */
            number: number;
            /**
             * Format: date-time
             * @description An instant of the world's time.
             */
            attempted_at: string;
            /** @description Milliseconds of the world's time since the timeline began. */
            offset_ms: number;
            /**
             * @description Why it was made: the event, a failure before, a duplicate by the plan, or a redelivery by hand.
             * @enum {string}
             */
            reason: "event" | "retry" | "duplicate" | "redelivery";
            /** @description What the plan did to it, such as `delay=3s` or `tamper`; empty if nothing. */
            plan: string[];
            /** @description The secret: the world's, the subscription's own, a wrong one, `none` if there is none; null without a signature. */
            signed_with: ("world_secret" | "own_secret" | "wrong_secret" | "none") | null;
            /** @description How long it took, in real time. */
            latency_ms: number;
            /** @description The status of the receiver's response; null if there was none. */
            status: number | null;
            /** @description Why it failed; null if it did not. */
            error_class: components["schemas"]["DeliveryErrorClass"] | null;
            /** @description What failed, in words. */
            error: string | null;
            /** @description What to do about it. */
            hint: string | null;
        };
        /**
         * Format: binary
         * @description The bytes of a file.
         */
        Bytes: string;
        /**
         * @description A call. The fields about its end are null until then. If `call_fields` is set to `absent`, the last four are absent
         *     until then.
         */
        Call: {
            /** @description The id of the call. */
            id: string;
            /** @description Where the call is. */
            status: components["schemas"]["CallStatus"];
            /** @description Who called. */
            direction: components["schemas"]["CallDirection"];
            /** @description The number that called. */
            from_number: components["schemas"]["E164"];
            /** @description The number that was called. */
            to_number: components["schemas"]["E164"];
            /**
             * Format: date-time
             * @description When it started.
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description When it ended; null until then.
             */
            ended_at: string | null;
            /**
             * Format: int32
             * @description How long the parties spoke; null until the end.
             */
            duration_seconds: number | null;
            /** @description The id of the organization's phone number. */
            phone_number_id: string | null;
            /** @description Whether a recording exists, whether or not the key may have it. */
            has_recording: boolean;
            /**
             * Format: uri
             * @description Null unless the key holds `recordings:read`.
             */
            recording_url: string | null;
            /** @description Whether a transcript exists. */
            has_transcript: boolean;
            /** @description Why the call did not reach a person; null if it did, or while it lasts. */
            failure_code: components["schemas"]["FailureCode"] | null;
            /** @description The category of `failure_code`. */
            failure_category: components["schemas"]["FailureCategory"] | null;
            /** @description How the call ended; null until then. */
            call_outcome: components["schemas"]["CallOutcome"] | null;
            /** @description Why the connection ended; null until then. */
            disconnection_reason: string | null;
        };
        /**
         * @description Who called: `outbound` is from the organization.
         * @enum {string}
         */
        CallDirection: "inbound" | "outbound";
        /**
         * @description How a call ended.
         * @enum {string}
         */
        CallOutcome: "answered" | "busy" | "no_answer" | "voicemail" | "failed" | "canceled";
        /** @description One object under `data`. */
        CallResponse: {
            /** @description The object. */
            data: components["schemas"]["Call"];
        };
        /**
         * @description The status of a call. The last six are final.
         * @enum {string}
         */
        CallStatus: "QUEUED" | "RINGING" | "IN_PROGRESS" | "COMPLETED" | "BUSY" | "NO_ANSWER" | "VOICEMAIL" | "FAILED" | "CANCELED";
        /** @description What was said on a call. */
        CallTranscript: {
            /** @description The id of the call. */
            call_id: string;
            /** @description The whole transcript as text, one line per turn. */
            transcript: string | null;
            /** @description The turns in their order. */
            structured_transcript: components["schemas"]["TranscriptTurn"][];
            /** @description What transcribed the call. */
            transcript_provider: string | null;
        };
        /** @description Whom a world may call, and when. */
        CallingRules: {
            /** @description Numbers on a do-not-call list. */
            do_not_call: string[];
            /** @description Numbers whose owners have opted out. */
            opted_out: string[];
            /** @description Numbers whose owners have not agreed to calls. */
            no_consent: string[];
            /** @description Numbers of contacts whose automation is paused. */
            paused: string[];
            /** @description The most calls to one number in a day; null for no limit. */
            calls_per_day: number | null;
            /** @description The weekdays on which calls are allowed. */
            days: ("Monday" | "Tuesday" | "Wednesday" | "Thursday" | "Friday" | "Saturday" | "Sunday")[];
            /** @description When calls become allowed, such as `08:00:00`, in the time of the destination. */
            from: string;
            /** @description The last second at which calls are allowed. */
            until: string;
            /** @description The time zone of destinations whose location is unknown. */
            time_zone: string;
        };
        /** @description One object under `data`. */
        CallingRulesResponse: {
            /** @description The object. */
            data: components["schemas"]["CallingRules"];
        };
        /** @description What this server knows. */
        Catalog: {
            /** @description Every scenario of this world. */
            scenarios: components["schemas"]["Scenario"][];
            /** @description Every magic number of this world. */
            numbers: components["schemas"]["MagicNumber"][];
            /** @description Every error code. */
            errors: components["schemas"]["ErrorEntry"][];
            /** @description Every event type. */
            events: components["schemas"]["EventEntry"][];
            /** @description Every scope. */
            scopes: components["schemas"]["Scope"][];
        };
        /** @description One object under `data`. */
        CatalogResponse: {
            /** @description The object. */
            data: components["schemas"]["Catalog"];
        };
        /** @description The scenario that is played, and why. */
        ChosenScenario: {
            /** @description The name of the scenario. */
            name: string;
            /** @description The parameters that were given. */
            parameters: {
                [key: string]: string;
            };
            /** @description What selected it. */
            source: components["schemas"]["SelectionSource"];
            /** @description Why it is the one that is played. */
            reason: string;
        };
        /** @description The clock of a world. */
        Clock: {
            /** @description `real`, `manual`, `instant`, or a speed such as `20x`. */
            mode: string;
            /** @description World seconds per real second; 0 on a stopped clock. */
            speed: number;
            /**
             * Format: date-time
             * @description An instant of the world's time.
             */
            now: string;
            /** @description Scheduled tasks, and deliveries that are pending or in flight; ticks aside. */
            pending: number;
            /** @description The tick; absent if none is set. */
            tick?: components["schemas"]["Tick"];
        };
        /** @description One object under `data`. */
        ClockResponse: {
            /** @description The object. */
            data: components["schemas"]["Clock"];
        };
        /** @description A person that the organization speaks with. */
        Contact: {
            /** @description The id of the contact. */
            id: string;
            /** @description The name of the person. */
            name: string | null;
            /** @description The phone number of the person. */
            phone_number: string | null;
            /** @description The e-mail address of the person. */
            email: string | null;
            /** @description The status of the contact, such as `active`. */
            status: string | null;
            /** @description Where the contact came from. */
            source: string | null;
            /** @description Whatever else its source knew. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description When it was created. */
            created_at: components["schemas"]["Timestamp"];
            /** @description When it last changed. */
            updated_at: components["schemas"]["Timestamp"];
        };
        /** @description One object under `data`. */
        ContactResponse: {
            /** @description The object. */
            data: components["schemas"]["Contact"];
        };
        /** @description What the tests have met of the platform, and what not. */
        Coverage: {
            /** @description The worlds that were added up; the first 1,000 of them. */
            worlds: string[];
            /** @description How many worlds were added up. */
            world_count: number;
            /** @description How many worlds have gone so long ago that the server has forgotten them. */
            worlds_forgotten: number;
            /** @description How many platform requests there were. */
            requests: number;
            /** @description How many of them were answered from the record of their idempotency key. */
            replayed: number;
            /** @description Null without `min`. */
            minimum: components["schemas"]["CoverageMinimum"] | null;
            /** @description Which operations were called, and what they answered. */
            operations: components["schemas"]["CoveredOperations"];
            /** @description The error codes of responses and of failed calls. */
            error_codes: components["schemas"]["CoveredPart"];
            /** @description Which event types receivers have accepted. */
            event_types: components["schemas"]["CoveredEvents"];
            /** @description The ways in which calls have ended. */
            call_outcomes: components["schemas"]["CoveredPart"];
            /** @description What receivers of webhooks have answered. */
            receiver_answers: components["schemas"]["CoveredPart"];
            /** @description The scenarios of the server that were played. */
            scenarios: components["schemas"]["CoveredPart"];
            /** @description The statuses that records other than calls have reached. */
            record_statuses: components["schemas"]["CoveredPart"];
            /** @description What control headers and faults have done to requests. */
            faults: components["schemas"]["CoveredPart"];
            /** @description What delivery plans have done to deliveries. */
            delivery_troubles: components["schemas"]["CoveredPart"];
            /** @description Whether clients try again after 429, after 5xx, and after a broken connection. */
            retries: {
                /** @description After 429. */
                after_429: components["schemas"]["CoveredRetries"];
                /** @description After 500 to 599. */
                after_5xx: components["schemas"]["CoveredRetries"];
                /** @description After a connection that broke before the answer. */
                after_broken: components["schemas"]["CoveredRetries"];
            };
            /** @description Whether receivers verify signatures. */
            signatures: {
                /** @description Signed deliveries whose body was changed. */
                tampered: components["schemas"]["CoveredForgeries"];
                /** @description Deliveries that were signed with another secret. */
                wrong_secret: components["schemas"]["CoveredForgeries"];
            };
            /** @description Deliveries that were sent more than once by a delivery plan. */
            duplicates: {
                /** @description How many were sent. */
                sent: number;
                /** @description How many of them a receiver has accepted. Whether it took them twice, it alone knows. */
                accepted: number;
            };
        };
        /** @description Whether enough was met. */
        CoverageMinimum: {
            /** @description The `min` of the request. */
            percent: number;
            /** @description Whether every part that is judged reaches it. */
            passed: boolean;
            /** @description The parts that are judged. */
            judged: ("operations" | "error_codes" | "event_types" | "call_outcomes" | "receiver_answers")[];
            /** @description Those that do not reach it. */
            below: ("operations" | "error_codes" | "event_types" | "call_outcomes" | "receiver_answers")[];
        };
        /** @description One object under `data`. */
        CoverageResponse: {
            /** @description The object. */
            data: components["schemas"]["Coverage"];
        };
        /** @description The event types that a receiver has accepted, and those that none has. */
        CoveredEvents: {
            /** @description How many there are. */
            total: number;
            /** @description How many of them were met. */
            met: number;
            /** @description Which part of them was met, rounded down to a tenth. */
            percent: number;
            /** @description How often each was met, and others that need not be met. */
            counts: {
                [key: string]: number;
            };
            /** @description The names of those that were not met. */
            not_met: string[];
            /** @description How often each happened, whether or not a receiver got it. */
            emitted: {
                [key: string]: number;
            };
        };
        /** @description Deliveries whose signature is not right. */
        CoveredForgeries: {
            /** @description How many were sent. */
            sent: number;
            /** @description How many of them a receiver has accepted: it does not verify the signature. */
            accepted: number;
        };
        /** @description What an operation has answered. */
        CoveredOperation: {
            /** @description How many requests there were. */
            requests: number;
            /** @description By status; `broken` where the connection broke before the answer. */
            statuses: {
                [key: string]: number;
            };
            /** @description By error code. */
            error_codes: {
                [key: string]: number;
            };
            /** @description What else its contract says that it can answer. */
            statuses_not_met: string[];
        };
        /** @description The operations that were called, and those that were not. */
        CoveredOperations: {
            /** @description How many there are. */
            total: number;
            /** @description How many of them were met. */
            met: number;
            /** @description Which part of them was met, rounded down to a tenth. */
            percent: number;
            /** @description How often each was met, and others that need not be met. */
            counts: {
                [key: string]: number;
            };
            /** @description The names of those that were not met. */
            not_met: string[];
            /** @description What each operation that was called has answered. */
            answers: {
                [key: string]: components["schemas"]["CoveredOperation"];
            };
        };
        /** @description What was met of one kind of thing, and what not. */
        CoveredPart: {
            /** @description How many there are. */
            total: number;
            /** @description How many of them were met. */
            met: number;
            /** @description Which part of them was met, rounded down to a tenth. */
            percent: number;
            /** @description How often each was met, and others that need not be met. */
            counts: {
                [key: string]: number;
            };
            /** @description The names of those that were not met. */
            not_met: string[];
        };
        /** @description Whether clients send requests again that have failed for a while. */
        CoveredRetries: {
            /** @description How many requests were answered so. */
            expected: number;
            /** @description How many of them were sent again: the same key, or the same body without one. */
            seen: number;
        };
        /** @description What the key may do. Without fields, it is a key with the default scopes. */
        CreateKeyRequest: {
            /** @description By default, and for an empty list, every scope but `compliance:write`. */
            scopes?: components["schemas"]["Scope"][];
            /**
             * @description Whether it is a demo key.
             * @default false
             */
            is_demo?: boolean;
            /** @description Its rate limit; 600 by default, 120 for a demo key. */
            requests_per_minute?: number;
            /**
             * Format: uuid
             * @description The world's organization or one of its sub-entities; by default that of the API key.
             */
            organization_id?: string;
        };
        /** @description The name of the snapshot. */
        CreateSnapshotRequest: {
            /** @description 1 to 64 of letters, digits, `_` and `-`; the first free one of `snapshot-1`, … by default. */
            name?: string;
        };
        /** @description The name, fixture and clock of the world; each has a default. */
        CreateWorldRequest: {
            /** @description By default the first free one of `world-1`, `world-2`, … */
            name?: string;
            /**
             * @description The fixture that it is made from.
             * @default default
             */
            fixtures?: string;
            /** @description `real`, `manual`, `instant` or a speed; `--clock` by default. */
            clock?: string;
            /** @description Values of assumptions, by name. */
            assumptions?: {
                [key: string]: string | number;
            };
        };
        /** @description An API key that has just been made. */
        CreatedKey: {
            /** @description The id of the key. */
            id: string;
            /** @description The plaintext, which is shown only here. */
            api_key: string;
            /** @description What the key may do. */
            scopes: components["schemas"]["Scope"][];
        };
        /** @description One object under `data`. */
        CreatedKeyResponse: {
            /** @description The object. */
            data: components["schemas"]["CreatedKey"];
        };
        /** @description A world that has just been made. */
        CreatedWorld: {
            /** @description Its name. */
            name: string;
            /**
             * Format: uuid
             * @description The world's organization.
             */
            organization_id: string;
            /** @description A key of the world, with the default scopes. */
            api_key: string;
            /** @description What its webhooks are signed with. */
            signing_secret: string;
            /** @description Controls this world alone; only where the server has a control token, and shown only here. */
            control_key?: string;
        };
        /** @description One object under `data`. */
        CreatedWorldResponse: {
            /** @description The object. */
            data: components["schemas"]["CreatedWorld"];
        };
        /** @description What is chosen. */
        DecideCallRequest: {
            /** @description One of the `choices` of the call, such as `answer` or `decline`. */
            choose: string;
        };
        /** @description One event for one subscription, with its attempts. */
        Delivery: {
            /** @description The id of the journal entry. */
            id: string;
            /** @description The event that it delivers. */
            event_id: string;
            /** @description The type of that event. */
            event_type: components["schemas"]["EventType"];
            /** @description The subscription that it is for. */
            subscription_id: string;
            /** @description Where it is sent. */
            url: string;
            /** @description How far it is. */
            status: components["schemas"]["DeliveryStatus"];
            /**
             * Format: date-time
             * @description An instant of the world's time.
             */
            created_at: string;
            /** @description The exact bytes that are sent, as text. */
            body: string;
            /** @description Where the body does not match its schema in the contract; empty unless there is a bug. */
            schema_violations: string[];
            /** @description The id of the journal entry that caused it. */
            cause: string;
            /**
             * Format: date-time
             * @description When a delivery that is held is sent, or a failed one again; null if it is not.
             */
            next_attempt_at: string | null;
            /** @description Why it is not sent yet, or attempted again later. */
            held_by: ("delay" | "reorder" | "paused" | "retry") | null;
            /** @description Every attempt, the first one first. */
            attempts: components["schemas"]["DeliveryAttempt"][];
        };
        /** @description One attempt to deliver an event. */
        DeliveryAttempt: {
            /** @description 1 for the first attempt. */
            number: number;
            /**
             * Format: date-time
             * @description An instant of the world's time.
             */
            attempted_at: string;
            /**
             * @description Why it was made: the event, a failure before, a duplicate by the plan, or a redelivery by hand.
             * @enum {string}
             */
            reason: "event" | "retry" | "duplicate" | "redelivery";
            /** @description What the plan did to it, such as `delay=3s` or `tamper`; empty if nothing. */
            plan: string[];
            /** @description The secret: the world's, the subscription's own, a wrong one, `none` if there is none; null without a signature. */
            signed_with: ("world_secret" | "own_secret" | "wrong_secret" | "none") | null;
            /** @description How long it took, in real time. */
            latency_ms: number;
            /** @description What was sent. */
            request: components["schemas"]["SentMessage"];
            /** @description What the receiver answered; null if nothing. */
            response: components["schemas"]["ReceivedMessage"] | null;
            /** @description Why it failed; null if it did not. */
            error_class: components["schemas"]["DeliveryErrorClass"] | null;
            /** @description What failed, in words. */
            error: string | null;
            /** @description What to do about it. */
            hint: string | null;
        };
        /**
         * @description Why an attempt failed.
         * @enum {string}
         */
        DeliveryErrorClass: "dns" | "blocked_address" | "connect_refused" | "connect_timeout" | "tls" | "reset" | "headers_timeout" | "body_timeout" | "total_timeout" | "http_status" | "too_large" | "shutdown" | "queue_full" | "dropped" | "other";
        /** @description A delivery of a timeline. */
        DeliveryInTimeline: {
            /** @description The type of the event. */
            event_type: components["schemas"]["EventType"];
            /** @description The subscription that it is for. */
            subscription_id: string;
            /** @description Where it is sent. */
            url: string;
            /** @description How far it is. */
            status: components["schemas"]["DeliveryStatus"];
            /** @description Why it is not sent yet, or attempted again later. */
            held_by: ("delay" | "reorder" | "paused" | "retry") | null;
            /**
             * Format: date-time
             * @description When a delivery that is held is sent, or a failed one again; null if it is not.
             */
            next_attempt_at: string | null;
            /** @description Every attempt, the first one first. */
            attempts: components["schemas"]["AttemptInTimeline"][];
        };
        /** @description A page of a list. */
        DeliveryPage: {
            /** @description The entries of the page. */
            data: components["schemas"]["Delivery"][];
            /** @description Where the page is in the list. */
            meta: components["schemas"]["JournalMeta"];
        };
        /** @description How deliveries are sent, and what goes wrong with them. */
        DeliveryPlan: {
            /** @description How likely an accepted delivery is sent a second time, from 0 to 1. */
            duplicate?: number;
            /** @description How likely a delivery is swapped with the next one. */
            reorder?: number;
            /** @description How likely a delivery is recorded, and never sent. */
            drop?: number;
            /** @description How likely the body of an attempt is changed after it was signed. */
            tamper?: number;
            /** @description How likely an attempt is signed with another secret. */
            wrong_secret?: number;
            /** @description How long a delivery waits first, on the world's clock: `2s` or `1s..5s`. */
            delay?: string;
            /** @description The further attempts of a delivery that fails, on the world's clock: `none`, `short` (3 within a minute), `standard` (8 over a day), or the wait before each. */
            retries?: ("none" | "short" | "standard") | string[];
            /** @description The time limits of an attempt, in real time. */
            timeout?: {
                /** @description To connect; 3s by default. */
                connect?: string;
                /** @description For the response; 10s by default. */
                answer?: string;
                /** @description In all; by default 5s more than `answer`. */
                total?: string;
            };
            /** @description Whether deliveries are held until it is false. */
            paused?: boolean;
        };
        /** @description One object under `data`. */
        DeliveryPlanResponse: {
            /** @description The object. */
            data: components["schemas"]["DeliveryPlan"];
        };
        /** @description One object under `data`. */
        DeliveryResponse: {
            /** @description The object. */
            data: components["schemas"]["Delivery"];
        };
        /**
         * @description `failed` without a 2xx response; `dropped` by its plan; `canceled` when its subscription was deleted first.
         * @enum {string}
         */
        DeliveryStatus: "pending" | "in_flight" | "delivered" | "failed" | "dropped" | "canceled";
        /** @description One of the timelines of a branch. */
        DrawnBranch: {
            /** @description How likely it is, relative to the others. */
            weight: number;
            /** @description What happens. */
            timeline: components["schemas"]["DrawnEntry"][];
        };
        /** @description A step of a timeline with what follows from it, or a branch. */
        DrawnEntry: {
            /** @description A step: how long after the one before. */
            after?: string;
            /** @description A step: the trigger that it fires. */
            trigger?: string;
            /** @description A step: the status that it leads to. */
            to?: string;
            /** @description A step: the events that it emits, in order. */
            events?: components["schemas"]["EventType"][];
            /** @description A branch: its timelines, one of which is drawn by weight. */
            branch?: components["schemas"]["DrawnBranch"][];
        };
        /** @description A phone number in E.164 form. */
        E164: string;
        /** @description The event type, and what the record that it is about must have. */
        EmitEventRequest: {
            /** @description Its type. */
            event_type: components["schemas"]["EventType"];
            /**
             * @description What its body must have. `id` names the record that it is about; fields that are left out follow from it.
             * @default {}
             */
            data?: {
                [key: string]: unknown;
            };
        };
        /** @description One entry of a timeline. */
        EntryInTimeline: {
            /** @description The id of the journal entry. */
            id: string;
            /**
             * @description Which of the four it is.
             * @enum {string}
             */
            kind: "request" | "step" | "event" | "delivery";
            /**
             * Format: date-time
             * @description An instant of the world's time.
             */
            at: string;
            /** @description Milliseconds of the world's time since the timeline began. */
            offset_ms: number;
            /** @description How many entries lie between it and the beginning of the timeline. */
            depth: number;
            /** @description The id of the journal entry that caused it, or the control operation, such as `emitEvent`. */
            cause: string | null;
            /** @description The record that it is about; null for a request. */
            subject: components["schemas"]["Subject"] | null;
            /** @description For a request. */
            request?: components["schemas"]["RequestInTimeline"];
            /** @description For a step. */
            step?: components["schemas"]["StepInTimeline"];
            /** @description For an event. */
            event?: components["schemas"]["EventInTimeline"];
            /** @description For a delivery. */
            delivery?: components["schemas"]["DeliveryInTimeline"];
        };
        /**
         * @description Present on call-related errors only.
         * @enum {string}
         */
        ErrorCategory: "invalid_request" | "compliance_block" | "account_limit" | "unreachable" | "voicemail" | "provider_error";
        /**
         * @description What went wrong; branch on this.
         * @enum {string}
         */
        ErrorCode: "destination_missing" | "destination_invalid" | "no_active_number" | "call_id_not_verified" | "destination_blocked" | "dnc_suppressed" | "recipient_opted_out" | "contact_automation_paused" | "no_consent" | "outside_call_window" | "day_not_allowed" | "frequency_exceeded" | "texting_not_ready" | "content_policy_forbidden" | "voice_usage_exhausted" | "no_active_subscription" | "no_number_available" | "rate_limited" | "busy" | "no_answer" | "number_unreachable" | "call_declined" | "carrier_rejected" | "voicemail_reached" | "room_creation_failed" | "agent_dispatch_failed" | "sip_gateway_failed" | "provider_api_error" | "internal_error" | "validation_error" | "unauthorized" | "forbidden" | "not_found" | "idempotency_conflict" | "scope_missing" | "conflict" | "method_not_allowed" | "payload_too_large" | "unsupported_media_type" | "headers_too_large" | "timeout";
        /** @description An error. */
        ErrorDetail: {
            /** @description The reason; branch on this. */
            code: components["schemas"]["ErrorCode"];
            /** @description For people; do not branch on it. */
            message: string;
            /** @description What to do about it. */
            resolution_hint?: string;
            /** @description The fields of the request that are wrong, each with an explanation. */
            fields?: {
                [key: string]: string;
            };
            /**
             * Format: uri
             * @description The section of the error reference.
             */
            doc_url?: string;
            /** @description The category of a call-related error. */
            category?: components["schemas"]["ErrorCategory"];
        };
        /** @description An error code of the platform. */
        ErrorEntry: {
            /** @description The code. */
            code: components["schemas"]["ErrorCode"];
            /** @description The HTTP status; null for codes that only a call resource has. */
            status: number | null;
            /** @description Its category; null for codes without one. */
            category: components["schemas"]["ErrorCategory"] | null;
            /** @description Whether the same request can succeed later. */
            retryable: boolean;
            /** @description What it means. */
            meaning: string;
            /** @description Whether a response can have it. */
            synchronous: boolean;
        };
        /** @description The body of every error. */
        ErrorEnvelope: {
            /** @description What went wrong. */
            error: components["schemas"]["ErrorDetail"];
        };
        /** @description An event that was emitted. */
        Event: {
            /** @description The id of the journal entry. */
            id: string;
            /** @description Its type. */
            event_type: components["schemas"]["EventType"];
            /**
             * Format: date-time
             * @description An instant of the world's time.
             */
            created_at: string;
            /** @description The record that it is about; null if there is none. */
            subject: components["schemas"]["Subject"] | null;
            /** @description The body, parsed. */
            payload: {
                [key: string]: unknown;
            };
            /** @description The exact body that is sent. */
            body: string;
            /** @description What a delivery of it carries, signed with the world's secret where the type is signed. */
            headers: {
                [key: string]: string;
            };
            /** @description Where the body does not match its schema in the contract; empty unless there is a bug. */
            schema_violations: string[];
            /** @description How many subscriptions it is delivered to. */
            deliveries: number;
            /** @description Why there is no delivery; empty if there is any. */
            unheard: components["schemas"]["UnheardReason"][];
            /** @description The id of the journal entry that caused it, or the control operation, such as `emitEvent`. */
            cause: string | null;
        };
        /** @description An event type. */
        EventEntry: {
            /** @description The type. */
            event_type: components["schemas"]["EventType"];
            /**
             * @description The shape of its body.
             * @enum {string}
             */
            family: "call" | "message" | "number_lifecycle" | "resource";
            /** @description Whether its deliveries carry a signature. */
            signed: boolean;
            /** @description When it happens. */
            fires_when: string;
            /** @description The name of its body's schema in the contract. */
            schema: string;
        };
        /** @description An event of a timeline. */
        EventInTimeline: {
            /** @description Its type. */
            event_type: components["schemas"]["EventType"];
            /** @description How many subscriptions it is delivered to. */
            deliveries: number;
            /** @description Why there is no delivery; empty if there is any. */
            unheard: ("none_of_that_type" | "other_organization" | "other_campaign")[];
            /** @description Where the body does not match its schema. */
            schema_violations: string[];
        };
        /** @description A page of a list. */
        EventPage: {
            /** @description The entries of the page. */
            data: components["schemas"]["Event"][];
            /** @description Where the page is in the list. */
            meta: components["schemas"]["JournalMeta"];
        };
        /** @description One object under `data`. */
        EventResponse: {
            /** @description The object. */
            data: components["schemas"]["Event"];
        };
        /**
         * @description The 16 event types, and two that the specification mentions elsewhere (`enterprise.status.updated` and
         *     `phone_call.ended`).
         * @enum {string}
         */
        EventType: "new_call" | "call_completed" | "call_no_answer" | "call_voicemail" | "call_busy" | "call_failed" | "contact_replied" | "sms_sent" | "sms_delivered" | "sms_failed" | "contact_created" | "number_purchased" | "number_released" | "texting_registration_status_changed" | "new_appointment" | "workflow_contact_completed" | "enterprise.status.updated" | "phone_call.ended";
        /** @description What a scenario says that happens. */
        Expectation: {
            /** @description The refusals before the request that starts it. */
            refused?: components["schemas"]["ExpectedRefusal"][];
            /** @description The statuses of the record, in order. */
            statuses?: string[];
            /** @description The events, in order. */
            events?: components["schemas"]["EventType"][];
            /** @description Fields of the record at the end. */
            record?: {
                [key: string]: unknown;
            };
        };
        /** @description A refusal that a scenario expects of itself. */
        ExpectedRefusal: {
            /** @description The HTTP status. */
            status: number;
            /** @description The code of the error. */
            code: components["schemas"]["RefusalCode"];
        };
        /**
         * @description The category of a failure code.
         * @enum {string}
         */
        FailureCategory: "unreachable" | "voicemail";
        /**
         * @description Why a call did not reach a person.
         * @enum {string}
         */
        FailureCode: "busy" | "no_answer" | "number_unreachable" | "call_declined" | "carrier_rejected" | "voicemail_reached";
        /** @description The fault that was added, or all faults of the world. */
        FaultChange: components["schemas"]["WorldFault"] | components["schemas"]["WorldFaultList"];
        /** @description One object under `data`. */
        FaultChangeResponse: {
            /** @description The object. */
            data: components["schemas"]["FaultChange"];
        };
        /** @description A list that replaces all faults. */
        FaultList: {
            /** @description Every fault of the world from now on. */
            faults: components["schemas"]["FaultToSet"][];
        };
        /** @description Which requests it meets, and what happens to them. */
        FaultToSet: {
            /** @description The operation, such as `dialCall` or `list*`: `*` for any text without a slash, `**` for any text. */
            operation?: string;
            /** @description The HTTP method, in any case. */
            method?: string;
            /** @description The path without the query: `*` for any text without a slash, `**` for any text. */
            path?: string;
            /**
             * @description The platform answers with this error.
             * @enum {string}
             */
            error?: "destination_missing" | "destination_invalid" | "no_active_number" | "call_id_not_verified" | "destination_blocked" | "dnc_suppressed" | "recipient_opted_out" | "contact_automation_paused" | "no_consent" | "outside_call_window" | "day_not_allowed" | "frequency_exceeded" | "texting_not_ready" | "content_policy_forbidden" | "voice_usage_exhausted" | "no_active_subscription" | "no_number_available" | "rate_limited" | "room_creation_failed" | "agent_dispatch_failed" | "sip_gateway_failed" | "provider_api_error" | "internal_error" | "validation_error" | "unauthorized" | "forbidden" | "not_found" | "idempotency_conflict" | "scope_missing";
            /**
             * @description The connection breaks in this way.
             * @enum {string}
             */
            fault?: "reset" | "empty" | "truncate" | "timeout";
            /** @description A gateway answers in place of the platform. */
            respond?: components["schemas"]["RawAnswer"];
            /** @description The answer changes as the platform may change without notice; it means the same. */
            drift?: ("extra_fields" | "unknown_enum" | "timestamps_offset")[];
            /** @description The answer is that much later, in real time: `2s` or `200ms..2s`, at most 60s. */
            latency?: string;
            /**
             * @description Before the effect of the request, which then has none, or after it.
             * @enum {string}
             */
            when?: "before" | "after";
            /** @description How likely it happens to a request; 1 by default. */
            probability?: number;
            /** @description Happens only to the request with this number, counted after `skip`. */
            nth?: number;
            /** @description How many matching requests it leaves alone first. */
            skip?: number;
            /** @description How often it happens at most. */
            times?: number;
            /** @description How long it lasts, on the world's clock. */
            ttl?: string;
        };
        /** @description One fault to add, or a list that replaces all. */
        FaultsToSet: components["schemas"]["FaultToSet"] | components["schemas"]["FaultList"];
        /** @description That the server is alive, and what it has used of its memory. */
        Health: {
            /**
             * @description `ok` for health; `ready` or `not_ready` for readiness.
             * @enum {string}
             */
            status: "ok" | "ready" | "not_ready";
            /** @description The version of the server. */
            version: string;
            /** @description Since the server was started. */
            uptime_seconds: number;
            /** @description The store of all worlds. */
            store: {
                /**
                 * @description Where it is (`--store`).
                 * @enum {string}
                 */
                kind: "memory" | "redis";
                /** @description The name of this process among those that share it; null where none does. */
                replica: string | null;
                /** @description How many worlds this process does the timed tasks and deliveries of; null where no other could. */
                runs: number | null;
                /** @description Why it cannot be used now; null if it can. */
                problem: string | null;
                /** @description What endangers what it has; absent if nothing does. */
                warning?: string;
            };
            /** @description The lines that the log could not write: its output was full, closed or not read. */
            log_lines_dropped: number;
            /** @description The memory budget. */
            memory: {
                /** @description The budget (`--memory`). */
                limit_bytes: number;
                /** @description What it is for, by kind. */
                shares: {
                    /** @description A share of the memory budget. */
                    journals: {
                        /** @description How much of it there is. */
                        limit_bytes: number;
                        /** @description How much of it is used, by estimate. */
                        used_bytes: number;
                        /** @description The things that were deleted before their time to make room. */
                        dropped: number;
                        /** @description The requests, connections and deliveries that were refused for lack of room. */
                        refused: number;
                    };
                    /** @description A share of the memory budget. */
                    records: {
                        /** @description How much of it there is. */
                        limit_bytes: number;
                        /** @description How much of it is used, by estimate. */
                        used_bytes: number;
                        /** @description The things that were deleted before their time to make room. */
                        dropped: number;
                        /** @description The requests, connections and deliveries that were refused for lack of room. */
                        refused: number;
                    };
                    /** @description A share of the memory budget. */
                    deliveries: {
                        /** @description How much of it there is. */
                        limit_bytes: number;
                        /** @description How much of it is used, by estimate. */
                        used_bytes: number;
                        /** @description The things that were deleted before their time to make room. */
                        dropped: number;
                        /** @description The requests, connections and deliveries that were refused for lack of room. */
                        refused: number;
                    };
                    /** @description A share of the memory budget. */
                    documents: {
                        /** @description How much of it there is. */
                        limit_bytes: number;
                        /** @description How much of it is used, by estimate. */
                        used_bytes: number;
                        /** @description The things that were deleted before their time to make room. */
                        dropped: number;
                        /** @description The requests, connections and deliveries that were refused for lack of room. */
                        refused: number;
                    };
                    /** @description A share of the memory budget. */
                    connections: {
                        /** @description How much of it there is. */
                        limit_bytes: number;
                        /** @description How much of it is used, by estimate. */
                        used_bytes: number;
                        /** @description The things that were deleted before their time to make room. */
                        dropped: number;
                        /** @description The requests, connections and deliveries that were refused for lack of room. */
                        refused: number;
                    };
                };
            };
        };
        /** @description One object under `data`. */
        HealthResponse: {
            /** @description The object. */
            data: components["schemas"]["Health"];
        };
        /** @description How an inbox answers. */
        InboxAnswers: {
            /** @description The name of the inbox. */
            name: string;
            /** @description A status that stays, the statuses that are left of a list, or null for 200. */
            respond: number | number[] | null;
            /** @description How long each answer takes, in real time; null for no delay. */
            delay: string | null;
        };
        /** @description One object under `data`. */
        InboxAnswersResponse: {
            /** @description The object. */
            data: components["schemas"]["InboxAnswers"];
        };
        /** @description A request that an inbox received. */
        InboxMessage: {
            /** @description The id of the journal entry. */
            id: string;
            /** @description The name of the inbox. */
            inbox: string;
            /**
             * Format: date-time
             * @description An instant of the world's time.
             */
            received_at: string;
            /** @description The HTTP method. */
            method: string;
            /** @description The path without the query. */
            path: string;
            /** @description The query without its question mark. */
            query: string;
            /** @description By lower-case name; credentials are redacted. */
            headers: {
                [key: string]: string;
            };
            /** @description The exact bytes: as text, or in base64 where they are not UTF-8. */
            body: string;
            /**
             * @description How `body` has the bytes.
             * @enum {string}
             */
            encoding: "utf8" | "base64";
            /** @description The length of the body. */
            body_bytes: number;
            /** @description What its signature is. */
            signature: components["schemas"]["SignatureState"];
            /** @description Whose secret signed it: `world`, or the id of a subscription; null unless the signature is valid. */
            signed_with: string | null;
            /** @description The status that the inbox answered with. */
            status: number;
        };
        /** @description A page of a list. */
        InboxMessagePage: {
            /** @description The entries of the page. */
            data: components["schemas"]["InboxMessage"][];
            /** @description Where the page is in the list. */
            meta: components["schemas"]["JournalMeta"];
        };
        /** @description Which page of a journal this is. */
        JournalMeta: {
            /** @description The `cursor` of the next page; null on the last one. */
            cursor: string | null;
            /** @description The entries of all pages. */
            total_results: number;
            /** @description The most entries that a page can have. */
            page_size: number;
            /** @description The entries that the journal no longer keeps. */
            dropped: number;
        };
        /** @description An API key, without its plaintext. */
        Key: {
            /** @description The id of the key. */
            id: string;
            /** @description What the key may do. */
            scopes: components["schemas"]["Scope"][];
            /** @description Whether it is a demo key. */
            is_demo: boolean;
            /** @description Its rate limit. */
            requests_per_minute: number;
            /** @description Whether requests with it are 401. */
            revoked: boolean;
            /**
             * Format: date-time
             * @description An instant of the world's time.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description The organization that it belongs to.
             */
            organization_id: string;
        };
        /** @description A page of a list. */
        KeyPage: {
            /** @description The entries of the page. */
            data: components["schemas"]["Key"][];
            /** @description Where the page is in the list. */
            meta: components["schemas"]["PageMeta"];
        };
        /** @description A source of leads. */
        LeadSource: {
            /** @description The id of the source. */
            id: string;
            /** @description Its name. */
            name: string;
            /** @description The token in the path of `POST /v1/leads/{url_token}`. */
            url_token: string;
            /** @description The secret for the header `X-Source-Secret`. */
            source_secret: string;
            /**
             * Format: uuid
             * @description The organization that it belongs to.
             */
            organization_id: string;
            /**
             * Format: date-time
             * @description An instant of the world's time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description An instant of the world's time.
             */
            rotated_at: string | null;
        };
        /** @description A page of a list. */
        LeadSourcePage: {
            /** @description The entries of the page. */
            data: components["schemas"]["LeadSource"][];
            /** @description Where the page is in the list. */
            meta: components["schemas"]["PageMeta"];
        };
        /** @description One object under `data`. */
        LeadSourceResponse: {
            /** @description The object. */
            data: components["schemas"]["LeadSource"];
        };
        /** @description A phone number that plays a scenario. */
        MagicNumber: {
            /** @description The last two digits of `+1 NPA 555 01XX`. */
            number: string;
            /** @description The scenario that it plays. */
            scenario: string;
            /** @description The kind of that scenario. */
            kind: string;
        };
        /** @description The fields of the SMS events, the body, and how it is split into segments. */
        Message: {
            /** @description The id of the message. */
            id: string;
            /** @description The number that it was sent to. */
            phone_number: string;
            /** @description The number that sent it. */
            from_number: string;
            /** @description Who texted. */
            direction: components["schemas"]["CallDirection"];
            /** @description How far the message is. */
            status: components["schemas"]["MessageStatus"];
            /** @description Identifies the other party in all messages. */
            contact_token: string | null;
            /** @description Null until the carrier accepts the message. */
            provider_id: string | null;
            /** @description Why it failed; null otherwise. */
            error_message: string | null;
            /**
             * @description Always `sms`.
             * @enum {string}
             */
            channel: "sms";
            /** @description When it was created. */
            created_at: components["schemas"]["Timestamp"];
            /** @description The text. */
            body: string;
            /**
             * @description UCS-2 if the text has a character that is not in GSM 03.38.
             * @enum {string}
             */
            encoding: "GSM-7" | "UCS-2";
            /**
             * Format: int32
             * @description The number of parts that it is sent in. A single part has 160 septets or 70 code
             *     units; several parts have 153 or 67 each.
             */
            segments: number;
        };
        /** @description A page of a list. */
        MessagePage: {
            /** @description The entries of the page. */
            data: components["schemas"]["Message"][];
            /** @description Where the page is in the list. */
            meta: components["schemas"]["PageMeta"];
        };
        /** @description One object under `data`. */
        MessageResponse: {
            /** @description The object. */
            data: components["schemas"]["Message"];
        };
        /**
         * @description The status of a message; `received` is that of an inbound one.
         * @enum {string}
         */
        MessageStatus: "accepted" | "sent" | "delivered" | "undelivered" | "failed" | "received";
        /** @description A request that nearly matches. */
        NearMiss: {
            /** @description The id of the journal entry. */
            id: string;
            /**
             * Format: date-time
             * @description An instant of the world's time.
             */
            at: string;
            /** @description The HTTP method. */
            method: string;
            /** @description The path without the query. */
            path: string;
            /** @description The operation's id in the contract; null if no operation matched. */
            operation: string | null;
            /** @description The status of the response; 0 if the connection was broken before one. */
            status: number;
            /** @description Where it differs. */
            differences: components["schemas"]["RequestDifference"][];
        };
        /** @description The earliest task of the schedule. */
        NextTask: {
            /**
             * Format: date-time
             * @description When it is due; null if nothing is scheduled.
             */
            at: string | null;
        };
        /** @description One object under `data`. */
        NextTaskResponse: {
            /** @description The object. */
            data: components["schemas"]["NextTask"];
        };
        /** @description An OpenAPI document. */
        OpenApiDocument: {
            [key: string]: unknown;
        };
        /** @description A scenario that another one outranked, or that could not be played. */
        OutrankedScenario: {
            /** @description What would have selected it. */
            source: components["schemas"]["SelectionSource"];
            /** @description Its name. */
            name: string;
            /** @description Why it is not the one that is played. */
            reason: string;
        };
        /** @description Which page of a list this is. */
        PageMeta: {
            /** @description The `cursor` of the next page; null on the last one. */
            cursor: string | null;
            /** @description The entries of all pages. */
            total_results: number;
            /** @description The most entries that a page can have. */
            page_size: number;
        };
        /** @description A gateway's answer. */
        RawAnswer: {
            /** @description The status, from 200 to 599. */
            status: number;
            /** @description The headers, such as `Retry-After`. */
            headers?: {
                [key: string]: string | number;
            };
            /** @description A string is sent as it is, anything else as JSON. */
            body?: unknown;
            /** @description By default `text/html` for a string that begins with `<`, `text/plain` for another, else JSON. */
            content_type?: string;
        };
        /** @description Whether the server is ready. */
        Readiness: {
            /**
             * @description `ok` for health; `ready` or `not_ready` for readiness.
             * @enum {string}
             */
            status: "ok" | "ready" | "not_ready";
            /** @description The version of the server. */
            version: string;
            /** @description Since the server was started. */
            uptime_seconds: number;
        };
        /** @description One object under `data`. */
        ReadinessResponse: {
            /** @description The object. */
            data: components["schemas"]["Readiness"];
        };
        /** @description That a message was received. */
        ReceivedAtInbox: {
            /** @description The id of the message. */
            id: string;
            /** @description What its signature is. */
            signature: components["schemas"]["SignatureState"];
        };
        /** @description One object under `data`. */
        ReceivedAtInboxResponse: {
            /** @description The object. */
            data: components["schemas"]["ReceivedAtInbox"];
        };
        /** @description A receiver's response. */
        ReceivedMessage: {
            /** @description The status of the response. */
            status: number;
            /** @description By lower-case name. */
            headers: {
                [key: string]: string;
            } | null;
            /** @description The first 4 KiB. */
            body: string | null;
        };
        /** @description A request or a response as it was sent. */
        RecordedMessage: {
            /** @description Of a request by lower-case name, of a response as sent; secrets are redacted. */
            headers: {
                [key: string]: string;
            };
            /** @description The first 64 KiB; secrets are redacted. */
            body: string;
            /** @description The length of the whole body. */
            body_bytes: number;
            /** @description SHA-256 of the whole body, in lower-case hexadecimal digits. */
            body_sha256: string;
        };
        /** @description A request to the platform and its response. */
        RecordedRequest: {
            /** @description The id of the journal entry, which is also `X-Sandbox-Request-Id`. */
            id: string;
            /**
             * Format: date-time
             * @description An instant of the world's time.
             */
            at: string;
            /** @description The HTTP method. */
            method: string;
            /** @description The path without the query. */
            path: string;
            /** @description The query without its question mark. */
            query: string;
            /** @description The operation's id in the contract; null if no operation matched. */
            operation: string | null;
            /** @description The id of the API key. */
            key_id: string | null;
            /** @description The status of the response; 0 if the connection was broken before one. */
            status: number;
            /** @description The code of the error. */
            error_code: string | null;
            /** @description How long the response took, in real time. */
            duration_ms: number;
            /** @description Whether an idempotency key replayed an earlier response. */
            replayed: boolean;
            /** @description How the connection was broken, by X-Sandbox-Fault or a fault of the world. */
            fault: string | null;
            /** @description What faults of the world did; absent if none did anything. */
            faults?: components["schemas"]["AppliedFault"][];
            /** @description The scenario that it played; null if it played none. */
            scenario: components["schemas"]["ScenarioSelection"] | null;
            /** @description What was received. */
            request: components["schemas"]["RecordedMessage"];
            /** @description What was answered. */
            response: components["schemas"]["RecordedMessage"];
        };
        /** @description A page of a list. */
        RecordedRequestPage: {
            /** @description The entries of the page. */
            data: components["schemas"]["RecordedRequest"][];
            /** @description Where the page is in the list. */
            meta: components["schemas"]["JournalMeta"];
        };
        /** @description One object under `data`. */
        RecordedRequestResponse: {
            /** @description The object. */
            data: components["schemas"]["RecordedRequest"];
        };
        /** @description An error response that the scenario gives instead of running the operation. */
        Refusal: {
            /** @description The code of the error. */
            code: components["schemas"]["RefusalCode"];
            /** @description How often it applies before what follows does; without it, always. */
            times?: number;
            /** @description The `fields` of the error. */
            fields?: {
                [key: string]: string;
            };
        };
        /**
         * @description The codes that a response of the platform can have.
         * @enum {string}
         */
        RefusalCode: "destination_missing" | "destination_invalid" | "no_active_number" | "call_id_not_verified" | "destination_blocked" | "dnc_suppressed" | "recipient_opted_out" | "contact_automation_paused" | "no_consent" | "outside_call_window" | "day_not_allowed" | "frequency_exceeded" | "texting_not_ready" | "content_policy_forbidden" | "voice_usage_exhausted" | "no_active_subscription" | "no_number_available" | "rate_limited" | "room_creation_failed" | "agent_dispatch_failed" | "sip_gateway_failed" | "provider_api_error" | "internal_error" | "validation_error" | "unauthorized" | "forbidden" | "not_found" | "idempotency_conflict" | "scope_missing";
        /** @description What sets a request apart from the expected one. */
        RequestDifference: {
            /** @description The field that differs, such as `body.to_number`. */
            field: string;
            /** @description What it should be. */
            expected: unknown;
            /** @description What it is; absent if the request does not have it. */
            actual?: unknown;
        };
        /** @description A request of a timeline; `GET /_sandbox/requests/{id}` has its bodies. */
        RequestInTimeline: {
            /** @description The HTTP method. */
            method: string;
            /** @description The path without the query. */
            path: string;
            /** @description The operation's id in the contract; null if no operation matched. */
            operation: string | null;
            /** @description The status of the response; 0 if the connection was broken before one. */
            status: number;
            /** @description The code of the error. */
            error_code: string | null;
            /** @description How long the response took, in real time. */
            duration_ms: number;
            /** @description Whether an idempotency key replayed an earlier response. */
            replayed: boolean;
            /** @description How the connection was broken. */
            fault: string | null;
            /** @description What faults of the world did. */
            faults: components["schemas"]["AppliedFault"][];
            /** @description The `x-sandbox-` headers that it carried. */
            control_headers: {
                [key: string]: string;
            };
            /** @description The scenario that was chosen with it; null if none was. */
            choice: components["schemas"]["ShownSelection"] | null;
        };
        /** @description Whether requests were made as expected. */
        RequestVerification: {
            /** @description Whether as many requests match as expected. */
            passed: boolean;
            /** @description How many requests match. */
            actual: number;
            /** @description The nearest requests that do not match, at most 5; empty if too many match, absent if it has passed. */
            misses?: components["schemas"]["NearMiss"][];
        };
        /** @description The result, or an error. */
        RequestVerificationOrErrorResponse: components["schemas"]["RequestVerificationResponse"] | components["schemas"]["ErrorEnvelope"];
        /** @description One object under `data`. */
        RequestVerificationResponse: {
            /** @description The object. */
            data: components["schemas"]["RequestVerification"];
        };
        /** @description Which of the two to replace; both by default. */
        RotateLeadSourceRequest: {
            /**
             * @description Whether to replace the URL token.
             * @default true
             */
            url_token?: boolean;
            /**
             * @description Whether to replace the secret.
             * @default true
             */
            source_secret?: boolean;
        };
        /** @description A scenario. One whose file was never valid has only `name`, `origin` and `error`. */
        Scenario: {
            /** @description Its name, which is that of its file. */
            name: string;
            /**
             * @description Where it comes from: the package, --scenarios or the world.
             * @enum {string}
             */
            origin: "bundled" | "folder" | "world";
            /** @description Why the last edit of its file was not accepted. */
            error: string | null;
            /** @description What it applies to, such as `call`. */
            kind?: string;
            /** @description What happens, in a sentence. */
            summary?: string;
            /** @description The scenario whose missing parts it has taken. */
            extends?: string;
            /** @description Whether it is the default of its kind. */
            default?: boolean;
            /** @description The last two digits of its magic numbers, such as `03`. */
            numbers?: string[];
            /** @description Its parameters with their defaults, such as `ring: 2s`. */
            parameters?: {
                [key: string]: string;
            };
            /** @description The refusals before its timeline, in order. */
            refuse?: components["schemas"]["Refusal"][];
            /** @description What happens, in order. */
            timeline?: components["schemas"]["TimelineEntry"][];
            /** @description What a person who watches can choose, by name: what happens then, in place of the rest. */
            choices?: {
                [key: string]: components["schemas"]["TimelineEntry"][];
            };
            /** @description What is said on the call. */
            transcript?: components["schemas"]["TranscriptLine"][];
            /** @description What must follow from it, which is checked. */
            expect?: components["schemas"]["Expectation"];
            /** @description The text of its file; only where one scenario is read. */
            source?: string;
            /** @description What its steps lead to; only where one scenario is read. */
            drawing?: components["schemas"]["ScenarioDrawing"];
        };
        /** @description What is wrong with a scenario file, if anything. */
        ScenarioCheck: {
            /** @description Everything that is wrong with it, in the order of the file. */
            faults: components["schemas"]["ScenarioFault"][];
            /** @description The scenario that it would be; null if anything is wrong. */
            scenario: components["schemas"]["Scenario"] | null;
        };
        /** @description One object under `data`. */
        ScenarioCheckResponse: {
            /** @description The object. */
            data: components["schemas"]["ScenarioCheck"];
        };
        /** @description What the steps of a scenario lead to. */
        ScenarioDrawing: {
            /** @description Where its timeline begins. */
            begins: {
                /** @description The status before the first step. */
                status: string;
                /** @description The events when the record is made. */
                events: components["schemas"]["EventType"][];
            };
            /** @description Its steps, in order. */
            timeline: components["schemas"]["DrawnEntry"][];
            /** @description What can be chosen, by name. */
            choices: {
                [key: string]: components["schemas"]["DrawnEntry"][];
            };
        };
        /** @description Something that is wrong with a scenario file. */
        ScenarioFault: {
            /** @description Counts from 1. */
            line: number;
            /** @description Counts from 1; 0 for the line as a whole. */
            column: number;
            /** @description The path of the field, such as `timeline.0.trigger`; empty for the file as a whole. */
            field: string;
            /** @description What is wrong, and what is allowed. */
            reason: string;
        };
        /** @description A scenario file. */
        ScenarioFile: {
            /** @description What it applies to, such as `call`. */
            kind: string;
            /** @description What happens, in a sentence. */
            summary: string;
            /** @description The scenario whose missing parts it takes. */
            extends?: string;
            /** @description Whether it becomes the default of its kind. */
            default?: boolean;
            /** @description The last two digits of its magic numbers, such as `03`. */
            numbers?: string[];
            /** @description Its parameters with their defaults, such as `ring: 2s`. */
            parameters?: {
                [key: string]: string;
            };
            /** @description The refusals before its timeline, in order. */
            refuse?: components["schemas"]["Refusal"][];
            /** @description What happens, in order. */
            timeline?: components["schemas"]["TimelineEntry"][];
            /** @description What a person who watches can choose, by name: what happens then, in place of the rest. */
            choices?: {
                [key: string]: components["schemas"]["TimelineEntry"][];
            };
            /** @description What is said on the call. */
            transcript?: {
                /**
                 * @description Who speaks.
                 * @enum {string}
                 */
                role: "agent" | "user";
                /** @description What is said; `{greeting}` and `{business_name}` are the values of the agent. */
                text: string;
                /** @description Whether the other side cut it short. */
                interrupted?: boolean;
            }[];
            /** @description What must follow from it, which is checked. */
            expect?: components["schemas"]["Expectation"];
        };
        /** @description A page of a list. */
        ScenarioPage: {
            /** @description The entries of the page. */
            data: components["schemas"]["Scenario"][];
            /** @description Where the page is in the list. */
            meta: components["schemas"]["PageMeta"];
        };
        /** @description One object under `data`. */
        ScenarioResponse: {
            /** @description The object. */
            data: components["schemas"]["Scenario"];
        };
        /** @description The scenario that is played, and why. */
        ScenarioSelection: {
            /** @description The name of the scenario. */
            name: string;
            /** @description The parameters that were given. */
            parameters: {
                [key: string]: string;
            };
            /** @description What selected it. */
            source: components["schemas"]["SelectionSource"];
            /** @description What it outranked, and why. */
            outranked: components["schemas"]["OutrankedScenario"][];
        };
        /**
         * @description What a key may do; `compliance:write` is never granted by default.
         * @enum {string}
         */
        Scope: "account:read" | "voice:read" | "voice:write" | "voice:webrtc" | "calls:read" | "calls:write" | "recordings:read" | "transcripts:read" | "agents:read" | "agents:write" | "phone_numbers:read" | "phone_numbers:write" | "sms:read" | "sms:write" | "webhooks:read" | "webhooks:write" | "caller_trust:read" | "caller_trust:write" | "brand:read" | "brand:write" | "sub_entities:read" | "sub_entities:write" | "compliance:write" | "usage:read" | "tokens:mint" | "jobs:read" | "jobs:write" | "bookings:read";
        /** @description The answers of the inbox. */
        ScriptInboxRequest: {
            /** @description A status such as 503, or a list of them; 200 by default. */
            respond?: number | number[];
            /** @description How long each answer takes, in real time, at most `60s`; none by default. */
            delay?: string;
        };
        /**
         * @description What selects it; `named`: the control request that simulates something.
         * @enum {string}
         */
        SelectionSource: "header" | "active" | "number" | "named" | "default" | "rules";
        /** @description The request of an attempt. */
        SentMessage: {
            /** @description By name, as they were sent. */
            headers: {
                [key: string]: string;
            };
            /** @description The exact bytes, as text. */
            body: string;
        };
        /** @description A tick that was sent, or is about to be. */
        SentTick: {
            /** @description The id of the journal entry. */
            id: string;
            /**
             * Format: date-time
             * @description An instant of the world's time.
             */
            at: string;
            /** @description Where it was sent, without secrets in the address. */
            url: string;
            /** @description How far it is. */
            status: components["schemas"]["DeliveryStatus"];
            /** @description What was sent and answered; null as long as it is not. */
            attempt: components["schemas"]["DeliveryAttempt"] | null;
        };
        /** @description A page of a list. */
        SentTickPage: {
            /** @description The entries of the page. */
            data: components["schemas"]["SentTick"][];
            /** @description Where the page is in the list. */
            meta: components["schemas"]["JournalMeta"];
        };
        /** @description What to play: one scenario until another is set, or a list that requests use up. */
        SetActiveScenarioRequest: {
            /** @description A scenario such as `busy` or `busy;ring=2s`, or a list of them. */
            use: string | string[];
        };
        /** @description The value to set. */
        SetAssumptionRequest: {
            /** @description One of the values that the assumption allows. */
            value: string | number;
        };
        /** @description Whom this world may call, and when; every key is optional. */
        SetCallingRulesRequest: {
            /**
             * @description Numbers on a do-not-call list.
             * @default []
             */
            do_not_call?: string[];
            /**
             * @description Numbers whose owners have opted out.
             * @default []
             */
            opted_out?: string[];
            /**
             * @description Numbers whose owners have not agreed to calls.
             * @default []
             */
            no_consent?: string[];
            /**
             * @description Numbers of contacts whose automation is paused.
             * @default []
             */
            paused?: string[];
            /**
             * @description The most calls to one number in a day; null for no limit.
             * @default null
             */
            calls_per_day?: number | null;
            /**
             * @description The weekdays on which calls are allowed.
             * @default [
             *       "Monday",
             *       "Tuesday",
             *       "Wednesday",
             *       "Thursday",
             *       "Friday",
             *       "Saturday",
             *       "Sunday"
             *     ]
             */
            days?: ("Monday" | "Tuesday" | "Wednesday" | "Thursday" | "Friday" | "Saturday" | "Sunday")[];
            /**
             * @description When calls become allowed, such as `08:00:00`, in the time of the destination.
             * @default 00:00:00
             */
            from?: string;
            /**
             * @description The last second at which calls are allowed.
             * @default 23:59:59
             */
            until?: string;
            /**
             * @description The time zone of destinations whose location is unknown.
             * @default America/New_York
             * @example America/New_York
             */
            time_zone?: string;
        };
        /** @description Any of the mode and the time; what is left out stays as it is. */
        SetClockRequest: {
            /** @description `real`, `manual`, `instant`, or a speed such as `20x`. */
            mode?: string;
            /** @description Another way to set the mode: 1 is `real`. */
            speed?: number;
            /**
             * Format: date-time
             * @description Not in the past of the world.
             */
            now?: string;
            /** @description Ignored, so that what GET answers can be sent back. */
            pending?: number;
            /** @description Ignored, as `pending` is. */
            tick?: {
                [key: string]: unknown;
            };
        };
        /** @description The tick. */
        SetTickRequest: {
            /** @description How often, such as `1m`; the first one comes after that time. */
            every: string;
            /** @description Where to; the rules are those of webhook URLs. */
            url: string;
        };
        /** @description The plan. */
        SetWebhookPlanRequest: {
            /** @description How likely an accepted delivery is sent a second time, from 0 to 1. */
            duplicate?: number;
            /** @description How likely a delivery is swapped with the next one. */
            reorder?: number;
            /** @description How likely a delivery is recorded, and never sent. */
            drop?: number;
            /** @description How likely the body of an attempt is changed after it was signed. */
            tamper?: number;
            /** @description How likely an attempt is signed with another secret. */
            wrong_secret?: number;
            /** @description How long a delivery waits first, on the world's clock: `2s` or `1s..5s`. */
            delay?: string;
            /** @description The further attempts of a delivery that fails, on the world's clock: `none`, `short` (3 within a minute), `standard` (8 over a day), or the wait before each. */
            retries?: ("none" | "short" | "standard") | string[];
            /** @description The time limits of an attempt, in real time. */
            timeout?: {
                /** @description To connect; 3s by default. */
                connect?: string;
                /** @description For the response; 10s by default. */
                answer?: string;
                /** @description In all; by default 5s more than `answer`. */
                total?: string;
            };
            /** @description Whether deliveries are held until it is false. */
            paused?: boolean;
            /** @description The whole plan in one field, as of a subscription. */
            plan?: {
                /** @description How likely an accepted delivery is sent a second time, from 0 to 1. */
                duplicate?: number;
                /** @description How likely a delivery is swapped with the next one. */
                reorder?: number;
                /** @description How likely a delivery is recorded, and never sent. */
                drop?: number;
                /** @description How likely the body of an attempt is changed after it was signed. */
                tamper?: number;
                /** @description How likely an attempt is signed with another secret. */
                wrong_secret?: number;
                /** @description How long a delivery waits first, on the world's clock: `2s` or `1s..5s`. */
                delay?: string;
                /** @description The further attempts of a delivery that fails, on the world's clock: `none`, `short` (3 within a minute), `standard` (8 over a day), or the wait before each. */
                retries?: ("none" | "short" | "standard") | string[];
                /** @description The time limits of an attempt, in real time. */
                timeout?: {
                    /** @description To connect; 3s by default. */
                    connect?: string;
                    /** @description For the response; 10s by default. */
                    answer?: string;
                    /** @description In all; by default 5s more than `answer`. */
                    total?: string;
                };
                /** @description Whether deliveries are held until it is false. */
                paused?: boolean;
            };
        };
        /** @description Which scenario was chosen, and why. */
        ShownSelection: {
            /** @description The one that is played. */
            winner: components["schemas"]["ChosenScenario"];
            /** @description The others, and why they lost. */
            losers: components["schemas"]["OutrankedScenario"][];
        };
        /**
         * @description `valid` by the secret of the world or of a subscription, `invalid` by all of them, `absent` without a signature.
         * @enum {string}
         */
        SignatureState: "valid" | "invalid" | "absent";
        /** @description A webhook subscription with its signing secret and its plan. */
        SignedSubscription: {
            /** @description The id of the subscription. */
            id: string;
            /** @description Where its deliveries are sent. */
            webhook_url: string;
            /** @description The events that it gets. */
            event_type: components["schemas"]["EventType"];
            /** @description As it was subscribed. */
            workflow_id?: string;
            /** @description The job that it is narrowed to. */
            campaign_id?: string;
            /** @description What its deliveries are signed with; null if they are not. */
            signing_secret: string | null;
            /** @description How its deliveries are sent; null if the plan of the world applies. */
            plan: components["schemas"]["DeliveryPlan"] | null;
        };
        /** @description Subscriptions of one address. */
        SignedSubscriptionList: {
            /** @description One for each type, in their order. */
            subscriptions: components["schemas"]["SignedSubscription"][];
        };
        /** @description One object under `data`. */
        SignedSubscriptionListResponse: {
            /** @description The object. */
            data: components["schemas"]["SignedSubscriptionList"];
        };
        /** @description A page of a list. */
        SignedSubscriptionPage: {
            /** @description The entries of the page. */
            data: components["schemas"]["SignedSubscription"][];
            /** @description Where the page is in the list. */
            meta: components["schemas"]["PageMeta"];
        };
        /** @description One object under `data`. */
        SignedSubscriptionResponse: {
            /** @description The object. */
            data: components["schemas"]["SignedSubscription"];
        };
        /** @description Who calls whom, and how the call goes. */
        SimulateInboundCallRequest: {
            /** @description A number of this world; by default the agent's, or that of an agent of the key's organization. */
            to_number?: string;
            /** @description Who calls; a fictional number by default. */
            from_number?: string;
            /**
             * Format: uuid
             * @description The agent that answers; that of the called number by default.
             */
            agent_id?: string;
            /** @description Such as `no_answer` or `inbound_answered;talk=5m`; else X-Sandbox-Scenario, else inbound_answered. */
            scenario?: string;
        };
        /** @description Who texts whom, and what. */
        SimulateInboundSmsRequest: {
            /**
             * Format: uuid
             * @description A message to reply to: its numbers, swapped, are the defaults.
             */
            in_reply_to?: string;
            /** @description A number of this world; by default the first of the key's organization that receives texts. */
            to_number?: string;
            /** @description Who texts; a fictional number by default. */
            from_number?: string;
            /**
             * @description The text.
             * @default Hello, is anyone there?
             */
            body?: string;
        };
        /** @description The fields of the appointment. */
        SimulateNewAppointmentRequest: {
            /**
             * @description The title.
             * @default Simulated appointment
             */
            title?: string | null;
            /**
             * @description The description.
             * @default null
             */
            description?: string | null;
            /**
             * Format: uuid
             * @description Who booked; the newest contact if neither this nor a name is given.
             */
            contact_id?: string;
            /** @description The contact's name by default. */
            contact_name?: string | null;
            /**
             * Format: email
             * @description The contact's email address by default.
             */
            contact_email?: string | null;
            /**
             * Format: date-time
             * @description By default a day from now, at the next full hour.
             */
            start_time?: string;
            /**
             * Format: date-time
             * @description By default `lasts` after the start.
             */
            end_time?: string;
            /**
             * @description The duration, if end_time is not given; 30m by default.
             * @default 30m
             */
            lasts?: string;
            /**
             * @description An IANA time zone.
             * @default America/Los_Angeles
             */
            timezone?: string;
            /**
             * @description The status.
             * @default confirmed
             */
            status?: string;
            /**
             * @description What kind of appointment it is.
             * @default appointment
             */
            event_type?: string;
            /**
             * @description How it takes place.
             * @default phone
             */
            scheduling_option?: string;
            /**
             * @description Notes.
             * @default null
             */
            notes?: string | null;
            /**
             * Format: uuid
             * @description The world's organization or one of its sub-entities; by default that of the API key.
             */
            organization_id?: string;
        };
        /** @description The fields of the contact. */
        SimulateNewContactRequest: {
            /**
             * @description The name.
             * @default Simulated contact
             */
            name?: string | null;
            /** @description A fictional number by default; null for none. */
            phone_number?: string | null;
            /**
             * Format: email
             * @description The email address.
             * @default null
             */
            email?: string | null;
            /**
             * @description The status.
             * @default active
             */
            status?: string;
            /**
             * @description Where the contact comes from.
             * @default simulated
             */
            source?: string;
            /**
             * @description Anything else about the contact.
             * @default null
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: uuid
             * @description The world's organization or one of its sub-entities; by default that of the API key.
             */
            organization_id?: string;
        };
        /** @description A world as it stood. */
        Snapshot: {
            /** @description The name of the snapshot. */
            name: string;
            /**
             * Format: date-time
             * @description An instant of the world's time.
             */
            created_at: string;
            /** @description The mode of the clock, such as `manual` or `20x`. */
            clock: string;
            /** @description The records beside those of the fixture. */
            records: number;
            /** @description The scheduled tasks. */
            tasks: number;
            /** @description The entries of its journals. */
            entries: number;
            /** @description What it takes of the memory for records, roughly. */
            bytes: number;
        };
        /** @description A world as it stood, with its records. */
        SnapshotContent: {
            /** @description The name of the snapshot. */
            name: string;
            /**
             * Format: date-time
             * @description An instant of the world's time.
             */
            created_at: string;
            /** @description The mode of the clock, such as `manual` or `20x`. */
            clock: string;
            /** @description The records beside those of the fixture. */
            records: number;
            /** @description The scheduled tasks. */
            tasks: number;
            /** @description The entries of its journals. */
            entries: number;
            /** @description What it takes of the memory for records, roughly. */
            bytes: number;
            /** @description The records beside those of the fixture, by table; secrets are redacted. */
            content: {
                [key: string]: {
                    [key: string]: unknown;
                }[];
            };
        };
        /** @description One object under `data`. */
        SnapshotContentResponse: {
            /** @description The object. */
            data: components["schemas"]["SnapshotContent"];
        };
        /** @description A page of a list. */
        SnapshotPage: {
            /** @description The entries of the page. */
            data: components["schemas"]["Snapshot"][];
            /** @description Where the page is in the list. */
            meta: components["schemas"]["PageMeta"];
        };
        /** @description One object under `data`. */
        SnapshotResponse: {
            /** @description The object. */
            data: components["schemas"]["Snapshot"];
        };
        /** @description A status change of a record. */
        Step: {
            /** @description The id of the journal entry. */
            id: string;
            /**
             * Format: date-time
             * @description An instant of the world's time.
             */
            at: string;
            /** @description The record whose status changed. */
            subject: components["schemas"]["Subject"];
            /** @description What caused the transition, such as `answer`. */
            trigger: string;
            /** @description The status before; null for a new record. */
            from: string | null;
            /** @description The status after. */
            to: string | null;
            /** @description The id of the journal entry that caused it, or the control operation, such as `emitEvent`. */
            cause: string | null;
            /** @description The scenario that a new record plays, unless a request chose it: then the request has it. */
            scenario?: components["schemas"]["ScenarioSelection"];
            /** @description Why a scheduled task failed: it had no effect, and is not run again. A bug of this server. */
            error?: string;
        };
        /** @description A status change of a timeline. */
        StepInTimeline: {
            /** @description What caused the transition, such as `answer`. */
            trigger: string;
            /** @description The status before; null for a new record. */
            from: string | null;
            /** @description The status after. */
            to: string | null;
            /** @description Why a scheduled task failed: it had no effect. */
            error: string | null;
            /** @description The scenario that was chosen with it; null if none was. */
            choice: components["schemas"]["ShownSelection"] | null;
        };
        /** @description The record that something is about. */
        Subject: {
            /** @description The kind of record, such as `calls`. */
            table: string;
            /** @description The id of the record. */
            id: string;
        };
        /** @description What to subscribe to. */
        SubscribeRequest: {
            /** @description Where the events are delivered to. */
            webhook_url: string;
            /** @description The event types. */
            event_types: components["schemas"]["EventType"][];
            /** @description How the deliveries are sent. */
            plan?: {
                /** @description How likely an accepted delivery is sent a second time, from 0 to 1. */
                duplicate?: number;
                /** @description How likely a delivery is swapped with the next one. */
                reorder?: number;
                /** @description How likely a delivery is recorded, and never sent. */
                drop?: number;
                /** @description How likely the body of an attempt is changed after it was signed. */
                tamper?: number;
                /** @description How likely an attempt is signed with another secret. */
                wrong_secret?: number;
                /** @description How long a delivery waits first, on the world's clock: `2s` or `1s..5s`. */
                delay?: string;
                /** @description The further attempts of a delivery that fails, on the world's clock: `none`, `short` (3 within a minute), `standard` (8 over a day), or the wait before each. */
                retries?: ("none" | "short" | "standard") | string[];
                /** @description The time limits of an attempt, in real time. */
                timeout?: {
                    /** @description To connect; 3s by default. */
                    connect?: string;
                    /** @description For the response; 10s by default. */
                    answer?: string;
                    /** @description In all; by default 5s more than `answer`. */
                    total?: string;
                };
                /** @description Whether deliveries are held until it is false. */
                paused?: boolean;
            };
        };
        /** @description Lines of text. */
        Text: string;
        /** @description POSTs at regular instants of the world's time. */
        Tick: {
            /** @description How often, such as `1m`. */
            every: string;
            /** @description Where to. */
            url: string;
            /**
             * Format: date-time
             * @description When the next one is.
             */
            next_at: string;
            /** @description How many were sent. */
            sent: number;
            /** @description How many instants had none, because the one before had no answer yet; never in an advance. */
            skipped: number;
        };
        /** @description One object under `data`. */
        TickResponse: {
            /** @description The object. */
            data: components["schemas"]["Tick"];
        };
        /** @description What happened to a record: requests, steps, events and deliveries, each with its cause. */
        Timeline: {
            /** @description What it is about; a request is in the table `requests`. */
            subject: components["schemas"]["Subject"];
            /** @description The status of the record or the response; null if there is none. */
            status: string | null;
            /**
             * Format: date-time
             * @description The instant from which offsets count; null if nothing has happened.
             */
            began_at: string | null;
            /**
             * Format: date-time
             * @description The present of the world.
             */
            now: string;
            /** @description Why it has this outcome; null if no scenario was chosen for it. */
            choice: components["schemas"]["ShownSelection"] | null;
            /** @description What happened, in order. */
            entries: components["schemas"]["EntryInTimeline"][];
        };
        /** @description One of the timelines of a branch. */
        TimelineBranch: {
            /** @description How likely it is, relative to the others. */
            weight: number;
            /** @description What happens. */
            timeline: components["schemas"]["TimelineEntry"][];
        };
        /** @description A step of a timeline (`after`, `trigger`, `with`), or a branch (`branch`), which ends it. */
        TimelineEntry: {
            /** @description A step: how long after the one before, such as `2s`, `2s..4s` or `$ring`. */
            after?: string;
            /** @description A step: the trigger that it fires. */
            trigger?: string;
            /** @description A step: the trigger's input. */
            with?: {
                [key: string]: unknown;
            };
            /** @description A branch: its timelines, one of which is drawn by weight. */
            branch?: components["schemas"]["TimelineBranch"][];
        };
        /** @description One object under `data`. */
        TimelineResponse: {
            /** @description The object. */
            data: components["schemas"]["Timeline"];
        };
        /**
         * Format: date-time
         * @description ISO 8601 UTC with milliseconds and `Z`, unless a world assumes another form.
         */
        Timestamp: string;
        /** @description A line spoken on a call. */
        TranscriptLine: {
            /**
             * @description Who speaks.
             * @enum {string}
             */
            role: "agent" | "user";
            /** @description What is said; `{greeting}` and `{business_name}` are the values of the agent. */
            text: string;
            /** @description Whether the other side cut it short. */
            interrupted: boolean;
        };
        /** @description What one party said. */
        TranscriptTurn: {
            /** @description Who spoke, such as `agent` or `user`. */
            role: string;
            /** @description What was said. */
            text: string;
            /** @description When it was said. */
            timestamp: components["schemas"]["Timestamp"];
            /** @description Whether the other party interrupted. */
            interrupted: boolean;
            /** @description The language that was spoken. */
            language: string | null;
        };
        /**
         * @description Why subscriptions did not get an event: another type, another organization, or the campaign of another job.
         * @enum {string}
         */
        UnheardReason: "none_of_that_type" | "other_organization" | "other_campaign";
        /** @description What to change; what is left out stays as it is. */
        UpdateSubscriptionRequest: {
            /** @description The secret; null removes it. */
            signing_secret?: string | null;
            /** @description How its deliveries are sent: it replaces the plan as a whole; null removes it. */
            plan?: {
                /** @description How likely an accepted delivery is sent a second time, from 0 to 1. */
                duplicate?: number;
                /** @description How likely a delivery is swapped with the next one. */
                reorder?: number;
                /** @description How likely a delivery is recorded, and never sent. */
                drop?: number;
                /** @description How likely the body of an attempt is changed after it was signed. */
                tamper?: number;
                /** @description How likely an attempt is signed with another secret. */
                wrong_secret?: number;
                /** @description How long a delivery waits first, on the world's clock: `2s` or `1s..5s`. */
                delay?: string;
                /** @description The further attempts of a delivery that fails, on the world's clock: `none`, `short` (3 within a minute), `standard` (8 over a day), or the wait before each. */
                retries?: ("none" | "short" | "standard") | string[];
                /** @description The time limits of an attempt, in real time. */
                timeout?: {
                    /** @description To connect; 3s by default. */
                    connect?: string;
                    /** @description For the response; 10s by default. */
                    answer?: string;
                    /** @description In all; by default 5s more than `answer`. */
                    total?: string;
                };
                /** @description Whether deliveries are held until it is false. */
                paused?: boolean;
            } | null;
        };
        /** @description The code of a caller ID. */
        VerificationCode: {
            /** @description What the latest verification call has spoken. */
            verification_code: string;
        };
        /** @description One object under `data`. */
        VerificationCodeResponse: {
            /** @description The object. */
            data: components["schemas"]["VerificationCode"];
        };
        /** @description What to count, and how many are expected: at least one unless given. */
        VerifyRequestsRequest: {
            /** @description Which requests are counted; every field that is given must match. */
            match: {
                /** @description Their HTTP method, in any case. */
                method?: string;
                /** @description Their path without the query: `*` for any text without a slash, `**` for any text. */
                path?: string;
                /** @description The id of their operation, such as `dialCall`. */
                operation?: string;
                /** @description What their JSON body contains: objects may have more fields, lists are compared item by item. */
                body?: unknown;
                /** @description Their headers; names are case-insensitive. */
                headers?: {
                    [key: string]: string;
                };
            };
            /** @description How many must match. */
            exactly?: number;
            /** @description The fewest that must match. */
            at_least?: number;
            /** @description The most that may match. */
            at_most?: number;
        };
        /** @description A call, and what it plays. */
        WatchedCall: {
            /** @description The call, as the platform shows it to a key that may see everything. */
            call: components["schemas"]["Call"];
            /** @description The name of the scenario that it plays; null for a call of the fixture. */
            scenario: string | null;
            /** @description What the person who watches can choose now, by the scenario; empty if it goes on by itself. */
            choices: string[];
        };
        /** @description A call, what it plays, and what was said. */
        WatchedCallDetail: {
            /** @description The call, as the platform shows it to a key that may see everything. */
            call: components["schemas"]["Call"];
            /** @description The name of the scenario that it plays; null for a call of the fixture. */
            scenario: string | null;
            /** @description What the person who watches can choose now, by the scenario; empty if it goes on by itself. */
            choices: string[];
            /** @description What was said; null if there is no transcript, or the content policy hides it. */
            transcript: components["schemas"]["CallTranscript"] | null;
        };
        /** @description One object under `data`. */
        WatchedCallDetailResponse: {
            /** @description The object. */
            data: components["schemas"]["WatchedCallDetail"];
        };
        /** @description A page of a list. */
        WatchedCallPage: {
            /** @description The entries of the page. */
            data: components["schemas"]["WatchedCall"][];
            /** @description Where the page is in the list. */
            meta: components["schemas"]["PageMeta"];
        };
        /** @description One object under `data`. */
        WatchedCallResponse: {
            /** @description The object. */
            data: components["schemas"]["WatchedCall"];
        };
        /** @description A world. */
        World: {
            /** @description Its name. */
            name: string;
            /**
             * Format: uuid
             * @description The world's organization.
             */
            organization_id: string;
            /**
             * @description How it was made; only `auto` worlds expire.
             * @enum {string}
             */
            origin: "bundled" | "posted" | "auto";
            /** @description The fixture that it was made from. */
            fixture: string;
            /** @description The mode of its clock, such as `manual` or `20x`; `unknown` if the world cannot be read. */
            clock: string;
            /** @description Why it cannot be read; absent if it can. */
            problem?: string;
        };
        /** @description A fault of a world, and what it has done. */
        WorldFault: {
            /** @description The id of the fault, which `X-Sandbox-Fault-Applied` names. */
            id: string;
            /** @description The operation, such as `dialCall` or `list*`: `*` for any text without a slash, `**` for any text. */
            operation?: string;
            /** @description The HTTP method, in any case. */
            method?: string;
            /** @description The path without the query: `*` for any text without a slash, `**` for any text. */
            path?: string;
            /** @description The error that the platform answers with. */
            error?: components["schemas"]["ErrorCode"];
            /**
             * @description The connection breaks in this way.
             * @enum {string}
             */
            fault?: "reset" | "empty" | "truncate" | "timeout";
            /** @description A gateway answers in place of the platform. */
            respond?: components["schemas"]["RawAnswer"];
            /** @description The answer changes as the platform may change without notice; it means the same. */
            drift?: ("extra_fields" | "unknown_enum" | "timestamps_offset")[];
            /** @description The answer is that much later, in real time: `2s` or `200ms..2s`, at most 60s. */
            latency?: string;
            /**
             * @description Before the effect of the request, or after it.
             * @enum {string}
             */
            when: "before" | "after";
            /** @description How likely it happens to a request. */
            probability: number;
            /** @description Happens only to the request with this number, counted after `skip`. */
            nth?: number;
            /** @description How many matching requests it leaves alone first. */
            skip?: number;
            /** @description How often it happens at most. */
            times?: number;
            /** @description How long it lasts, on the world's clock. */
            ttl?: string;
            /**
             * Format: date-time
             * @description An instant of the world's time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its `ttl` is over; null without one.
             */
            expires_at: string | null;
            /** @description How many requests have met its conditions. */
            matched: number;
            /** @description To how many of them it has happened. */
            applied: number;
        };
        /** @description All faults of a world. */
        WorldFaultList: {
            /** @description The faults of the world. */
            faults: components["schemas"]["WorldFault"][];
        };
        /** @description A page of a list. */
        WorldFaultPage: {
            /** @description The entries of the page. */
            data: components["schemas"]["WorldFault"][];
            /** @description Where the page is in the list. */
            meta: components["schemas"]["PageMeta"];
        };
        /** @description A page of a list. */
        WorldPage: {
            /** @description The entries of the page. */
            data: components["schemas"]["World"][];
            /** @description Where the page is in the list. */
            meta: components["schemas"]["PageMeta"];
        };
    };
    responses: {
        /** @description The organization's call-content policy keeps transcripts and recordings inside a compliance boundary. */
        ContentPolicyForbidden: {
            headers: {
                "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description Too many requests, or too many calls placed at once. */
        RateLimited: {
            headers: {
                "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description Invalid body or parameters (see `fields`). */
        ValidationError: {
            headers: {
                "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description Missing or invalid API key. */
        Unauthorized: {
            headers: {
                "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description Key has no access to the resource. */
        Forbidden: {
            headers: {
                "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description Resource does not exist. */
        NotFound: {
            headers: {
                "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The object is in a state that does not allow this. */
        Conflict: {
            headers: {
                "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The body is larger than the limit. */
        PayloadTooLarge: {
            headers: {
                "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description The Content-Type of the body is not JSON. */
        UnsupportedMediaType: {
            headers: {
                "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description What the control API waited for did not happen in time. */
        Timeout: {
            headers: {
                "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
        /** @description Any other error. */
        Error: {
            headers: {
                "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorEnvelope"];
            };
        };
    };
    parameters: {
        /** @description The scenario to play, such as `no_answer` or `busy;ring=2s`. */
        "X-Sandbox-Scenario": string;
    };
    requestBodies: never;
    headers: {
        /** @description `bytes`: a range of them can be asked for. */
        "Accept-Ranges": string;
        /** @description On a 405, the methods that the path supports. */
        Allow: string;
        /** @description The name under which to save the bytes. */
        "Content-Disposition": string;
        /** @description Which bytes these are, of how many. */
        "Content-Range": string;
        /** @description Names these bytes; `If-Range` and `If-None-Match` take it. */
        ETag: string;
        /** @description The seconds to wait. */
        "Retry-After": string;
        /** @description The credentials to send. */
        "WWW-Authenticate": string;
        /** @description Where the bytes come from a user. */
        "X-Content-Type-Options": string;
        /** @description The world that the request was about; `;recreated` follows if it had expired and was created again. Absent if the request was refused before its world was known. */
        "X-Sandbox-World": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            default: components["responses"]["Error"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadinessResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            /** @description The result. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadinessResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": components["schemas"]["Text"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Error"];
        };
    };
    getClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClockResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["Error"];
        };
    };
    setClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetClockRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClockResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getNextTask: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NextTaskResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["Error"];
        };
    };
    advanceClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdvanceClockRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdvanceResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getTick: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TickResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    setTick: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetTickRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TickResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    deleteTick: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done. */
            204: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["Error"];
        };
    };
    listTicks: {
        parameters: {
            query?: {
                /** @description The `cursor` of the page before. */
                cursor?: string;
                /** @description The most entries that the page can have. */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentTickPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    listScenarios: {
        parameters: {
            query?: {
                /** @description The `cursor` of the page before. */
                cursor?: string;
                /** @description The most entries that the page can have. */
                page_size?: number;
                /** @description What they apply to. */
                kind?: "call" | "caller_id" | "phone_number" | "cnam" | "texting_registration" | "sms" | "document" | "enterprise" | "remediation" | "display_identity" | "job";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScenarioPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getScenario: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the scenario. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScenarioResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    putScenario: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the scenario. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScenarioFile"];
                "application/yaml": string;
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScenarioResponse"];
                };
            };
            /** @description The result. */
            201: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScenarioResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    deleteScenario: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the scenario. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done. */
            204: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Error"];
        };
    };
    checkScenario: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the scenario. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScenarioFile"];
                "application/yaml": string;
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScenarioCheckResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getActiveScenario: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A kind of scenario, such as `call`. */
                kind: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActiveScenarioResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    setActiveScenario: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A kind of scenario, such as `call`. */
                kind: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetActiveScenarioRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActiveScenarioResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    clearActiveScenario: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A kind of scenario, such as `call`. */
                kind: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done. */
            204: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listFaults: {
        parameters: {
            query?: {
                /** @description The `cursor` of the page before. */
                cursor?: string;
                /** @description The most entries that the page can have. */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorldFaultPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    setFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FaultsToSet"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FaultChangeResponse"];
                };
            };
            /** @description The result. */
            201: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FaultChangeResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    clearFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done. */
            204: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["Error"];
        };
    };
    deleteFault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the fault. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done. */
            204: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listWorlds: {
        parameters: {
            query?: {
                /** @description The `cursor` of the page before. */
                cursor?: string;
                /** @description The most entries that the page can have. */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorldPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    createWorld: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateWorldRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWorldResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    deleteWorld: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the world. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done. */
            204: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Error"];
        };
    };
    resetWorld: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done. */
            204: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    listSnapshots: {
        parameters: {
            query?: {
                /** @description The `cursor` of the page before. */
                cursor?: string;
                /** @description The most entries that the page can have. */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SnapshotPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    createSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateSnapshotRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SnapshotResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the snapshot. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SnapshotContentResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    deleteSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the snapshot. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done. */
            204: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    restoreSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the snapshot. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SnapshotResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description The `cursor` of the page before. */
                cursor?: string;
                /** @description The most entries that the page can have. */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateKeyRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedKeyResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done. */
            204: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /** @description The `cursor` of the page before. */
                cursor?: string;
                /** @description The most entries that the page can have. */
                page_size?: number;
                /** @description Their HTTP method. */
                method?: string;
                /** @description Their path without the query: `*` for any text without a slash, `**` for any text. */
                path?: string;
                /** @description The id of their operation, such as `dialCall`. */
                operation?: string;
                /** @description The status of the response. */
                status?: number;
                /** @description The earliest instant. */
                since?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordedRequestPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the request. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordedRequestResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    verifyRequests: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyRequestsRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestVerificationResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            /** @description The result. */
            409: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestVerificationOrErrorResponse"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description The `cursor` of the page before. */
                cursor?: string;
                /** @description The most entries that the page can have. */
                page_size?: number;
                /** @description Their type. */
                event_type?: components["schemas"]["EventType"];
                /** @description The record that they are about. */
                subject_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    emitEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmitEventRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    waitForEvent: {
        parameters: {
            query?: {
                /** @description Its type. */
                event_type?: components["schemas"]["EventType"];
                /** @description The record that it is about, of whatever kind. */
                subject_id?: string;
                /** @description The call that it is about. */
                call_id?: string;
                /** @description Whether it must have deliveries, and all of them must have been accepted. */
                delivered?: "true" | "false";
                /** @description Events before this instant do not count. */
                since?: string;
                /** @description How long to wait, in real time; 10s by default, 60s at most. */
                timeout?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["Timeout"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Error"];
        };
    };
    getCallTimeline: {
        parameters: {
            query?: {
                /** @description `text` is for a terminal, `mermaid` a sequence diagram; both are answered as `text/plain`. */
                format?: "json" | "text" | "mermaid";
            };
            header?: never;
            path: {
                /** @description The id of the call. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimelineResponse"];
                    "text/plain": components["schemas"]["Text"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getTimeline: {
        parameters: {
            query: {
                /** @description The id of a message, a job, a number or any other record, of a request, or of another journal entry. */
                subject_id: string;
                /** @description `text` is for a terminal, `mermaid` a sequence diagram; both are answered as `text/plain`. */
                format?: "json" | "text" | "mermaid";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimelineResponse"];
                    "text/plain": components["schemas"]["Text"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    listWatchedCalls: {
        parameters: {
            query?: {
                /** @description The `cursor` of the page before. */
                cursor?: string;
                /** @description The most entries that the page can have. */
                page_size?: number;
                /** @description These calls alone: at most 100 ids, with commas between them. */
                ids?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WatchedCallPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getWatchedCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the call. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WatchedCallDetailResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    decideCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the call. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecideCallRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WatchedCallResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    listWatchedMessages: {
        parameters: {
            query?: {
                /** @description The `cursor` of the page before. */
                cursor?: string;
                /** @description The most entries that the page can have. */
                page_size?: number;
                /** @description These messages alone: at most 100 ids, with commas between them. */
                ids?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagePage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    openStream: {
        parameters: {
            query?: {
                /** @description The `entry` of the last message that was read, or the id of a journal entry: the stream goes on after it. `start`: it begins with everything that the journals keep. */
                since?: string;
                /** @description Which messages to send: one or more of request, step, event, delivery, inbox, tick, clock, with commas between them; all by default. */
                types?: string;
                /** @description What the Authorization header would carry, for clients that cannot set it. */
                token?: string;
                /** @description What the X-Sandbox-World header would carry. */
                world?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A WebSocket. */
            101: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            426: components["responses"]["Error"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description The `cursor` of the page before. */
                cursor?: string;
                /** @description The most entries that the page can have. */
                page_size?: number;
                /** @description Their status. */
                status?: components["schemas"]["DeliveryStatus"];
                /** @description The type of their event. */
                event_type?: components["schemas"]["EventType"];
                /** @description The subscription that they are for. */
                subscription_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the delivery. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    redeliver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the delivery. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    scriptInbox: {
        parameters: {
            query?: {
                /** @description The world of the credentials; may be left out. */
                world?: string;
            };
            header?: never;
            path: {
                /** @description The name of the inbox, 1 to 64 of letters, digits, `_` and `-`; every name is one. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ScriptInboxRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxAnswersResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    receiveInInbox: {
        parameters: {
            query?: {
                /** @description The world that receives it, `default` by default. */
                world?: string;
            };
            header?: never;
            path: {
                /** @description The name of the inbox, 1 to 64 of letters, digits, `_` and `-`; every name is one. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceivedAtInboxResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    listInboxMessages: {
        parameters: {
            query?: {
                /** @description The `cursor` of the page before. */
                cursor?: string;
                /** @description The most entries that the page can have. */
                page_size?: number;
                /** @description The world of the credentials; may be left out. */
                world?: string;
            };
            header?: never;
            path: {
                /** @description The name of the inbox, 1 to 64 of letters, digits, `_` and `-`; every name is one. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxMessagePage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    listSubscriptions: {
        parameters: {
            query?: {
                /** @description The `cursor` of the page before. */
                cursor?: string;
                /** @description The most entries that the page can have. */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedSubscriptionPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    subscribe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscribeRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedSubscriptionListResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the subscription. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedSubscriptionResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    updateSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the subscription. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSubscriptionRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedSubscriptionResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getWebhookPlan: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPlanResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["Error"];
        };
    };
    setWebhookPlan: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetWebhookPlanRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPlanResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    deleteWebhookPlan: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done. */
            204: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["Error"];
        };
    };
    getCoverage: {
        parameters: {
            query?: {
                /** @description Which worlds are added up, including deleted ones: `*` for any text without a slash, `**` for any text. This world unless given. */
                worlds?: string;
                /** @description The percentage that each part is to reach which `minimum.judged` lists. */
                min?: number;
                /** @description JSON, text for people, or XML for CI. */
                format?: "json" | "text" | "junit";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CoverageResponse"];
                    "text/plain": components["schemas"]["Text"];
                    "application/xml": components["schemas"]["Text"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Error"];
        };
    };
    simulateInboundCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description The scenario to play, such as `no_answer` or `busy;ring=2s`. */
                "X-Sandbox-Scenario"?: components["parameters"]["X-Sandbox-Scenario"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SimulateInboundCallRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    simulateInboundSms: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SimulateInboundSmsRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    simulateNewContact: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SimulateNewContactRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    simulateNewAppointment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SimulateNewAppointmentRequest"];
            };
        };
        responses: {
            /** @description The result. */
            201: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppointmentResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getVerificationCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the caller ID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerificationCodeResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Error"];
        };
    };
    getCallingRules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallingRulesResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["Error"];
        };
    };
    setCallingRules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetCallingRulesRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallingRulesResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    listLeadSources: {
        parameters: {
            query?: {
                /** @description The `cursor` of the page before. */
                cursor?: string;
                /** @description The most entries that the page can have. */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeadSourcePage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    rotateLeadSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the lead source. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateLeadSourceRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeadSourceResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    getRecording: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name in the `recording_url`. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes. */
            200: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "audio/wav": components["schemas"]["Bytes"];
                };
            };
            /** @description The bytes of the range. */
            206: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    ETag: components["headers"]["ETag"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "audio/wav": components["schemas"]["Bytes"];
                };
            };
            /** @description The bytes are those that `If-None-Match` names. */
            304: {
                headers: {
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            403: components["responses"]["ContentPolicyForbidden"];
            404: components["responses"]["NotFound"];
            /** @description No byte is in the range. */
            416: {
                headers: {
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getDocumentContent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the document. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": components["schemas"]["Bytes"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Error"];
        };
    };
    getCatalog: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["Error"];
        };
    };
    getFileSchema: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description One of `scenario.schema.json`, `fixture.schema.json`. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/schema+json": components["schemas"]["Bytes"];
                };
            };
            400: components["responses"]["ValidationError"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getControlDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenApiDocument"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["Error"];
        };
    };
    listAssumptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssumptionPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
    setAssumption: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the assumption. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetAssumptionRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "X-Sandbox-World": components["headers"]["X-Sandbox-World"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssumptionResponse"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            default: components["responses"]["Error"];
        };
    };
}
