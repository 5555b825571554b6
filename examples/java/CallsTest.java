import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

/** Calls and webhooks against a sandbox, with nothing but the JDK. */
public final class CallsTest {
  private static final String URL = System.getenv().getOrDefault("RINGBACK_URL", "http://127.0.0.1:4747");
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** Any key of this form makes a world; a test of its own has one of its own. */
  private final String key;
  private final HttpServer receiver;
  private final List<String> received = new CopyOnWriteArrayList<>();

  private CallsTest(String world) throws Exception {
    key = "svc_test_" + world;
    // A rerun starts over, on a clock that stands until it is advanced.
    post("/_sandbox/reset", "{}");
    send("PUT", "/_sandbox/clock", "{\"mode\":\"manual\"}", Map.of());
    receiver = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    receiver.createContext("/", exchange -> {
      received.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      exchange.sendResponseHeaders(200, -1);
      exchange.close();
    });
    receiver.start();
  }

  public static void main(String[] arguments) throws Exception {
    boolean enabled = false;
    assert enabled = true;
    if (!enabled) throw new IllegalStateException("run it with java -ea, which enables assertions");
    run("java-busy", CallsTest::hearsOfABusyLine);
    run("java-answered", CallsTest::readsWhatWasSaid);
    run("java-repeat", CallsTest::callsOnceUnderOneIdempotencyKey);
  }

  private void hearsOfABusyLine() throws Exception {
    String url = "http://127.0.0.1:" + receiver.getAddress().getPort() + "/call_busy";
    post("/api/v1/webhook_subscriptions", "{\"webhook_url\":\"" + url + "\",\"event_type\":\"call_busy\"}");
    String call = field(dial("+12125550101", Map.of()), "call_id");
    // Answers when the webhook has been attempted: nothing sleeps.
    post("/_sandbox/clock/advance", "{\"by\":\"10s\"}");
    assert received.size() == 1 : received;
    assert field(received.get(0), "id").equals(call) : received;
    assert field(received.get(0), "failure_code").equals("busy") : received;
  }

  private void readsWhatWasSaid() throws Exception {
    String call = field(dial("+12125550100", Map.of()), "call_id");
    post("/_sandbox/clock/advance", "{\"until\":\"idle\"}");
    String transcript = send("GET", "/v1/calls/" + call + "/transcript", "", Map.of()).body();
    assert transcript.contains("\"role\":\"agent\"") : transcript;
  }

  private void callsOnceUnderOneIdempotencyKey() throws Exception {
    Map<String, String> headers = Map.of("Idempotency-Key", "7f3c1b56-8a0c-4c35-9a38-0d6f0a8e9a11");
    assert dial("+12125550100", headers).equals(dial("+12125550100", headers));
    HttpResponse<String> verified =
        post("/_sandbox/requests/verify", "{\"match\":{\"operation\":\"dialCall\"},\"exactly\":2}");
    assert verified.statusCode() == 200 : verified.body();
    String events = send("GET", "/_sandbox/events?event_type=new_call", "", Map.of()).body();
    assert Pattern.compile("\"event_type\":\"new_call\"").matcher(events).results().count() == 1 : events;
  }

  private String dial(String to, Map<String, String> headers) throws Exception {
    String body = "{\"from_number\":\"+14155550190\",\"to_number\":\"" + to + "\"}";
    HttpResponse<String> response = send("POST", "/v1/calls/dial", body, headers);
    assert response.statusCode() == 202 : response.body();
    return response.body();
  }

  private HttpResponse<String> post(String path, String body) throws Exception {
    return send("POST", path, body, Map.of());
  }

  private HttpResponse<String> send(String method, String path, String body, Map<String, String> headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(URL + path))
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json")
            .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    headers.forEach(request::header);
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  /** The text of a field; a project of yours has a JSON library for it. */
  private static String field(String json, String name) {
    return Pattern.compile("\"" + name + "\":\"([^\"]*)\"")
        .matcher(json)
        .results()
        .map(found -> found.group(1))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " is not in " + json));
  }

  private interface Test {
    void run(CallsTest test) throws Exception;
  }

  private static void run(String world, Test test) throws Exception {
    CallsTest fixture = new CallsTest(world);
    try {
      test.run(fixture);
      System.out.println("passed: " + world);
    } finally {
      fixture.receiver.stop(0);
    }
  }
}
