import { serveStub } from './service.js';

serveStub(({ WORKER_HOST, WORKER_PORT }) => ({ host: WORKER_HOST, port: WORKER_PORT }));
