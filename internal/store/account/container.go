package account

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"time"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/log"
	"github.com/testcontainers/testcontainers-go/modules/azure/azurite"
	"github.com/testcontainers/testcontainers-go/wait"

	"github.com/storespec/storespec/internal/store"
)

// AzuriteImage is the published image; .ci/azurite-image.sh builds the same from npm where it cannot be pulled.
const AzuriteImage = "mcr.microsoft.com/azure-storage/azurite:" + azuriteVersion

const (
	// pullLimit is the time limit for pulling the image (about 100 MB) and starting it.
	pullLimit = 5 * time.Minute
	// probeLimit is the time limit for reaching a container that has reported that it listens.
	probeLimit = 15 * time.Second
	// endLimit is the time limit for ending a container after a failed start.
	endLimit = 30 * time.Second
)

// openContainer starts Azurite in a container. On a machine that has the Azurite image but cannot pull images, the
// image of testcontainers' reaper is missing; set TESTCONTAINERS_RYUK_DISABLED=true there.
func openContainer(ctx context.Context, opts store.Options) (*store.Pool, error) {
	// The library logs the daemon it found and its helper to its global logger.
	log.SetDefault(log.NewNoopLogger())
	if err := dockerAnswers(ctx); err != nil {
		return nil, fmt.Errorf("%w: %w; start Docker, or %s", store.ErrUnavailable, err, insteadOfDocker)
	}
	accounts, err := newAccounts(opts)
	if err != nil {
		return nil, err
	}
	_, _ = fmt.Fprintf(opts.Log, "starting container %s\n", AzuriteImage)
	ctx, cancel := context.WithTimeout(ctx, pullLimit)
	defer cancel()
	c, err := azurite.Run(ctx, AzuriteImage,
		azurite.WithInMemoryPersistence(0), // Azurite's own limit, half of the memory
		testcontainers.WithCmdArgs(append(azuriteFlags(), "--silent")...),
		testcontainers.WithEnv(map[string]string{"AZURITE_ACCOUNTS": accounts.list()}),
		testcontainers.WithLogger(log.NewNoopLogger()),
		// The module's own check needs a shell in the image and the right guess of the host.
		testcontainers.WithWaitStrategyAndDeadline(startLimit,
			wait.ForLog("Azurite Table service is successfully listening")),
	)
	stop := func(ctx context.Context) error {
		// Its content is not worth a graceful stop.
		return testcontainers.TerminateContainer(c, testcontainers.StopContext(ctx), testcontainers.StopTimeout(0))
	}
	abandon := func(cause error) error {
		// The start may have ended because the caller's context did.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endLimit)
		defer cancel()
		return errors.Join(cause, stop(ctx))
	}
	if err != nil {
		return nil, abandon(fmt.Errorf("%w: run container %s: %w; if the image cannot be pulled here, load it with "+
			"docker load and set TESTCONTAINERS_RYUK_DISABLED=true, or %s", store.ErrUnavailable, AzuriteImage, err,
			insteadOfDocker))
	}
	s, err := reachContainer(ctx, c, accounts, opts.Name)
	if err != nil {
		return nil, abandon(err)
	}
	s.Stop = stop
	return s, nil
}

// insteadOfDocker says which stores do without Docker.
const insteadOfDocker = "use --store azurite, which needs only Node, or --store embedded, which needs nothing"

// dockerHost is the variable with the daemon's address, for every Docker client.
const dockerHost = "DOCKER_HOST"

// answerLimit is the time limit for a daemon's answer where another store will do.
const answerLimit = 10 * time.Second

// findContainer checks that a daemon responds and has Azurite's image. It pulls nothing: that may take minutes.
func findContainer(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	log.SetDefault(log.NewNoopLogger())
	found := false
	err := withDocker(ctx, func(docker *testcontainers.DockerProvider) {
		_, err := docker.Client().ImageInspect(ctx, AzuriteImage)
		found = err == nil
	})
	switch {
	case err != nil:
		return err
	case !found:
		return fmt.Errorf("docker has no image %s; docker pull fetches it", AzuriteImage)
	}
	return nil
}

// dockerAnswers checks that the daemon responds. The error says how it was asked.
func dockerAnswers(ctx context.Context) error {
	return withDocker(ctx, func(*testcontainers.DockerProvider) {})
}

// withDocker calls use if the daemon responds; otherwise the error says how it was asked. The library panics in some of
// the cases in which it finds no daemon.
func withDocker(ctx context.Context, use func(*testcontainers.DockerProvider)) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
		if err != nil {
			err = fmt.Errorf("docker does not answer (%s): %w", dockerAsked(), err)
		}
	}()
	provider, err := testcontainers.NewDockerProvider(testcontainers.WithLogger(log.NewNoopLogger()))
	if err != nil {
		return err
	}
	defer func() { _ = provider.Close() }()
	// If the configured daemon is dead, the library uses the one at the default socket.
	if asked, taken := os.Getenv(dockerHost), provider.Client().DaemonHost(); asked != "" && asked != taken {
		return errors.New("no daemon there")
	}
	if err := provider.Health(ctx); err != nil {
		return err
	}
	use(provider)
	return nil
}

// dockerAsked says where the daemon was looked for.
func dockerAsked() string {
	if host := os.Getenv(dockerHost); host != "" {
		return dockerHost + " is " + host
	}
	return dockerHost + " is not set, so the usual sockets were tried"
}

// reachContainer finds the address at which the container answers. The library's idea of the daemon's host is right on
// a laptop and wrong in a container that runs its own daemon, so loopback and the container's address are tried as
// well. Only our container knows our keys, so an answer cannot come from anywhere else.
func reachContainer(ctx context.Context, c *azurite.Container, accounts accounts, name string) (*store.Pool, error) {
	table, blob, err := candidates(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("%w: container %s: %w", store.ErrUnavailable, AzuriteImage, err)
	}
	type answer struct {
		store *store.Pool
		err   error
	}
	probe, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	answers := make(chan answer, len(table))
	for i := range table {
		go func() {
			s, err := accounts.pool(probe, name, table[i], blob[i])
			answers <- answer{s, err}
		}()
	}
	var errs []error
	for range table {
		a := <-answers
		if a.err == nil {
			return a.store, nil
		}
		errs = append(errs, a.err)
	}
	return nil, fmt.Errorf("container %s: %w", AzuriteImage, errors.Join(errs...))
}

// candidates lists the addresses at which the two services may be reached.
func candidates(ctx context.Context, c *azurite.Container) (table, blob []*url.URL, err error) {
	add := func(host string, tablePort, blobPort string) {
		table = append(table, &url.URL{Scheme: "http", Host: net.JoinHostPort(host, tablePort)})
		blob = append(blob, &url.URL{Scheme: "http", Host: net.JoinHostPort(host, blobPort)})
	}
	mappedTable, err := c.MappedPort(ctx, azurite.TablePort)
	if err != nil {
		return nil, nil, fmt.Errorf("port of the table service: %w", err)
	}
	mappedBlob, err := c.MappedPort(ctx, azurite.BlobPort)
	if err != nil {
		return nil, nil, fmt.Errorf("port of the blob service: %w", err)
	}
	if host, err := c.Host(ctx); err == nil {
		add(host, mappedTable.Port(), mappedBlob.Port())
	}
	add("127.0.0.1", mappedTable.Port(), mappedBlob.Port())
	if ip, err := c.ContainerIP(ctx); err == nil && ip != "" {
		add(ip, "10002", "10000")
	}
	return table, blob, nil
}
