// The main journeys of the Voice Platform API against a sandbox, with Go's standard library alone (1.19 or newer).
//
//	npm start                         # in one terminal
//	go run test/clients/journeys.go   # in another
//
// RINGBACK_URL and RINGBACK_KEY say where and as whom; the world of that key is reset first. Its clock stands, so that
// nothing here sleeps: advance answers when everything up to then has happened and each webhook has been attempted.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"reflect"
	"sort"
	"strings"
	"sync"
)

var (
	url    = environment("RINGBACK_URL", "http://127.0.0.1:4747")
	bearer = http.Header{"Authorization": {"Bearer " + environment("RINGBACK_KEY", "svc_test_go")}}
)

const (
	signingSecret = "sandbox_signing_secret"
	from          = "+14155550190" // owned by every world, verified and approved for texting
)

// Of each resource the fields that the journeys read; what is null reads as "".
type (
	Accepted struct {
		CallID string `json:"call_id"`
	}
	Call struct {
		ID           string `json:"id"`
		Status       string `json:"status"`
		CallOutcome  string `json:"call_outcome"`
		FailureCode  string `json:"failure_code"`
		RecordingURL string `json:"recording_url"`
	}
	Transcript struct {
		Text  string `json:"transcript"`
		Turns []struct {
			Role string `json:"role"`
		} `json:"structured_transcript"`
	}
	Number struct {
		ID          int    `json:"id"`
		PhoneNumber string `json:"phone_number"`
		IsActive    bool   `json:"is_active"`
	}
	NumberEvent struct {
		Payload Number `json:"payload"`
	}
	Registration struct {
		Status string `json:"status"`
	}
	RegistrationEvent struct {
		TextingEnabledNumbers []string `json:"texting_enabled_numbers"`
	}
	Message struct {
		ID        string `json:"id"`
		Status    string `json:"status"`
		Direction string `json:"direction"`
		Body      string `json:"body"`
	}
	Document struct {
		DocumentID string `json:"document_id"`
		Status     string `json:"status"`
	}
	CallerID struct {
		PhoneNumber    string `json:"phone_number"`
		RCDDisplayName string `json:"rcd_display_name"`
		RCDStatus      string `json:"rcd_status"`
	}
	Agent struct {
		ID       string `json:"id"`
		Greeting string `json:"greeting"`
	}
	Job struct {
		ID       string `json:"id"`
		Status   string `json:"status"`
		Progress struct {
			Pending    int            `json:"pending"`
			InProgress int            `json:"in_progress"`
			Outcomes   map[string]int `json:"outcomes"`
		} `json:"progress"`
	}
	JobEvent struct {
		ContactID string `json:"contact_id"`
	}
	Contact struct {
		ID          string `json:"id"`
		Name        string `json:"name"`
		PhoneNumber string `json:"phone_number"`
	}
	LeadSource struct {
		URLToken     string `json:"url_token"`
		SourceSecret string `json:"source_secret"`
	}
	Failure struct {
		Error struct {
			Code   string            `json:"code"`
			Fields map[string]string `json:"fields"`
		} `json:"error"`
	}
	JSON map[string]any
)

// --- the platform

// send makes one request; it answers status, headers and body, errors included.
func send(method, path string, body any, headers http.Header) (int, http.Header, []byte) {
	var content io.Reader
	if body != nil {
		content = bytes.NewReader(must(json.Marshal(body)))
	}
	request := must(http.NewRequest(method, url+path, content))
	request.Header = headers.Clone()
	request.Header.Set("Content-Type", "application/json")
	answer := must(http.DefaultClient.Do(request))
	defer answer.Body.Close()
	return answer.StatusCode, answer.Header, must(io.ReadAll(answer.Body))
}

func succeed(method, path string, body any, headers http.Header) []byte {
	status, _, answer := send(method, path, body, headers)
	if status >= 300 {
		log.Fatalf("%s %s was answered %d: %s", method, path, status, answer)
	}
	return answer
}

func read[T any](raw []byte) (value T) {
	if err := json.Unmarshal(raw, &value); err != nil {
		log.Fatalf("%v in %s", err, raw)
	}
	return value
}

type data[T any] struct {
	Data T `json:"data"`
}

func get[T any](path string) T { return read[data[T]](succeed("GET", path, nil, bearer)).Data }

func post[T any](path string, body any) T {
	return read[data[T]](succeed("POST", path, body, bearer)).Data
}

// placeCall answers the id of the call; what a dial answers does not stand under data.
func placeCall(path string, body any) string {
	return read[Accepted](succeed("POST", path, body, bearer)).CallID
}

// advance moves the clock: {"by": "30s"}, {"to": an instant} or {"until": "idle"}.
func advance(until JSON) { post[JSON]("/_sandbox/clock/advance", until) }

// --- the receiver of webhooks

type delivery struct {
	raw       []byte
	signature string
}

type receiver struct {
	url      string
	lock     sync.Mutex
	received map[string][]delivery // by event type, in the order in which they came
}

func startReceiver() *receiver {
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	r := &receiver{url: "http://" + listener.Addr().String(), received: map[string][]delivery{}}
	go http.Serve(listener, r)
	return r
}

func (r *receiver) ServeHTTP(_ http.ResponseWriter, request *http.Request) {
	raw := must(io.ReadAll(request.Body))
	eventType := strings.Trim(request.URL.Path, "/")
	r.lock.Lock()
	defer r.lock.Unlock()
	r.received[eventType] = append(r.received[eventType], delivery{raw, request.Header.Get("X-service-Signature-256")})
}

// subscribe lets the path of the URL say which event type it is, since the bodies of most do not.
func (r *receiver) subscribe(eventTypes ...string) {
	for _, eventType := range eventTypes {
		subscription := JSON{"webhook_url": r.url + "/" + eventType, "event_type": eventType}
		succeed("POST", "/api/v1/webhook_subscriptions", subscription, bearer)
	}
}

func (r *receiver) got(eventType string) []delivery {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.received[eventType]
}

// told reads what came of one event type.
func told[T any](r *receiver, eventType string) []T {
	var events []T
	for _, each := range r.got(eventType) {
		events = append(events, read[T](each.raw))
	}
	return events
}

func isSigned(raw []byte, signature string) bool {
	mac := hmac.New(sha256.New, []byte(signingSecret))
	mac.Write(raw)
	return hmac.Equal([]byte(hex.EncodeToString(mac.Sum(nil))), []byte(signature))
}

// --- the journeys

func calls(r *receiver) string {
	r.subscribe("call_busy")
	busy := placeCall("/v1/calls/dial", JSON{"from_number": from, "to_number": "+12125550101"})
	advance(JSON{"by": "10s"})
	events := told[Call](r, "call_busy")
	check("the webhooks", len(events), 1)
	check("the call told of", events[0].ID, busy)
	check("why it failed", events[0].FailureCode, "busy")
	check("the busy call", get[Call]("/v1/calls/"+busy).Status, "BUSY")

	answered := placeCall("/v1/calls/dial", JSON{"from_number": from, "to_number": "+12125550100"})
	advance(JSON{"until": "idle"})
	call := get[Call]("/v1/calls/" + answered)
	check("the answered call", call.Status, "COMPLETED")
	check("its outcome", call.CallOutcome, "answered")
	roles := map[string]bool{}
	for _, turn := range get[Transcript]("/v1/calls/" + answered + "/transcript").Turns {
		roles[turn.Role] = true
	}
	check("who speaks", roles, map[string]bool{"agent": true, "user": true})
	recording := must(http.Get(call.RecordingURL))
	defer recording.Body.Close()
	check("the recording", string(must(io.ReadAll(recording.Body))[:4]), "RIFF")
	return "one busy, as the webhook told; one answered, with transcript and recording"
}

func texting(r *receiver) string {
	r.subscribe("number_purchased", "texting_registration_status_changed", "sms_delivered", "contact_replied")
	offer := get[[]Number]("/v1/phone-numbers/available?area_code=212")[0].PhoneNumber
	number := post[Number]("/v1/phone-numbers", JSON{"phone_number": offer, "name": "New York"})
	check("a number just ordered is active", number.IsActive, false)
	advance(JSON{"by": "8s"})
	check("the number is active", get[Number](fmt.Sprint("/v1/phone-numbers/", number.ID)).IsActive, true)
	check("the numbers purchased", len(r.got("number_purchased")), 1)
	purchased := r.got("number_purchased")[0]
	check("the signature", isSigned(purchased.raw, purchased.signature), true)
	check("the signature of other bytes", isSigned(append(purchased.raw, ' '), purchased.signature), false)
	check("the number purchased", told[NumberEvent](r, "number_purchased")[0].Payload.PhoneNumber, offer)

	post[Registration]("/v1/brand", JSON{"legal_name": "Harbor Street Dental, Inc.", "ein": "12-3456789"})
	advance(JSON{"by": "60s"})
	check("the brand", get[Registration]("/v1/brand").Status, "approved")
	post[Registration]("/v1/brand/campaigns", JSON{"use_case": "customer_care", "phone_numbers": []string{offer}})
	advance(JSON{"by": "60s"})
	check("the campaign", get[[]Registration]("/v1/brand/campaigns")[0].Status, "approved")
	change := last(told[RegistrationEvent](r, "texting_registration_status_changed"))
	check("the numbers that may text", change.TextingEnabledNumbers, []string{offer})

	text := JSON{"from_number": offer, "to_number": "+12125550147", "body": "Your appointment is tomorrow at ten."}
	answering := bearer.Clone()
	answering.Set("X-Sandbox-Scenario", "sms_reply;text=See you then.")
	message := read[data[Message]](succeed("POST", "/v1/sms/send", text, answering)).Data
	advance(JSON{"until": "idle"})
	check("the message", get[Message]("/v1/sms/"+message.ID).Status, "delivered")
	check("the message delivered", told[Message](r, "sms_delivered")[0].ID, message.ID)
	reply := get[[]Message]("/v1/sms")[0]
	check("the newest message", reply.Direction, "inbound")
	check("what it says", reply.Body, "See you then.")
	check("the reply", told[Message](r, "contact_replied")[0].ID, reply.ID)
	return "number bought, as a signed webhook told; registered; message delivered and answered"
}

// A BMP as a logo has to be: 256 by 256 pixels, one bit each; the file's header, the image's, two colours, the rows.
func blackSquare() []byte {
	const start, pixels = 14 + 40 + 8, 256 * 256 / 8
	var file bytes.Buffer
	file.WriteString("BM")
	for _, field := range []any{
		[]uint32{start + pixels, 0, start},
		[]uint32{40, 256, 256}, []uint16{1, 1}, []uint32{0, pixels, 0, 0, 2, 0},
		[]uint32{0x000000, 0xffffff}, make([]byte, pixels),
	} {
		_ = binary.Write(&file, binary.LittleEndian, field) // a buffer takes everything
	}
	return file.Bytes()
}

func callerIdentity(r *receiver) string {
	r.subscribe("enterprise.status.updated")
	details := JSON{"legal_name": "Harbor Street Dental, Inc.", "ein": "12-3456789"}
	check("the enterprise", post[Registration]("/v1/caller-trust/enterprise", details).Status, "DRAFT")
	logo := base64.StdEncoding.EncodeToString(blackSquare())
	upload := JSON{"filename": "logo.bmp", "content_type": "image/bmp", "content_base64": logo}
	document := post[Document]("/v1/caller-trust/documents", upload).DocumentID
	advance(JSON{"by": "5s"})
	check("the logo", get[Document]("/v1/caller-trust/documents/"+document).Status, "verified")
	submitted := post[Registration]("/v1/caller-trust/enterprise/sign-and-submit", JSON{
		"signer_full_name":        "Robin Ashdown",
		"signer_email":            "robin@harborstreet.example",
		"signer_title":            "Owner",
		"consent_acknowledged_at": "2026-01-05T14:59:00Z",
		"confirm_carrier_commit":  "I understand this submits to the carrier",
	})
	check("the enterprise", submitted.Status, "PENDING_VETTING")
	advance(JSON{"by": "40s"})
	check("the enterprise", get[Registration]("/v1/caller-trust/enterprise").Status, "APPROVED")
	check("what was told of it", last(told[Registration](r, "enterprise.status.updated")).Status, "APPROVED")

	post[Registration]("/v1/caller-trust/display-identities", JSON{
		"display_name":     "Harbor Dental",
		"call_reasons":     []string{"Appointment reminder"},
		"logo_document_id": document,
	})
	advance(JSON{"by": "60s"})
	check("the display identity", get[[]Registration]("/v1/caller-trust/display-identities")[0].Status, "approved")
	for _, callerID := range get[[]CallerID]("/v1/caller-ids") {
		if callerID.PhoneNumber == from {
			check("what the caller ID shows", callerID.RCDDisplayName, "Harbor Dental")
			check("its status", callerID.RCDStatus, "approved")
			return "enterprise signed, submitted and approved; its name shows on the caller ID"
		}
	}
	log.Fatalf("%s is not a caller ID", from)
	return ""
}

func campaign(r *receiver) string {
	var contacts []string
	for areaCode := 220; areaCode < 223; areaCode++ {
		for _, ending := range []string{"00", "01", "02", "03"} { // answered, busy, no answer, voicemail
			number := fmt.Sprintf("+1%d55501%s", areaCode, ending)
			contacts = append(contacts, post[Contact]("/_sandbox/simulate/new-contact", JSON{"phone_number": number}).ID)
		}
	}
	request := JSON{"agent_id": last(get[[]Agent]("/v1/agents")).ID, "contact_ids": contacts, "concurrency": 2}
	r.subscribe("workflow_contact_completed")
	path := "/v1/jobs/" + post[Job]("/v1/jobs", request).ID
	advance(JSON{"by": "15s"})
	check("the job", post[Job](path+"/pause", nil).Status, "paused")
	advance(JSON{"by": "1h"})
	job := get[Job](path)
	check("calls of a paused job", job.Progress.InProgress, 0)
	check("a paused job has some left", 0 < job.Progress.Pending && job.Progress.Pending < len(contacts), true)
	post[Job](path+"/resume", nil)
	advance(JSON{"until": "idle"})
	job = get[Job](path)
	check("the job", job.Status, "completed")
	outcomes := map[string]int{}
	for outcome, count := range job.Progress.Outcomes {
		if count > 0 {
			outcomes[outcome] = count
		}
	}
	check("the outcomes", outcomes, map[string]int{"answered": 3, "busy": 3, "no_answer": 3, "voicemail": 3})
	var completed []string
	for _, event := range told[JobEvent](r, "workflow_contact_completed") {
		completed = append(completed, event.ContactID)
	}
	sort.Strings(completed)
	sort.Strings(contacts)
	check("the contacts told of", completed, contacts)
	return "12 contacts called, two at a time, paused once"
}

func lead(r *receiver) string {
	r.subscribe("contact_created")
	source := get[[]LeadSource]("/_sandbox/lead-sources")[0]
	person := JSON{"name": "Lena Marlowe", "phone_number": "+14155550179", "metadata": JSON{"page": "/book"}}
	secret := http.Header{"X-Source-Secret": {source.SourceSecret}}
	contact := read[data[Contact]](succeed("POST", "/v1/leads/"+source.URLToken, person, secret)).Data
	advance(JSON{"by": "0s"})
	check("the contact told of", last(told[Contact](r, "contact_created")), contact)
	agent := last(get[[]Agent]("/v1/agents"))
	request := JSON{"agent_id": agent.ID, "to_number": contact.PhoneNumber}
	call := placeCall("/v1/calls", request)
	advance(JSON{"until": "idle"})
	check("the call", get[Call]("/v1/calls/"+call).Status, "COMPLETED")
	spoken := get[Transcript]("/v1/calls/" + call + "/transcript").Text
	check("it greets", strings.Contains(spoken, agent.Greeting), true)
	return "it became a contact, and the agent called"
}

func failures(_ *receiver) string {
	status, _, answer := send("POST", "/v1/sms/send", JSON{"to_number": "call me"}, bearer)
	bad := read[Failure](answer).Error
	check("a bad body", fmt.Sprint(status, " ", bad.Code), "400 validation_error")
	check("what is wrong with it", []bool{bad.Fields["body"] != "", bad.Fields["to_number"] != ""}, []bool{true, true})
	status, _, answer = send("GET", "/v1/calls/nowhere", nil, bearer)
	check("an unknown call", fmt.Sprint(status, " ", read[Failure](answer).Error.Code), "404 not_found")

	once := bearer.Clone()
	once.Set("Idempotency-Key", newUUID())
	dial := JSON{"from_number": from, "to_number": "+12125550100"}
	_, _, first := send("POST", "/v1/calls/dial", dial, once)
	status, headers, second := send("POST", "/v1/calls/dial", dial, once)
	check("the repetition", status, 202)
	check("what it answers", string(second), string(first))
	check("its header", headers.Get("Idempotency-Replayed"), "true")
	dial["to_number"] = "+12125550101"
	status, _, answer = send("POST", "/v1/calls/dial", dial, once)
	check("another body", fmt.Sprint(status, " ", read[Failure](answer).Error.Code), "409 idempotency_conflict")
	return "400 with its fields, 404, a replay, and idempotency_conflict"
}

func main() {
	log.SetFlags(0)
	r := startReceiver()
	succeed("POST", "/_sandbox/reset", nil, bearer)
	succeed("PUT", "/_sandbox/clock", JSON{"mode": "manual"}, bearer)
	fmt.Println("calls:", calls(r))
	fmt.Println("texting:", texting(r))
	fmt.Println("caller identity:", callerIdentity(r))
	fmt.Println("campaign:", campaign(r))
	fmt.Println("lead:", lead(r))
	fmt.Println("errors:", failures(r))
}

// --- what Go leaves to its users

func environment(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func check(what string, got, wanted any) {
	if !reflect.DeepEqual(got, wanted) {
		log.Fatalf("%s: expected %v, got %v", what, wanted, got)
	}
}

func last[T any](items []T) T {
	if len(items) == 0 {
		log.Fatalf("expected a %T, got none", *new(T))
	}
	return items[len(items)-1]
}

func newUUID() string {
	b := make([]byte, 16)
	must(rand.Read(b))
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
