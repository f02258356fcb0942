import { serveStub } from './service.js';

serveStub(({ HOST, PORT }) => ({ host: HOST, port: PORT }));
