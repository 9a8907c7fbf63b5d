// What the product uses of undici: its agent and its request method. The package's own entry also loads fetch, caches,
// WebSocket and mocks, which costs a short run a third of its time.
import request from 'undici/lib/api/api-request.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';

Object.assign(Dispatcher.prototype, { request });

export { Agent };
