# storespec in an image of a few files: the static programs, the certificates of public authorities and a /tmp. For servers
# that listen elsewhere (verify --url) and for storespec-emulate; a server for storespec to start belongs in an image
# made FROM this one.
#
#   docker build -t storespec .
#   docker run --rm -v "$PWD/features:/features:ro" storespec rules --features /features
#   docker run --rm -p 127.0.0.1:10000:10000 -p 127.0.0.1:10002:10002 --entrypoint storespec-emulate storespec \
#       --azure-blob 0.0.0.0:10000 --azure-table 0.0.0.0:10002
#
# A server outside writes sign-in links into a directory that both see:
#
#   mkdir -p outbox
#   docker run --rm --network host --user "$(id -u)" -v "$PWD/outbox:$PWD/outbox" storespec \
#       verify familyscheduler --url http://localhost:7071 --outbox "$PWD/outbox"
FROM golang:1.26.8-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
# The owner of the checkout is not root; git must still read the commit for the version.
RUN git config --global --add safe.directory /src && \
    CGO_ENABLED=0 go build -trimpath -buildvcs=true -ldflags="-s -w" -o /out/usr/local/bin/ ./cmd/... && \
    mkdir -p /out/etc/ssl/certs /out/tmp && chmod 1777 /out/tmp && \
    cp /etc/ssl/certs/ca-certificates.crt /out/etc/ssl/certs/

FROM scratch
COPY --from=build /out/ /
ENV PATH=/usr/local/bin
USER 65532:65532
WORKDIR /tmp
ENTRYPOINT ["storespec"]
