# assay as an image, built from this repository alone: docker build -t assay . && docker run --rm -v "$PWD:/work" assay check
FROM node:22-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm pack --ignore-scripts --pack-destination /tmp && mv /tmp/assay-*.tgz /tmp/assay.tgz

FROM node:22-slim
COPY --from=build /tmp/assay.tgz /tmp/assay.tgz
RUN npm install --global /tmp/assay.tgz && rm /tmp/assay.tgz && npm cache clean --force
USER node
WORKDIR /work
ENTRYPOINT ["assay"]
CMD ["--help"]
