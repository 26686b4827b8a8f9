// Makes test vectors with other people's implementations of transparency logs, and reads ours with them:
//
//	go run . vectors
//	go run . read DIRECTORY LOG_VKEY ENTRIES
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	checkpoint "github.com/transparency-dev/formats/log"
	cosignature "github.com/transparency-dev/formats/note"
	"github.com/transparency-dev/formats/proof"
	"github.com/transparency-dev/formats/witness"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func main() {
	switch {
	case len(os.Args) == 2 && os.Args[1] == "vectors":
		printVectors()
	case len(os.Args) == 5 && os.Args[1] == "read":
		readLog(os.Args[2], os.Args[3], number(os.Args[4]))
	default:
		log.Fatal("usage: vectors | read DIRECTORY LOG_VKEY ENTRIES")
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func number(text string) int64 { return must(strconv.ParseInt(text, 10, 64)) }

const (
	origin = "acme.example/log"
	most   = 1000
	time   = 1795000000
)

// A key from a fixed seed, so that the vectors are the same every time.
type key struct {
	name    string
	kind    byte
	private ed25519.PrivateKey
}

func keyOf(name string, kind byte) key {
	seed := sha256.Sum256([]byte("seed of " + name))
	return key{name, kind, ed25519.NewKeyFromSeed(seed[:])}
}

func (k key) encoded(material []byte) string {
	return base64.StdEncoding.EncodeToString(append([]byte{k.kind}, material...))
}

func (k key) hash() uint32 {
	public := k.private.Public().(ed25519.PublicKey)
	sum := sha256.Sum256(append([]byte(k.name+"\n"+string(k.kind)), public...))
	return binary.BigEndian.Uint32(sum[:4])
}

func (k key) vkey() string {
	return fmt.Sprintf("%s+%08x+%s", k.name, k.hash(), k.encoded(k.private.Public().(ed25519.PublicKey)))
}

// The log signs with x/mod's own signer.
func (k key) signer() note.Signer {
	return must(note.NewSigner(fmt.Sprintf("PRIVATE+KEY+%s+%08x+%s", k.name, k.hash(), k.encoded(k.private.Seed()))))
}

// Made here, because the library's signer takes the time from the clock; its verifier checks them below.
func (k key) cosign(text string, time uint64) string {
	message := fmt.Sprintf("cosignature/v1\ntime %d\n%s", time, text)
	signature := binary.BigEndian.AppendUint32(nil, k.hash())
	signature = binary.BigEndian.AppendUint64(signature, time)
	signature = append(signature, ed25519.Sign(k.private, []byte(message))...)
	return fmt.Sprintf("— %s %s\n", k.name, base64.StdEncoding.EncodeToString(signature))
}

type tree struct {
	hashes []tlog.Hash
	size   int64
}

func (t *tree) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	found := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		found[i] = t.hashes[index]
	}
	return found, nil
}

func (t *tree) add(entry []byte) {
	t.hashes = append(t.hashes, must(tlog.StoredHashes(t.size, entry, t))...)
	t.size++
}

func encode(hashes []tlog.Hash) []string {
	encoded := []string{}
	for _, hash := range hashes {
		encoded = append(encoded, base64.StdEncoding.EncodeToString(hash[:]))
	}
	return encoded
}

func textOf(size int64, root tlog.Hash) string {
	return string(checkpoint.Checkpoint{Origin: origin, Size: uint64(size), Hash: root[:]}.Marshal())
}

type object = map[string]any

func printVectors() {
	logKey := keyOf(origin, 1)
	witnesses := []key{keyOf("w1.example", 4), keyOf("w2.example", 4), keyOf("w3.example", 4)}
	sizes := []int64{0, 1, 2, 3, 7, 8, 255, 256, 257, 511, 512, 700, most}
	t := &tree{}
	trees, inclusions, consistencies, tiles := []object{}, []object{}, []object{}, []object{}
	for position, size := range sizes {
		for t.size < size {
			t.add(fmt.Appendf(nil, "entry %d", t.size))
		}
		root := must(tlog.TreeHash(size, t))
		signed := must(note.Sign(&note.Note{Text: textOf(size, root)}, logKey.signer()))
		trees = append(trees, object{"size": size, "root": base64.StdEncoding.EncodeToString(root[:]), "checkpoint": string(signed)})
		for _, index := range []int64{0, size / 3, size - 1} {
			if index >= 0 && index < size {
				proof := must(tlog.ProveRecord(size, index, t))
				inclusions = append(inclusions, object{"size": size, "index": index, "proof": encode(proof)})
			}
		}
		for _, old := range sizes[:position] {
			if old > 0 {
				proof := must(tlog.ProveTree(size, old, t))
				consistencies = append(consistencies, object{"old": old, "size": size, "proof": encode(proof)})
			}
		}
		for _, tile := range tlog.NewTiles(8, 0, size) {
			if size == 700 || size == most {
				hashes := sha256.Sum256(must(tlog.ReadTileData(tile, t)))
				path := strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
				tiles = append(tiles, object{"size": size, "path": path, "sha256": hex.EncodeToString(hashes[:])})
			}
		}
	}

	root := must(tlog.TreeHash(most, t))
	text := textOf(most, root)
	signed := string(must(note.Sign(&note.Note{Text: text}, logKey.signer())))
	policies := []string{"none", "one", "pair", "nested"}
	policyOf := func(quorum string) string {
		lines := []string{"log " + logKey.vkey()}
		for i, name := range []string{"one", "two", "three"} {
			lines = append(lines, fmt.Sprintf("witness %s %s https://%s/", name, witnesses[i].vkey(), witnesses[i].name))
		}
		return strings.Join(append(lines, "group pair 2 one two", "group nested any pair three", "quorum "+quorum, ""), "\n")
	}
	cosigned := []object{}
	for set := range 1 << len(witnesses) {
		full := signed
		for i, w := range witnesses {
			if set&(1<<i) != 0 {
				line := w.cosign(text, time+uint64(i))
				verifier := must(cosignature.NewVerifierForCosignatureV1(w.vkey()))
				must(note.Open([]byte(signed+line), note.VerifierList(verifier)))
				full += line
			}
		}
		results := object{}
		for _, quorum := range policies {
			results[quorum] = must(witness.ParsePolicy([]byte(policyOf(quorum)))).Satisfied([]byte(full))
		}
		cosigned = append(cosigned, object{"checkpoint": full, "is_witnessed": results})
	}

	record := must(tlog.ProveRecord(most, 123, t))
	spicy := proof.TLogProof{Index: 123, Checkpoint: []byte(signed + witnesses[0].cosign(text, time)), ExtraData: []byte("more")}
	for _, hash := range record {
		spicy.Hashes = append(spicy.Hashes, hash)
	}

	texts := object{}
	for _, quorum := range policies {
		texts[quorum] = policyOf(quorum)
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	out.SetIndent("", " ")
	if err := out.Encode(object{
		"about":       "A log of the entries `entry 0`, `entry 1` … made by golang.org/x/mod/sumdb and github.com/transparency-dev/formats",
		"origin":      origin,
		"log":         logKey.vkey(),
		"trees":       trees,
		"inclusion":   inclusions,
		"consistency": consistencies,
		"tiles":       tiles,
		"policies":    texts,
		"cosigned":    cosigned,
		"proof":       string(spicy.Marshal()),
	}); err != nil {
		log.Fatal(err)
	}
}

// Tiles below a directory, as a log serves them.
type files struct{ directory string }

func (f files) Height() int { return 8 }

func (f files) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	contents := make([][]byte, len(tiles))
	for i, tile := range tiles {
		content, err := os.ReadFile(filepath.Join(f.directory, strings.Replace(tile.Path(), "tile/8/", "tile/", 1)))
		if err != nil {
			return nil, err
		}
		contents[i] = content
	}
	return contents, nil
}

func (f files) SaveTiles([]tlog.Tile, [][]byte) {}

// Checks a log's checkpoint, the inclusion of every entry, and the consistency with a tree of a third of its size.
func readLog(directory, vkey string, entries int64) {
	verifier := must(note.NewVerifier(vkey))
	signed := must(os.ReadFile(filepath.Join(directory, "checkpoint")))
	found, _, _, err := checkpoint.ParseCheckpoint(signed, verifier.Name(), verifier)
	if err != nil {
		log.Fatal(err)
	}
	size := int64(found.Size)
	root := tlog.Hash(found.Hash)
	if size != entries {
		log.Fatalf("the checkpoint has %d entries instead of %d", size, entries)
	}
	reader := tlog.TileHashReader(tlog.Tree{N: size, Hash: root}, files{directory})
	var bundle []byte
	for index := range size {
		if index%256 == 0 {
			path := fmt.Sprintf("tile/entries/%03d", index/256)
			if size-index < 256 {
				path += fmt.Sprintf(".p/%d", size-index)
			}
			bundle = must(os.ReadFile(filepath.Join(directory, path)))
		}
		length := binary.BigEndian.Uint16(bundle)
		entry := bundle[2 : 2+length]
		bundle = bundle[2+length:]
		proof := must(tlog.ProveRecord(size, index, reader))
		if err := tlog.CheckRecord(proof, size, root, index, tlog.RecordHash(entry)); err != nil {
			log.Fatal(err)
		}
	}
	if len(bytes.TrimSpace(bundle)) != 0 {
		log.Fatal("the last bundle has more entries than the tree")
	}
	if old := size / 3; old > 0 {
		before := must(tlog.TreeHash(old, reader))
		if err := tlog.CheckTree(must(tlog.ProveTree(size, old, reader)), size, root, old, before); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Printf("%s: %d entries\n", found.Origin, size)
}
