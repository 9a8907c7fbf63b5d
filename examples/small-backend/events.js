// Server-sent events, with a heartbeat on every stream.
const heartbeatMs = 30_000;

/** @param intentId of the only order to tell of; null: all */
export function openStream(party, response, intentId) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.flushHeaders();
  const write = (name, data) => {
    const isWanted = name === 'heartbeat' || intentId === null || data.intent_id === intentId;
    if (isWanted) response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const stream = { write };
  party.streams.add(stream);
  const beat = setInterval(
    () => write('heartbeat', { timestamp: new Date().toISOString() }),
    heartbeatMs,
  );
  response.on('close', () => {
    clearInterval(beat);
    party.streams.delete(stream);
  });
}

/** Tells some parties of something that happened. */
export function tell(parties, name, data) {
  for (const { streams } of parties) for (const { write } of streams) write(name, data);
}
