#!/usr/bin/env bash
# Make a DVC remote the default of this checkout. Written to .dvc/config.local: git does not see it.
#
#   infra/remote.sh s3://bucket/evotrainer [https://endpoint]     keys: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, or a profile
#   infra/remote.sh gs://bucket/evotrainer                        keys: GOOGLE_APPLICATION_CREDENTIALS
#   infra/remote.sh ssh://host/path/evotrainer                    keys: the SSH agent
#   infra/remote.sh /mnt/shared/evotrainer                        a shared folder
set -euo pipefail
url="${1:?name the remote: s3://bucket/path [endpoint], gs://bucket/path, ssh://host/path or a folder}"
cd "$(dirname "$0")/.."

case "$url" in
  s3://*) extra=s3 module=dvc_s3 ;;
  gs://*) extra=gs module=dvc_gs ;;
  ssh://*) extra=ssh module=dvc_ssh ;;
  *) extra="" module="" ;;
esac
python="${PYTHON:-.venv/bin/python}"
if [[ -n "$module" ]] && ! "$python" -c "import $module" 2>/dev/null; then
  echo "$url needs a package: $python -m pip install -e '.[$extra]'" >&2
  exit 1
fi
"$python" -m dvc remote add --local --force --default shared "$url"
if [[ -n "${2:-}" ]]; then
  "$python" -m dvc remote modify --local shared endpointurl "$2"
fi
echo "default remote: $url (evotrainer doctor shows it)"
