// The main journeys with a client that openapi-generator (java, native) generates from the contract as OpenAPI 3.0.
//
// docs/clients.md has the commands. RINGBACK_URL and RINGBACK_KEY say where and as whom, RECEIVER_URL what takes webhooks.

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.CallerTrustApi;
import org.openapitools.client.api.CallsApi;
import org.openapitools.client.api.PhoneNumbersApi;
import org.openapitools.client.api.SmsApi;
import org.openapitools.client.api.WebhookSubscriptionsApi;
import org.openapitools.client.model.CallEvent;
import org.openapitools.client.model.CallListItem;
import org.openapitools.client.model.CallStatus;
import org.openapitools.client.model.DialRequest;
import org.openapitools.client.model.Enterprise;
import org.openapitools.client.model.EnterpriseRequest;
import org.openapitools.client.model.EnterpriseSignature;
import org.openapitools.client.model.ErrorCode;
import org.openapitools.client.model.ErrorDetail;
import org.openapitools.client.model.ErrorEnvelope;
import org.openapitools.client.model.EventType;
import org.openapitools.client.model.FailureCode;
import org.openapitools.client.model.MessageRequest;
import org.openapitools.client.model.MessageStatus;
import org.openapitools.client.model.NumberLifecycleEvent;
import org.openapitools.client.model.PhoneNumberRequest;
import org.openapitools.client.model.WebhookSubscriptionRequest;

public final class Journeys {
  /** Owned by every world, verified and approved for texting. */
  private static final String FROM = "+14155550190";

  private static final String URL = System.getenv("RINGBACK_URL");
  private static final String KEY = System.getenv("RINGBACK_KEY");
  private static final ObjectMapper JSON = ApiClient.createDefaultObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final ApiClient CLIENT = clientOf(KEY, Map.of());

  private Journeys() {}

  private static ApiClient clientOf(String key, Map<String, String> headers) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(URL);
    client.setRequestInterceptor(
        request -> {
          request.header("Authorization", "Bearer " + key);
          headers.forEach(request::header);
        });
    return client;
  }

  /** The control API, with the HTTP client of the JDK. */
  private static JsonNode control(String method, String path, String body) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(URL + "/_sandbox" + path))
            .header("Authorization", "Bearer " + KEY)
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> answer = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
    check(answer.statusCode() < 300, method + " " + path, answer.body());
    return JSON.readTree(answer.body().isEmpty() ? "{}" : answer.body()).path("data");
  }

  private static void advance(String goal) throws IOException, InterruptedException {
    control("POST", "/clock/advance", goal);
  }

  private static void check(boolean holds, String what, Object got) {
    if (!holds) {
      throw new AssertionError(what + ": " + got);
    }
  }

  private static void subscribe(EventType type) throws ApiException {
    WebhookSubscriptionRequest body = new WebhookSubscriptionRequest();
    body.webhookUrl(URI.create(System.getenv("RECEIVER_URL"))).eventType(type);
    new WebhookSubscriptionsApi(CLIENT).createWebhookSubscription(body, null);
  }

  /** The body of the newest delivery of that type, which the receiver has taken. */
  private static <T> T told(EventType type, Class<T> body) throws IOException, InterruptedException {
    JsonNode newest = control("GET", "/deliveries?event_type=" + type.getValue(), "").get(0);
    check(newest.path("status").asText().equals("delivered"), "a delivery", newest);
    return JSON.readValue(newest.path("body").asText(), body);
  }

  private static DialRequest to(String number) {
    return new DialRequest().fromNumber(FROM).toNumber(number);
  }

  private static String calls() throws ApiException, IOException, InterruptedException {
    CallsApi api = new CallsApi(CLIENT);
    subscribe(EventType.CALL_BUSY);
    String busy = api.dialCall(to("+12125550101"), null).getCallId();
    advance("{\"by\": \"10s\"}");
    JsonNode event = control("GET", "/wait?event_type=call_busy&call_id=" + busy, "");
    check(event.path("payload").path("id").asText().equals(busy), "the event", event);
    CallEvent body = told(EventType.CALL_BUSY, CallEvent.class);
    check(body.getId().equals(busy) && body.getFailureCode() == FailureCode.BUSY, "the webhook", body);
    check(api.getCall(busy).getData().getStatus() == CallStatus.BUSY, "the busy call", busy);

    String answered = api.dialCall(to("+12125550100"), null).getCallId();
    advance("{\"until\": \"idle\"}");
    var call = api.getCall(answered).getData();
    check(call.getStatus() == CallStatus.COMPLETED && call.getEndedAt().isAfter(call.getStartedAt()), "the call", call);
    var spoken = api.getCallTranscript(answered).getData().getStructuredTranscript();
    check(spoken.size() > 1, "the transcript", spoken);
    return "one busy, as the webhook told; one answered, with its transcript";
  }

  private static String numbers() throws ApiException, IOException, InterruptedException {
    PhoneNumbersApi api = new PhoneNumbersApi(CLIENT);
    subscribe(EventType.NUMBER_PURCHASED);
    String offer = api.listAvailablePhoneNumbers("212", null, null).getData().get(0).getPhoneNumber();
    var ordered = api.createPhoneNumber(new PhoneNumberRequest().phoneNumber(offer).name("New York"), null).getData();
    check(!ordered.getIsActive(), "a number just ordered", ordered);
    advance("{\"by\": \"8s\"}");
    check(api.getPhoneNumber(ordered.getId().toString()).getData().getIsActive(), "the number", offer);
    var event = told(EventType.NUMBER_PURCHASED, NumberLifecycleEvent.class);
    check(event.getPayload().getPhoneNumber().equals(offer), "the webhook", event);

    SmsApi sms = new SmsApi(CLIENT);
    var text = new MessageRequest().fromNumber(FROM).toNumber("+12125550140").body("See you tomorrow.");
    String message = sms.sendMessage(text, null).getData().getId();
    advance("{\"until\": \"idle\"}");
    check(sms.getMessage(message).getData().getStatus() == MessageStatus.DELIVERED, "the message", message);
    return "a number bought, as the webhook told; a message delivered";
  }

  private static String enterprise() throws ApiException, IOException, InterruptedException {
    CallerTrustApi api = new CallerTrustApi(CLIENT);
    var details = new EnterpriseRequest().legalName("Harbor Street Dental, Inc.").ein("12-3456789");
    check(api.createEnterprise(details, null).getData().getStatus() == Enterprise.StatusEnum.DRAFT, "the draft", details);
    var signature =
        new EnterpriseSignature()
            .signerFullName("Robin Ashdown")
            .signerEmail("robin@harborstreet.example")
            .signerTitle("Owner")
            .consentAcknowledgedAt("2026-01-05T14:59:00Z")
            .confirmCarrierCommit(
                EnterpriseSignature.ConfirmCarrierCommitEnum.I_UNDERSTAND_THIS_SUBMITS_TO_THE_CARRIER);
    var signed = api.signAndSubmitEnterprise(signature, null).getData();
    check(signed.getStatus() == Enterprise.StatusEnum.PENDING_VETTING, "the submission", signed);
    advance("{\"until\": \"idle\"}");
    check(api.getEnterprise().getData().getStatus() == Enterprise.StatusEnum.APPROVED, "the vetting", signed);
    return "signed, submitted and approved";
  }

  private static String pages() throws ApiException {
    CallsApi api = new CallsApi(CLIENT);
    Set<String> seen = new HashSet<>();
    String cursor = null;
    do {
      var page = api.listCalls(cursor, 2);
      for (CallListItem call : page.getData()) {
        check(seen.add(call.getId()), "a call twice", call);
      }
      cursor = page.getMeta().getCursor();
    } while (cursor != null);
    check(seen.size() > 2, "the calls", seen);
    return "every call once, over several pages";
  }

  private interface Refused {
    void run() throws ApiException;
  }

  /** The error of a request that is refused. */
  private static ErrorDetail refused(int status, ErrorCode code, Refused request) throws IOException {
    try {
      request.run();
    } catch (ApiException error) {
      ErrorDetail detail = JSON.readValue(error.getResponseBody(), ErrorEnvelope.class).getError();
      check(error.getCode() == status && detail.getCode() == code, status + " " + code, error.getResponseBody());
      return detail;
    }
    throw new AssertionError("not refused: " + status + " " + code);
  }

  private static String errors() throws ApiException, IOException {
    CallsApi api = new CallsApi(CLIENT);
    var bad = refused(400, ErrorCode.DESTINATION_INVALID, () -> api.dialCall(to("call me"), null));
    check(bad.getFields().containsKey("to_number"), "its fields", bad);
    CallsApi stranger = new CallsApi(clientOf("svc_sandbox_revoked", Map.of()));
    refused(401, ErrorCode.UNAUTHORIZED, () -> stranger.getCall("nowhere"));
    refused(404, ErrorCode.NOT_FOUND, () -> api.getCall("nowhere"));

    String key = UUID.randomUUID().toString();
    String first = api.dialCall(to("+12125550100"), key).getCallId();
    var again = api.dialCallWithHttpInfo(to("+12125550100"), key);
    check(again.getData().getCallId().equals(first), "a replay", again.getData());
    check(again.getHeaders().containsKey("idempotency-replayed"), "its header", again.getHeaders());
    refused(409, ErrorCode.IDEMPOTENCY_CONFLICT, () -> api.dialCall(to("+12125550101"), key));
    CallsApi limited = new CallsApi(clientOf(KEY, Map.of("X-Sandbox-Error", "rate_limited")));
    refused(429, ErrorCode.RATE_LIMITED, () -> limited.dialCall(to("+12125550101"), null));
    return "400 with its fields, 401, 404, a replay, 409 and 429";
  }

  public static void main(String[] args) throws ApiException, IOException, InterruptedException {
    control("POST", "/reset", "");
    control("PUT", "/clock", "{\"mode\": \"manual\"}");
    System.out.println("calls: " + calls());
    System.out.println("numbers: " + numbers());
    System.out.println("enterprise: " + enterprise());
    System.out.println("pages: " + pages());
    System.out.println("errors: " + errors());
  }
}
