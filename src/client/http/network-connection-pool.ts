import type { Agent } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../timeline/clock/clock.ts';

/**
 * Some targets close their connections after each answer and do not say so. A request that meets that would be lost,
 * so a connection is used again only once it has rested for a little.
 */
const minIdleMs = 5;

/** A connection that ends or brings bytes while it is idle is not used again. */
function dropOnIdleData(agent: Agent): void {
  const keepSocketAlive = agent.keepSocketAlive.bind(agent);
  const reuseSocket = agent.reuseSocket.bind(agent);
  function drop(this: Duplex): void {
    this.destroy();
  }
  agent.keepSocketAlive = (socket) => {
    socket.once('data', drop).once('end', drop);
    return keepSocketAlive(socket);
  };
  agent.reuseSocket = (socket, request) => {
    socket.off('data', drop).off('end', drop);
    reuseSocket(socket, request);
  };
}

const hasIdleSocket = ({ freeSockets }: Agent): boolean => Object.keys(freeSockets).length > 0;

/**
 * True also if an answer has just come over the socket: it becomes idle in a moment, and would be used without a rest.
 */
const hasSocket = (agent: Agent): boolean =>
  hasIdleSocket(agent) || Object.keys(agent.sockets).length > 0;

/**
 * Waits two turns: the current turn of the event loop may be under way, and only the next one surely handles all I/O
 * that has arrived.
 */
export async function pendingIoHandled(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Destroys the connections of an agent. Resolves once they are closed. */
async function closeSockets(agent: Agent): Promise<void> {
  const { sockets, freeSockets } = agent;
  const all = [sockets, freeSockets].flatMap((some) => Object.values(some)).flat();
  const closed = all.map(
    (socket) => new Promise<void>((resolve) => socket?.once('close', resolve)),
  );
  agent.destroy();
  await Promise.all(closed);
}

export type ConnectionPool = ReturnType<typeof createConnectionPool>;

/**
 * Connections to a target, each for one request at a time and kept for the next.
 * @param createAgent creates an agent that keeps connections alive
 */
export function createConnectionPool(createAgent: () => Agent, clock: Clock) {
  const all: { readonly agent: Agent; freeSince: number }[] = [];
  const busy = Number.POSITIVE_INFINITY;

  return {
    /** An idle connection, or a new one; `fresh`: a new one in any case. */
    async take(fresh?: true) {
      const latest = clock.now() - minIdleMs;
      let connection = all.find(({ agent, freeSince }) => {
        const isUnused = freeSince < busy && !hasSocket(agent);
        return isUnused || (!fresh && freeSince <= latest);
      });
      if (!connection) {
        connection = { agent: createAgent(), freeSince: busy };
        dropOnIdleData(connection.agent);
        all.push(connection);
      }
      const mine = connection;
      mine.freeSince = busy;
      if (hasIdleSocket(mine.agent)) await pendingIoHandled();
      let isOver = false;
      return {
        agent: mine.agent,
        /** Ends the request. Further calls have no effect. */
        release: (): void => {
          if (isOver) return;
          isOver = true;
          mine.freeSince = clock.now();
        },
      };
    },
    /** Ends once all connections are closed. */
    async close() {
      await Promise.all(all.map(({ agent }) => closeSockets(agent)));
    },
  };
}
