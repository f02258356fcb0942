import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Starts a server-sent events answer outside of Fastify, so that frames go directly to the socket. It ends with its connection; the
 * request time-out (server.ts) no longer applies. Returns undefined for a HEAD request.
 */
export function openEventStream({ method }: FastifyRequest, reply: FastifyReply): ServerResponse | undefined {
  const { raw } = reply;
  reply.hijack();
  raw.useChunkedEncodingByDefault = false;
  raw.shouldKeepAlive = false;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    // nginx would buffer the events.
    'x-accel-buffering': 'no',
  });
  if (method !== 'HEAD') return raw;
  raw.end();
  return undefined;
}
