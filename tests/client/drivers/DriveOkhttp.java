import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.auth.ApiKeyAuth;
import org.openapitools.client.api.CustomersApi;
import org.openapitools.client.api.EventsApi;
import org.openapitools.client.api.WebhooksApi;
import org.openapitools.client.model.CreateCustomer;
import org.openapitools.client.model.RecordEvent;
import org.openapitools.client.model.TimelineItem;
import org.openapitools.client.model.WebhookEvent;

/**
 * Drives the client of Java that openapi-generator made with the library okhttp-gson; says the same line as the drivers beside it.
 *
 * <p>DriveOkhttp BASE-URL API-KEY SESSION-TOKEN WEBHOOK-ID FOLDER-OF-BODIES
 */
class DriveOkhttp {
  public static void main(String[] args) throws Exception {
    ApiClient shop = shop(args[0], args[1]);
    ApiClient owner = owner(args[0], args[2]);
    UUID webhook = UUID.fromString(args[3]);

    var customer =
        new CustomersApi(shop).createCustomer(new CreateCustomer().externalId("okhttp-gson").name("Ana"), null);
    var event =
        new RecordEvent()
            .type("order.created")
            .customerId(customer.getId())
            .data(Map.of("total", 12.5))
            .idempotencyKey("okhttp-gson-1");
    var recorded = new EventsApi(shop).recordEvent(event, null, null);
    var webhooks = new WebhooksApi(owner);
    var first = webhooks.listDeliveries(webhook, 1, null, null, null, null, null, null, null, null, null);
    var cursor = first.getNextCursor();
    var second = webhooks.listDeliveries(webhook, 1, cursor, null, null, null, null, null, null, null, null);
    var timeline = new CustomersApi(shop).readTimeline(customer.getId(), null, null, null);

    List<String> kinds = new ArrayList<>();
    for (TimelineItem item : timeline.getData()) kinds.add(item.getActualInstance().getClass().getSimpleName());
    boolean apart = !first.getData().get(0).getId().equals(second.getData().get(0).getId());
    System.out.printf(
        "customer %s, recorded %s, deliveries %d and %d %s, timeline %s, bodies %s%n",
        customer.getName(),
        recorded.getRecorded(),
        first.getData().size(),
        second.getData().size(),
        apart ? "apart" : "the same",
        String.join(" ", kinds),
        String.join(" ", typesOf(Path.of(args[4]))));
    System.exit(0);
  }

  private static List<String> typesOf(Path bodies) throws IOException {
    List<String> types = new ArrayList<>();
    try (var files = Files.list(bodies)) {
      for (Path path : files.sorted().toList())
        types.add(WebhookEvent.fromJson(Files.readString(path)).getActualInstance().getClass().getSimpleName());
    }
    return types;
  }

  private static ApiClient shop(String baseUrl, String key) {
    ApiClient client = new ApiClient().setBasePath(baseUrl);
    ((ApiKeyAuth) client.getAuthentication("apiKey")).setApiKey(key);
    return client;
  }

  private static ApiClient owner(String baseUrl, String token) {
    ApiClient client = new ApiClient().setBasePath(baseUrl);
    client.setBearerToken(token);
    return client;
  }
}
