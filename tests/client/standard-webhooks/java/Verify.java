import com.standardwebhooks.Webhook;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Verifies deliveries with the library of Standard Webhooks. Prints one verdict per line of the file. */
public final class Verify {
    private static boolean isGenuine(String line) {
        String[] fields = line.split("\t", -1);
        Map<String, List<String>> headers = Map.of(
            "webhook-id", List.of(fields[1]),
            "webhook-timestamp", List.of(fields[2]),
            "webhook-signature", List.of(fields[3]));
        String body = new String(Base64.getDecoder().decode(fields[4]), StandardCharsets.UTF_8);
        try {
            new Webhook(fields[0]).verify(body, HttpHeaders.of(headers, (name, value) -> true));
            return true;
        } catch (Exception invalid) {
            return false;
        }
    }

    public static void main(String[] args) throws Exception {
        for (String line : Files.readAllLines(Path.of(args[0]))) System.out.println(isGenuine(line));
    }
}
