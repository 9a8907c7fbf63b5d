// What the product uses of undici: its agent and its request method. The package's own entry also loads fetch, caches,
// WebSocket and mocks, which costs a short run a third of its time.
import api from 'undici/lib/api/index.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';

Object.assign(Dispatcher.prototype, api);

export { Agent };
