// A log of Tessera in a folder, and Tessera's check of a log:
//
//	go run . log FOLDER POLICY_FILE SIGNING_KEY ENTRIES    checkpoints need the cosignature of a witness
//	go run . rate FOLDER SIGNING_KEY FILE                  adds the lines of a file; prints how many seconds that took
//	go run . fsck FOLDER VERIFIER_KEY                      reads a whole log and compares it with its checkpoint
package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"strconv"
	"time"

	"github.com/transparency-dev/merkle/rfc6962"
	"github.com/transparency-dev/tessera"
	"github.com/transparency-dev/tessera/api"
	"github.com/transparency-dev/tessera/client"
	"github.com/transparency-dev/tessera/fsck"
	"github.com/transparency-dev/tessera/storage/posix"
	"golang.org/x/mod/sumdb/note"
)

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

// Adds entries and returns the checkpoint that has the last one. Files are synced; there is no antispam storage.
func add(ctx context.Context, folder string, opts *tessera.AppendOptions, entries [][]byte) []byte {
	appender, shutdown, reader, err := tessera.NewAppender(ctx, must(posix.New(ctx, posix.Config{Path: folder})), opts)
	if err != nil {
		log.Fatal(err)
	}
	awaiter := tessera.NewPublicationAwaiter(ctx, reader.ReadCheckpoint, 100*time.Millisecond)
	futures := make([]tessera.IndexFuture, len(entries))
	for i, entry := range entries {
		futures[i] = appender.Add(ctx, tessera.NewEntry(entry))
	}
	var checkpoint []byte
	for _, future := range futures[max(0, len(futures)-1):] {
		_, checkpoint, err = awaiter.Await(ctx, future)
		if err != nil {
			log.Fatal(err)
		}
	}
	if err := shutdown(ctx); err != nil {
		log.Fatal(err)
	}
	return checkpoint
}

func appendOptions(signingKey string) *tessera.AppendOptions {
	return tessera.NewAppendOptions().WithCheckpointSigner(must(note.NewSigner(signingKey)))
}

func leafHashes(bundle []byte) ([][]byte, error) {
	var entries api.EntryBundle
	if err := entries.UnmarshalText(bundle); err != nil {
		return nil, err
	}
	var hashes [][]byte
	for _, entry := range entries.Entries {
		hashes = append(hashes, rfc6962.DefaultHasher.HashLeaf(entry))
	}
	return hashes, nil
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Second)
	defer cancel()
	args := os.Args[2:]
	switch os.Args[1] {
	case "log":
		group := must(tessera.NewWitnessGroupFromPolicy(must(os.ReadFile(args[1]))))
		opts := appendOptions(args[2]).WithCheckpointInterval(200*time.Millisecond).WithBatching(64, 100*time.Millisecond).WithWitnesses(group, &tessera.WitnessOptions{})
		var entries [][]byte
		for i := range must(strconv.Atoi(args[3])) {
			entries = append(entries, fmt.Appendf(nil, "entry %d", i))
		}
		os.Stdout.Write(add(ctx, args[0], opts, entries))
	case "rate":
		entries := bytes.Split(bytes.TrimSuffix(must(os.ReadFile(args[2])), []byte("\n")), []byte("\n"))
		opts := appendOptions(args[1]).WithCheckpointInterval(500*time.Millisecond).WithBatching(2000, 500*time.Millisecond)
		start := time.Now()
		add(ctx, args[0], opts, entries)
		fmt.Println(time.Since(start).Seconds())
	case "fsck":
		verifier := must(note.NewVerifier(args[1]))
		source := &client.FileFetcher{Root: args[0]}
		if err := fsck.New(verifier.Name(), verifier, source, leafHashes, fsck.Opts{N: 2}).Check(ctx); err != nil {
			log.Fatal(err)
		}
		fmt.Println("ok")
	}
}
