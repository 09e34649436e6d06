# Two stages: the first installs and compiles, the second holds the binary and nothing else.
FROM oven/bun:1.4.5-slim AS build
WORKDIR /app
COPY package.json bun.lock bunfig.toml tsconfig.json ./
COPY patches patches
RUN bun install --frozen-lockfile
COPY sql sql
COPY src src
RUN bun run build

FROM debian:13-slim
# Names of webhook receivers are resolved and their certificates verified.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin service
COPY --from=build /app/dist/customer-engagement-service /usr/local/bin/customer-engagement-service
USER service
# Bun reads the last one as it starts: outbound requests that it carries at once.
ENV HOST=0.0.0.0 \
    PORT=3000 \
    BUN_CONFIG_MAX_HTTP_REQUESTS=4096
EXPOSE 3000
# The binary itself asks: the image holds no curl.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["customer-engagement-service", "health"]
# On SIGTERM it finishes what is under way, at most 15 seconds: stop it with `docker stop -t 30`.
STOPSIGNAL SIGTERM
ENTRYPOINT ["customer-engagement-service"]
CMD ["start"]
