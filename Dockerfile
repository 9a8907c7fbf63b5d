# assay as an image, built from this repository alone:
#   docker build -t assay . && docker run --rm -v "$PWD:/work" assay check
FROM node:22-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm pack --ignore-scripts --pack-destination /tmp && mv /tmp/assay-*.tgz /tmp/assay.tgz

FROM node:22-slim
LABEL org.opencontainers.image.title="assay" \
  org.opencontainers.image.description="Conformance, scenarios and simulation for backends of the Cross-Currency Settlement Service Interface" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.documentation="docs/ within the package"
COPY --from=build /tmp/assay.tgz /tmp/assay.tgz
RUN npm install --global /tmp/assay.tgz && rm /tmp/assay.tgz && npm cache clean --force
USER node
WORKDIR /work
# `assay serve` must answer on its default port. Other commands open no port: a refused connection counts as healthy.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:9000/').catch(({ cause }) => process.exit(cause?.code === 'ECONNREFUSED' ? 0 : 1))"]
ENTRYPOINT ["assay"]
CMD ["--help"]
