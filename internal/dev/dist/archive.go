package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"
)

// entry is a file of an archive.
type entry struct {
	name    string // with slashes
	mode    fs.FileMode
	content []byte
}

// read reads files as entries of a folder. Programs have no other extension than .exe and are executable; the modes on
// the disk depend on the umask, so they are not taken over.
func read(files []string, folder string) ([]entry, error) {
	var entries []entry
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		e := entry{path.Join(folder, filepath.Base(file)), 0o755, content}
		if filepath.Ext(file) == ".md" || filepath.Base(file) == "LICENSE" {
			e.mode = 0o644
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// tarGzip writes a tar file without owners, compressed without name or time.
func tarGzip(w io.Writer, entries []entry, at time.Time) error {
	compressed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(compressed)
	for _, e := range entries {
		header := &tar.Header{Typeflag: tar.TypeReg, Name: e.name, Mode: int64(e.mode), Size: int64(len(e.content)),
			ModTime: at, Format: tar.FormatUSTAR}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		if _, err := archive.Write(e.content); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), compressed.Close())
}

// zipped writes a zip file. Its times are in UTC, whatever the machine's zone is.
func zipped(w io.Writer, entries []entry, at time.Time) error {
	archive := zip.NewWriter(w)
	for _, e := range entries {
		header := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: at.UTC()}
		header.SetMode(e.mode)
		file, err := archive.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := file.Write(e.content); err != nil {
			return err
		}
	}
	return archive.Close()
}
