# Ringback as an image: `docker build -t ringback .`, then `docker run --rm -p 4747:4747 ringback`.
# It runs as a user without rights and writes nothing, so that `--read-only --cap-drop ALL` can be given.

FROM node:20-bookworm-slim AS build
WORKDIR /app
# The dependencies alone first, so that this layer lasts until the lock file changes. No scripts: `prepare` would build,
# and the sources are not there yet.
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY build.js tsconfig.json tsconfig.build.json openapi.yaml ./
COPY src src
COPY fixtures fixtures
COPY scenarios scenarios
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund && rm -r src build.js tsconfig*.json
# A third of what is left is there for compilers and debuggers alone.
RUN find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' \) \
      ! -iname 'license*' -delete
COPY LICENSE ./
# A clone made under a strict umask would otherwise carry files into the image that its user may not read.
RUN chmod -R a+rX /app

FROM node:20-bookworm-slim
LABEL org.opencontainers.image.title="Ringback" \
      org.opencontainers.image.description="A sandbox server for the Voice Platform API" \
      org.opencontainers.image.licenses="MIT"
# Owned by root, read by everyone: what serves cannot change what it serves from.
COPY --from=build /app /app
# Empty, the two folders change nothing; a mount brings scenarios and fixtures of one's own.
RUN ln -s /app/dist/main.js /usr/local/bin/ringback && mkdir /scenarios /fixtures
ENV NODE_ENV=production RINGBACK_HOST=0.0.0.0 RINGBACK_SCENARIOS=/scenarios RINGBACK_FIXTURES=/fixtures
# By number, since Kubernetes' runAsNonRoot does not look names up. It is the base image's `node`.
USER 1000:1000
WORKDIR /app
EXPOSE 4747
# Asks at the port that `serve` takes: RINGBACK_PORT before PORT, and not what Kubernetes and `docker --link` inject as
# RINGBACK_PORT for a service named ringback (tcp://…). The whole address, since RINGBACK_URL belongs to clients.
HEALTHCHECK --interval=5s --timeout=5s --start-period=20s --retries=3 \
  CMD case "$RINGBACK_PORT" in ''|tcp://*) ;; *) PORT=$RINGBACK_PORT ;; esac; exec ringback readyz --url "http://127.0.0.1:${PORT:-4747}"
# No shell in between: the server is process 1 and gets SIGTERM itself. --json: the log alone, without the welcome.
ENTRYPOINT ["ringback"]
CMD ["serve", "--json"]
