#!/bin/sh
# Starts the tests' server as a sentinel, which needs a file to write to. The arguments are those of a private server.
while [ $# -gt 0 ]; do
    case $1 in
        --port) port=$2 ;;
        --dir) folder=$2 ;;
    esac
    shift 2
done
printf 'bind 127.0.0.1\nport %s\ndir %s\n' "$port" "$folder" >"$folder/sentinel.conf"
exec "${REDIS_KEYS_SERVER:-$(command -v valkey-server || command -v redis-server)}" "$folder/sentinel.conf" --sentinel
