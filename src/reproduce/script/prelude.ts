/** Beginning of every script, after its addresses: bash that needs only curl and jq. */
export const prelude = String.raw`
# ---- helpers ----
for tool in curl jq; do
  command -v "$tool" >/dev/null || { echo "could not be played: $tool is not installed" >&2; exit 2; }
done
work="$(mktemp -d)"
listeners=""
finish() {
  for pid in $listeners; do kill "$pid" 2>/dev/null; done
  rm -rf "$work"
}
trap finish EXIT
echo '{}' >"$work/seen.json"
now=0

cannot() { echo "could not be played: $1" >&2; exit 2; }
hex() { od -An -v -N64 -tx1 /dev/urandom | tr -d ' \n'; }

# What jq knows beside the answers. Amounts are compared by number, identifiers in either case.
defs='
def iso($ms): ($ms / 1000 | floor | todate | rtrimstr("Z")) + "." + ("00\($ms % 1000 | floor)" | .[-3:]) + "Z";
def later($ms): iso($now + $ms);
def moment: if type == "number" then . else (.[0:19] + "Z" | fromdateiso8601) * 1000 + (.[20:23] | tonumber) end;
def number: if type == "string" and test("^[0-9]{4}-") then moment else tonumber end;
def is_decimal: type == "string" and test("^-?[0-9]+([.][0-9]+)?$");
def norm:
  if is_decimal then capture("^(?<s>-?)0*(?<i>[0-9]+?)([.](?<f>[0-9]*?)0*)?$") | .s + .i + "." + (.f // "")
  elif type == "string" then ascii_downcase | sub("[+]00:00$"; "z")
  else . end;
def same($a; $b): ($a | norm) == ($b | norm);
def names_order($id): [.. | objects | .intent_id? | strings | ascii_downcase] | index($id | ascii_downcase) != null;
def part: gsub("-"; "+") | gsub("_"; "/") | . + "==="[0:((4 - length % 4) % 4)] | @base64d | fromjson;
def claims: split(".")[1] | part;
def unsigned: split(".") | (.[0] | part | .alg = "none" | tojson | @base64 | gsub("[+]"; "-") | gsub("/"; "_") | gsub("="; "")) + "." + .[1] + ".";
'
# Works out an expression over all answers so far: as text, as JSON, as yes or no.
text() { jq -r --argjson now "$now" "$defs $1" "$work/seen.json"; }
json() { jq -c --argjson now "$now" --arg hex "$(hex)" "$defs $1" "$work/seen.json"; }
holds() { jq -e --argjson now "$now" "$defs $1" "$work/seen.json" >/dev/null 2>&1; }
remember() { mv "$work/next.json" "$work/seen.json"; }

# call NAME METHOD URL TOKEN BODY [HEADER...]: keeps the answer under its name. No token or no body: an empty text.
call() {
  local name=$1 method=$2 url=$3 token=$4 body=$5 status tries=0
  shift 5
  local options=(-sS -X "$method" -o "$work/body" -D "$work/head" -w '%{http_code}' -H 'accept: application/json')
  [ -n "$token" ] && options+=(-H "authorization: Bearer $token")
  [ -n "$body" ] && options+=(-H 'content-type: application/json' --data-binary "$body")
  for header in "$@"; do options+=(-H "$header"); done
  while :; do
    : >"$work/body"
    status="$(curl "${'$'}{options[@]}" "$url")" || cannot "no answer from $method $url"
    tries=$((tries + 1))
    [ "$status" = 429 ] && [ "$tries" -lt 5 ] || break
    wait_ms 1000
  done
  jq -c --arg name "$name" --argjson status "$status" --arg sent "$body" \
    --rawfile text "$work/body" --rawfile head "$work/head" '.[$name] = {
      status: $status,
      headers: ($head | split("\r\n") | map(select(test("^[^ :]+:")) | capture("^(?<key>[^:]+): *(?<value>.*)$") | .key |= ascii_downcase) | from_entries),
      body: ($text | fromjson? // null), text: $text, sent: ($sent | fromjson? // $sent)}' \
    "$work/seen.json" >"$work/next.json" && remember
  printf '%-6s %s  %s\n' "$method" "$status" "$url"
}
# What prepares the situation must succeed, or nothing is shown.
granted() { holds ".$1.status | . >= 200 and . < 300" || cannot "$1 was answered $(text ".$1 | \"\(.status) \(.text)\"")"; }

# wait_until TEXT MS: until so long before the next moment that reads so in UTC, as 23:59:58.500 or 12-31T23:59:58.500.
wait_until() {
  local now left
  now="$(now_ms)" || cannot "the clock does not tell its time"
  left="$(jq -n --argjson now "$now" --arg at "$1" --argjson less "$2" '
    ($at[:-4] + "Z") as $whole
    | first(
        (if $at | contains("T")
         then ($now / 1000 | gmtime[0]) + range(0; 9) | "\(.)-\($whole)"
         else $now / 1000 + 86400 * range(0; 2) | floor | gmtime | strftime("%Y-%m-%dT") + $whole end)
        | . as $text | fromdateiso8601 | select(todateiso8601 == $text)
        | . * 1000 + ($at[-3:] | tonumber) - $now | select(. >= 0)) | [. - $less, 0] | max')"
  wait_ms "$left"
}

# listen NAME URL TOKEN [ID]: keeps a stream open, from after the event of that id.
listen() {
  local options=(-sN -D "$work/$1.head" -H 'accept: text/event-stream')
  [ -n "$3" ] && options+=(-H "authorization: Bearer $3")
  [ -n "${'$'}{4-}" ] && options+=(-H "last-event-id: $4")
  curl "${'$'}{options[@]}" "$2" >"$work/$1.sse" &
  listeners="$listeners $!"
  echo "$!" >"$work/$1.pid"
  for _ in 1 2 3 4 5 6 7 8 9 10; do [ -s "$work/$1.head" ] && break; sleep 0.2; done
  [ -s "$work/$1.head" ] || cannot "the stream $1 was not answered"
  jq -c --arg name "$1" --rawfile head "$work/$1.head" '.[$name] = {
      status: ($head | split(" ")[1][0:3] | tonumber), text: ""}' "$work/seen.json" >"$work/next.json" && remember
}
# resume NAME FIRST URL TOKEN: cuts the stream that was opened first as FIRST, and opens it again after what it told last.
resume() {
  local former=$2 id=""
  [ -s "$work/$2.now" ] && former="$(cat "$work/$2.now")"
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    look
    id="$(text ".[\"$former\"].events | map(.id // empty) | last // empty")"
    [ -n "$id" ] && break
    sleep 0.2
  done
  kill "$(cat "$work/$former.pid")" 2>/dev/null
  listen "$1" "$3" "$4" "$id"
  echo "$1" >"$work/$2.now"
}
# Keeps what the streams have told so far.
look() {
  local file name
  for file in "$work"/*.sse; do
    name="$(basename "$file" .sse)"
    jq -c --arg name "$name" --rawfile sse "$file" '.[$name].events = [
        $sse | split("\r\n") | join("\n") | split("\n\n")[:-1][] | split("\n")
        | def line($key): map(select(startswith($key + ":")) | ltrimstr($key + ":") | ltrimstr(" "));
          {event: (line("event")[0] // ""), id: line("id")[0], text: (line("data") | join("\n")), comments: line("")}
        | select(.event != "" or .text != "" or .comments != []) | .data = (.text | fromjson? // null)]' \
      "$work/seen.json" >"$work/next.json" && remember
  done
}

# must MESSAGE CONDITION SEEN [EXPECTED]: the last two are expressions, worked out where it does not hold.
must() {
  if holds "$2"; then return; fi
  echo "FAIL: $1" >&2
  if [ $# -gt 3 ]; then echo "expected: $(text "$4" 2>&1)" >&2; fi
  echo "seen: $(text "$3" 2>&1)" >&2
  exit 1
}
# within MS MESSAGE CONDITION SEEN: looks at the streams until it holds.
within() {
  local left=$1 step=$(($1 / 10))
  while look; ! holds "$3"; do
    [ "$left" -le 0 ] && must "$2" "$3" "$4"
    wait_ms "$step"
    left=$((left - step))
  done
}
`;
