# Ringback as an image: `docker build -t ringback .`, then `docker run --rm -p 4747:4747 ringback`.
# It runs as an unprivileged user and writes nothing, so `--read-only --cap-drop ALL` works.
# `docker compose build` pins the base image by its digest (compose.yaml); here it has a tag, which builders without a
# registry can resolve.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
# Dependencies first, so that this layer is cached until the lock file changes. No scripts: `dependencies` would build, but
# the sources are not copied yet.
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY build.js tsconfig.json tsconfig.build.json openapi.yaml ./
COPY build build
COPY src src
COPY dashboard dashboard
COPY reference reference
COPY docs docs
COPY README.md SECURITY.md CHANGELOG.md ./
COPY fixtures fixtures
COPY scenarios scenarios
COPY schemas schemas
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund && rm -r build src dashboard reference docs *.md build.js tsconfig*.json
# A third of the rest is only for compilers and debuggers.
RUN find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' \) \
      ! -iname 'license*' -delete
COPY LICENSE ./
# With a strict umask, a clone has files that the image's user could not read.
RUN chmod -R a+rX /app

FROM node:24.21.0-bookworm-slim
LABEL org.opencontainers.image.title="Ringback" \
      org.opencontainers.image.description="A sandbox server for the Voice Platform API" \
      org.opencontainers.image.licenses="MIT"
# Owned by root and readable by everyone: the server cannot change its own files.
COPY --from=build /app /app
# Empty folders change nothing; mount your own scenarios and fixtures there.
RUN ln -s /app/dist/main.js /usr/local/bin/ringback && mkdir /scenarios /fixtures
ENV NODE_ENV=production RINGBACK_HOST=0.0.0.0 RINGBACK_SCENARIOS=/scenarios RINGBACK_FIXTURES=/fixtures
# The `node` user of the base image, by number because Kubernetes' runAsNonRoot does not resolve names.
USER 1000:1000
WORKDIR /app
EXPOSE 4747
# Uses the port of `serve`: RINGBACK_PORT before PORT, except the tcp://… that Kubernetes and `docker --link` inject as
# RINGBACK_PORT for a service named ringback. The address is explicit, since RINGBACK_URL is for clients.
HEALTHCHECK --interval=5s --timeout=5s --start-period=20s --retries=3 \
  CMD case "$RINGBACK_PORT" in ''|tcp://*) ;; *) PORT=$RINGBACK_PORT ;; esac; exec ringback readyz --url "http://127.0.0.1:${PORT:-4747}"
# Without a shell, the server is process 1 and receives SIGTERM. --json: only the log, without the welcome.
ENTRYPOINT ["ringback"]
CMD ["serve", "--json"]
