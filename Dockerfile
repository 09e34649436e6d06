# Two stages: the first installs and compiles, the second holds the binary with its libraries and nothing else. It has no shell.
FROM oven/bun:1.4.5-debian AS build
WORKDIR /app
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates
COPY package.json bun.lock bunfig.toml tsconfig.json ./
COPY patches patches
RUN bun install --frozen-lockfile
COPY deploy deploy
COPY openapi openapi
COPY sql sql
COPY src src
RUN bun run build && deploy/rootfs dist/customer-engagement-service /rootfs

FROM scratch
COPY --from=build /rootfs /
# The user `service` by number: Kubernetes cannot tell from a name that it is not root (runAsNonRoot).
USER 10001
# Bun reads BUN_CONFIG_MAX_HTTP_REQUESTS at its start: the maximum number of concurrent outbound requests. SHUTDOWN_DELAY gives load
# balancers the time to send new requests elsewhere. SSL_CERT_FILE names the certificates of the authorities.
ENV HOST=0.0.0.0 \
    PORT=3000 \
    SHUTDOWN_DELAY=5s \
    SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt \
    BUN_CONFIG_MAX_HTTP_REQUESTS=4096
EXPOSE 3000
# The image has no other program that can ask. A check takes about a third of a second of processor time, so it is rare.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["/usr/local/bin/customer-engagement-service", "health"]
# On SIGTERM the service becomes unready, serves requests for SHUTDOWN_DELAY, and then completes the remaining work within 15
# seconds. Stop it with `docker stop -t 30`.
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/local/bin/customer-engagement-service"]
CMD ["start"]
