# Two stages: the first installs and compiles, the second holds the binary and nothing else.
FROM oven/bun:1.4.5-slim AS build
WORKDIR /app
COPY package.json bun.lock bunfig.toml tsconfig.json ./
COPY patches patches
RUN bun install --frozen-lockfile
COPY deploy deploy
COPY openapi openapi
COPY sql sql
COPY src src
RUN bun run build

FROM debian:13-slim
# Names of webhook receivers are resolved and their certificates verified.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin service
COPY --from=build /app/dist/customer-engagement-service /usr/local/bin/customer-engagement-service
# The user `service` by number: Kubernetes cannot tell from a name that it is not root (runAsNonRoot).
USER 10001
# Bun reads BUN_CONFIG_MAX_HTTP_REQUESTS at its start: the maximum number of concurrent outbound requests. SHUTDOWN_DELAY gives load
# balancers the time to send new requests elsewhere.
ENV HOST=0.0.0.0 \
    PORT=3000 \
    SHUTDOWN_DELAY=5s \
    BUN_CONFIG_MAX_HTTP_REQUESTS=4096
EXPOSE 3000
# Uses the shell: the image has no curl, and starting the binary for `health` takes 50 times as much processor time.
HEALTHCHECK --interval=15s --timeout=3s --start-period=20s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/$HOST/$PORT && printf 'GET /healthz HTTP/1.0\\r\\n\\r\\n' >&3 && read -r -t 2 line <&3 && [[ $line == *' 200 '* ]] || exit 1"]
# On SIGTERM the service becomes unready, serves requests for SHUTDOWN_DELAY, and then completes the remaining work within 15
# seconds. Stop it with `docker stop -t 30`.
STOPSIGNAL SIGTERM
ENTRYPOINT ["customer-engagement-service"]
CMD ["start"]
