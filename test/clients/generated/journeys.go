// The main journeys with clients that oapi-codegen generates from the contract and from the control API's document.
//
// docs/clients.md has the commands. RINGBACK_URL and RINGBACK_KEY say where and as whom, RECEIVER_URL what takes webhooks.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	"github.com/google/uuid"

	"journeys/control"
	"journeys/platform"
)

// from is owned by every world, verified and approved for texting.
const from = "+14155550190"

var (
	ctx      = context.Background()
	url      = os.Getenv("RINGBACK_URL")
	api      = must(platform.NewClientWithResponses(url, platform.WithRequestEditorFn(bearer(os.Getenv("RINGBACK_KEY")))))
	sandbox  = must(control.NewClientWithResponses(url, control.WithRequestEditorFn(control.RequestEditorFn(bearer(os.Getenv("RINGBACK_KEY"))))))
	receiver = os.Getenv("RECEIVER_URL")
)

func bearer(key string) platform.RequestEditorFn {
	return header("Authorization", "Bearer "+key)
}

func header(name, value string) platform.RequestEditorFn {
	return func(_ context.Context, request *http.Request) error {
		request.Header.Set(name, value)
		return nil
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// found is what an operation answers when it succeeds.
func found[T any](value *T, body []byte) T {
	if value == nil {
		log.Fatalf("unexpected answer: %s", body)
	}
	return *value
}

func check(ok bool, what string, got any) {
	if !ok {
		log.Fatalf("%s: %v", what, got)
	}
}

func advance(body control.AdvanceClockRequest) {
	answer := must(sandbox.AdvanceClockWithResponse(ctx, body))
	check(found(answer.JSON200, answer.Body).Data.Complete, "an advance", string(answer.Body))
}

func by(duration string) control.AdvanceClockRequest {
	return control.AdvanceClockRequest{By: &duration}
}

func untilIdle() control.AdvanceClockRequest {
	idle := control.AdvanceClockRequestUntilIdle
	return control.AdvanceClockRequest{Until: &idle}
}

func subscribe(event platform.EventType) {
	body := platform.WebhookSubscriptionRequest{WebhookUrl: receiver, EventType: event}
	answer := must(api.CreateWebhookSubscriptionWithResponse(ctx, nil, body))
	found(answer.JSON201, answer.Body)
}

// told reads the body of the newest delivery of that type, which the receiver has taken.
func told(event string, body any) {
	wanted := control.EventType(event)
	answer := must(sandbox.ListDeliveriesWithResponse(ctx, &control.ListDeliveriesParams{EventType: &wanted}))
	newest := found(answer.JSON200, answer.Body).Data[0]
	check(newest.Status == control.DeliveryStatusDelivered, "a delivery", newest.Status)
	if err := json.Unmarshal([]byte(newest.Body), body); err != nil {
		log.Fatal(err)
	}
}

func dial(to string) string {
	answer := must(api.DialCallWithResponse(ctx, nil, platform.DialRequest{FromNumber: from, ToNumber: to}))
	return found(answer.JSON202, answer.Body).CallId
}

func readCall(id string) platform.Call {
	answer := must(api.GetCallWithResponse(ctx, id))
	return found(answer.JSON200, answer.Body).Data
}

func calls() string {
	subscribe(platform.EventTypeCallBusy)
	busy := dial("+12125550101")
	advance(by("10s"))
	wanted := control.EventTypeCallBusy
	event := must(sandbox.WaitForEventWithResponse(ctx, &control.WaitForEventParams{EventType: &wanted, CallId: &busy}))
	check(found(event.JSON200, event.Body).Data.Payload["id"] == busy, "the event", string(event.Body))
	var body platform.CallEvent
	told("call_busy", &body)
	check(body.Id == busy && *body.FailureCode == platform.FailureCodeBusy, "the webhook", body)
	check(readCall(busy).Status == platform.CallStatusBUSY, "the busy call", busy)

	answered := dial("+12125550100")
	advance(untilIdle())
	call := readCall(answered)
	check(call.Status == platform.CallStatusCOMPLETED && call.EndedAt.After(*call.StartedAt), "the answered call", call)
	transcript := must(api.GetCallTranscriptWithResponse(ctx, answered))
	spoken := found(transcript.JSON200, transcript.Body).Data.StructuredTranscript
	check(len(spoken) > 1, "the transcript", spoken)
	return "one busy, as the webhook told; one answered, with its transcript"
}

func numbers() string {
	subscribe(platform.EventTypeNumberPurchased)
	area := "212"
	offers := must(api.ListAvailablePhoneNumbersWithResponse(ctx, &platform.ListAvailablePhoneNumbersParams{AreaCode: &area}))
	offer := found(offers.JSON200, offers.Body).Data[0].PhoneNumber
	ordered := must(api.CreatePhoneNumberWithResponse(ctx, nil, platform.PhoneNumberRequest{PhoneNumber: &offer}))
	number := found(ordered.JSON201, ordered.Body).Data
	check(!number.IsActive, "a number just ordered", number)
	advance(by("8s"))
	read := must(api.GetPhoneNumberWithResponse(ctx, fmt.Sprint(number.Id)))
	check(found(read.JSON200, read.Body).Data.IsActive, "the number", string(read.Body))
	var event platform.NumberLifecycleEvent
	told("number_purchased", &event)
	check(event.Payload.PhoneNumber == offer, "the webhook", event)

	sender := from
	text := platform.MessageRequest{FromNumber: &sender, ToNumber: "+12125550140", Body: "See you tomorrow."}
	sent := must(api.SendMessageWithResponse(ctx, nil, text))
	message := found(sent.JSON202, sent.Body).Data
	advance(untilIdle())
	after := must(api.GetMessageWithResponse(ctx, message.Id))
	check(found(after.JSON200, after.Body).Data.Status == platform.MessageStatusDelivered, "the message", string(after.Body))
	return "a number bought, as the webhook told; a message delivered"
}

func enterprise() string {
	ein := "12-3456789"
	details := platform.EnterpriseRequest{LegalName: "Harbor Street Dental, Inc.", Ein: &ein}
	draft := must(api.CreateEnterpriseWithResponse(ctx, nil, details))
	check(found(draft.JSON201, draft.Body).Data.Status == platform.EnterpriseStatusDRAFT, "the draft", string(draft.Body))
	signed := must(api.SignAndSubmitEnterpriseWithResponse(ctx, nil, platform.EnterpriseSignature{
		SignerFullName:        "Robin Ashdown",
		SignerEmail:           "robin@harborstreet.example",
		SignerTitle:           "Owner",
		ConsentAcknowledgedAt: "2026-01-05T14:59:00Z",
		ConfirmCarrierCommit:  "I understand this submits to the carrier",
	}))
	found(signed.JSON200, signed.Body)
	advance(untilIdle())
	vetted := must(api.GetEnterpriseWithResponse(ctx))
	check(found(vetted.JSON200, vetted.Body).Data.Status == platform.EnterpriseStatusAPPROVED, "the vetting", string(vetted.Body))
	return "signed, submitted and approved"
}

func pages() string {
	seen := map[string]bool{}
	size := platform.PageSize(2)
	for params := (platform.ListCallsParams{PageSize: &size}); ; {
		answer := must(api.ListCallsWithResponse(ctx, &params))
		page := found(answer.JSON200, answer.Body)
		for _, call := range page.Data {
			check(!seen[call.Id], "a call twice", call.Id)
			seen[call.Id] = true
		}
		if page.Meta.Cursor == nil {
			break
		}
		params.Cursor = page.Meta.Cursor
	}
	check(len(seen) > 2, "the calls", seen)
	return "every call once, over several pages"
}

func errors() string {
	dialed := func(to, key string, editors ...platform.RequestEditorFn) *platform.DialCallResponse {
		body := platform.DialRequest{FromNumber: from, ToNumber: to}
		return must(api.DialCallWithResponse(ctx, &platform.DialCallParams{IdempotencyKey: &key}, body, editors...))
	}
	bad := dialed("call me", uuid.NewString())
	invalid := found(bad.JSON400, bad.Body).Error
	check(invalid.Code == platform.ErrorCodeDestinationInvalid && (*invalid.Fields)["to_number"] != "", "400", invalid)
	refused := must(api.GetCallWithResponse(ctx, "nowhere", bearer("svc_sandbox_revoked")))
	check(found(refused.JSON401, refused.Body).Error.Code == platform.ErrorCodeUnauthorized, "401", string(refused.Body))
	unknown := must(api.GetCallWithResponse(ctx, "nowhere"))
	check(found(unknown.JSON404, unknown.Body).Error.Code == platform.ErrorCodeNotFound, "404", string(unknown.Body))

	key := uuid.NewString()
	first := dialed("+12125550100", key)
	again := dialed("+12125550100", key)
	check(first.JSON202.CallId == again.JSON202.CallId, "a replay", string(again.Body))
	check(again.HTTPResponse.Header.Get("Idempotency-Replayed") == "true", "its header", again.HTTPResponse.Header)
	conflict := dialed("+12125550101", key)
	check(found(conflict.JSON409, conflict.Body).Error.Code == platform.ErrorCodeIdempotencyConflict, "409", string(conflict.Body))
	limited := dialed("+12125550101", uuid.NewString(), header("X-Sandbox-Error", "rate_limited"))
	check(found(limited.JSON429, limited.Body).Error.Code == platform.ErrorCodeRateLimited, "429", string(limited.Body))
	check(limited.HTTPResponse.Header.Get("Retry-After") != "", "its header", limited.HTTPResponse.Header)
	return "400 with its fields, 401, 404, a replay, 409 and 429"
}

func main() {
	reset := must(sandbox.ResetWorldWithResponse(ctx))
	check(reset.StatusCode() == 204, "the reset", reset.Status())
	manual := "manual"
	must(sandbox.SetClockWithResponse(ctx, control.SetClockRequest{Mode: &manual}))
	fmt.Println("calls:", calls())
	fmt.Println("numbers:", numbers())
	fmt.Println("enterprise:", enterprise())
	fmt.Println("pages:", pages())
	fmt.Println("errors:", errors())
}
