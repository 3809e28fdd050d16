#!/usr/bin/env bash
. "$(dirname "${BASH_SOURCE[0]}")/walk.sh"
walk 80x24
