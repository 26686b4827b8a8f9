// A log of Tessera in a folder, whose checkpoints need the cosignature of a witness:
//
//	go run . FOLDER POLICY_FILE SIGNING_KEY ENTRIES
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strconv"
	"time"

	"github.com/transparency-dev/tessera"
	"github.com/transparency-dev/tessera/storage/posix"
	"golang.org/x/mod/sumdb/note"
)

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	driver := must(posix.New(ctx, posix.Config{Path: os.Args[1]}))
	group := must(tessera.NewWitnessGroupFromPolicy(must(os.ReadFile(os.Args[2]))))
	signer := must(note.NewSigner(os.Args[3]))
	entries := must(strconv.Atoi(os.Args[4]))
	opts := tessera.NewAppendOptions().WithCheckpointSigner(signer).WithCheckpointInterval(200*time.Millisecond).WithBatching(64, 100*time.Millisecond).WithWitnesses(group, &tessera.WitnessOptions{})
	appender, shutdown, reader, err := tessera.NewAppender(ctx, driver, opts)
	if err != nil {
		log.Fatal(err)
	}
	awaiter := tessera.NewPublicationAwaiter(ctx, reader.ReadCheckpoint, 100*time.Millisecond)
	var last tessera.IndexFuture
	for i := range entries {
		last = appender.Add(ctx, tessera.NewEntry(fmt.Appendf(nil, "entry %d", i)))
	}
	_, checkpoint, err := awaiter.Await(ctx, last)
	if err != nil {
		log.Fatal(err)
	}
	os.Stdout.Write(checkpoint)
	if err := shutdown(ctx); err != nil {
		log.Fatal(err)
	}
}
