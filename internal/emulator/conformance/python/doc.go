// Package python drives the emulator with Azure's SDKs for Python, as Debian packages them (python3-azure and
// python3-azure-storage). Its test runs the test_*.py with unittest, over http and over https; emulated.py is what
// they share.
package python
